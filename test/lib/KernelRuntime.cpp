//===- KernelRuntime.cpp - What generated code calls, for tests -----------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A runtime of the least size: shares of a loop on the caller and, when asked
// for, on helper threads that spin for a while and then sleep.
//
//===----------------------------------------------------------------------===//

#include "test/lib/KernelRuntime.h"

#include "runtime/abi/ProgramABI.h"
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

namespace {

struct Job {
  OurcTaskFn task;
  void *args;
  int64_t n, shares;
};

int numThreads = 1;
bool ignoresGrain = false;
Job job;
std::atomic<int> generation{0}, pending{0};
// Never destroyed: helpers may still sleep when the process ends.
std::mutex &sleepMutex = *new std::mutex;
std::condition_variable &wakeUp = *new std::condition_variable;
bool helpersStarted = false;

void runShare(const Job &job, int64_t share) {
  int64_t begin = job.n * share / job.shares;
  int64_t end = job.n * (share + 1) / job.shares;
  if (begin < end)
    job.task(job.args, begin, end);
}

void helper(int id) {
  for (int seen = 0;;) {
    auto isNew = [&] {
      return generation.load(std::memory_order_acquire) != seen;
    };
    for (int spins = 0; spins < 10000 && !isNew(); ++spins)
      __builtin_ia32_pause();
    if (!isNew()) {
      std::unique_lock<std::mutex> lock(sleepMutex);
      wakeUp.wait(lock, isNew);
    }
    ++seen;
    if (id < job.shares)
      runShare(job, id);
    pending.fetch_sub(1, std::memory_order_acq_rel);
  }
}

struct Scratch {
  void *data = nullptr;
  int64_t size = 0;
};
thread_local Scratch scratch;

} // namespace

void ourc::test::setNumThreads(int threads, bool ignoreGrain) {
  numThreads = threads;
  ignoresGrain = ignoreGrain;
}

extern "C" {

void ourc_parallel_for(OurcContext *, OurcTaskFn task, void *args, int64_t n,
                       int64_t grain) {
  int64_t shares = n / (grain > 0 && !ignoresGrain ? grain : 1);
  if (shares > numThreads)
    shares = numThreads;
  if (shares <= 1) {
    if (n > 0)
      task(args, 0, n);
    return;
  }
  if (!helpersStarted) {
    for (int id = 1; id < numThreads; ++id)
      std::thread(helper, id).detach();
    helpersStarted = true;
  }
  job = {task, args, n, shares};
  pending.store(numThreads - 1, std::memory_order_relaxed);
  {
    std::lock_guard<std::mutex> lock(sleepMutex);
    generation.fetch_add(1, std::memory_order_release);
  }
  wakeUp.notify_all();
  runShare(job, 0);
  for (int spins = 0; pending.load(std::memory_order_acquire) != 0; ++spins)
    if (spins < 10000)
      __builtin_ia32_pause();
    else
      std::this_thread::yield();
}

void *ourc_thread_scratch(OurcContext *, int64_t bytes) {
  if (scratch.size < bytes) {
    free(scratch.data);
    scratch.size = (bytes + 4095) / 4096 * 4096;
    scratch.data = aligned_alloc(4096, scratch.size);
    if (!scratch.data)
      abort();
  }
  return scratch.data;
}

void ourc_report_error(OurcContext *, const char *message, int64_t value) {
  fprintf(stderr, "error of generated code: %s (%lld)\n", message,
          static_cast<long long>(value));
}
}
