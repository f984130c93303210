//===- Driver.cpp - NVIDIA's driver, opened when it is needed ----------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cuda/Driver.h"

#include "runtime/support/Failure.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

using namespace ourc::cuda;

int32_t Driver::open(const char *path) {
  if (!path)
    path = std::getenv("OURC_CUDA_DRIVER");
  if (!path || !*path)
    path = "libcuda.so.1";
  library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return runtime::fail(OURC_ERROR_RUNTIME,
                         "no NVIDIA driver: %s. Install the driver, or compile "
                         "for a CPU",
                         dlerror());
  const char *missing = nullptr;
#define OURC_CUDA_FIND(function, parameters)                                   \
  function =                                                                   \
      reinterpret_cast<Result(*) parameters>(dlsym(library, #function));       \
  if (!function)                                                               \
    missing = #function;
  OURC_CUDA_FUNCTIONS(OURC_CUDA_FIND)
#undef OURC_CUDA_FIND
  ourc_driver_offer_twin = reinterpret_cast<decltype(ourc_driver_offer_twin)>(
      dlsym(library, "ourc_driver_offer_twin"));
  int32_t status = OURC_OK;
  if (missing)
    status = runtime::fail(
        OURC_ERROR_RUNTIME,
        "the NVIDIA driver '%s' has no %s: it is too old, one of CUDA 12.0 or "
        "later is right",
        path, missing);
  else if (Result code = cuInit(0))
    status = fail("cuInit", code, "starting the driver");
  if (status != OURC_OK)
    close();
  return status;
}

void Driver::close() {
  if (library)
    dlclose(library);
  library = nullptr;
}

int32_t Driver::fail(const char *function, Result code, const char *what,
                     ...) const {
  char doing[512];
  va_list list;
  va_start(list, what);
  std::vsnprintf(doing, sizeof(doing), what, list);
  va_end(list);
  const char *name = nullptr, *text = nullptr;
  cuGetErrorName(code, &name);
  cuGetErrorString(code, &text);
  return runtime::fail(
      code == outOfMemory ? OURC_ERROR_MEMORY : OURC_ERROR_RUNTIME,
      "%s failed while %s: %s (%d)%s%s", function, doing,
      name ? name : "unknown error", code, text ? ": " : "", text ? text : "");
}
