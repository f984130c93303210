//===- ReductionLoops.cpp - The loops of one reduction --------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToCPU/ReductionLoops.h"
#include "conversion/KernelToCPU/Memory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ourc;

using Values = SmallVector<Value>;

/// Elements of a window of which there may be two loops.
static constexpr int64_t kSmallWindow = 32;

void ReductionLoops::begin(OpBuilder &builder, ValueRange initial, bool vectors,
                           Values &state) {
  elements.clear();
  for (Value value : initial) {
    elements.push_back(getElementTypeOrSelf(value.getType()));
    if (vectors)
      value = emitSplat(builder, loc, value, lanes);
    state.push_back(toBits(builder, loc, value));
  }
}

Values ReductionLoops::end(OpBuilder &builder, ValueRange state) {
  Values values;
  for (auto [value, element] : llvm::zip(state, elements))
    values.push_back(fromBits(builder, loc, value, element));
  return values;
}

FailureOr<Values> ReductionLoops::accumulate(OpBuilder &builder,
                                             ValueRange state, Value lanesOn,
                                             bool clipped) {
  FailureOr<Values> next = spec.accumulate(reader, builder, end(builder, state),
                                           loops, lanesOn, clipped);
  if (succeeded(next))
    for (Value &value : *next)
      value = toBits(builder, loc, value);
  return next;
}

FailureOr<Values> ReductionLoops::merge(OpBuilder &builder, ValueRange x,
                                        ValueRange y, int64_t width) {
  FailureOr<Values> merged =
      spec.merge(builder, end(builder, x), end(builder, y), width);
  if (succeeded(merged))
    for (Value &value : *merged)
      value = toBits(builder, loc, value);
  return merged;
}

static std::optional<int64_t> getConstant(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSExtValue();
  return std::nullopt;
}

/// A loop over `dim` that carries `state`; straight code where it is short.
FailureOr<Values> ReductionLoops::emitLoop(OpBuilder &builder, Value lower,
                                           Value upper, int64_t step,
                                           unsigned dim, ValueRange state,
                                           const Step &body, bool vector) {
  std::optional<int64_t> from = getConstant(lower), to = getConstant(upper);
  int64_t laneStep = vector ? 1 : 0;
  if (from && to && (*to - *from + step - 1) / step <= 3) {
    Values current(state);
    for (int64_t i = *from; i < *to; i += step) {
      Value at = arith::ConstantIntOp::create(builder, loc, i, 64);
      loops[dim] = LaneIndex(at, laneStep);
      FailureOr<Values> next = body(builder, current);
      if (failed(next))
        return failure();
      current = *next;
    }
    return current;
  }
  Value by = arith::ConstantIntOp::create(builder, loc, step, 64);
  auto loop = scf::ForOp::create(builder, loc, lower, upper, by, state);
  OpBuilder inside = OpBuilder::atBlockBegin(loop.getBody());
  loops[dim] = LaneIndex(loop.getInductionVar(), laneStep);
  FailureOr<Values> next = body(inside, loop.getRegionIterArgs());
  if (failed(next))
    return failure();
  if (!loop.getBody()->mightHaveTerminator())
    scf::YieldOp::create(inside, loc, *next);
  return Values(loop.getResults());
}

FailureOr<Values> ReductionLoops::emitNest(OpBuilder &builder,
                                           ArrayRef<unsigned> dims,
                                           ValueRange state, bool clip,
                                           const Step &body) {
  if (dims.empty())
    return body(builder, state);
  Value zero = abi.getConstant(0);
  std::pair<Value, Value> bounds;
  if (part && part->loop == dims.front())
    bounds = {part->lower, part->upper};
  else if (clip)
    bounds = spec.getBounds(abi, builder, dims.front(), loops);
  return emitLoop(builder, bounds.first ? bounds.first : zero,
                  bounds.second ? bounds.second : getSize(dims.front()), 1,
                  dims.front(), state, [&](OpBuilder &b, ValueRange inner) {
                    return emitNest(b, dims.drop_front(), inner, clip, body);
                  });
}

