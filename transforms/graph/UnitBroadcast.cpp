//===- UnitBroadcast.cpp - Broadcasts as dimensions of size 1 -------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/graph/UnitBroadcast.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace ourc;

Value ourc::createWithUnitDims(OpBuilder &builder, Location loc,
                               BroadcastOp broadcast) {
  Value x = broadcast.getX();
  RankedTensorType from = broadcast.getX().getType();
  int64_t rank = broadcast.getType().getRank();
  if (from.getRank() == rank)
    return x;
  SmallVector<int64_t> shape(rank, 1);
  SmallVector<OpFoldResult> sizes(rank, builder.getIndexAttr(1));
  for (auto [i, dim] : llvm::enumerate(broadcast.getDimensions())) {
    shape[dim] = from.getDimSize(i);
    sizes[dim] = tensor::getMixedSize(builder, loc, x, i);
  }
  SmallVector<int64_t> staticSizes;
  SmallVector<Value> dynamicSizes;
  dispatchIndexOpFoldResults(sizes, dynamicSizes, staticSizes);
  return ReshapeOp::create(builder, loc, from.clone(shape), x, dynamicSizes,
                           staticSizes);
}
