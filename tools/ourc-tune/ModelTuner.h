//===- ModelTuner.h - Measures the schedules of a program's kernels -------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every measurement is a process of its own, which compiles the whole program
// with one schedule for each kernel: what a kernel finds in caches and memory
// is then what it finds in use. All kernels try their n-th candidates in one
// process, so there are as many as the kernel with the most candidates has.
// Between them the compiler's own choice is measured again, since machines have
// slow minutes; a candidate counts by its ratio to the two neighbours.
//
//===----------------------------------------------------------------------===//

#ifndef OURC_TOOLS_OURC_TUNE_MODELTUNER_H
#define OURC_TOOLS_OURC_TUNE_MODELTUNER_H

#include "compiler/Candidates.h"
#include "tools/ourc-tune/Measure.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"

namespace ourc::tune {

/// A file in the system's folder for such, which who takes it discards.
llvm::Expected<llvm::sys::fs::TempFile> createTempFile();

/// Times of the program with the schedules of a file (empty: none) in a fresh
/// process.
using MeasureApart =
    llvm::function_ref<llvm::Expected<Times>(llvm::StringRef schedules)>;

/// The contents of a file of schedules: those that took at most `wanted` of the
/// compiler's own, and did so again when all of the chosen ones were measured
/// together. Says on stderr what it does.
llvm::Expected<llvm::json::Value>
tuneModel(llvm::ArrayRef<KernelCandidates> kernels, MeasureApart measureApart);

} // namespace ourc::tune

#endif // OURC_TOOLS_OURC_TUNE_MODELTUNER_H
