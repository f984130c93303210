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

} // namespace ourc::runtime

#endif // OURC_RUNTIME_CORE_PARALLELFOR_H
