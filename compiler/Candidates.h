//===- Candidates.h - The schedules that a program's kernels may have -----===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_COMPILER_CANDIDATES_H
#define OURC_COMPILER_CANDIDATES_H

#include "compiler/CompileOptions.h"

#include <string>
#include <vector>

namespace ourc {

/// A kernel, and the schedules that its strategies would measure.
struct KernelCandidates {
  std::string key;  ///< as strategy/ScheduleFile.h says
  std::string name; ///< in the program's report
  /// The compiler's own choice first.
  std::vector<std::string> schedules;
};

/// Those of the kernels of a program, given as text or bytecode; of equal
/// kernels the first.
llvm::Expected<std::vector<KernelCandidates>>
listCandidates(llvm::StringRef text, const CompileOptions &options);

} // namespace ourc

#endif // OURC_COMPILER_CANDIDATES_H
