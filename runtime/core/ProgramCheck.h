//===- ProgramCheck.h - Is a program well formed? -------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_RUNTIME_CORE_PROGRAMCHECK_H
#define OURC_RUNTIME_CORE_PROGRAMCHECK_H

#include "runtime/abi/ProgramABI.h"

namespace ourc::runtime {

/// Checks all that the runtime relies on: the version, counts, indices, types,
/// functions. Everything else in the runtime takes a program that has passed.
int32_t checkProgram(const OurcProgram *program);

} // namespace ourc::runtime

#endif // OURC_RUNTIME_CORE_PROGRAMCHECK_H
