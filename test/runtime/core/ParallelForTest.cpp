//===- ParallelForTest.cpp - Tests of loops over OpenMP threads -----------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/ParallelFor.h"

#include <atomic>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <mutex>
#include <pthread.h>
#include <set>
#include <thread>
#include <vector>

using namespace ourc::runtime;

namespace {

struct Shares {
  explicit Shares(int64_t n) : hits(static_cast<size_t>(n)) {}
  std::vector<std::atomic<int>> hits;
  std::mutex mutex;
  std::vector<int64_t> lengths;
  std::set<pthread_t> threads;

  static void task(void *args, int64_t begin, int64_t end) {
    auto *shares = static_cast<Shares *>(args);
    for (int64_t i = begin; i < end; ++i)
      ++shares->hits[static_cast<size_t>(i)];
    std::lock_guard<std::mutex> lock(shares->mutex);
    shares->lengths.push_back(end - begin);
    shares->threads.insert(pthread_self());
  }
};

/// Asks the runtime in use for a number of threads, as torch.set_num_threads
/// does.
void setThreads(int count) {
  const char *library = threadsInfo().library;
  ASSERT_NE(library, nullptr);
  void *handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
  ASSERT_NE(handle, nullptr) << library;
  auto set =
      reinterpret_cast<void (*)(int)>(dlsym(handle, "omp_set_num_threads"));
  ASSERT_NE(set, nullptr);
  set(count);
  dlclose(handle);
  EXPECT_EQ(threadsInfo().maxThreads, count);
}

TEST(ParallelFor, EveryIterationOnce) {
  setThreads(4);
  for (int64_t n : {0, 1, 2, 3, 7, 100, 1001})
    for (int64_t grain : {-1, 0, 1, 2, 3, 64, 5000}) {
      Shares shares(n);
      ourc_parallel_for(nullptr, Shares::task, &shares, n, grain);
      for (auto &hits : shares.hits)
        ASSERT_EQ(hits, 1) << n << " by " << grain;
    }
}

TEST(ParallelFor, SharesAreAtLeastTheGrain) {
  setThreads(4);
  for (int64_t n : {5, 10, 11, 100})
    for (int64_t grain : {3, 5, 40}) {
      Shares shares(n);
      ourc_parallel_for(nullptr, Shares::task, &shares, n, grain);
      for (int64_t length : shares.lengths)
        EXPECT_GE(length, std::min(n, grain));
      EXPECT_LE(shares.lengths.size(), 4u);
    }
}

TEST(ParallelFor, UsesTheThreadsThatAreAllowed) {
  setThreads(3);
  Shares three(300);
  ourc_parallel_for(nullptr, Shares::task, &three, 300, 1);
  EXPECT_EQ(three.lengths, std::vector<int64_t>({100, 100, 100}));
  EXPECT_EQ(three.threads.size(), 3u);
  setThreads(1);
  Shares one(300);
  ourc_parallel_for(nullptr, Shares::task, &one, 300, 1);
  EXPECT_EQ(one.lengths, std::vector<int64_t>({300}));
  EXPECT_EQ(*one.threads.begin(), pthread_self());
}

TEST(ParallelFor, AtMostTheGrainStaysInTheCaller) {
  setThreads(4);
  Shares shares(10);
  ourc_parallel_for(nullptr, Shares::task, &shares, 10, 10);
  EXPECT_EQ(shares.lengths, std::vector<int64_t>({10}));
  EXPECT_EQ(*shares.threads.begin(), pthread_self());
}

TEST(ParallelFor, NestedLoopsAreSerial) {
  setThreads(4);
  struct Outer {
    std::atomic<int> inner{0}, otherThread{0};
  } outer;
  auto task = [](void *args, int64_t begin, int64_t end) {
    auto *outer = static_cast<Outer *>(args);
    for (int64_t i = begin; i < end; ++i) {
      Shares shares(100);
      ourc_parallel_for(nullptr, Shares::task, &shares, 100, 1);
      outer->inner += static_cast<int>(shares.lengths.size());
      if (*shares.threads.begin() != pthread_self())
        ++outer->otherThread;
    }
  };
  ourc_parallel_for(nullptr, task, &outer, 8, 1);
  EXPECT_EQ(outer.inner, 8);
  EXPECT_EQ(outer.otherThread, 0);
}

TEST(ParallelFor, FromSeveralThreads) {
  setThreads(2);
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int turn = 0; turn < 50; ++turn) {
        Shares shares(101);
        ourc_parallel_for(nullptr, Shares::task, &shares, 101, 1);
        for (auto &hits : shares.hits)
          wrong += hits != 1;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(ParallelFor, ThreadsOnOneCoreAreFound) {
  // A thread that may run on one core alone hands that on to its team.
  int sharing = -1, alone = -1;
  std::thread([&] {
    cpu_set_t cores;
    CPU_ZERO(&cores);
    CPU_SET(static_cast<unsigned>(sched_getcpu()), &cores);
    ASSERT_EQ(pthread_setaffinity_np(pthread_self(), sizeof(cores), &cores), 0);
    setThreads(1);
    alone = threadsSharingACore();
    setThreads(3);
    sharing = threadsSharingACore();
  }).join();
  EXPECT_EQ(alone, 0);
  EXPECT_EQ(sharing, 3);
}

TEST(ParallelFor, NoSecondRuntimeIsLoaded) {
  // Whatever was found first is kept; the process has one.
  const char *library = threadsInfo().library;
  ASSERT_NE(library, nullptr);
  int loaded = 0;
  for (const char *name : {"libgomp.so.1", "libomp.so.5", "libiomp5.so"})
    if (void *handle = dlopen(name, RTLD_LAZY | RTLD_NOLOAD)) {
      ++loaded;
      dlclose(handle);
    }
  EXPECT_EQ(loaded, 1) << library;
}

} // namespace
