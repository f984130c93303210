//===- ReferenceTest.cpp - The reference interpreter on known values ------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "reference/Reference.h"
#include "dialects/ourc/OurcDialect.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir;
using namespace ourc;
using reference::Tensor;

namespace {
struct Reference : testing::Test {
  Reference() : context(makeRegistry(), MLIRContext::Threading::DISABLED) {
    context.loadAllAvailableDialects();
    context.getDiagEngine().registerHandler(
        [this](Diagnostic &d) { error = d.str(); });
  }

  static DialectRegistry makeRegistry() {
    DialectRegistry registry;
    registry.insert<OurcDialect, func::FuncDialect, arith::ArithDialect,
                    tensor::TensorDialect, affine::AffineDialect>();
    reference::registerReferenceModels(registry);
    return registry;
  }

  /// The reals (or integers) of the first result of `text`'s function.
  std::vector<double> run(StringRef text, ArrayRef<Tensor> arguments = {},
                          const reference::Symbols &symbols = {}) {
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    if (!module)
      return {};
    reference::Results results = reference::interpret(
        *module->getOps<func::FuncOp>().begin(), arguments, symbols);
    std::vector<double> values;
    if (succeeded(results))
      for (const reference::Element &element : (*results)[0].data)
        values.push_back((*results)[0].isFloat()
                             ? element.real
                             : static_cast<double>(element.integer));
    return values;
  }

  MLIRContext context;
  std::string error;
};
} // namespace

using Values = std::vector<double>;

TEST_F(Reference, ContractsNamedDimensions) {
  EXPECT_EQ(run(R"mlir(
    func.func @f() -> tensor<2x2xf32> {
      %a = ourc.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
      %b = ourc.constant dense<[[5.0, 6.0], [7.0, 8.0]]> : tensor<2x2xf32>
      %c = ourc.contract %a, %b batch [], [] contract [1], [0] : tensor<2x2xf32>, tensor<2x2xf32> -> tensor<2x2xf32>
      return %c : tensor<2x2xf32>
    })mlir"),
            (Values{19, 22, 43, 50}));
}

TEST_F(Reference, PadsWindowsWithTheLeastValue) {
  EXPECT_EQ(run(R"mlir(
    func.func @f() -> tensor<1x3x1xi8> {
      %x = ourc.constant dense<[[[-5], [-7], [-9]]]> : tensor<1x3x1xi8>
      %y = ourc.pool max %x window [3] strides [1] dilations [1] low [1] high [1] : tensor<1x3x1xi8> -> tensor<1x3x1xi8>
      return %y : tensor<1x3x1xi8>
    })mlir"),
            (Values{-5, -5, -7}));
}

TEST_F(Reference, WrapsIntegersAtTheirWidth) {
  EXPECT_EQ(run(R"mlir(
    func.func @f() -> tensor<2xi8> {
      %x = ourc.constant dense<[127, -128]> : tensor<2xi8>
      %y = ourc.add %x, %x : tensor<2xi8>
      return %y : tensor<2xi8>
    })mlir"),
            (Values{-2, 0}));
}

TEST_F(Reference, RoundsWhereTheProgramDoes) {
  EXPECT_EQ(run(R"mlir(
    func.func @f() -> tensor<1xf32> {
      %x = ourc.constant dense<1.001> : tensor<1xf32>
      %h = ourc.cast %x : tensor<1xf32> -> tensor<1xbf16>
      %y = ourc.cast %h : tensor<1xbf16> -> tensor<1xf32>
      return %y : tensor<1xf32>
    })mlir"),
            (Values{1.0}));
}

TEST_F(Reference, GivesNanOrZeroForMaskedRows) {
  auto program = [](StringRef flag) {
    return (R"mlir(
    func.func @f() -> tensor<1x2x1xf32> {
      %x = ourc.constant dense<1.0> : tensor<1x2x1xf32>
      %m = ourc.constant dense<[[[false, false], [true, false]]]> : tensor<1x2x2xi1>
      %y = ourc.attention %x, %x, %x mask %m : tensor<1x2x2xi1> scale 1.0 )mlir" +
            flag +
            R"mlir( : tensor<1x2x1xf32>, tensor<1x2x1xf32>, tensor<1x2x1xf32> -> tensor<1x2x1xf32>
      return %y : tensor<1x2x1xf32>
    })mlir")
        .str();
  };
  Values plain = run(program(""));
  ASSERT_EQ(plain.size(), 2u);
  EXPECT_TRUE(std::isnan(plain[0]));
  EXPECT_EQ(plain[1], 1.0);
  EXPECT_EQ(run(program("zero_masked_rows")), (Values{0, 1}));
}

TEST_F(Reference, ReadsSymbols) {
  reference::Symbols symbols;
  symbols["s"] = 3;
  StringRef program = R"mlir(
    ourc.symbol @s {min = 1, max = 8}
    func.func @f() -> tensor<?xi64> {
      %s = ourc.dim @s : index
      %y = ourc.iota dim 0 sizes [%s] : tensor<?xi64>
      return %y : tensor<?xi64>
    })mlir";
  EXPECT_EQ(run(program, {}, symbols), (Values{0, 1, 2}));
  EXPECT_TRUE(run(program).empty());
  EXPECT_EQ(error, "'ourc.dim' op names a symbol without a size");
}

TEST_F(Reference, RefusesWhatHasNoMeaning) {
  EXPECT_TRUE(run(R"mlir(
    func.func @f() -> tensor<1xf32> {
      %x = ourc.constant dense<[1.0, 2.0]> : tensor<2xf32>
      %i = ourc.constant dense<2> : tensor<1xi64>
      %y = ourc.gather %x at %i axes [0] : tensor<2xf32>, tensor<1xi64> -> tensor<1xf32>
      return %y : tensor<1xf32>
    })mlir")
                  .empty());
  EXPECT_NE(error.find("has an index out of bounds"), std::string::npos);
  EXPECT_TRUE(run(R"mlir(
    func.func @f() -> tensor<?xf32> {
      %n = arith.constant 3 : index
      %x = ourc.constant dense<[1.0, 2.0]> : tensor<2xf32>
      %y = ourc.reshape %x sizes [%n] : tensor<2xf32> -> tensor<?xf32>
      return %y : tensor<?xf32>
    })mlir")
                  .empty());
  EXPECT_NE(error.find("changes the number of elements"), std::string::npos);
}
