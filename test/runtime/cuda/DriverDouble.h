//===- DriverDouble.h - A libcuda.so.1 for tests -----------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the double offers beside the driver API. It keeps every object, checks
// every argument, answers as a driver does, and runs launches on the SIMT
// machine: the twin of a kernel is found by the hash of the code that the
// driver was given.
//
//===----------------------------------------------------------------------===//

#ifndef OURC_TEST_RUNTIME_CUDA_DRIVERDOUBLE_H
#define OURC_TEST_RUNTIME_CUDA_DRIVERDOUBLE_H

#include "runtime/simt/Simt.h"

extern "C" {

/// Forgets calls, twins, faults, and objects that nobody let go of.
void ourc_double_reset(int architecture);
/// Kernel `name` of the code with this hash runs as `twin`.
void ourc_double_add_twin(uint64_t codeHash, const char *name,
                          OurcSimtKernelFn twin);
/// The call number `call` from now on (0: the next) returns `code`, once.
void ourc_double_fail_at(int64_t call, int code);
/// Calls since the reset; the name of one of them.
int64_t ourc_double_num_calls(void);
const char *ourc_double_call(int64_t index);
/// Contexts, streams, modules and allocations that live.
int64_t ourc_double_num_live(void);
/// What a caller did that no driver need forgive; null: nothing.
const char *ourc_double_misuse(void);

} // extern "C"

#endif // OURC_TEST_RUNTIME_CUDA_DRIVERDOUBLE_H
