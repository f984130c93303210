//===- CoupledReduction.cpp - kernel.coupled_reduce in loops --------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToCPU/CoupledReduction.h"
#include "conversion/KernelToCPU/BodyEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ourc;
using Values = Reduction::Values;

//===----------------------------------------------------------------------===//
// The form of softmax
//===----------------------------------------------------------------------===//

/// Whether `value`, in the block of `on`, is computed from it; what is computed
/// from `except` does not count.
static bool dependsOn(Value value, Value on, Value except = {}) {
  SmallVector<Value> work{value};
  llvm::SmallPtrSet<Operation *, 16> seen;
  while (!work.empty()) {
    Value next = work.pop_back_val();
    if (next == except)
      continue;
    if (next == on)
      return true;
    if (Operation *op = next.getDefiningOp(); op && seen.insert(op).second)
      llvm::append_range(work, op->getOperands());
  }
  return false;
}

static bool isExtremumOp(Operation *op) {
  return isa_and_present<arith::MaximumFOp, arith::MinimumFOp, arith::MaxSIOp,
                         arith::MinSIOp, arith::MaxUIOp, arith::MinUIOp>(op);
}

/// `g` where `sum` is `state * exp(old - f(extremum)) + g(elements, extremum)`,
/// else null.
static Value findTerm(Value sum, Value state, Value old, Value extremum,
                      ArrayRef<BlockArgument> states) {
  auto add = sum.getDefiningOp<arith::AddFOp>();
  if (!add)
    return {};
  for (auto [scaled, rest] : {std::make_pair(add.getLhs(), add.getRhs()),
                              std::make_pair(add.getRhs(), add.getLhs())}) {
    auto mul = scaled.getDefiningOp<arith::MulFOp>();
    if (!mul || llvm::any_of(states, [&, rest = rest](Value other) {
          return dependsOn(rest, other, extremum);
        }))
      continue;
    for (auto [before, by] : {std::make_pair(mul.getLhs(), mul.getRhs()),
                              std::make_pair(mul.getRhs(), mul.getLhs())}) {
      Operation *exp = by.getDefiningOp();
      if (before != state || !isa_and_present<math::ExpOp, math::Exp2Op>(exp))
        continue;
      auto difference = exp->getOperand(0).getDefiningOp<arith::SubFOp>();
      if (difference && difference.getLhs() == old &&
          llvm::none_of(
              old.getParentBlock()->getArguments(), [&](Value argument) {
                return dependsOn(difference.getRhs(), argument, extremum);
              }))
        return rest;
    }
  }
  return {};
}

Value ourc::getTerm(kernel::CoupledReduceOp op, unsigned extremum,
                    unsigned sum) {
  Block &accumulate = op.getAccumulate().front();
  ArrayRef<BlockArgument> states(accumulate.getArguments().data(),
                                 op.getStateTypes().size());
  Operation *yield = accumulate.getTerminator();
  return findTerm(yield->getOperand(sum), states[sum], states[extremum],
                  yield->getOperand(extremum), states);
}

