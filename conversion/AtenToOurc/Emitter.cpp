//===- Emitter.cpp - Building ourc ops that hold what they must ---------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/AtenToOurc/Emitter.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/TypeSwitch.h"

#include <numeric>

using namespace mlir;
using namespace ourc;
using namespace ourc::aten;

LogicalResult Emitter::fail(const Twine &why) {
  if (!hasFailed)
    reason = why.str();
  hasFailed = true;
  return failure();
}

//===----------------------------------------------------------------------===//
// Types and sizes
//===----------------------------------------------------------------------===//

RankedTensorType Emitter::typeOf(Value tensor) {
  return llvm::cast<RankedTensorType>(tensor.getType());
}

int64_t Emitter::rankOf(Value tensor) { return typeOf(tensor).getRank(); }

Type Emitter::elementOf(Value tensor) {
  return typeOf(tensor).getElementType();
}

RankedTensorType Emitter::typeFor(ArrayRef<OpFoldResult> sizes, Type element) {
  if (!element)
    return {};
  SmallVector<int64_t> shape;
  for (OpFoldResult size : sizes) {
    int64_t known = getConstantIntValue(size).value_or(ShapedType::kDynamic);
    if (known < 0 && !ShapedType::isDynamic(known)) {
      (void)fail("a size is negative: " + Twine(known));
      known = ShapedType::kDynamic;
    }
    shape.push_back(known);
  }
  return RankedTensorType::get(shape, element);
}

SmallVector<OpFoldResult> Emitter::broadcastSizes(ValueRange tensors,
                                                  RankedTensorType hint) {
  int64_t rank = 0;
  for (Value tensor : tensors) {
    if (!tensor)
      return {};
    rank = std::max(rank, rankOf(tensor));
  }
  SmallVector<OpFoldResult> sizes(rank, math.constant(1));
  for (int64_t dim = 0; dim < rank; ++dim) {
    std::optional<int64_t> known;
    Value dynamic;
    for (Value tensor : tensors) {
      int64_t own = dim - (rank - rankOf(tensor));
      if (own < 0)
        continue;
      int64_t size = typeOf(tensor).getDimSize(own);
      if (ShapedType::isDynamic(size)) {
        if (!dynamic)
          dynamic = tensor;
      } else if (size != 1) {
        if (known && *known != size) {
          (void)fail("sizes " + Twine(*known) + " and " + Twine(size) +
                     " do not broadcast in dimension " + Twine(dim));
          return sizes;
        }
        known = size;
      }
    }
    if (!known && dynamic && hint && hint.getRank() == rank &&
        !hint.isDynamicDim(dim))
      known = hint.getDimSize(dim);
    if (known)
      sizes[dim] = math.constant(*known);
    else if (dynamic)
      sizes[dim] = sizeOf(dynamic, dim - (rank - rankOf(dynamic)));
  }
  return sizes;
}

OpFoldResult Emitter::countOf(Value tensor, ArrayRef<int64_t> dims) {
  OpFoldResult count = math.constant(1);
  for (int64_t dim : dims)
    count = math.mul(count, sizeOf(tensor, dim));
  return count;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

Value Emitter::insert(OperationState &state) {
  if (llvm::any_of(state.operands, [](Value value) { return !value; })) {
    (void)fail("an operand could not be built");
    return {};
  }
  if (hasFailed)
    return {};
  Operation *op = builder.create(state);
  std::string problem;
  {
    ScopedDiagnosticHandler handler(
        op->getContext(), [&](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
              problem.empty())
            problem = diagnostic.str();
          return success();
        });
    if (succeeded(verify(op)))
      problem.clear();
    else if (problem.empty())
      problem = "an op does not verify";
  }
  if (!problem.empty()) {
    op->erase();
    (void)fail(problem);
    return {};
  }
  SmallVector<Value> folded;
  if (succeeded(builder.tryFold(op, folded)) && folded.size() == 1) {
    op->erase();
    return folded.front();
  }
  return op->getResult(0);
}