/// Whether a window is not clipped; null where none ever is, or where windows
/// are too large to be written out twice.
Value ReductionLoops::emitIsInterior(OpBuilder &builder) {
  Value interior;
  int64_t size = 1;
  auto require = [&](arith::CmpIPredicate predicate, Value x, Value y) {
    Value holds = arith::CmpIOp::create(builder, loc, predicate, x, y);
    interior =
        interior
            ? arith::AndIOp::create(builder, loc, interior, holds).getResult()
            : holds;
  };
  for (unsigned dim : spec.reduced) {
    std::optional<int64_t> known = getConstant(getSize(dim));
    if (!known || (size *= *known) > kSmallWindow)
      return {};
  }
  for (unsigned dim : spec.reduced) {
    auto [lower, upper] = spec.getBounds(abi, builder, dim, loops);
    if (lower)
      require(arith::CmpIPredicate::eq, lower, abi.getConstant(0));
    if (upper)
      require(arith::CmpIPredicate::eq, upper, getSize(dim));
  }
  return interior;
}

FailureOr<Values> ReductionLoops::emitApart(OpBuilder &builder,
                                            ValueRange initial, bool vectors) {
  Values state;
  begin(builder, initial, vectors, state);
  auto step = [&](OpBuilder &b, ValueRange current) {
    FailureOr<Values> next = accumulate(b, current, mask, /*clipped=*/true);
    if (succeeded(next) && vectors)
      for (Value &value : *next)
        value = emitSplat(b, loc, value, lanes);
    return next;
  };
  FailureOr<Values> reduced;
  if (Value interior = emitIsInterior(builder)) {
    // Most windows lie inside of the data: their loops have constant bounds.
    auto choose = scf::IfOp::create(builder, loc, ValueRange(state).getTypes(),
                                    interior, /*withElseRegion=*/true);
    for (bool clip : {false, true}) {
      OpBuilder b =
          clip ? choose.getElseBodyBuilder() : choose.getThenBodyBuilder();
      reduced = emitNest(b, spec.reduced, state, clip, step);
      if (failed(reduced))
        return failure();
      scf::YieldOp::create(b, loc, *reduced);
    }
    return end(builder, choose.getResults());
  }
  reduced = emitNest(builder, spec.reduced, state, /*clip=*/true, step);
  if (failed(reduced))
    return failure();
  return end(builder, *reduced);
}

/// Merges neighbours until one part is left.
FailureOr<Values> ReductionLoops::mergeAll(OpBuilder &builder,
                                           SmallVector<Values> parts,
                                           int64_t width) {
  while (parts.size() > 1) {
    SmallVector<Values> next;
    for (unsigned i = 0; i < parts.size(); i += 2) {
      if (i + 1 == parts.size()) {
        next.push_back(parts[i]);
        break;
      }
      FailureOr<Values> merged = merge(builder, parts[i], parts[i + 1], width);
      if (failed(merged))
        return failure();
      next.push_back(*merged);
    }
    parts = std::move(next);
  }
  return parts[0];
}

FailureOr<Values> ReductionLoops::mergeLanes(OpBuilder &builder, Values state) {
  for (int64_t width = lanes / 2; width >= 1; width /= 2) {
    Values low, high;
    for (Value value : state) {
      if (width == 1) {
        low.push_back(vector::ExtractOp::create(builder, loc, value, 0));
        high.push_back(vector::ExtractOp::create(builder, loc, value, 1));
        continue;
      }
      low.push_back(vector::ExtractStridedSliceOp::create(
          builder, loc, value, ArrayRef<int64_t>{0}, ArrayRef<int64_t>{width},
          ArrayRef<int64_t>{1}));
      high.push_back(vector::ExtractStridedSliceOp::create(
          builder, loc, value, ArrayRef<int64_t>{width},
          ArrayRef<int64_t>{width}, ArrayRef<int64_t>{1}));
    }
    FailureOr<Values> merged = merge(builder, low, high, width);
    if (failed(merged))
      return failure();
    state = *merged;
    if (width > 1)
      for (Value &value : state)
        value = emitSplat(builder, loc, value, width);
  }
  return state;
}

