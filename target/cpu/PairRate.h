//===- PairRate.h - How fast products of bf16 pairs are -------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_TARGET_CPU_PAIRRATE_H
#define OURC_TARGET_CPU_PAIRRATE_H

namespace ourc::cpu {

/// The multiply-adds that this machine's `vdpbf16ps` makes in the time of one
/// f32 multiply-add of `vfmadd213ps`: 2 where both issue alike, 1 where it is
/// half as fast. Measured once a process, in less than a millisecond. Must be
/// called on a machine with AVX512-BF16 only.
double getPairRate();

} // namespace ourc::cpu

#endif // OURC_TARGET_CPU_PAIRRATE_H
