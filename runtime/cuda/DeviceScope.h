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

/// The context that was current before is current again afterwards: the caller
/// may use another one.
class Device::Scope {
public:
  explicit Scope(Device &device) : driver(device.driver) {
    Result code = driver.cuCtxPushCurrent_v2(device.context);
    pushed = code == 0;
    if (!pushed)
      status =
          driver.fail("cuCtxPushCurrent", code, "entering the GPU's context");
  }
  ~Scope() {
    Context old;
    if (pushed)
      driver.cuCtxPopCurrent_v2(&old);
  }
  int32_t status = OURC_OK;

private:
  Driver &driver;
  bool pushed;
};

} // namespace ourc::cuda

#endif // OURC_RUNTIME_CUDA_DEVICESCOPE_H
