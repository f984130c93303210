//===- Context.h - What generated code is called with ---------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_RUNTIME_CORE_CONTEXT_H
#define OURC_RUNTIME_CORE_CONTEXT_H

#include "runtime/abi/ProgramABI.h"

#include <cstdint>

namespace ourc::runtime {
class LaunchWatch;
}

/// One call of generated code. Any thread of the call may touch it.
struct OurcContext {
  /// 0: no error; 1: being written; 2: `message` is complete.
  int32_t errorState = 0;
  char message[1024];
  /// Counts the allocations of the model; null outside of a model.
  int64_t *allocations = nullptr;
  /// Told of each launch; null where nobody watches.
  ourc::runtime::LaunchWatch *watch = nullptr;
  /// The status that goes with `message`.
  int32_t errorStatus = 0;
  /// The device's state of the model that is called; null: none.
  void *device = nullptr;
};

namespace ourc::runtime {

inline void countAllocation(OurcContext *context) {
  if (context && context->allocations)
    __atomic_fetch_add(context->allocations, 1, __ATOMIC_RELAXED);
}

/// Records an error with its status. The first one of a call wins.
void recordError(OurcContext &context, int32_t status, const char *message);

/// The message of the first error, or null. Call it when all shares
/// of the work are done.
const char *reportedError(const OurcContext &context);

} // namespace ourc::runtime

#endif // OURC_RUNTIME_CORE_CONTEXT_H
