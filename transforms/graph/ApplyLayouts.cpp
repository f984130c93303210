//===- ApplyLayouts.cpp - Memory orders of arguments and results ----------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/graph/Passes.h"

#include "dialects/ourc/OurcDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

#define DEBUG_TYPE "ourc-apply-layouts"

namespace ourc {
#define GEN_PASS_DEF_APPLYLAYOUTS
#include "transforms/graph/Passes.h.inc"
} // namespace ourc

using namespace mlir;
using namespace ourc;

static RankedTensorType permute(RankedTensorType type,
                                ArrayRef<int64_t> order) {
  return type.clone(applyPermutation(type.getShape(), order));
}

/// The attributes of an argument or a result whose dimensions are reordered.
static DictionaryAttr permute(DictionaryAttr attrs, ArrayRef<int64_t> order) {
  Builder builder(attrs.getContext());
  NamedAttrList list(attrs);
  list.erase(kLayoutAttrName);
  list.set(kUserDimsAttrName, builder.getDenseI64ArrayAttr(order));
  if (auto shape = dyn_cast_if_present<ArrayAttr>(list.get(kShapeAttrName)))
    list.set(kShapeAttrName,
             builder.getArrayAttr(applyPermutation(shape.getValue(), order)));
  return list.getDictionary(attrs.getContext());
}

namespace {
struct ApplyLayoutsPass : ourc::impl::ApplyLayoutsBase<ApplyLayoutsPass> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isDeclaration())
      return;
    OpBuilder builder = OpBuilder::atBlockBegin(&func.getBody().front());
    for (BlockArgument argument : func.getArguments()) {
      unsigned number = argument.getArgNumber();
      auto layout =
          func.getArgAttrOfType<DenseI64ArrayAttr>(number, kLayoutAttrName);
      if (!layout)
        continue;
      ArrayRef<int64_t> order = layout.asArrayRef();
      if (isIdentityPermutation(order)) {
        func.removeArgAttr(number, kLayoutAttrName);
        continue;
      }
      auto type = cast<RankedTensorType>(argument.getType());
      argument.setType(permute(type, order));
      func.setArgAttrs(number, permute(func.getArgAttrDict(number), order));
      auto transpose =
          TransposeOp::create(builder, argument.getLoc(), type, argument,
                              invertPermutationVector(order));
      argument.replaceAllUsesExcept(transpose.getResult(), transpose);
      ++numApplied;
    }
    SmallVector<Type> results(func.getResultTypes());
    for (unsigned i = 0, e = results.size(); i < e; ++i) {
      auto layout =
          func.getResultAttrOfType<DenseI64ArrayAttr>(i, kLayoutAttrName);
      if (!layout)
        continue;
      ArrayRef<int64_t> order = layout.asArrayRef();
      if (isIdentityPermutation(order)) {
        func.removeResultAttr(i,
                              StringAttr::get(&getContext(), kLayoutAttrName));
        continue;
      }
      results[i] = permute(cast<RankedTensorType>(results[i]), order);
      func.setResultAttrs(i, permute(func.getResultAttrDict(i), order));
      func.walk([&](func::ReturnOp ret) {
        builder.setInsertionPoint(ret);
        Value value = ret.getOperand(i);
        ret.setOperand(i, TransposeOp::create(builder, value.getLoc(),
                                              results[i], value, order));
      });
      ++numApplied;
    }
    func.setFunctionType(
        builder.getFunctionType(func.getBody().getArgumentTypes(), results));
  }
};
} // namespace
