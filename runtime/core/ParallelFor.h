//===- ParallelFor.h - Loops over the process's OpenMP threads ------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ourc_parallel_for (runtime/abi/ProgramABI.h) runs on the OpenMP runtime that
// the process already has, PyTorch's say, and loads the system's otherwise. It
// never makes threads of its own: two pools would fight for the cores. Without
// an OpenMP runtime loops are serial.
//
//===----------------------------------------------------------------------===//

#ifndef OURC_RUNTIME_CORE_PARALLELFOR_H
#define OURC_RUNTIME_CORE_PARALLELFOR_H

#include "runtime/abi/ProgramABI.h"

namespace ourc::runtime {

/// What loops run on.
struct ThreadsInfo {
  const char *library; ///< the path of the OpenMP runtime; null: serial
  int maxThreads;      ///< what the calling thread may use now
};
ThreadsInfo threadsInfo();

/// How many of the caller's threads run on a core that another one of them runs
/// on, too. Such threads wait for each other at the end of every loop, which
/// makes it many times slower: the cure is to bind them (OMP_PROC_BIND=true) or
/// to have fewer. Takes microseconds, or some milliseconds where the answer is
/// not 0.
int threadsSharingACore();

} // namespace ourc::runtime

#endif // OURC_RUNTIME_CORE_PARALLELFOR_H
