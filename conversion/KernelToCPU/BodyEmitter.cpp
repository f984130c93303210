//===- BodyEmitter.cpp - Scalar regions on vectors ------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToCPU/BodyEmitter.h"
#include "conversion/KernelToCPU/Memory.h"
#include "conversion/common/ConstantDivision.h"
#include "conversion/common/MathPolynomials.h"
#include "conversion/common/ScalarOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ourc;

static bool isNarrowFloat(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isF16() || element.isBF16();
}

/// Moves values between lanes' forms without computing, whatever their type.
static bool isTransparent(Operation *op) {
  return isa<arith::SelectOp, arith::BitcastOp, arith::ConstantOp>(op);
}

Value BodyEmitter::toVector(Location loc, Value value) {
  return emitSplat(builder, loc, value, lanes);
}

/// `op` with other operands, on vectors where they are.
static Value cloneOn(OpBuilder &builder, Operation *op,
                     ArrayRef<Value> operands, Type resultElement,
                     int64_t lanes) {
  bool onVectors = llvm::any_of(
      operands, [](Value v) { return isa<VectorType>(v.getType()); });
  Type type = resultElement;
  if (onVectors)
    type = VectorType::get({lanes}, resultElement);
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(operands);
  state.addTypes(type);
  state.propertiesAttr = op->getPropertiesAsAttribute();
  Operation *clone = builder.create(state);
  if (auto fast = dyn_cast<arith::ArithFastMathInterface>(clone)) {
    // Contraction alone is allowed by default.
    arith::FastMathFlags flags = arith::FastMathFlags::contract;
    if (auto given = dyn_cast<arith::ArithFastMathInterface>(op))
      if (given.getFastMathFlagsAttr())
        flags = flags | given.getFastMathFlagsAttr().getValue();
    clone->setAttr(fast.getFastMathAttrName(),
                   arith::FastMathFlagsAttr::get(op->getContext(), flags));
  }
  return clone->getResult(0);
}

FailureOr<Value> BodyEmitter::emitOp(Operation *op, ArrayRef<Value> given) {
  Location loc = op->getLoc();
  SmallVector<Value> operands(given);
  bool onVectors = llvm::any_of(
      operands, [](Value v) { return isa<VectorType>(v.getType()); });
  if (onVectors)
    for (Value &operand : operands)
      operand = toVector(loc, operand);

  if (op->getNumResults() != 1 || op->getNumRegions() != 0 ||
      !(OpTrait::hasElementwiseMappableTraits(op) ||
        isa<arith::ConstantOp>(op))) {
    op->emitError("this operation has no elementwise meaning in a kernel");
    return failure();
  }
  if (operands.size() == 1)
    if (Value converted = emitConversion(builder, op, operands[0]))
      return converted;
  if (isa<math::IPowIOp>(op))
    return emitIntegerPower(builder, loc, operands[0], operands[1]);
  if (operands.size() == 2)
    if (Value quotient = emitDivision(builder, op, operands[0], operands[1]))
      return quotient;

  Type result = getElementTypeOrSelf(op->getResult(0).getType());
  if (result.isIndex())
    result = builder.getI64Type();
  bool narrow = !isTransparent(op) &&
                (isNarrowFloat(result) || llvm::any_of(operands, [](Value v) {
                   return isNarrowFloat(v.getType());
                 }));
  bool narrowResult = narrow && isNarrowFloat(result);
  if (narrow)
    for (Value &operand : operands)
      if (isNarrowFloat(operand.getType()))
        operand = emitToF32(builder, loc, operand);
  if (Value expanded = expandMath(builder, op, operands))
    return narrowResult ? emitFromF32(builder, loc, expanded, result)
                        : expanded;
  if (isa<arith::SelectOp>(op) && result.isBF16()) {
    Value chosen = arith::SelectOp::create(builder, loc, operands[0],
                                           toBits(builder, loc, operands[1]),
                                           toBits(builder, loc, operands[2]));
    return fromBits(builder, loc, chosen, result);
  }
  Type computed = narrowResult ? Type(builder.getF32Type()) : result;
  Value value;
  if (isa<arith::MaximumFOp, arith::MinimumFOp>(op))
    value = emitMinMax(builder, loc, isa<arith::MaximumFOp>(op), operands[0],
                       operands[1]);
  else if (Value quotient = isa<arith::DivFOp>(op)
                                ? emitConstantDivision(builder, loc,
                                                       operands[0], operands[1])
                                : Value())
    value = quotient;
  else if (isa<math::FPowIOp>(op)) {
    // The power is a small integer: exact as a float.
    Value power = arith::SIToFPOp::create(builder, loc, operands[0].getType(),
                                          operands[1]);
    OpBuilder::InsertionGuard guard(builder);
    auto pow = math::PowFOp::create(builder, loc, operands[0], power);
    value = pow;
    if (Value expanded = expandMath(builder, pow, pow->getOperands())) {
      pow->erase();
      value = expanded;
    }
  } else
    value = cloneOn(builder, op, operands, computed, lanes);
  return narrowResult ? emitFromF32(builder, loc, value, result) : value;
}

