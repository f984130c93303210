//===- GraphFuzzTest.cpp - Random programs through the graph passes -------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Random programs of the ourc dialect mean the same before and after the graph
// pipeline, by the reference interpreter; so do their decompositions, and their
// lowering to linalg by the interpreter of kernels. A failure prints the
// program: it is a case for ourc-opt.
//
//===----------------------------------------------------------------------===//

#include "compiler/GraphPipeline.h"
#include "conversion/OurcToLinalg/Passes.h"
#include "dialects/kernel/KernelDialect.h"
#include "dialects/ourc/OurcDialect.h"
#include "reference/Reference.h"
#include "test/lib/Interpreter.h"
#include "tools/registration/Registration.h"
#include "transforms/graph/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"
#include <cmath>
#include <random>

using namespace mlir;
using namespace ourc;
using reference::Tensor;

namespace {
/// Grows one function, an operation at a time, out of what it has so far.
class ProgramMaker {
public:
  ProgramMaker(MLIRContext *context, unsigned seed)
      : builder(context), loc(UnknownLoc::get(context)), random(seed) {}

  OwningOpRef<ModuleOp> make(unsigned numOps) {
    OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
    SmallVector<Type> inputs{type({2, 3, 4, 5}), type({2, 4, 5, 3}), type({3}),
                             type({5, 3, 2, 3}), type({7, 5}),       type({5})};
    builder.setInsertionPointToEnd(module->getBody());
    auto func = func::FuncOp::create(builder, loc, "main",
                                     builder.getFunctionType(inputs, {}));
    Block *block = func.addEntryBlock();
    for (unsigned i = 2; i < inputs.size(); ++i) {
      func.setArgAttr(i, kParameterAttrName,
                      builder.getStringAttr("p" + std::to_string(i)));
      func.setArgAttr(i, kFrozenAttrName, builder.getUnitAttr());
    }
    builder.setInsertionPointToEnd(block);
    for (Value argument : block->getArguments())
      values.push_back(argument);
    while (numOps > 0)
      numOps -= addOne();
    SmallVector<Value> results;
    for (int i = 0; i < 3; ++i)
      results.push_back(values[values.size() - 1 - pick(values.size() / 2)]);
    func::ReturnOp::create(builder, loc, results);
    func.setType(
        builder.getFunctionType(inputs, ValueRange(results).getTypes()));
    return module;
  }

private:
  unsigned pick(unsigned count) { return random() % count; }
  RankedTensorType type(ArrayRef<int64_t> shape) {
    return RankedTensorType::get(shape, builder.getF64Type());
  }
  static RankedTensorType typeOf(Value value) {
    return cast<RankedTensorType>(value.getType());
  }
  static ArrayRef<int64_t> shapeOf(Value value) {
    return typeOf(value).getShape();
  }
  bool keep(Value value) {
    values.push_back(value);
    return true;
  }
  /// One of the newest values as often as not: chains are what passes look for.
  Value any() {
    unsigned span =
        pick(2) ? std::min<size_t>(values.size(), 2) : values.size();
    return values[values.size() - 1 - pick(span)];
  }
  Value splat(double value, RankedTensorType type) {
    return ConstantOp::create(
        builder, loc, type,
        DenseElementsAttr::get(type, builder.getF64FloatAttr(value)));
  }
  Value createTranspose(Value x, ArrayRef<int64_t> permutation) {
    SmallVector<int64_t> shape;
    for (int64_t dim : permutation)
      shape.push_back(shapeOf(x)[dim]);
    return TransposeOp::create(builder, loc, type(shape), x, permutation);
  }
  Value createReshape(Value x, ArrayRef<int64_t> shape) {
    return ReshapeOp::create(builder, loc, type(shape), x, ValueRange(), shape);
  }

