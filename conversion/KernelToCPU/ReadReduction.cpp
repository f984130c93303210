//===- ReadReduction.cpp - Reading results of reductions
//---------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A reduction is read in one of two ways. Where all lanes ask for one element,
// the lanes share the work: each reduces a part, several vectors at a time, and
// a fixed tree merges the parts. Where the lanes ask for different elements,
// each lane reduces its own, one step at a time. Neither order depends on the
// number of threads.
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToCPU/CoupledReduction.h"
#include "conversion/KernelToCPU/OperandReader.h"
#include "conversion/KernelToCPU/ReductionLoops.h"

using namespace mlir;
using namespace ourc;

using Values = SmallVector<Value>;

FailureOr<Values> OperandReader::reduce(OpBuilder &builder,
                                        const Reduction &spec, Indices loops,
                                        Value mask, bool apart,
                                        const LoopPart *part) {
  Location loc = spec.op->getLoc();
  ReductionLoops nest(abi, *this, spec, loc, lanes, unroll,
                      SmallVector<LaneIndex>(loops), mask);
  if (part)
    nest.setPart(*part);
  FailureOr<Values> state;
  if (!spec.canMerge()) {
    // The order is part of the meaning.
    FailureOr<Values> initial = spec.readInitial(*this, builder, loops, mask);
    if (failed(initial))
      return failure();
    state = nest.emitApart(builder, *initial, apart);
  } else {
    FailureOr<Values> neutral = spec.emitNeutral(builder);
    if (failed(neutral))
      return failure();
    if (apart || lanes == 1)
      state = nest.emitApart(builder, *neutral, apart);
    else
      state = nest.emitTogether(builder, *neutral, spec.getUnitLoop());
  }
  if (failed(state) || part)
    return state;
  return spec.finish(*this, builder, *state, loops, mask, apart ? lanes : 1);
}

FailureOr<Values> OperandReader::reducePart(OpBuilder &builder, Operation *op,
                                            Indices loops, Value mask,
                                            const LoopPart &part) {
  FailureOr<std::unique_ptr<Reduction>> spec = Reduction::create(op);
  if (failed(spec))
    return failure();
  assert((*spec)->canMerge() && "only merged parts make a whole");
  bool apart = llvm::any_of(
      loops, [](const LaneIndex &index) { return !index.isUniform(); });
  auto coupled = dyn_cast<kernel::CoupledReduceOp>(op);
  std::optional<unsigned> component =
      coupled ? getExtremum(coupled) : std::nullopt;
  if (!component)
    return reduce(builder, **spec, loops, mask, apart, &part);
  FailureOr<Values> extremum =
      reduce(builder, *CoupledReduction::ofExtremum(coupled, *component), loops,
             mask, apart, &part);
  if (failed(extremum))
    return failure();
  FailureOr<Values> sums =
      reduce(builder,
             *CoupledReduction::ofSums(coupled, *component, extremum->front()),
             loops, mask, apart, &part);
  if (failed(sums))
    return failure();
  sums->insert(sums->begin() + *component, extremum->front());
  return sums;
}

FailureOr<Value> OperandReader::readReduction(OpBuilder &builder,
                                              OpResult result, Indices indices,
                                              Value mask) {
  Operation *op = result.getOwner();
  FailureOr<std::unique_ptr<Reduction>> made = Reduction::create(op);
  if (failed(made))
    return failure();
  std::unique_ptr<Reduction> spec = std::move(*made);
  std::optional<SmallVector<unsigned>> places =
      spec->getResultLoops(result.getResultNumber());
  if (!places) {
    op->emitError("result ") << result.getResultNumber()
                             << " is not indexed by the parallel loops alone, "
                                "so a kernel cannot read it";
    return failure();
  }
  SmallVector<LaneIndex> loops(spec->numLoops);
  for (auto [dim, index] : llvm::zip(*places, indices))
    loops[dim] = index;
  bool apart = llvm::any_of(
      indices, [](const LaneIndex &index) { return !index.isUniform(); });

  // Two passes where that saves scaling the sums in each step.
  if (auto coupled = dyn_cast<kernel::CoupledReduceOp>(op))
    if (std::optional<unsigned> component = getExtremum(coupled)) {
      FailureOr<Values> extremum =
          reduce(builder, *CoupledReduction::ofExtremum(coupled, *component),
                 loops, mask, apart);
      if (failed(extremum))
        return failure();
      spec = CoupledReduction::ofSums(coupled, *component, extremum->front());
    }
  FailureOr<Values> finished = reduce(builder, *spec, loops, mask, apart);
  if (failed(finished))
    return failure();
  for (auto [i, value] : llvm::enumerate(*finished)) {
    std::optional<SmallVector<unsigned>> at = spec->getResultLoops(i);
    if (!at || i == result.getResultNumber())
      continue;
    SmallVector<LaneIndex> other;
    for (unsigned dim : *at)
      other.push_back(loops[dim]);
    remember(op->getResult(i), other, mask, builder.getInsertionBlock(), value);
  }
  return (*finished)[result.getResultNumber()];
}
