//===- Transfers.h - Copies between CPU and GPU ---------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_RUNTIME_CUDA_TRANSFERS_H
#define OURC_RUNTIME_CUDA_TRANSFERS_H

#include "runtime/cuda/Device.h"

namespace ourc::cuda {

/// Copies from and to pageable memory by way of a pinned block, so that the
/// driver can copy while this thread goes on. One stream at a time.
class Transfers {
public:
  /// Lets go of the block. Nothing may be under way.
  void close(Device &device);

  /// `from` may change once this has returned.
  int32_t upload(Device &device, Address to, const void *from, int64_t bytes,
                 Stream stream);
  /// `to` is written by finish() at the latest.
  int32_t download(Device &device, void *to, Address from, int64_t bytes,
                   Stream stream);
  /// Waits for the stream and completes downloads.
  int32_t finish(Device &device, Stream stream);
  /// Forgets what is under way, after an error.
  void forget();

private:
  /// Room for up to `wanted` bytes; `got` may be less, never 0.
  int32_t reserve(Device &device, int64_t wanted, Stream stream, char **room,
                  int64_t *got);

  struct Download {
    char *to;
    const char *pinned;
    int64_t bytes;
  };
  char *block = nullptr;
  int64_t used = 0;
  runtime::Vec<Download> downloads;
};

} // namespace ourc::cuda

#endif // OURC_RUNTIME_CUDA_TRANSFERS_H