FailureOr<Values> ReductionLoops::emitTogether(OpBuilder &builder,
                                               ValueRange initial,
                                               unsigned along) {
  bool isPart = part && part->loop == along;
  Value size = isPart ? part->upper : getSize(along);
  Value lower = isPart ? part->lower : abi.getConstant(0);
  std::optional<int64_t> known = isPart ? std::nullopt : getConstant(size);
  int64_t parts = unroll;
  // No more vectors at a time than there are.
  if (known)
    parts = std::clamp<int64_t>(*known / lanes, 1, parts);
  unsigned count = initial.size();
  Values state;
  for (int64_t p = 0; p < parts; ++p)
    begin(builder, initial, /*vectors=*/true, state);

  SmallVector<unsigned> outer;
  for (unsigned dim : spec.reduced)
    if (dim != along)
      outer.push_back(dim);
  auto accumulateInto = [&](OpBuilder &b, MutableArrayRef<Value> part,
                            Value tail) -> LogicalResult {
    FailureOr<Values> next =
        accumulate(b, ValueRange(ArrayRef<Value>(part)), tail,
                   /*clipped=*/false);
    if (failed(next))
      return failure();
    for (auto [old, value] : llvm::zip(part, *next)) {
      value = emitSplat(b, loc, value, lanes);
      old = tail ? arith::SelectOp::create(b, loc, tail, value, old).getResult()
                 : value;
    }
    return success();
  };
  auto row = [&](OpBuilder &b, ValueRange given) -> FailureOr<Values> {
    Values current(given);
    auto floorTo = [&](int64_t unit) -> Value {
      if (known)
        return abi.getConstant(*known / unit * unit);
      Value u = arith::ConstantIntOp::create(b, loc, unit, 64);
      Value length =
          isPart ? arith::SubIOp::create(b, loc, size, lower).getResult()
                 : size;
      Value rest = arith::RemSIOp::create(b, loc, length, u);
      return arith::SubIOp::create(b, loc, size, rest);
    };
    Value many = floorTo(parts * lanes), full = floorTo(lanes);
    FailureOr<Values> next = emitLoop(
        b, lower, many, parts * lanes, along, current,
        [&](OpBuilder &in, ValueRange s) -> FailureOr<Values> {
          Values all(s);
          LaneIndex base = loops[along];
          for (int64_t p = 0; p < parts; ++p) {
            loops[along] = base + LaneIndex(p * lanes);
            if (failed(accumulateInto(
                    in, MutableArrayRef(all).slice(p * count, count), {})))
              return failure();
          }
          return all;
        },
        /*vector=*/true);
    if (failed(next))
      return failure();
    current = *next;
    // Single vectors, then the masked rest, go into the first part.
    Values first(ArrayRef(current).take_front(count));
    if (parts > 1) {
      next = emitLoop(
          b, many, full, lanes, along, first,
          [&](OpBuilder &in, ValueRange s) -> FailureOr<Values> {
            Values all(s);
            if (failed(accumulateInto(in, all, {})))
              return failure();
            return all;
          },
          /*vector=*/true);
      if (failed(next))
        return failure();
      first = *next;
    }
    if (!known || *known % lanes != 0) {
      auto tailOf = [&](OpBuilder &in) -> FailureOr<Values> {
        loops[along] = LaneIndex(full, 1);
        Values all(first);
        Value tail = emitMask(in, loc, loops[along].getBase(), size, lanes);
        if (failed(accumulateInto(in, all, tail)))
          return failure();
        return all;
      };
      if (known) {
        next = tailOf(b);
        if (failed(next))
          return failure();
        first = *next;
      } else {
        Value any = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                          full, size);
        auto choose = scf::IfOp::create(b, loc, ValueRange(first).getTypes(),
                                        any, /*withElseRegion=*/true);
        OpBuilder in = choose.getThenBodyBuilder();
        next = tailOf(in);
        if (failed(next))
          return failure();
        scf::YieldOp::create(in, loc, *next);
        OpBuilder out = choose.getElseBodyBuilder();
        scf::YieldOp::create(out, loc, first);
        first = Values(choose.getResults());
      }
    }
    llvm::copy(first, current.begin());
    return current;
  };
  FailureOr<Values> reduced =
      emitNest(builder, outer, state, /*clip=*/false, row);
  if (failed(reduced))
    return failure();
  SmallVector<Values> separate;
  for (int64_t p = 0; p < parts; ++p)
    separate.push_back(Values(ArrayRef(*reduced).slice(p * count, count)));
  FailureOr<Values> merged = mergeAll(builder, std::move(separate), lanes);
  if (failed(merged))
    return failure();
  for (Value &value : *merged)
    value = emitSplat(builder, loc, value, lanes);
  FailureOr<Values> all = mergeLanes(builder, *merged);
  if (failed(all))
    return failure();
  return end(builder, *all);
}
