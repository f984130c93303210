//===- MemoryPlan.h - Offsets of buffers in one arena ---------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Places buffers whose lifetimes are known into one arena, so that buffers that
// live at the same time do not overlap. The compiler plans static programs with
// it; the runtime plans a set of symbolic sizes when it is first met.
//
//===----------------------------------------------------------------------===//

#ifndef OURC_RUNTIME_CORE_MEMORYPLAN_H
#define OURC_RUNTIME_CORE_MEMORYPLAN_H

#include "runtime/abi/ProgramABI.h"

namespace ourc::runtime {

/// Offsets and the arena's size are multiples of it.
constexpr int64_t arenaAlignment = 64;

struct MemoryPlan {
  int64_t arenaBytes;
  int64_t sumOfBuffers; ///< what separate buffers would take
  int64_t lowerBound;   ///< peak liveness: no plan can be smaller
};

/// How long a plan may be searched for.
enum class PlanEffort {
  /// Ends as soon as the arena is within 5 % of the lower bound, and after a
  /// short search once it is within 10 %.
  quick,
  /// Ends only at the lower bound or when the search finds nothing better.
  thorough
};

enum class PlanStatus {
  ok,
  malformed, ///< a negative size, or a lifetime that ends before it begins
  tooLarge,  ///< the sum of sizes is above 2^62
  noMemory   ///< for the planner's own tables
};

/// Writes offsets[i] for `count` buffers of bytes[i] bytes that live during
/// lifetimes[i]. Empty buffers get offset 0. The outcome depends on the
/// arguments alone.
PlanStatus planMemory(const OurcBufferDesc *lifetimes, const int64_t *bytes,
                      int64_t count, PlanEffort effort, int64_t *offsets,
                      MemoryPlan &plan);

} // namespace ourc::runtime

#endif // OURC_RUNTIME_CORE_MEMORYPLAN_H
