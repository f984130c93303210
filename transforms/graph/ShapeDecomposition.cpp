//===- ShapeDecomposition.cpp - Composite data movement as primitives -----===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/graph/ComputeBuilder.h"
#include "transforms/graph/Decompositions.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using namespace ourc;

using Results = FailureOr<SmallVector<Value>>;

namespace {
/// A broadcast to a dimension of its own behind each repeated one, which a
/// reshape merges into it.
struct DecomposeRepeat
    : DecomposableOpInterface::ExternalModel<DecomposeRepeat, RepeatOp> {
  Results decompose(Operation *op, OpBuilder &builder) const {
    auto repeat = cast<RepeatOp>(op);
    ComputeBuilder b(builder, op->getLoc());
    SmallVector<OpFoldResult> split;
    SmallVector<int64_t> dims;
    for (auto [size, factor] :
         llvm::zip(tensor::getMixedSizes(builder, op->getLoc(), repeat.getX()),
                   repeat.getFactors())) {
      dims.push_back(split.size());
      split.push_back(size);
      if (factor != 1)
        split.push_back(builder.getIndexAttr(factor));
    }
    ReifiedRankedShapedTypeDims shapes;
    if (failed(repeat.reifyResultShapes(builder, shapes)))
      return failure();
    return SmallVector<Value>{
        b.reshape(b.broadcast(repeat.getX(), dims, split), shapes[0])};
  }
};
} // namespace

void ourc::registerShapeDecompositions(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, OurcDialect *) {
    RepeatOp::attachInterface<DecomposeRepeat>(*context);
  });
}
