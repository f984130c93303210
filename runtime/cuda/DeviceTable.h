//===- DeviceTable.h - The GPUs that this process has open ----------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_RUNTIME_CUDA_DEVICETABLE_H
#define OURC_RUNTIME_CUDA_DEVICETABLE_H

#include "runtime/cuda/Device.h"

namespace ourc::cuda {

/// Models on one GPU share its context, pool and modules.
class DeviceTable {
public:
  /// Opens the GPU unless somebody has it open.
  static int32_t take(int32_t ordinal, Device **device);
  /// Closes it when nobody has it open any more.
  static void letGo(Device *device);
};

} // namespace ourc::cuda

#endif // OURC_RUNTIME_CUDA_DEVICETABLE_H
