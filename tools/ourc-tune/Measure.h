//===- Measure.h - Times of a program's kernels ---------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_TOOLS_OURC_TUNE_MEASURE_H
#define OURC_TOOLS_OURC_TUNE_MEASURE_H

#include "compiler/CompileOptions.h"

#include "llvm/ADT/StringMap.h"

#include <map>

namespace ourc::tune {

/// Sizes of the program's symbols, by name.
using Sizes = llvm::StringMap<int64_t>;

struct Times {
  /// Seconds of one launch of each kernel, by its name in the report: the
  /// median over the calls, of a kernel that is launched several times the
  /// mean.
  std::map<std::string, double> kernels;
  /// The median of a call, from its first launch to the last's end.
  double call = 0;
};

/// Compiles the program and calls it `calls` times, and once before, on random
/// tensors.
llvm::Expected<Times> measure(llvm::StringRef text,
                              const CompileOptions &options, const Sizes &sizes,
                              int64_t calls);

} // namespace ourc::tune

#endif // OURC_TOOLS_OURC_TUNE_MEASURE_H
