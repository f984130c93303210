//===- Peaks.h - What this machine does at most ---------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_RUNTIME_MEASURE_PEAKS_H
#define OURC_RUNTIME_MEASURE_PEAKS_H

#include <cstdint>

namespace ourc::runtime {

/// Runs work(argument, thread) on `threads` threads of ourc_parallel_for, each
/// once, and returns the seconds until all are done.
double timeOnThreads(int64_t threads, void (*work)(void *, int64_t),
                     void *argument);

/// Floating-point operations a second of `threads` threads together, a
/// multiply-add counting two: on f32, and of products of bf16 pairs summed in
/// f32 (0 where no instruction does that).
double measureFlops(int64_t threads);
double measureFlops16(int64_t threads);

/// Bytes a second that `threads` threads together read from memory that no
/// cache holds. 0 if there is no memory to measure with.
double measureReadBandwidth(int64_t threads);

/// Bytes a second that one thread reads from `bytes` bytes again and again.
double measureReadBandwidthOf(int64_t bytes);

/// Seconds from the start of a parallel loop with nothing to do to its end, in
/// a row of such loops.
double measureParallelFor(int64_t threads);

} // namespace ourc::runtime

#endif // OURC_RUNTIME_MEASURE_PEAKS_H
