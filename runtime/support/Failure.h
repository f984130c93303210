//===- Failure.h - The message of the last failed call --------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_RUNTIME_SUPPORT_FAILURE_H
#define OURC_RUNTIME_SUPPORT_FAILURE_H

#include "runtime/abi/Model.h"

namespace ourc::runtime {

/// Records the message that ourc_last_error() gives to the calling thread and
/// returns `status`. Messages say what is wrong and what would be right.
__attribute__((format(printf, 2, 3))) int32_t fail(OurcStatus status,
                                                   const char *format, ...);

} // namespace ourc::runtime

#endif // OURC_RUNTIME_SUPPORT_FAILURE_H
