//===- Fiber.h - Switching between stacks ------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_RUNTIME_SIMT_FIBER_H
#define OURC_RUNTIME_SIMT_FIBER_H

#include <stddef.h>

namespace ourc::simt {

/// Where a suspended fibre goes on: its stack pointer. The registers that the
/// calling convention preserves lie on the stack.
struct FiberContext {
  void *stackPointer = nullptr;
};

/// Prepares a fibre on [stack, stack + bytes) that starts in `entry` when it is
/// first switched to. `entry` must not return.
void initFiber(FiberContext &fiber, char *stack, size_t bytes, void (*entry)());

/// Suspends the caller in `from` and goes on with `to`.
void switchFiber(FiberContext &from, const FiberContext &to);

} // namespace ourc::simt

#endif // OURC_RUNTIME_SIMT_FIBER_H
