//===- PairRate.cpp - How fast products of bf16 pairs are -----------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "target/cpu/PairRate.h"

#include <algorithm>
#include <chrono>

// Sums in 24 registers, so that no latency shows; all numbers are zero.
#define OURC_RUN(INSTRUCTION)                                                  \
  asm volatile("vxorps %%xmm24, %%xmm24, %%xmm24\n"                            \
               "1:\n"                                                          \
               ".irp i,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,"  \
               "21,22,23\n" INSTRUCTION " %%zmm24, %%zmm24, %%zmm\\i\n"        \
               ".endr\n"                                                       \
               "dec %0\n"                                                      \
               "jnz 1b\n"                                                      \
               : "+r"(steps)                                                   \
               :                                                               \
               : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6",       \
                 "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13",   \
                 "xmm14", "xmm15")

static void runMultiplyAdds(long steps) { OURC_RUN("vfmadd213ps"); }
static void runPairs(long steps) { OURC_RUN("vdpbf16ps"); }

#undef OURC_RUN

static double measure() {
  auto time = [](void (*run)(long)) {
    auto start = std::chrono::steady_clock::now();
    run(1000);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         start)
        .count();
  };
  // The best of several, taking turns: an interrupt makes a run longer only.
  double multiplyAdds = 1, pairs = 1;
  for (int i = 0; i < 20; ++i) {
    multiplyAdds = std::min(multiplyAdds, time(runMultiplyAdds));
    pairs = std::min(pairs, time(runPairs));
  }
  return 2 * multiplyAdds / pairs;
}

double ourc::cpu::getPairRate() {
  static const double rate = measure();
  return rate;
}