Value Emitter::cast(Value x, Type element) {
  if (!x || elementOf(x) == element)
    return x;
  if (!element)
    return {};
  return make<CastOp>(typeOf(x).clone(element), x, /*unsignedSource=*/false,
                      /*unsignedResult=*/false);
}

Value Emitter::refine(Value x, RankedTensorType type) {
  if (!x || x.getType() == type)
    return x;
  return make<tensor::CastOp>(type, x);
}

Value Emitter::reshape(Value x, ArrayRef<OpFoldResult> sizes) {
  if (!x)
    return {};
  RankedTensorType type = typeFor(sizes, elementOf(x));
  if (x.getType() == type && ArrayRef<OpFoldResult>(sizesOf(x)) == sizes)
    return x;
  SmallVector<Value> dynamic;
  SmallVector<int64_t> shape;
  dispatchIndexOpFoldResults(sizes, dynamic, shape);
  return make<ReshapeOp>(type, x, dynamic, shape);
}

Value Emitter::transpose(Value x, ArrayRef<int64_t> permutation) {
  if (!x)
    return {};
  RankedTensorType type = typeOf(x);
  SmallVector<int64_t> shape;
  for (int64_t dim : permutation) {
    if (dim < 0 || dim >= type.getRank()) {
      (void)fail("dimension " + Twine(dim) + " is out of range for rank " +
                 Twine(type.getRank()));
      return {};
    }
    shape.push_back(type.getDimSize(dim));
  }
  return make<TransposeOp>(type.clone(shape), x, permutation);
}

Value Emitter::broadcast(Value x, ArrayRef<OpFoldResult> sizes) {
  if (!x)
    return {};
  int64_t rank = rankOf(x), lead = static_cast<int64_t>(sizes.size()) - rank;
  if (lead < 0) {
    (void)fail("a tensor of rank " + Twine(rank) +
               " does not broadcast to rank " + Twine(sizes.size()));
    return {};
  }
  SmallVector<int64_t> dims(rank);
  std::iota(dims.begin(), dims.end(), lead);
  return broadcast(x, dims, sizes);
}

Value Emitter::broadcast(Value x, ArrayRef<int64_t> dims,
                         ArrayRef<OpFoldResult> sizes) {
  if (!x)
    return {};
  RankedTensorType from = typeOf(x), to = typeFor(sizes, elementOf(x));
  bool repeats = dims.size() != sizes.size();
  for (auto [i, dim] : llvm::enumerate(dims))
    repeats |= from.getDimSize(i) == 1 && to.getDimSize(dim) != 1;
  if (!repeats)
    return refine(x, to);
  SmallVector<Value> dynamic;
  SmallVector<int64_t> shape;
  dispatchIndexOpFoldResults(sizes, dynamic, shape);
  return make<BroadcastOp>(to, x, dims, dynamic, shape);
}

Value Emitter::slice(Value x, ArrayRef<OpFoldResult> offsets,
                     ArrayRef<OpFoldResult> sizes, ArrayRef<int64_t> strides) {
  if (!x)
    return {};
  auto isZero = [](OpFoldResult offset) {
    return getConstantIntValue(offset) == 0;
  };
  if (llvm::all_of(offsets, isZero) &&
      llvm::all_of(strides, [](int64_t stride) { return stride == 1; }) &&
      ArrayRef<OpFoldResult>(sizesOf(x)) == sizes)
    return x;
  SmallVector<Value> dynamicOffsets, dynamicSizes;
  SmallVector<int64_t> staticOffsets, staticSizes;
  dispatchIndexOpFoldResults(offsets, dynamicOffsets, staticOffsets);
  dispatchIndexOpFoldResults(sizes, dynamicSizes, staticSizes);
  return make<SliceOp>(typeFor(sizes, elementOf(x)), x, dynamicOffsets,
                       dynamicSizes, staticOffsets, staticSizes, strides);
}

