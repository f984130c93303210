//===- Loops.h - What loops over elements can compute ---------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_STRATEGY_CPU_LOOPS_H
#define OURC_STRATEGY_CPU_LOOPS_H

#include "dialects/kernel/KernelDialect.h"
#include "target/cpu/MachineDescription.h"
#include <string>

namespace ourc {

/// Elements that a thread should have to do: some 10 µs of work.
inline constexpr int64_t kElementGrain = 16384;

/// Whether every operation of `kernel` can be computed element by element, as
/// the strategies row, pointwise and pool do, and none much more often than it
/// has elements; if not, `reason` says why.
llvm::LogicalResult checkElementByElement(kernel::FuncOp kernel,
                                          std::string *reason);

/// Why elements of the results of `op`, an operation of a kernel's body, cannot
/// be computed one by one; empty where they can.
std::string whyNotElementByElement(mlir::Operation *op);

/// Whether `op` reduces.
bool isReduction(mlir::Operation *op);

/// Whether `op` reduces windows: an input is indexed by sums of loops.
bool isWindowReduction(mlir::Operation *op);

/// The rows that make `elements` elements, where `op` reduces rows of a known
/// size.
int64_t getRowGrain(kernel::FuncOp kernel, int64_t elements);

/// How many vectors of an expensive element's computation are worth computing
/// together: as many as leave registers for the values between. One where no
/// element is expensive, and where functions of f64 are called lane by lane.
int64_t getInterleave(kernel::FuncOp kernel,
                      const cpu::MachineDescription &machine);

} // namespace ourc

#endif // OURC_STRATEGY_CPU_LOOPS_H
