//===- LaneIndex.cpp - Indices of the lanes of a vector -------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToCPU/LaneIndex.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include <numeric>

using namespace mlir;
using namespace ourc;

LaneIndex::LaneIndex(Value base, int64_t step) : step(step) {
  APInt value;
  if (matchPattern(base, m_ConstantInt(&value)))
    constant = value.getSExtValue();
  else
    terms.push_back({base, 1});
}

LaneIndex LaneIndex::perLane(Value vector) {
  LaneIndex index;
  index.varying = vector;
  return index;
}

std::optional<int64_t> LaneIndex::getConstant() const {
  if (!isUniform() || !terms.empty())
    return std::nullopt;
  return constant;
}

void LaneIndex::collectValues(SmallVectorImpl<Value> &values) const {
  for (auto &[value, coefficient] : terms)
    values.push_back(value);
  if (varying)
    values.push_back(varying);
}

/// A number that divides `value`; 0 for zero.
static int64_t getKnownDivisor(Value value, unsigned depth = 0) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return std::abs(constant.getSExtValue());
  if (depth > 4)
    return 1;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop =
        dyn_cast_or_null<scf::ForOp>(argument.getOwner()->getParentOp());
    if (loop && loop.getInductionVar() == value)
      return std::gcd(getKnownDivisor(loop.getLowerBound(), depth + 1),
                      getKnownDivisor(loop.getStep(), depth + 1));
    return 1;
  }
  if (auto mul = value.getDefiningOp<arith::MulIOp>())
    return getKnownDivisor(mul.getLhs(), depth + 1) *
           getKnownDivisor(mul.getRhs(), depth + 1);
  if (auto add = value.getDefiningOp<arith::AddIOp>())
    return std::gcd(getKnownDivisor(add.getLhs(), depth + 1),
                    getKnownDivisor(add.getRhs(), depth + 1));
  return 1;
}

int64_t LaneIndex::getDivisor() const {
  int64_t divisor = std::abs(constant);
  for (auto &[value, coefficient] : terms)
    divisor = std::gcd(divisor, coefficient * getKnownDivisor(value));
  return divisor;
}

LaneIndex LaneIndex::operator+(const LaneIndex &other) const {
  LaneIndex sum = *this;
  sum.constant += other.constant;
  sum.step += other.step;
  for (auto &[value, coefficient] : other.terms) {
    auto *it = llvm::find_if(
        sum.terms, [v = value](auto &term) { return term.first == v; });
    if (it == sum.terms.end())
      sum.terms.push_back({value, coefficient});
    else
      it->second += coefficient;
  }
  llvm::erase_if(sum.terms, [](auto &term) { return term.second == 0; });
  if (other.varying) {
    if (!sum.varying) {
      sum.varying = other.varying;
    } else {
      OpBuilder builder(other.varying.getContext());
      // After whichever vector is defined last: both are in one block or one
      // encloses the other, and the inner one comes later.
      Value later = other.varying, earlier = sum.varying;
      Block *laterBlock = later.getParentBlock();
      Block *earlierBlock = earlier.getParentBlock();
      bool swap = laterBlock != earlierBlock
                      ? laterBlock->findAncestorOpInBlock(
                            *earlierBlock->getParentOp()) != nullptr
                      : (earlier.getDefiningOp() && later.getDefiningOp() &&
                         later.getDefiningOp()->isBeforeInBlock(
                             earlier.getDefiningOp()));
      builder.setInsertionPointAfterValue(swap ? earlier : later);
      sum.varying = arith::AddIOp::create(builder, other.varying.getLoc(),
                                          sum.varying, other.varying);
    }
  }
  return sum;
}

LaneIndex LaneIndex::operator*(int64_t factor) const {
  if (factor == 0)
    return LaneIndex();
  LaneIndex product = *this;
  product.constant *= factor;
  product.step *= factor;
  for (auto &[value, coefficient] : product.terms)
    coefficient *= factor;
  if (varying && factor != 1) {
    OpBuilder builder(varying.getContext());
    builder.setInsertionPointAfterValue(varying);
    Location loc = varying.getLoc();
    Value scale = arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(cast<VectorType>(varying.getType()), factor));
    product.varying = arith::MulIOp::create(builder, loc, varying, scale);
  }
  return product;
}

bool LaneIndex::operator==(const LaneIndex &other) const {
  return constant == other.constant && step == other.step &&
         varying == other.varying && terms.size() == other.terms.size() &&
         llvm::all_of(terms, [&](auto &term) {
           return llvm::is_contained(other.terms, term);
         });
}

Value LaneIndex::emitBase(OpBuilder &builder, Location loc) const {
  Value sum;
  for (auto [value, coefficient] : terms) {
    Value term = value;
    if (coefficient != 1) {
      Value scale = arith::ConstantIntOp::create(builder, loc, coefficient, 64);
      term = arith::MulIOp::create(builder, loc, value, scale);
    }
    sum =
        sum ? arith::AddIOp::create(builder, loc, sum, term).getResult() : term;
  }
  if (sum && constant == 0)
    return sum;
  Value offset = arith::ConstantIntOp::create(builder, loc, constant, 64);
  return sum ? arith::AddIOp::create(builder, loc, sum, offset).getResult()
             : offset;
}

Value LaneIndex::emitVector(OpBuilder &builder, Location loc,
                            int64_t lanes) const {
  auto type = VectorType::get({lanes}, builder.getI64Type());
  Value base = emitBase(builder, loc);
  Value sum = vector::BroadcastOp::create(builder, loc, type, base);
  if (step != 0) {
    SmallVector<int64_t> steps;
    for (int64_t l = 0; l < lanes; ++l)
      steps.push_back(l * step);
    Value offsets = arith::ConstantOp::create(
        builder, loc, DenseElementsAttr::get(type, ArrayRef(steps)));
    sum = arith::AddIOp::create(builder, loc, sum, offsets);
  }
  if (varying)
    sum = arith::AddIOp::create(builder, loc, sum, varying);
  return sum;
}

Value LaneIndex::emit(OpBuilder &builder, Location loc, int64_t lanes) const {
  return isUniform() ? emitBase(builder, loc) : emitVector(builder, loc, lanes);
}

LaneIndex LaneIndex::getBase() const {
  LaneIndex base = *this;
  base.step = 0;
  base.varying = {};
  return base;
}