std::optional<unsigned> ourc::getExtremum(kernel::CoupledReduceOp op) {
  Block &accumulate = op.getAccumulate().front(),
        &merge = op.getMerge().front(), &init = op.getInit().front();
  unsigned count = op.getStateTypes().size();
  if (count < 2)
    return std::nullopt;
  ArrayRef<BlockArgument> states(accumulate.getArguments().data(), count);
  for (unsigned i = 0; i < count; ++i) {
    Value yielded = accumulate.getTerminator()->getOperand(i);
    Operation *combine = yielded.getDefiningOp();
    Operation *join = merge.getTerminator()->getOperand(i).getDefiningOp();
    if (!isExtremumOp(combine) || !join ||
        join->getName() != combine->getName() ||
        !llvm::is_contained(join->getOperands(), merge.getArgument(i)) ||
        !llvm::is_contained(join->getOperands(), merge.getArgument(count + i)))
      continue;
    Value other = combine->getOperand(combine->getOperand(0) == states[i]);
    if (!llvm::is_contained(combine->getOperands(), states[i]) ||
        llvm::any_of(states,
                     [&](Value state) { return dependsOn(other, state); }))
      continue;
    bool sums = true;
    for (unsigned j = 0; j < count && sums; ++j) {
      if (j == i)
        continue;
      sums =
          matchPattern(init.getTerminator()->getOperand(j), m_AnyZeroFloat()) &&
          getTerm(op, i, j);
    }
    if (sums)
      return i;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

CoupledReduction::CoupledReduction(kernel::CoupledReduceOp op)
    : Reduction(op), coupled(op) {
  numLoops = cast<RankedTensorType>(op.getInputs()[0].getType()).getRank();
  for (int64_t dim : op.getDimensions())
    reduced.push_back(dim);
  for (unsigned i = 0; i < op.getStateTypes().size(); ++i)
    active.push_back(i);
}

std::unique_ptr<CoupledReduction>
CoupledReduction::ofExtremum(kernel::CoupledReduceOp op, unsigned component) {
  auto pass = std::make_unique<CoupledReduction>(op);
  pass->active = {component};
  pass->component = component;
  return pass;
}

std::unique_ptr<CoupledReduction>
CoupledReduction::ofSums(kernel::CoupledReduceOp op, unsigned component,
                         Value extremum) {
  auto pass = std::make_unique<CoupledReduction>(op);
  llvm::erase(pass->active, component);
  pass->component = component;
  pass->extremum = extremum;
  return pass;
}

Values CoupledReduction::widen(ValueRange state) const {
  Values all(coupled.getStateTypes().size());
  for (auto [i, value] : llvm::zip(active, state))
    all[i] = value;
  if (extremum)
    all[component] = extremum;
  return all;
}

Values CoupledReduction::narrow(ValueRange all) const {
  Values state;
  for (unsigned i : active)
    state.push_back(all[i]);
  return state;
}

SmallVector<std::pair<Value, Value>>
CoupledReduction::getKnown(Block &region) const {
  if (!extremum)
    return {};
  return {{region.getTerminator()->getOperand(component), extremum}};
}

std::optional<SmallVector<unsigned>>
CoupledReduction::getResultLoops(unsigned) const {
  SmallVector<unsigned> loops;
  for (unsigned dim = 0; dim < numLoops; ++dim)
    if (!llvm::is_contained(reduced, dim))
      loops.push_back(dim);
  return loops;
}

Value CoupledReduction::getSize(KernelABI &abi, unsigned loop) const {
  return abi.getDim(coupled.getInputs()[0], loop);
}

unsigned CoupledReduction::getUnitLoop() const {
  for (Value input : coupled.getInputs()) {
    int64_t unit = getUnitDim(input);
    if (unit >= 0 && llvm::is_contained(reduced, unsigned(unit)))
      return unit;
  }
  return reduced.back();
}

FailureOr<Values> CoupledReduction::emitNeutral(OpBuilder &builder) const {
  BodyEmitter body(builder, 1);
  body.setWanted(active);
  FailureOr<Values> all = body.emit(coupled.getInit().front(), {});
  if (failed(all))
    return failure();
  return narrow(*all);
}

FailureOr<Values> CoupledReduction::readInitial(OperandReader &,
                                                OpBuilder &builder, Indices,
                                                Value) const {
  return emitNeutral(builder);
}

FailureOr<Values> CoupledReduction::accumulate(OperandReader &reader,
                                               OpBuilder &builder,
                                               ValueRange state, Indices loops,
                                               Value mask, bool) const {
  Values arguments = widen(state);
  unsigned count = arguments.size();
  Block &region = coupled.getAccumulate().front();
  for (auto [i, input] : llvm::enumerate(coupled.getInputs())) {
    if (region.getArgument(count + i).use_empty()) {
      arguments.push_back(Value());
      continue;
    }
    FailureOr<Value> value =
        reader.read(builder, coupled.getLoc(), input, loops, mask);
    if (failed(value))
      return failure();
    arguments.push_back(*value);
  }
  SmallVector<std::pair<Value, Value>> known = getKnown(region);
  FailureOr<Values> all = reader.emitBody(builder, region, arguments, loops,
                                          mask, known, ArrayRef(active));
  if (failed(all))
    return failure();
  return narrow(*all);
}

FailureOr<Values> CoupledReduction::merge(OpBuilder &builder, ValueRange x,
                                          ValueRange y, int64_t width) const {
  Values arguments = widen(x);
  arguments.append(widen(y));
  Block &region = coupled.getMerge().front();
  SmallVector<std::pair<Value, Value>> known = getKnown(region);
  BodyEmitter body(builder, width);
  body.setKnown(known);
  body.setWanted(active);
  FailureOr<Values> all = body.emit(region, arguments);
  if (failed(all))
    return failure();
  return narrow(*all);
}

FailureOr<Values> CoupledReduction::finish(OperandReader &, OpBuilder &builder,
                                           ValueRange state, Indices, Value,
                                           int64_t width) const {
  if (!extremum && active.size() < coupled.getStateTypes().size())
    return Values(state);
  return BodyEmitter(builder, width)
      .emit(coupled.getFinish().front(), widen(state));
}
