//===- KernelNames.h - Names of kernels
//---------------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_TRANSFORMS_KERNEL_KERNELNAMES_H
#define OURC_TRANSFORMS_KERNEL_KERNELNAMES_H

#include "transforms/kernel/Outline.h"
#include <string>

namespace ourc {

/// A readable symbol for a kernel: what its operations were called in the
/// source program (the names in their locations), else the kinds of its loops,
/// in order, without repeats, at most four of them.
std::string nameKernel(const OperationGroup &ops);

} // namespace ourc

#endif // OURC_TRANSFORMS_KERNEL_KERNELNAMES_H