  /// Adds an operation if the value drawn fits it.
  bool addOne() {
    Value x = any();
    RankedTensorType xType = typeOf(x);
    int64_t rank = xType.getRank();
    switch (pick(17)) {
    case 0: // bounded, so that nothing overflows
      return keep(TanhOp::create(builder, loc, xType, x));
    case 1:
      return keep(
          MaximumOp::create(builder, loc, xType, x, splat(0.25, xType)));
    case 2: { // two of one shape
      for (Value y : llvm::reverse(values))
        if (y != x && y.getType() == xType)
          return keep(
              pick(2) ? AddOp::create(builder, loc, xType, x, y).getResult()
                      : SubOp::create(builder, loc, xType, x, y).getResult());
      return false;
    }
    case 3: { // a vector along one dimension, in the forms that importers write
      if (rank < 2)
        return false;
      int64_t dim = pick(rank);
      for (Value y : llvm::reverse(values)) {
        if (typeOf(y).getRank() != 1 || shapeOf(y)[0] != shapeOf(x)[dim])
          continue;
        SmallVector<int64_t> dims{dim};
        if (pick(2)) {
          SmallVector<int64_t> shape(rank - dim, 1);
          shape[0] = shapeOf(x)[dim];
          y = createReshape(y, shape);
          dims = llvm::to_vector(llvm::seq<int64_t>(dim, rank));
        }
        Value repeated = BroadcastOp::create(builder, loc, xType, y, dims,
                                             ValueRange(), xType.getShape());
        return keep(
            pick(2)
                ? AddOp::create(builder, loc, xType, x, repeated).getResult()
                : MulOp::create(builder, loc, xType, x, repeated).getResult());
      }
      return false;
    }
    case 4:
    case 5: {
      if (rank < 2)
        return false;
      SmallVector<int64_t> permutation =
          llvm::to_vector(llvm::seq<int64_t>(0, rank));
      std::shuffle(permutation.begin(), permutation.end(), random);
      return keep(createTranspose(x, permutation));
    }
    case 6: { // merge or split
      SmallVector<int64_t> shape(xType.getShape());
      if (rank >= 2 && pick(2)) {
        int64_t dim = pick(rank - 1);
        shape[dim] *= shape[dim + 1];
        shape.erase(shape.begin() + dim + 1);
      } else if (rank < 5) {
        shape.insert(shape.begin() + pick(rank + 1), 1);
      }
      return keep(createReshape(x, shape));
    }
    case 7: {
      if (rank == 0)
        return false;
      SmallVector<int64_t> offsets, sizes, strides;
      for (int64_t size : xType.getShape()) {
        offsets.push_back(pick(std::min<int64_t>(size, 2)));
        strides.push_back(1 + pick(2));
        sizes.push_back(
            std::max<int64_t>(1, (size - offsets.back()) / strides.back()));
      }
      return keep(SliceOp::create(builder, loc, type(sizes), x, ValueRange(),
                                  ValueRange(), offsets, sizes, strides));
    }
    case 8: {
      SmallVector<int64_t> low, high, shape;
      for (int64_t size : xType.getShape()) {
        low.push_back(pick(2));
        high.push_back(pick(2));
        shape.push_back(size + low.back() + high.back());
      }
      if (xType.getNumElements() > 400)
        return false;
      return keep(PadOp::create(builder, loc, type(shape), x,
                                builder.getF64FloatAttr(0.5), low, high));
    }
    case 9: {
      if (rank == 0 || xType.getNumElements() > 400)
        return false;
      uint64_t dim = pick(rank);
      SmallVector<int64_t> shape(xType.getShape());
      shape[dim] *= 2;
      Value y = TanhOp::create(builder, loc, xType, x);
      return keep(
          ConcatOp::create(builder, loc, type(shape), ValueRange{x, y}, dim));
    }
    case 10: {
      if (rank == 0)
        return false;
      SmallVector<int64_t> dims, shape;
      for (int64_t i = 0; i < rank; ++i) {
        if (pick(2))
          dims.push_back(i);
        else
          shape.push_back(xType.getDimSize(i));
      }
      return keep(ReduceOp::create(builder, loc, type(shape),
                                   pick(2) ? Combiner::Maximum : Combiner::Add,
                                   x, dims));
    }
    case 11:
      if (rank == 0)
        return false;
      return keep(SoftmaxOp::create(builder, loc, xType, x,
                                    static_cast<uint64_t>(pick(rank))));
    case 12: { // channels first, as PyTorch has them
      if (rank != 4 || xType.getDimSize(1) != 3 || xType.getDimSize(2) < 3 ||
          xType.getDimSize(3) < 2)
        return false;
      Value image = createTranspose(x, {0, 2, 3, 1});
      ArrayRef<int64_t> s = shapeOf(image);
      SmallVector<int64_t> ones{1, 1};
      Value filter = builder.getInsertionBlock()->getArgument(3);
      Value y = ConvolutionOp::create(
          builder, loc, type({s[0], s[1], s[2] + 1, 5}), image, filter, ones,
          ones, ones, ones, static_cast<uint64_t>(1));
      if (pick(2)) {
        Value vector = builder.getInsertionBlock()->getArgument(5);
        Value positive = ExpOp::create(builder, loc, typeOf(vector), vector);
        y = BatchNormOp::create(builder, loc, typeOf(y), y, vector, positive,
                                vector, Value(), static_cast<uint64_t>(3),
                                APFloat(1e-3));
      }
      return keep(createTranspose(y, {0, 3, 1, 2}));
    }
    case 13: { // a linear layer over merged dimensions
      if (rank < 2 || xType.getShape().back() != 5)
        return false;
      int64_t rows = xType.getNumElements() / 5;
      Value flat = createReshape(x, {rows, 5});
      Value weight =
          createTranspose(builder.getInsertionBlock()->getArgument(4), {1, 0});
      Value y = ContractOp::create(builder, loc, type({rows, 7}), flat, weight,
                                   ArrayRef<int64_t>(), ArrayRef<int64_t>(),
                                   ArrayRef<int64_t>(1), ArrayRef<int64_t>(0));
      SmallVector<int64_t> shape(xType.getShape());
      shape.back() = 7;
      return keep(
          createReshape(TanhOp::create(builder, loc, typeOf(y), y), shape));
    }
    case 14: { // attention by hand, of x with itself
      if (rank < 3 || xType.getNumElements() > 400)
        return false;
      SmallVector<int64_t> batch =
          llvm::to_vector(llvm::seq<int64_t>(0, rank - 2));
      SmallVector<int64_t> swapped =
          llvm::to_vector(llvm::seq<int64_t>(0, rank));
      std::swap(swapped[rank - 1], swapped[rank - 2]);
      SmallVector<int64_t> shape(xType.getShape());
      shape[rank - 1] = shape[rank - 2];
      RankedTensorType scores = type(shape);
      Value keys = createTranspose(x, swapped);
      Value s = ContractOp::create(builder, loc, scores, x, keys, batch, batch,
                                   ArrayRef<int64_t>(rank - 1),
                                   ArrayRef<int64_t>(rank - 2));
      s = MulOp::create(builder, loc, scores, s, splat(0.5, scores));
      Value p = SoftmaxOp::create(builder, loc, scores, s,
                                  static_cast<uint64_t>(rank - 1));
      return keep(ContractOp::create(builder, loc, xType, p, x, batch, batch,
                                     ArrayRef<int64_t>(rank - 1),
                                     ArrayRef<int64_t>(rank - 2)));
    }
    case 15: { // repeated along a new dimension
      if (rank > 3 || xType.getNumElements() > 400)
        return false;
      int64_t added = pick(rank + 1);
      SmallVector<int64_t> dims, shape(xType.getShape());
      for (int64_t i = 0; i < rank; ++i)
        dims.push_back(i < added ? i : i + 1);
      shape.insert(shape.begin() + added, 2);
      return keep(BroadcastOp::create(builder, loc, type(shape), x, dims,
                                      ValueRange(), shape));
    }
    default: { // positions: compared, selected by, gathered at
      if (rank == 0 || xType.getNumElements() == 0)
        return false;
      uint64_t dim = pick(rank);
      auto positions =
          RankedTensorType::get(xType.getShape(), builder.getI64Type());
      Value iota = IotaOp::create(builder, loc, positions, dim, ValueRange(),
                                  xType.getShape());
      Value bound = ConstantOp::create(
          builder, loc, positions,
          DenseElementsAttr::get(positions,
                                 builder.getI64IntegerAttr(int(pick(3)) - 1)));
      Value mask = CompareOp::create(
          builder, loc, positions.clone(builder.getI1Type()),
          static_cast<ComparePredicate>(pick(6)), iota, bound);
      if (pick(2))
        return keep(
            SelectOp::create(builder, loc, xType, mask, x, splat(-0.5, xType)));
      SmallVector<Value> indices;
      SmallVector<int64_t> axes;
      for (int64_t i = 0; i < rank; ++i) {
        indices.push_back(IotaOp::create(builder, loc, positions,
                                         static_cast<uint64_t>(i), ValueRange(),
                                         xType.getShape()));
        axes.push_back(i);
      }
      return keep(GatherOp::create(builder, loc, xType, x, indices, axes));
    }
    }
  }

