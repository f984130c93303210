//===- LaneLoop.cpp - Loops that advance by a vector ----------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToCPU/LaneLoop.h"
#include "conversion/KernelToCPU/Memory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ourc;

static std::optional<int64_t> getConstant(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSExtValue();
  return std::nullopt;
}

LogicalResult ourc::emitLaneLoop(OpBuilder &builder, Location loc, Value lower,
                                 Value upper, int64_t lanes, LaneBody body) {
  auto constant = [&](OpBuilder &b, int64_t value) -> Value {
    return arith::ConstantIntOp::create(b, loc, value, 64);
  };
  std::optional<int64_t> known = getConstant(upper);
  Value full = upper;
  if (lanes > 1 && !(known && *known % lanes == 0)) {
    if (known) {
      full = constant(builder, *known / lanes * lanes);
    } else {
      Value rest =
          arith::RemSIOp::create(builder, loc, upper, constant(builder, lanes));
      full = arith::SubIOp::create(builder, loc, upper, rest);
    }
  }
  int64_t step = lanes > 1 ? 1 : 0;
  std::optional<int64_t> from = getConstant(lower), to = getConstant(full);
  if (!from || !to || *to > *from) {
    if (from && to && *to - *from == lanes) {
      if (failed(body(builder, LaneIndex(lower, step), {})))
        return failure();
    } else {
      auto loop = scf::ForOp::create(builder, loc, lower, full,
                                     constant(builder, lanes));
      OpBuilder inside(loop.getBody()->getTerminator());
      if (failed(body(inside, LaneIndex(loop.getInductionVar(), step), {})))
        return failure();
    }
  }
  if (full == upper)
    return success();
  // `upper` may also end before the last whole vector begins.
  OpBuilder tail(builder);
  if (!known || !from) {
    Value any = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                      full, upper);
    auto branch =
        scf::IfOp::create(builder, loc, any, /*withElseRegion=*/false);
    tail = branch.getThenBodyBuilder();
    LaneIndex index(full, step);
    return body(tail, index,
                emitMask(tail, loc, index.getBase(), upper, lanes));
  }
  LaneIndex index(full, step);
  Value mask = emitMask(builder, loc, index.getBase(), upper, lanes);
  return body(builder, index, mask);
}

LogicalResult ourc::emitLaneBlock(OpBuilder &builder, Location loc, Value index,
                                  Value size, int64_t lanes, LaneBody body) {
  int64_t step = lanes > 1 ? 1 : 0;
  std::optional<int64_t> known = getConstant(size);
  if (lanes == 1 || (known && *known % lanes == 0))
    return body(builder, LaneIndex(index, step), {});
  if (known && *known < lanes)
    return body(builder, LaneIndex(index, step),
                emitMask(builder, loc, LaneIndex(index), size, lanes));
  Value end = arith::AddIOp::create(
      builder, loc, index,
      arith::ConstantIntOp::create(builder, loc, lanes, 64));
  Value whole =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle, end, size);
  auto branch = scf::IfOp::create(builder, loc, whole, /*withElseRegion=*/true);
  OpBuilder all = branch.getThenBodyBuilder();
  if (failed(body(all, LaneIndex(index, step), {})))
    return failure();
  OpBuilder some = branch.getElseBodyBuilder();
  Value mask = emitMask(some, loc, LaneIndex(index), size, lanes);
  return body(some, LaneIndex(index, step), mask);
}