Value Emitter::slice(Value x, int64_t dim, OpFoldResult offset,
                     OpFoldResult size, int64_t stride) {
  if (!x)
    return {};
  SmallVector<OpFoldResult> offsets(rankOf(x), math.constant(0));
  SmallVector<OpFoldResult> sizes = sizesOf(x);
  SmallVector<int64_t> strides(rankOf(x), 1);
  offsets[dim] = offset;
  sizes[dim] = size;
  strides[dim] = stride;
  return slice(x, offsets, sizes, strides);
}

Value Emitter::concat(ArrayRef<Value> parts, int64_t dim) {
  if (hasFailed || parts.empty())
    return {};
  SmallVector<int64_t> shape(typeOf(parts.front()).getShape());
  shape[dim] = 0;
  SmallVector<Value> joined;
  for (Value part : parts) {
    RankedTensorType type = typeOf(part);
    if (type.getRank() != static_cast<int64_t>(shape.size())) {
      (void)fail("tensors of different ranks are joined");
      return {};
    }
    if (type.getDimSize(dim) != 0)
      joined.push_back(part);
    for (auto [i, size] : llvm::enumerate(shape)) {
      int64_t own = type.getDimSize(i);
      if (static_cast<int64_t>(i) != dim)
        size = ShapedType::isDynamic(size) ? own : size;
      else
        size = ShapedType::isDynamic(size) || ShapedType::isDynamic(own)
                   ? ShapedType::kDynamic
                   : size + own;
    }
  }
  if (joined.empty())
    return parts.front();
  return make<ConcatOp>(RankedTensorType::get(shape, elementOf(parts.front())),
                        joined, static_cast<uint64_t>(dim));
}

Value Emitter::iota(int64_t dim, ArrayRef<OpFoldResult> sizes, Type element) {
  SmallVector<Value> dynamic;
  SmallVector<int64_t> shape;
  dispatchIndexOpFoldResults(sizes, dynamic, shape);
  return make<IotaOp>(typeFor(sizes, element), static_cast<uint64_t>(dim),
                      dynamic, shape);
}

Value Emitter::compare(ComparePredicate predicate, Value lhs, Value rhs) {
  if (!lhs)
    return {};
  return make<CompareOp>(typeOf(lhs).clone(builder.getI1Type()), predicate, lhs,
                         rhs);
}

Value Emitter::reduce(Combiner combiner, Value x, ArrayRef<int64_t> dims,
                      bool keepDims) {
  if (!x)
    return {};
  SmallVector<int64_t> ascending(dims);
  llvm::sort(ascending);
  SmallVector<OpFoldResult> sizes = sizesOf(x), left;
  for (int64_t dim = 0; dim < rankOf(x); ++dim) {
    if (!llvm::is_contained(ascending, dim))
      left.push_back(sizes[dim]);
    else
      sizes[dim] = math.constant(1);
  }
  Value reduced = make<ReduceOp>(typeFor(left, elementOf(x)), combiner, x,
                                 ArrayRef<int64_t>(ascending));
  return keepDims ? reshape(reduced, sizes) : reduced;
}

Value Emitter::mean(Value x, ArrayRef<int64_t> dims, bool keepDims,
                    int64_t correction) {
  Value sum = reduce(Combiner::Add, x, dims, keepDims);
  if (!sum)
    return {};
  OpFoldResult count = math.sub(countOf(x, dims), math.constant(correction));
  count = math.max(count, math.constant(0));
  Scalar divisor = isa<Value>(count) ? Scalar(math.materialize(count))
                                     : Scalar(*getConstantIntValue(count));
  return apply<DivOp>(sum, fillLike(divisor, sum));
}

