//===- Transfers.cpp - Copies between CPU and GPU -------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cuda/Transfers.h"

#include "runtime/abi/Model.h"

using namespace ourc::cuda;

/// Large enough to hide the cost of a wait, small enough to pin at once.
static constexpr int64_t blockBytes = 8 << 20;

void Transfers::close(Device &device) {
  if (block)
    device.releasePinned(block);
  block = nullptr;
  forget();
}

void Transfers::forget() {
  used = 0;
  downloads.clear();
}

int32_t Transfers::reserve(Device &device, int64_t wanted, Stream stream,
                           char **room, int64_t *got) {
  if (!block) {
    void *pinned;
    if (int32_t status = device.allocatePinned(blockBytes, &pinned))
      return status;
    block = static_cast<char *>(pinned);
  }
  if (used == blockBytes)
    if (int32_t status = finish(device, stream))
      return status;
  *room = block + used;
  *got = wanted < blockBytes - used ? wanted : blockBytes - used;
  used += *got;
  return OURC_OK;
}

int32_t Transfers::upload(Device &device, Address to, const void *from,
                          int64_t bytes, Stream stream) {
  auto *source = static_cast<const char *>(from);
  while (bytes > 0) {
    char *room;
    int64_t part;
    if (int32_t status = reserve(device, bytes, stream, &room, &part))
      return status;
    std::memcpy(room, source, static_cast<uint64_t>(part));
    if (int32_t status =
            device.copyToDevice(to, room, static_cast<uint64_t>(part), stream))
      return status;
    to += static_cast<uint64_t>(part);
    source += part;
    bytes -= part;
  }
  return OURC_OK;
}

int32_t Transfers::download(Device &device, void *to, Address from,
                            int64_t bytes, Stream stream) {
  auto *target = static_cast<char *>(to);
  while (bytes > 0) {
    char *room;
    int64_t part;
    if (int32_t status = reserve(device, bytes, stream, &room, &part))
      return status;
    if (int32_t status =
            device.copyToHost(room, from, static_cast<uint64_t>(part), stream))
      return status;
    downloads.push({target, room, part});
    from += static_cast<uint64_t>(part);
    target += part;
    bytes -= part;
  }
  return OURC_OK;
}

int32_t Transfers::finish(Device &device, Stream stream) {
  if (int32_t status = device.synchronize(stream))
    return status;
  for (const Download &download : downloads)
    std::memcpy(download.to, download.pinned,
                static_cast<uint64_t>(download.bytes));
  forget();
  return OURC_OK;
}
