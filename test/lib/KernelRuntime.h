//===- KernelRuntime.h - What generated code calls, for tests -------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_TEST_LIB_KERNELRUNTIME_H
#define OURC_TEST_LIB_KERNELRUNTIME_H

namespace ourc::test {

/// How many threads ourc_parallel_for uses; to be set before the first kernel.
/// Where `ignoreGrain`, even the smallest loops are shared.
void setNumThreads(int threads, bool ignoreGrain);

} // namespace ourc::test

#endif // OURC_TEST_LIB_KERNELRUNTIME_H
