//===- MachineDescription.h - What code generation knows of a CPU ---------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_TARGET_CPU_MACHINEDESCRIPTION_H
#define OURC_TARGET_CPU_MACHINEDESCRIPTION_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace ourc::cpu {

/// A CPU as schedules and LLVM see it.
struct MachineDescription {
  /// What was asked for: "cpu:native", "cpu:x86-64-v3", ….
  std::string name;
  /// LLVM's name of the CPU and its features ("+avx512f,…").
  std::string cpu, features;
  /// Bytes of a vector register, and how many there are.
  int64_t vectorBytes = 32;
  int64_t numVectorRegisters = 16;
  /// Data caches of one core.
  int64_t l1Bytes = 32 * 1024;
  int64_t l2Bytes = 512 * 1024;
  /// What starting and ending a parallel loop takes.
  double parallelForSeconds = 4e-6;
  /// Whether sums of products of bf16 pairs are made by an instruction that is
  /// worth while: one that makes no fewer products in its time than f32
  /// multiply-adds do.
  bool multipliesPairs = false;
  /// Whether AMX multiplies tiles of bf16, and the system lets it.
  bool multipliesTiles = false;

  /// Lanes of a vector of elements of `bits` bits.
  int64_t getLanes(int64_t bits) const { return vectorBytes * 8 / bits; }

  /// Elements that a thread should have to do, at about one in a nanosecond: a
  /// few times what the loop itself costs. A power of two.
  int64_t getElementGrain() const;

  /// Parses "cpu:native" or "cpu:<name of an LLVM x86-64 CPU>". For the native
  /// one, what is known of the machine (see readMachineFile) comes in. On
  /// failure `error` says what is wrong and what would be right.
  static std::optional<MachineDescription> parse(llvm::StringRef spec,
                                                 std::string &error);
};

/// Replaces what a file of `ourc-tune machine` says of `machine`: the caches
/// and the cost of a parallel loop. The file must be of the same CPU.
bool readMachineFile(llvm::StringRef path, MachineDescription &machine,
                     std::string &error);

} // namespace ourc::cpu

#endif // OURC_TARGET_CPU_MACHINEDESCRIPTION_H