  OpBuilder builder;
  Location loc;
  std::mt19937 random;
  SmallVector<Value> values;
};

struct GraphFuzz : testing::TestWithParam<unsigned> {};
} // namespace

static SmallVector<Tensor> makeArguments(func::FuncOp func, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  SmallVector<Tensor> arguments;
  for (Type type : func.getArgumentTypes()) {
    auto ranked = cast<RankedTensorType>(type);
    Tensor tensor(ranked.getElementType(), ranked.getShape());
    for (reference::Element &element : tensor.data)
      element.real = normal(random);
    arguments.push_back(tensor);
  }
  return arguments;
}

/// Why two lists of results differ; empty where they agree.
static std::string compare(ArrayRef<Tensor> expected, ArrayRef<Tensor> given) {
  if (expected.size() != given.size())
    return "another number of results";
  for (size_t i = 0; i < expected.size(); ++i) {
    if (expected[i].shape != given[i].shape)
      return "another shape of result " + std::to_string(i);
    for (size_t j = 0; j < expected[i].data.size(); ++j) {
      double a = expected[i].data[j].real, b = given[i].data[j].real;
      if (std::isnan(a) && std::isnan(b))
        continue;
      if (!(a == b || std::fabs(a - b) <= 1e-9 * (1 + std::fabs(a))))
        return "result " + std::to_string(i) + " element " + std::to_string(j) +
               " is " + std::to_string(b) + ", not " + std::to_string(a);
    }
  }
  return "";
}

