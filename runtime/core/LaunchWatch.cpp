//===- LaunchWatch.cpp - Launches, and who is told of them ----------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/LaunchWatch.h"

#include "runtime/core/Context.h"

#include <ctime>

using namespace ourc::runtime;

static int64_t now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return int64_t(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

int32_t LaunchWatch::launch(OurcContext *ctx, OurcKernelFn kernel,
                            void *const *buffers, const int64_t *sizes,
                            int64_t number) {
  if (observer)
    observer(data, number, /*ended=*/0);
  int64_t begin = now();
  int32_t code = kernel(ctx, buffers, sizes);
  int64_t end = now();
  if (keepsTimes)
    times.push({number, begin, end});
  if (observer)
    observer(data, number, /*ended=*/1);
  return code;
}

int32_t ourc_launch(OurcContext *ctx, OurcKernelFn kernel, void *const *buffers,
                    const int64_t *sizes, int64_t launch) {
  if (!ctx || !ctx->watch)
    return kernel(ctx, buffers, sizes);
  return ctx->watch->launch(ctx, kernel, buffers, sizes, launch);
}
