//===- PlanCache.cpp - Sizes and offsets for each set of symbols ----------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/PlanCache.h"

#include "runtime/support/Failure.h"

#include <new>

using namespace ourc::runtime;

static void destroyPlan(Plan *plan) {
  plan->~Plan();
  std::free(plan);
}

PlanCache::~PlanCache() {
  for (Plan *plan : plans)
    destroyPlan(plan);
}

int32_t PlanCache::make(const int64_t *symbols, Plan &plan) {
  plan.symbols.resize(program.numSymbols);
  for (int64_t i = 0; i < program.numSymbols; ++i)
    plan.symbols[i] = symbols[i];
  plan.computedDims.resize(program.numComputedDims);
  plan.offsets.resize(program.numBuffers);
  if (!program.shapes)
    return OURC_OK;
  Vec<int64_t> bytes;
  bytes.resize(program.numBuffers);
  program.shapes(symbols, plan.computedDims.data(), bytes.data());
  for (int64_t size : plan.computedDims)
    if (size < 0)
      return fail(OURC_ERROR_RUNTIME,
                  "the program computes %lld as a dimension of its results",
                  static_cast<long long>(size));
  switch (planMemory(program.buffers, bytes.data(), program.numBuffers,
                     PlanEffort::quick, plan.offsets.data(), plan.memory)) {
  case PlanStatus::ok:
    return OURC_OK;
  case PlanStatus::malformed:
    return fail(OURC_ERROR_RUNTIME,
                "the program computes a negative size of a buffer");
  case PlanStatus::tooLarge:
    return fail(OURC_ERROR_MEMORY,
                "intermediate results of this size take more than 2^62 bytes");
  case PlanStatus::noMemory:
    break;
  }
  return fail(OURC_ERROR_MEMORY, "no memory to plan %lld buffers",
              static_cast<long long>(program.numBuffers));
}

int32_t PlanCache::find(const int64_t *symbols, const Plan *&plan) {
  ++clock;
  uint64_t bytes = static_cast<uint64_t>(program.numSymbols) * sizeof(int64_t);
  int64_t oldest = 0;
  for (int64_t i = 0; i < plans.size(); ++i) {
    if (!bytes || !std::memcmp(plans[i]->symbols.data(), symbols, bytes)) {
      plans[i]->lastUse = clock;
      plan = plans[i];
      return OURC_OK;
    }
    if (plans[i]->lastUse < plans[oldest]->lastUse)
      oldest = i;
  }
  void *memory = std::malloc(sizeof(Plan));
  if (!memory)
    outOfMemory(sizeof(Plan));
  Plan *made = new (memory) Plan;
  __atomic_fetch_add(&allocations, 1, __ATOMIC_RELAXED);
  made->lastUse = clock;
  if (int32_t status = make(symbols, *made)) {
    destroyPlan(made);
    return status;
  }
  if (plans.size() < capacity) {
    plans.push(made);
  } else {
    destroyPlan(plans[oldest]);
    plans[oldest] = made;
  }
  plan = made;
  return OURC_OK;
}
