//===- ScoreSpace.cpp - The dimensions that scores are raised to ----------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/graph/ScoreSpace.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace ourc;

ScoreSpace::Shape ScoreSpace::getShape(Value value) {
  Shape shape;
  for (auto [expr, size] :
       llvm::zip(shapes->getShape(value),
                 cast<RankedTensorType>(value.getType()).getShape()))
    shape.push_back({expr, size});
  return shape;
}

std::optional<ScoreSpace::Runs> ScoreSpace::getRuns(Value other) {
  if (cast<RankedTensorType>(other.getType()).getRank() < 2)
    return std::nullopt;
  AffineExpr one = getAffineConstantExpr(1, other.getContext());
  Runs runs;
  size_t next = 0;
  for (const Size &size : getBatch(other)) {
    SmallVector<int64_t> &run = runs.emplace_back();
    AffineExpr product = one;
    while (product != size.expr) {
      if (next == batch.size())
        return std::nullopt;
      product = shapes->getProduct({product, batch[next].expr});
      run.push_back(next++);
    }
  }
  for (; next < batch.size(); ++next)
    if (batch[next].expr != one)
      return std::nullopt;
  return runs;
}

/// The sizes of an operation that changes a shape.
static void getSizes(SymbolicShapes &shapes, OpBuilder &builder, Location loc,
                     ArrayRef<AffineExpr> exprs,
                     SmallVector<Value> &dynamicSizes,
                     ArrayRef<int64_t> types) {
  for (auto [expr, type] : llvm::zip(exprs, types))
    if (ShapedType::isDynamic(type))
      dynamicSizes.push_back(getValueOrCreateConstantIndexOp(
          builder, loc, shapes.materialize(builder, loc, expr)));
}

Value ScoreSpace::reshape(OpBuilder &builder, Value value,
                          ArrayRef<Size> shape) {
  if (ArrayRef(getShape(value)) == shape)
    return value;
  SmallVector<AffineExpr> exprs;
  SmallVector<int64_t> types;
  for (const Size &size : shape) {
    exprs.push_back(size.expr);
    types.push_back(size.type);
  }
  SmallVector<Value> sizes;
  getSizes(*shapes, builder, value.getLoc(), exprs, sizes, types);
  return ReshapeOp::create(builder, value.getLoc(),
                           cast<RankedTensorType>(value.getType()).clone(types),
                           value, sizes, types);
}

Value ScoreSpace::splitBatch(OpBuilder &builder, Value value) {
  Shape shape = batch;
  llvm::append_range(shape, ArrayRef(getShape(value)).take_back(2));
  return reshape(builder, value, shape);
}

Value ScoreSpace::mergeBatch(OpBuilder &builder, Value value, Value like) {
  Shape shape = getBatch(like);
  llvm::append_range(shape, ArrayRef(getShape(value)).take_back(2));
  return reshape(builder, value, shape);
}

/// The dimension of a broadcast's operand that result dimension `dim` runs
/// along; -1 where its elements repeat.
static int64_t getOperandDim(BroadcastOp op, int64_t dim) {
  for (auto [i, result] : llvm::enumerate(op.getDimensions()))
    if (result == dim)
      return op.getX().getType().getDimSize(i) == 1 ? -1 : i;
  return -1;
}

Value ScoreSpace::getSmallest(OpBuilder &builder, Value value) {
  Location loc = value.getLoc();
  Runs runs = *getRuns(value);
  int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
  for (int64_t i = 0; i < 2; ++i)
    runs.push_back({getRank() - 2 + i});

  // Where the elements are: for each dimension of `value`, the source's.
  SmallVector<int64_t> dims = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  Shape sizes = getShape(value);
  Value source = value;
  while (Operation *op = source.getDefiningOp()) {
    if (auto broadcast = dyn_cast<BroadcastOp>(op)) {
      for (int64_t &dim : dims)
        dim = dim < 0 ? -1 : getOperandDim(broadcast, dim);
    } else if (auto transpose = dyn_cast<TransposeOp>(op)) {
      for (int64_t &dim : dims)
        dim = dim < 0 ? -1 : transpose.getPermutation()[dim];
    } else {
      break;
    }
    source = op->getOperand(0);
  }

  // Source dimensions in the order of `value`'s; those of size 1 go first.
  auto type = cast<RankedTensorType>(source.getType());
  SmallVector<int64_t> order, kept;
  for (int64_t dim : dims)
    if (dim >= 0)
      kept.push_back(dim);
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (!llvm::is_contained(kept, dim))
      order.push_back(dim);
  llvm::append_range(order, kept);
  if (!llvm::is_sorted(kept)) {
    SmallVector<int64_t> shape;
    for (int64_t dim : order)
      shape.push_back(type.getDimSize(dim));
    source =
        TransposeOp::create(builder, loc, type.clone(shape), source, order);
  }

  Size one{builder.getAffineConstantExpr(1), 1};
  Shape shape(getRank(), one);
  for (auto [dim, run] : llvm::enumerate(runs))
    if (dims[dim] >= 0)
      for (int64_t i : run)
        shape[i] = i < getRank() - 2 ? batch[i] : sizes[dim];
  return reshape(builder, source, shape);
}

std::pair<Value, Value> ScoreSpace::broadcastTogether(OpBuilder &builder,
                                                      Value a, Value b) {
  Shape common = getShape(a);
  for (auto [size, other] : llvm::zip(common, getShape(b)))
    if (size.type == 1)
      size = other;
  SmallVector<AffineExpr> exprs;
  SmallVector<int64_t> types, dims;
  for (auto [dim, size] : llvm::enumerate(common)) {
    exprs.push_back(size.expr);
    types.push_back(size.type);
    dims.push_back(dim);
  }
  auto repeat = [&](Value value) -> Value {
    if (getShape(value) == common)
      return value;
    SmallVector<Value> sizes;
    getSizes(*shapes, builder, value.getLoc(), exprs, sizes, types);
    return BroadcastOp::create(
        builder, value.getLoc(),
        cast<RankedTensorType>(value.getType()).clone(types), value, dims,
        sizes, types);
  };
  return {repeat(a), repeat(b)};
}
