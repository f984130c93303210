//===- TileRegisters.h - Leave to use AMX tile registers ------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_RUNTIME_SUPPORT_TILEREGISTERS_H
#define OURC_RUNTIME_SUPPORT_TILEREGISTERS_H

#if defined(__linux__) && defined(__x86_64__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace ourc::runtime {

/// Asks Linux for the state of AMX tile registers, which a process has to do
/// once before any of its threads uses them (Linux's arch/x86/xstate.rst,
/// "Using dynamically enabled XSTATE features in user space applications"; the
/// leave is then every thread's). Whether they may be used: false where the
/// processor or the kernel has none. Asking again is harmless.
inline bool requestTileRegisters() {
#if defined(__linux__) && defined(__x86_64__)
  // ARCH_REQ_XCOMP_PERM, and the number of the tiles' state.
  constexpr long kRequest = 0x1023, kTileData = 18;
  return syscall(SYS_arch_prctl, kRequest, kTileData) == 0;
#else
  return false;
#endif
}

} // namespace ourc::runtime

#endif // OURC_RUNTIME_SUPPORT_TILEREGISTERS_H
