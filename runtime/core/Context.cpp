//===- Context.cpp - Errors and scratch memory of generated code ----------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/Context.h"

#include "runtime/abi/Model.h"

#include <cstdio>
#include <cstdlib>
#include <pthread.h>

using namespace ourc::runtime;

const char *ourc::runtime::reportedError(const OurcContext &context) {
  return __atomic_load_n(&context.errorState, __ATOMIC_ACQUIRE) == 2
             ? context.message
             : nullptr;
}

void ourc_report_error(OurcContext *ctx, const char *message, int64_t value) {
  if (!message)
    message = "unknown error";
  if (!ctx) { // a kernel called on its own: nobody else can tell
    std::fprintf(stderr, "ourc: %s (%lld)\n", message,
                 static_cast<long long>(value));
    return;
  }
  char text[sizeof(ctx->message)];
  std::snprintf(text, sizeof(text), "%s (%lld)", message,
                static_cast<long long>(value));
  recordError(*ctx, OURC_ERROR_RUNTIME, text);
}

void ourc::runtime::recordError(OurcContext &context, int32_t status,
                                const char *message) {
  int32_t none = 0;
  if (!__atomic_compare_exchange_n(&context.errorState, &none, 1,
                                   /*weak=*/false, __ATOMIC_ACQ_REL,
                                   __ATOMIC_ACQUIRE))
    return;
  context.errorStatus = status;
  std::snprintf(context.message, sizeof(context.message), "%s", message);
  __atomic_store_n(&context.errorState, 2, __ATOMIC_RELEASE);
}

//===----------------------------------------------------------------------===//
// Thread scratch
//===----------------------------------------------------------------------===//

// A block begins with its size, in a cache line of its own. The thread's block
// is the value of a pthread key whose destructor is free() itself: it stays
// valid when this code has been unloaded before the thread ends.

namespace {
constexpr int64_t headerBytes = 64;
pthread_key_t scratchKey;
bool hasScratchKey = false;
} // namespace

__attribute__((constructor)) static void createScratchKey() {
  hasScratchKey = pthread_key_create(&scratchKey, std::free) == 0;
}

__attribute__((destructor)) static void deleteScratchKey() {
  if (!hasScratchKey)
    return;
  std::free(pthread_getspecific(scratchKey));
  pthread_setspecific(scratchKey, nullptr);
  pthread_key_delete(scratchKey);
}

[[noreturn]] static void scratchFailed(int64_t bytes, const char *why) {
  std::fprintf(stderr, "ourc: no thread scratch of %lld bytes: %s\n",
               static_cast<long long>(bytes), why);
  std::abort();
}

void *ourc_thread_scratch(OurcContext *ctx, int64_t bytes) {
  if (!hasScratchKey)
    scratchFailed(bytes, "the process has no thread-specific key left");
  if (bytes < 0 || bytes > INT64_MAX / 2)
    scratchFailed(bytes, "not a size");
  void *block = pthread_getspecific(scratchKey);
  if (!block || *static_cast<int64_t *>(block) < bytes) {
    std::free(block);
    pthread_setspecific(scratchKey, nullptr);
    // Whole pages: kernels with slightly different needs share one block.
    int64_t room = (bytes + headerBytes + 4095) & -int64_t(4096);
    countAllocation(ctx);
    if (posix_memalign(&block, headerBytes, static_cast<uint64_t>(room)) ||
        pthread_setspecific(scratchKey, block))
      scratchFailed(bytes, "out of memory");
    *static_cast<int64_t *>(block) = room - headerBytes;
  }
  return static_cast<char *>(block) + headerBytes;
}
