//===- Options.h - The command line of ourc-run ---------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_TOOLS_OURC_RUN_OPTIONS_H
#define OURC_TOOLS_OURC_RUN_OPTIONS_H

#include "runtime/support/Vec.h"

namespace ourc::run {

struct Options {
  const char *model = nullptr;
  const char *weights = nullptr;      ///< null: the default
  runtime::Vec<const char *> inputs;  ///< "x.npy" or "name=x.npy"
  runtime::Vec<const char *> outputs; ///< likewise
  int64_t repeat = 0;                 ///< 0 until all is read: the default
  bool describe = false;
  bool profile = false;
  bool help = false;
};

extern const char usage[];

/// False after a message to stderr.
bool parseOptions(int argc, const char *const *argv, Options &options);

} // namespace ourc::run

#endif // OURC_TOOLS_OURC_RUN_OPTIONS_H
