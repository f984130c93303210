//===- DriverDouble.h - A libcuda.so.1 for tests --------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the double offers beside the driver API. It keeps every object, checks
// every argument, answers as a driver does, and plays launches: the twin of a
// kernel is found by the hash of the code that the driver was given. The memory
// of its GPU cannot be touched by the CPU outside of the driver's own
// functions.
//
// OURC_DOUBLE_ARCHITECTURE (90) is the architecture of its GPUs,
// OURC_DOUBLE_DEVICES (1) their number. OURC_DOUBLE_FAIL=CALL:CODE lets the
// CALL-th call of the process (from 0 on) return CODE. OURC_DOUBLE_LOG names a
// file for a line a call; the last line says what lives and what was misused.
//
//===----------------------------------------------------------------------===//

#ifndef OURC_TEST_RUNTIME_CUDA_DRIVERDOUBLE_H
#define OURC_TEST_RUNTIME_CUDA_DRIVERDOUBLE_H

#include "runtime/abi/ProgramABI.h"

extern "C" {

/// Forgets calls, twins, faults, and objects that nobody let go of.
void ourc_double_reset(int architecture);
/// Kernel `name` of the code with this hash runs as `twin`: what a runtime
/// calls before it loads the code.
void ourc_driver_offer_twin(uint64_t codeHash, const char *name,
                            const char *signature, OurcTwinFn twin);
/// The call number `call` from now on (0: the next) returns `code`, once.
void ourc_double_fail_at(int64_t call, int code);
/// Calls since the reset; the name of one of them.
int64_t ourc_double_num_calls(void);
const char *ourc_double_call(int64_t index);
/// The stream that a call put work into; null: the default one, or none.
void *ourc_double_call_stream(int64_t index);
/// Contexts, streams, modules, pools, graphs and allocations that live.
int64_t ourc_double_num_live(void);
/// What a caller did that no driver need forgive; null: nothing.
const char *ourc_double_misuse(void);
/// Copies between CPU and GPU memory for tests, without a call of the driver.
void ourc_double_peek(void *to, uint64_t from, uint64_t bytes);
void ourc_double_poke(uint64_t to, const void *from, uint64_t bytes);
/// GPU memory for tests, without a call of the driver.
uint64_t ourc_double_allocate(uint64_t bytes);
void ourc_double_release(uint64_t address);

} // extern "C"

#endif // OURC_TEST_RUNTIME_CUDA_DRIVERDOUBLE_H
