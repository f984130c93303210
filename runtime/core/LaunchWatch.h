//===- LaunchWatch.h - Who is told of launches ----------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_RUNTIME_CORE_LAUNCHWATCH_H
#define OURC_RUNTIME_CORE_LAUNCHWATCH_H

#include "runtime/abi/Model.h"
#include "runtime/support/Vec.h"

namespace ourc::runtime {

/// Keeps the times of a call's launches and tells an observer, where asked to.
class LaunchWatch {
public:
  /// Whether anybody asked for anything.
  bool isOn() const { return keepsTimes || observer; }
  void keepTimes(bool on) {
    keepsTimes = on;
    times.clear();
  }
  void observe(OurcLaunchObserver function, void *itsData) {
    observer = function;
    data = itsData;
  }
  /// Forgets the times of the last call.
  void beginCall() { times.clear(); }
  const Vec<OurcLaunchTime> &getTimes() const { return times; }

  int32_t launch(OurcContext *ctx, OurcKernelFn kernel, void *const *buffers,
                 const int64_t *sizes, int64_t number);

private:
  bool keepsTimes = false;
  OurcLaunchObserver observer = nullptr;
  void *data = nullptr;
  Vec<OurcLaunchTime> times;
};

} // namespace ourc::runtime

#endif // OURC_RUNTIME_CORE_LAUNCHWATCH_H
