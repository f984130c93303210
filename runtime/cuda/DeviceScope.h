//===- DeviceScope.h - A GPU's context for the time of a call -------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_RUNTIME_CUDA_DEVICESCOPE_H
#define OURC_RUNTIME_CUDA_DEVICESCOPE_H

#include "runtime/abi/Model.h"
#include "runtime/cuda/Device.h"

namespace ourc::cuda {

/// The GPU's context is current while one lives; what was current before is so
/// again afterwards: the caller may use another one. Inside of another one of
/// the same GPU it costs nothing.
class Device::Scope {
public:
  /// `isRelease`: things are let go of, which a failure would leak; a second
  /// attempt is made.
  explicit Scope(Device &device, bool isRelease = false)
      : driver(device.driver), outer(entered) {
    if (entered == &device)
      return;
    Result code = driver.cuCtxPushCurrent_v2(device.context);
    if (code && isRelease)
      code = driver.cuCtxPushCurrent_v2(device.context);
    pushed = code == 0;
    if (pushed)
      entered = &device;
    else
      status =
          driver.fail("cuCtxPushCurrent", code, "entering the GPU's context");
  }
  ~Scope() {
    if (!pushed)
      return;
    entered = outer;
    Context old;
    driver.cuCtxPopCurrent_v2(&old);
  }
  Scope(const Scope &) = delete;
  Scope &operator=(const Scope &) = delete;
  int32_t status = OURC_OK;

private:
  Driver &driver;
  const Device *outer;
  bool pushed = false;
};

} // namespace ourc::cuda

#endif // OURC_RUNTIME_CUDA_DEVICESCOPE_H
