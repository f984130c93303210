//===- Profile.h - What each kernel of a call takes -----------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_TOOLS_OURC_RUN_PROFILE_H
#define OURC_TOOLS_OURC_RUN_PROFILE_H

#include "runtime/support/Vec.h"
#include "tools/ourc-run/LoadedModel.h"

namespace ourc::run {

/// Times of the launches of several calls of one model.
class Profile {
public:
  explicit Profile(LoadedModel &loaded) : loaded(loaded) {}

  /// From now on launches are timed.
  bool begin() { return loaded.good(loaded.timeLaunches(loaded.model, 1)); }
  /// Takes the times of the call that has just ended. The first call may have
  /// prepared weights and caches: it does not count where there are others.
  bool takeCall();
  /// Prints a line for each kernel, slowest first: the median milliseconds of
  /// its launches in a call, the least that the machine's peaks (measured now)
  /// allow, its rates, schedule and user lines.
  bool print();

private:
  LoadedModel &loaded;
  int64_t calls = 0;
  int64_t launches = -1;        ///< of a call; -1: not known yet
  runtime::Vec<int64_t> taken;  ///< nanoseconds, call by call
  runtime::Vec<int64_t> wholes; ///< from the first launch to the last's end
};

} // namespace ourc::run

#endif // OURC_TOOLS_OURC_RUN_PROFILE_H
