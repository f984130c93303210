//===- DeviceTable.cpp - The GPUs that this process has open --------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cuda/DeviceTable.h"

#include "runtime/support/Failure.h"

#include <new>

using namespace ourc::cuda;
using namespace ourc::runtime;

namespace {
struct Entry {
  int32_t ordinal;
  int64_t users;
  Device *device;
};
constexpr int maxDevices = 64;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
Entry entries[maxDevices];
} // namespace

static void destroy(Device *device) {
  device->close();
  device->~Device();
  std::free(device);
}

static int32_t takeLocked(int32_t ordinal, Device **device) {
  Entry *entry = nullptr;
  for (Entry &candidate : entries) {
    if (candidate.users && candidate.ordinal == ordinal) {
      ++candidate.users;
      *device = candidate.device;
      return OURC_OK;
    }
    if (!candidate.users && !entry)
      entry = &candidate;
  }
  if (!entry)
    return fail(OURC_ERROR_RUNTIME, "more than %d GPUs are open", maxDevices);
  void *memory = std::malloc(sizeof(Device));
  if (!memory)
    return fail(OURC_ERROR_MEMORY, "no memory for a device");
  auto *opened = new (memory) Device;
  if (int32_t status = opened->open(nullptr, ordinal)) {
    destroy(opened);
    return status;
  }
  *entry = {ordinal, 1, opened};
  *device = opened;
  return OURC_OK;
}

int32_t DeviceTable::take(int32_t ordinal, Device **device) {
  pthread_mutex_lock(&mutex);
  int32_t status = takeLocked(ordinal, device);
  pthread_mutex_unlock(&mutex);
  return status;
}

void DeviceTable::letGo(Device *device) {
  pthread_mutex_lock(&mutex);
  for (Entry &entry : entries)
    if (entry.users && entry.device == device && --entry.users == 0) {
      destroy(device);
      entry = {};
    }
  pthread_mutex_unlock(&mutex);
}
