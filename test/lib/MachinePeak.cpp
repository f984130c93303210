//===- MachinePeak.cpp - How fast multiply-adds can be --------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/MachinePeak.h"

#include <algorithm>
#include <ctime>

static void runAVX512(long steps) {
  asm volatile(
      "vxorps %%xmm30, %%xmm30, %%xmm30\n"
      "1:\n"
      ".irp i,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23\n"
      "vfmadd213ps %%zmm30, %%zmm30, %%zmm\\i\n"
      ".endr\n"
      "dec %0\n"
      "jnz 1b\n"
      : "+r"(steps)
      :
      : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8",
        "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
}

static void runAVX2(long steps) {
  asm volatile("vxorps %%xmm15, %%xmm15, %%xmm15\n"
               "1:\n"
               ".irp i,0,1,2,3,4,5,6,7,8,9,10,11\n"
               "vfmadd213ps %%ymm15, %%ymm15, %%ymm\\i\n"
               ".endr\n"
               "dec %0\n"
               "jnz 1b\n"
               : "+r"(steps)
               :
               : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",
                 "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",
                 "xmm15");
}

double ourc::test::getSeconds(bool ofThread) {
  timespec now;
  clock_gettime(ofThread ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

double ourc::test::measureMultiplyAdds() {
  bool wide = __builtin_cpu_supports("avx512f");
  const long steps = 4000000;
  double best = 0;
  for (int i = 0; i < 5; ++i) {
    double start = getSeconds(/*ofThread=*/true);
    if (wide)
      runAVX512(steps);
    else
      runAVX2(steps);
    double took = getSeconds(/*ofThread=*/true) - start;
    best = std::max(best, (wide ? 24 * 16 : 12 * 8) * double(steps) / took);
  }
  return best;
}