/// The results of a lowered function, by the interpreter of kernels: all of it
/// as one kernel.
static std::string runLowered(func::FuncOp func, ArrayRef<Tensor> arguments,
                              SmallVectorImpl<Tensor> &results) {
  OpBuilder builder(func);
  SmallVector<Type> inputs(func.getArgumentTypes());
  llvm::append_range(inputs, func.getResultTypes());
  auto kernel = kernel::FuncOp::create(
      builder, func.getLoc(), "lowered",
      builder.getFunctionType(inputs, func.getResultTypes()));
  if (kernel.getBody().empty())
    kernel.getBody().emplaceBlock();
  Block &block = kernel.getBody().front();
  if (block.getNumArguments() == 0)
    for (Type type : inputs)
      block.addArgument(type, func.getLoc());
  IRMapping mapping;
  mapping.map(func.getArguments(),
              block.getArguments().take_front(func.getNumArguments()));
  builder.setInsertionPointToEnd(&block);
  for (Operation &op : func.getBody().front().without_terminator())
    builder.clone(op, mapping);
  SmallVector<Value> values;
  for (Value value : func.getBody().front().getTerminator()->getOperands())
    values.push_back(mapping.lookup(value));
  kernel::ReturnOp::create(builder, func.getLoc(), values);

  std::vector<test::Tensor> given;
  for (const Tensor &argument : arguments) {
    test::Tensor tensor(argument.element, argument.shape);
    for (auto [to, from] : llvm::zip(tensor.data, argument.data))
      to = {from.real, from.integer};
    given.push_back(tensor);
  }
  for (Type type : func.getResultTypes()) {
    auto ranked = cast<RankedTensorType>(type);
    given.push_back(test::Tensor(ranked.getElementType(), ranked.getShape()));
  }
  auto computed = test::interpretKernel(kernel, given);
  kernel.erase();
  if (!computed)
    return llvm::toString(computed.takeError());
  for (const test::Tensor &tensor : *computed) {
    Tensor result(tensor.element, tensor.shape);
    for (auto [to, from] : llvm::zip(result.data, tensor.data))
      to = {from.f, from.i};
    results.push_back(result);
  }
  return "";
}