namespace {
/// What the values of a body have become: lanes, and for integers of index
/// width the form that keeps strides.
struct Emitted {
  Value value; ///< may be null while `index` holds
  std::optional<LaneIndex> index;
};
} // namespace

static bool isIndexLike(Type type) {
  return type.isIndex() || type.isInteger(64);
}

/// The index that `op` computes, where its form is known.
static std::optional<LaneIndex>
foldIndex(Operation *op,
          function_ref<std::optional<LaneIndex>(unsigned)> operand) {
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op)) {
    if (!isIndexLike(op->getOperand(0).getType()) ||
        !isIndexLike(op->getResult(0).getType()))
      return std::nullopt;
    return operand(0);
  }
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op) ||
      !isIndexLike(op->getResult(0).getType()))
    return std::nullopt;
  std::optional<LaneIndex> x = operand(0), y = operand(1);
  if (!x || !y || !x->isLinear() || !y->isLinear())
    return std::nullopt;
  if (isa<arith::AddIOp>(op))
    return *x + *y;
  if (isa<arith::SubIOp>(op))
    return *x + *y * -1;
  if (std::optional<int64_t> factor = y->getConstant())
    return *x * *factor;
  if (std::optional<int64_t> factor = x->getConstant())
    return *y * *factor;
  return std::nullopt;
}

/// The function f where `op` is 1 + f(x) and nothing else wants f(x).
static Operation *getOnePlus(Operation *op) {
  if (!isa<arith::AddFOp>(op) || !op->getResult(0).getType().isF32())
    return nullptr;
  for (unsigned i : {0, 1}) {
    Operation *function = op->getOperand(i).getDefiningOp();
    if (isa_and_present<math::ErfOp, math::TanhOp>(function) &&
        function->hasOneUse() && function->getBlock() == op->getBlock() &&
        matchPattern(op->getOperand(1 - i), m_OneFloat()))
      return function;
  }
  return nullptr;
}

