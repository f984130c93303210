//===- Peaks.cpp - What this machine does at most -------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/measure/Peaks.h"

#include "runtime/abi/ProgramABI.h"

#include <cstdlib>
#include <cstring>
#include <ctime>

using namespace ourc::runtime;

namespace {

struct Work {
  void (*function)(void *, int64_t);
  void *argument;
};

double now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) +
         1e-9 * static_cast<double>(time.tv_nsec);
}

void runShare(void *data, int64_t begin, int64_t end) {
  auto *work = static_cast<Work *>(data);
  for (int64_t i = begin; i < end; ++i)
    work->function(work->argument, i);
}

// Each loop body keeps enough chains in flight for any latency; the registers
// hold whatever they held, which is as fast as any number.

#define OURC_XMM_0_15                                                          \
  "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8",      \
      "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15"

constexpr int64_t wideChains = 24, narrowChains = 12, steps = 400'000;

void clearRegisters() { asm volatile("vzeroall" ::: OURC_XMM_0_15); }

void multiplyAdd512(void *, int64_t) {
  long count = steps;
  clearRegisters();
  asm volatile(
      "vxorps %%xmm30, %%xmm30, %%xmm30\n"
      ".irp i,16,17,18,19,20,21,22,23\n"
      "vpxord %%zmm\\i, %%zmm\\i, %%zmm\\i\n"
      ".endr\n"
      "1:\n"
      ".irp i,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23\n"
      "vfmadd213ps %%zmm30, %%zmm30, %%zmm\\i\n"
      ".endr\n"
      "dec %0\n"
      "jnz 1b\n"
      "vzeroupper\n"
      : "+r"(count)::OURC_XMM_0_15);
}

void multiplyAdd256(void *, int64_t) {
  long count = steps;
  clearRegisters();
  asm volatile("1:\n"
               ".irp i,0,1,2,3,4,5,6,7,8,9,10,11\n"
               "vfmadd213ps %%ymm15, %%ymm15, %%ymm\\i\n"
               ".endr\n"
               "dec %0\n"
               "jnz 1b\n"
               "vzeroupper\n"
               : "+r"(count)::OURC_XMM_0_15);
}

void dotProduct512(void *, int64_t) {
  long count = steps;
  clearRegisters();
  asm volatile(
      "vxorps %%xmm30, %%xmm30, %%xmm30\n"
      ".irp i,16,17,18,19,20,21,22,23\n"
      "vpxord %%zmm\\i, %%zmm\\i, %%zmm\\i\n"
      ".endr\n"
      "1:\n"
      ".irp i,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23\n"
      "vdpbf16ps %%zmm30, %%zmm30, %%zmm\\i\n"
      ".endr\n"
      "dec %0\n"
      "jnz 1b\n"
      "vzeroupper\n"
      : "+r"(count)::OURC_XMM_0_15);
}

/// The best of several runs.
double bestRate(int64_t threads, void (*work)(void *, int64_t), void *argument,
                double amount) {
  double best = 0;
  for (int i = 0; i < 8; ++i) {
    double rate = amount * static_cast<double>(threads) /
                  timeOnThreads(threads, work, argument);
    if (rate > best)
      best = rate;
  }
  return best;
}

struct Memory {
  char *data;
  int64_t bytesPerThread;
};

__attribute__((target("avx2"))) void readShare(void *argument, int64_t thread) {
  auto *memory = static_cast<Memory *>(argument);
  typedef long long Vector __attribute__((vector_size(32)));
  auto *at = reinterpret_cast<const Vector *>(memory->data +
                                              thread * memory->bytesPerThread);
  Vector sums[8] = {};
  for (int64_t i = 0; i < memory->bytesPerThread / 32; i += 8)
    for (int j = 0; j < 8; ++j)
      sums[j] += at[i + j];
  for (int j = 1; j < 8; ++j)
    sums[0] += sums[j];
  asm volatile("" ::"x"(sums[0]));
}

} // namespace

double ourc::runtime::timeOnThreads(int64_t threads,
                                    void (*work)(void *, int64_t),
                                    void *argument) {
  Work shared = {work, argument};
  double begin = now();
  ourc_parallel_for(nullptr, runShare, &shared, threads, 1);
  return now() - begin;
}

double ourc::runtime::measureFlops(int64_t threads) {
  bool wide = __builtin_cpu_supports("avx512f");
  double flops = 2.0 * static_cast<double>(
                           steps * (wide ? wideChains * 16 : narrowChains * 8));
  return bestRate(threads, wide ? multiplyAdd512 : multiplyAdd256, nullptr,
                  flops);
}

double ourc::runtime::measureFlops16(int64_t threads) {
  if (!__builtin_cpu_supports("avx512bf16"))
    return 0;
  return bestRate(threads, dotProduct512, nullptr,
                  2.0 * static_cast<double>(steps * wideChains * 32));
}

double ourc::runtime::measureReadBandwidth(int64_t threads) {
  constexpr int64_t bytes = int64_t(256) << 20;
  Memory memory;
  memory.bytesPerThread = bytes / threads & -int64_t(4096);
  void *data = nullptr;
  if (posix_memalign(&data, 1 << 21, bytes))
    return 0;
  memory.data = static_cast<char *>(data);
  std::memset(data, 1, bytes); // pages of its own
  double best = bestRate(threads, readShare, &memory,
                         static_cast<double>(memory.bytesPerThread));
  std::free(data);
  return best;
}

double ourc::runtime::measureReadBandwidthOf(int64_t bytes) {
  Memory memory;
  memory.bytesPerThread = bytes & -int64_t(256);
  void *data = nullptr;
  if (memory.bytesPerThread == 0 || posix_memalign(&data, 4096, bytes))
    return 0;
  memory.data = static_cast<char *>(data);
  std::memset(data, 1, bytes);
  int64_t repeats = (int64_t(64) << 20) / bytes + 1;
  double best = 0;
  for (int i = 0; i < 5; ++i) {
    double begin = now();
    for (int64_t r = 0; r < repeats; ++r)
      readShare(&memory, 0);
    double rate =
        static_cast<double>(repeats * memory.bytesPerThread) / (now() - begin);
    if (rate > best)
      best = rate;
  }
  std::free(data);
  return best;
}

double ourc::runtime::measureParallelFor(int64_t threads) {
  constexpr int64_t loops = 2000;
  auto nothing = [](void *, int64_t) {};
  double best = 1;
  for (int i = 0; i < 8; ++i) {
    double begin = now();
    for (int64_t k = 0; k < loops; ++k)
      timeOnThreads(threads, nothing, nullptr);
    double took = (now() - begin) / loops;
    if (took < best)
      best = took;
  }
  return best;
}
