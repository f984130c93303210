//===- PlanCache.h - Sizes and offsets for each set of symbols ------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_RUNTIME_CORE_PLANCACHE_H
#define OURC_RUNTIME_CORE_PLANCACHE_H

#include "runtime/core/MemoryPlan.h"
#include "runtime/support/Vec.h"

namespace ourc::runtime {

/// What a call with certain symbols needs.
struct Plan {
  Vec<int64_t> symbols;
  Vec<int64_t> computedDims;
  Vec<int64_t> offsets;
  MemoryPlan memory = {0, 0, 0};
  uint64_t lastUse = 0;
};

/// Plans of a program by the values of its symbols; the least recently used one
/// makes room when there are many.
class PlanCache {
public:
  PlanCache(const OurcProgram &program, int64_t &allocations)
      : program(program), allocations(allocations) {}
  PlanCache(const PlanCache &) = delete;
  PlanCache &operator=(const PlanCache &) = delete;
  ~PlanCache();

  /// Valid until the next call.
  int32_t find(const int64_t *symbols, const Plan *&plan);

  static constexpr int64_t capacity = 64;

private:
  int32_t make(const int64_t *symbols, Plan &plan);

  const OurcProgram &program;
  int64_t &allocations;
  Vec<Plan *> plans;
  uint64_t clock = 0;
};

} // namespace ourc::runtime

#endif // OURC_RUNTIME_CORE_PLANCACHE_H