TEST_P(GraphFuzz, PassesKeepTheMeaning) {
  DialectRegistry registry;
  registerAllDialects(registry);
  reference::registerReferenceModels(registry);
  registry.insert<func::FuncDialect, tensor::TensorDialect, arith::ArithDialect,
                  affine::AffineDialect>();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  for (unsigned i = 0; i < 60; ++i) {
    unsigned seed = GetParam() * 1000 + i;
    OwningOpRef<ModuleOp> module =
        ProgramMaker(&context, seed).make(/*numOps=*/4 + seed % 24);
    ASSERT_TRUE(succeeded(verify(*module))) << "seed " << seed;
    std::string text;
    llvm::raw_string_ostream(text) << *module;
    auto main = [&] { return *module->getOps<func::FuncOp>().begin(); };
    SmallVector<Tensor> arguments = makeArguments(main(), seed);
    reference::Results expected =
        reference::interpret(main(), arguments, reference::Symbols());
    ASSERT_TRUE(succeeded(expected)) << text;

    PassManager pipeline(&context);
    buildGraphPipeline(pipeline, GraphPipelineOptions());
    ASSERT_TRUE(succeeded(pipeline.run(*module))) << text;
    reference::Results optimized =
        reference::interpret(main(), arguments, reference::Symbols());
    ASSERT_TRUE(succeeded(optimized)) << text;
    EXPECT_EQ(compare(*expected, *optimized), "")
        << "seed " << seed << " after the pipeline:\n"
        << text;

    OwningOpRef<ModuleOp> lowered = module->clone();
    PassManager lower(&context);
    lower.addNestedPass<func::FuncOp>(createOurcToLinalg());
    ASSERT_TRUE(succeeded(lower.run(*lowered))) << text;
    SmallVector<Tensor> results;
    ASSERT_EQ(runLowered(*lowered->getOps<func::FuncOp>().begin(), arguments,
                         results),
              "")
        << text;
    EXPECT_EQ(compare(*expected, results), "")
        << "seed " << seed << " lowered:\n"
        << text;

    PassManager decompose(&context);
    DecomposeOptions nothing;
    nothing.keep = {"none"};
    decompose.addNestedPass<func::FuncOp>(createDecompose(nothing));
    ASSERT_TRUE(succeeded(decompose.run(*module))) << text;
    reference::Results decomposed =
        reference::interpret(main(), arguments, reference::Symbols());
    ASSERT_TRUE(succeeded(decomposed)) << text;
    EXPECT_EQ(compare(*expected, *decomposed), "")
        << "seed " << seed << " taken apart:\n"
        << text;
    if (HasFailure())
      return;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, GraphFuzz, testing::Range(0u, 10u));