Value Emitter::contract(Value lhs, Value rhs, ArrayRef<int64_t> lhsBatch,
                        ArrayRef<int64_t> rhsBatch,
                        ArrayRef<int64_t> lhsContract,
                        ArrayRef<int64_t> rhsContract) {
  if (!lhs || !rhs)
    return {};
  RankedTensorType l = typeOf(lhs), r = typeOf(rhs);
  SmallVector<int64_t> shape;
  for (auto [a, b] : llvm::zip(lhsBatch, rhsBatch)) {
    int64_t size = l.getDimSize(a);
    shape.push_back(ShapedType::isDynamic(size) ? r.getDimSize(b) : size);
  }
  auto addFree = [&](RankedTensorType type, ArrayRef<int64_t> batch,
                     ArrayRef<int64_t> contracted) {
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (!llvm::is_contained(batch, dim) &&
          !llvm::is_contained(contracted, dim))
        shape.push_back(type.getDimSize(dim));
  };
  addFree(l, lhsBatch, lhsContract);
  addFree(r, rhsBatch, rhsContract);
  return make<ContractOp>(l.clone(shape), lhs, rhs, lhsBatch, rhsBatch,
                          lhsContract, rhsContract);
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

TypedAttr Emitter::attributeOf(Scalar scalar, Type element) {
  if (std::holds_alternative<Value>(scalar))
    return {};
  bool isFloat = std::holds_alternative<double>(scalar);
  double real = 0;
  int64_t integer = 0;
  if (isFloat)
    real = std::get<double>(scalar);
  else
    integer = std::holds_alternative<bool>(scalar)
                  ? int64_t(std::get<bool>(scalar))
                  : std::get<int64_t>(scalar);
  if (auto type = dyn_cast<FloatType>(element)) {
    const llvm::fltSemantics &semantics = type.getFloatSemantics();
    llvm::APFloat value(semantics);
    if (isFloat) {
      value = llvm::APFloat(real);
      bool losesInfo;
      value.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    } else {
      value.convertFromAPInt(llvm::APInt(64, integer, /*isSigned=*/true),
                             /*IsSigned=*/true,
                             llvm::APFloat::rmNearestTiesToEven);
    }
    return FloatAttr::get(type, value);
  }
  auto type = dyn_cast<IntegerType>(element);
  if (!type) {
    (void)fail("a constant cannot have this element type");
    return {};
  }
  if (type.getWidth() == 1)
    return IntegerAttr::get(type, isFloat ? real != 0 : integer != 0);
  if (isFloat) {
    llvm::APSInt truncated(64, /*isUnsigned=*/false);
    bool exact;
    if (llvm::APFloat(real).convertToInteger(
            truncated, llvm::APFloat::rmTowardZero, &exact) &
        llvm::APFloat::opInvalidOp) {
      (void)fail("a constant is out of range for an integer");
      return {};
    }
    integer = truncated.getSExtValue();
  }
  return IntegerAttr::get(
      type, llvm::APInt(64, integer, /*isSigned=*/true).trunc(type.getWidth()));
}

Value Emitter::fill(Scalar scalar, Type element, ArrayRef<OpFoldResult> sizes) {
  RankedTensorType whole = typeFor(sizes, element);
  if (!whole)
    return {};
  auto scalarType = RankedTensorType::get({}, element);
  if (auto *size = std::get_if<Value>(&scalar)) {
    if (!*size)
      return {};
    Value integer =
        arith::IndexCastOp::create(builder, loc, builder.getI64Type(), *size);
    Value tensor = make<tensor::FromElementsOp>(
        RankedTensorType::get({}, builder.getI64Type()), ValueRange(integer));
    return broadcast(cast(tensor, element), sizes);
  }
  TypedAttr value = attributeOf(scalar, element);
  if (!value)
    return {};
  RankedTensorType type = whole.hasStaticShape() ? whole : scalarType;
  Value constant =
      make<ConstantOp>(type, SplatElementsAttr::get(type, Attribute(value)));
  return whole.hasStaticShape() ? constant : broadcast(constant, sizes);
}

Value Emitter::fillLike(Scalar scalar, Value x) {
  if (!x)
    return {};
  return fill(scalar, elementOf(x), sizesOf(x));
}

//===----------------------------------------------------------------------===//
// Broadcasting
//===----------------------------------------------------------------------===//

SmallVector<Value> Emitter::align(ValueRange tensors, Type element,
                                  RankedTensorType hint) {
  SmallVector<OpFoldResult> sizes = broadcastSizes(tensors, hint);
  SmallVector<Value> aligned;
  for (Value tensor : tensors)
    aligned.push_back(broadcast(cast(tensor, element), sizes));
  return aligned;
}