FailureOr<SmallVector<Value>>
BodyEmitter::emit(Block &body, ValueRange arguments, IndexFn index,
                  ExtractFn extract, OuterFn outer) {
  DenseMap<Value, Emitted> emitted;
  for (auto [argument, value] : llvm::zip(body.getArguments(), arguments))
    emitted[argument] = {value, std::nullopt};
  for (auto &[value, by] : known)
    emitted[value] = {by, std::nullopt};

  // Only what the wanted results need.
  Operation *terminator = body.getTerminator();
  auto isWanted = [&](unsigned result) {
    return !wanted || llvm::is_contained(*wanted, result);
  };
  llvm::SmallPtrSet<Operation *, 16> needed;
  SmallVector<Value> work;
  for (auto [i, operand] : llvm::enumerate(terminator->getOperands()))
    if (isWanted(i))
      work.push_back(operand);
  while (!work.empty()) {
    Value value = work.pop_back_val();
    Operation *op = value.getDefiningOp();
    if (op && op->getBlock() == &body && !emitted.contains(value) &&
        needed.insert(op).second) {
      if (Operation *function = getOnePlus(op))
        op = function;
      llvm::append_range(work, op->getOperands());
    }
  }

  auto materialize = [&](Location loc, Value of) -> FailureOr<Value> {
    auto it = emitted.find(of);
    if (it == emitted.end()) {
      Operation *op = of.getDefiningOp();
      if (op && op->hasTrait<OpTrait::ConstantLike>()) {
        Value clone;
        APInt constant;
        if (of.getType().isIndex() &&
            matchPattern(of, m_ConstantInt(&constant))) {
          clone = arith::ConstantIntOp::create(builder, loc,
                                               constant.getSExtValue(), 64);
        } else {
          clone = builder.clone(*op)->getResult(0);
        }
        emitted[of] = {clone, std::nullopt};
        return clone;
      }
      FailureOr<Value> value = outer ? outer(of) : FailureOr<Value>();
      if (failed(value)) {
        if (!outer)
          emitError(loc) << "a kernel's region uses a value from outside that "
                            "is not a constant";
        return failure();
      }
      emitted[of] = {*value, std::nullopt};
      return *value;
    }
    if (!it->second.value)
      it->second.value = it->second.index->emit(builder, loc, lanes);
    return it->second.value;
  };
  auto getIndex = [&](Location loc, Value of) -> std::optional<LaneIndex> {
    auto it = emitted.find(of);
    if (it != emitted.end() && it->second.index)
      return it->second.index;
    FailureOr<Value> value = materialize(loc, of);
    if (failed(value))
      return std::nullopt;
    if (isa<VectorType>(value->getType()))
      return LaneIndex::perLane(*value);
    return LaneIndex(*value);
  };

  for (Operation &op : body.without_terminator()) {
    if (!needed.contains(&op))
      continue;
    Location loc = op.getLoc();
    if (auto indexOp = dyn_cast<linalg::IndexOp>(op)) {
      if (!index) {
        op.emitError("an index is not available here in a kernel");
        return failure();
      }
      emitted[indexOp.getResult()] = {Value(), index(indexOp.getDim())};
      continue;
    }
    if (auto extractOp = dyn_cast<tensor::ExtractOp>(op)) {
      SmallVector<LaneIndex> indices;
      for (Value i : extractOp.getIndices()) {
        std::optional<LaneIndex> lane = getIndex(loc, i);
        if (!lane)
          return failure();
        indices.push_back(*lane);
      }
      if (!extract) {
        op.emitError("a tensor cannot be read here in a kernel");
        return failure();
      }
      FailureOr<Value> value = extract(extractOp, indices);
      if (failed(value))
        return failure();
      emitted[extractOp.getResult()] = {*value, std::nullopt};
      continue;
    }
    if (op.hasTrait<OpTrait::ConstantLike>()) {
      FailureOr<Value> value = materialize(loc, op.getResult(0));
      if (failed(value))
        return failure();
      continue;
    }
    std::optional<LaneIndex> folded = foldIndex(
        &op, [&](unsigned i) { return getIndex(loc, op.getOperand(i)); });
    if (folded) {
      emitted[op.getResult(0)] = {Value(), folded};
      continue;
    }
    if (Operation *function = getOnePlus(&op)) {
      FailureOr<Value> x = materialize(loc, function->getOperand(0));
      if (failed(x))
        return failure();
      emitted[op.getResult(0)] = {expandOnePlus(builder, function, *x),
                                  std::nullopt};
      continue;
    }
    SmallVector<Value> operands;
    for (Value operand : op.getOperands()) {
      FailureOr<Value> value = materialize(loc, operand);
      if (failed(value))
        return failure();
      operands.push_back(*value);
    }
    // An index has 64 bits here: a cast to or from a narrower integer is one
    // between integers.
    if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op)) {
      Type element = op.getResult(0).getType();
      unsigned to = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
      Type from = getElementTypeOrSelf(operands[0].getType());
      Type type = builder.getIntegerType(to);
      if (auto vector = dyn_cast<VectorType>(operands[0].getType()))
        type = vector.clone(type);
      Value cast = operands[0];
      if (to > from.getIntOrFloatBitWidth())
        cast =
            isa<arith::IndexCastUIOp>(op)
                ? arith::ExtUIOp::create(builder, loc, type, cast).getResult()
                : arith::ExtSIOp::create(builder, loc, type, cast).getResult();
      else if (to < from.getIntOrFloatBitWidth())
        cast = arith::TruncIOp::create(builder, loc, type, cast);
      emitted[op.getResult(0)] = {cast, std::nullopt};
      continue;
    }
    FailureOr<Value> value = emitOp(&op, operands);
    if (failed(value))
      return failure();
    emitted[op.getResult(0)] = {*value, std::nullopt};
  }

  SmallVector<Value> results;
  for (auto [i, operand] : llvm::enumerate(terminator->getOperands())) {
    if (!isWanted(i)) {
      results.push_back(Value());
      continue;
    }
    FailureOr<Value> value = materialize(terminator->getLoc(), operand);
    if (failed(value))
      return failure();
    results.push_back(*value);
  }
  return results;
}
