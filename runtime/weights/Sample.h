//===- Sample.h - Noticing that weights have changed ----------------- -===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A caller that owns weights may write them behind every version counter. A
// checksum over a few words of each buffer, taken before each call, notices
// all that training or loading does to a weight.
//
//===----------------------------------------------------------------------===//

#ifndef OURC_RUNTIME_WEIGHTS_SAMPLE_H
#define OURC_RUNTIME_WEIGHTS_SAMPLE_H

#include "runtime/abi/Model.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A checksum over at most `samples` (at least 2) evenly spaced eight-byte
/// words of each of `count` buffers, the first and the last bytes among them; a
/// buffer of no more words than that is read whole. The order of the buffers
/// and the place of each word count. buffers[i] may be null where bytes[i] is
/// 0.
OURC_EXPORT uint64_t ourc_sample_checksum(const void *const *buffers,
                                          const int64_t *bytes, int64_t count,
                                          int64_t samples);

#ifdef __cplusplus
}
#endif

#endif // OURC_RUNTIME_WEIGHTS_SAMPLE_H
