//===- RuntimeSymbols.cpp - What generated code may call ------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/RuntimeSymbols.h"

#include "runtime/abi/ProgramABI.h"
#include "runtime/simt/Simt.h"
#include "runtime/simt/SimtOps.h"

using namespace ourc;

// One line for each function; the name is spelt once.
#define OURC_SYMBOL(function) {#function, reinterpret_cast<void *>(&function)}

llvm::ArrayRef<RuntimeSymbol> ourc::runtimeSymbols() {
  static const RuntimeSymbol symbols[] = {
      OURC_SYMBOL(ourc_launch),
      OURC_SYMBOL(ourc_parallel_for),
      OURC_SYMBOL(ourc_thread_scratch),
      OURC_SYMBOL(ourc_report_error),
      OURC_SYMBOL(ourc_simt_launch),
      OURC_SYMBOL(ourc_simt_tid),
      OURC_SYMBOL(ourc_simt_ntid),
      OURC_SYMBOL(ourc_simt_ctaid),
      OURC_SYMBOL(ourc_simt_nctaid),
      OURC_SYMBOL(ourc_simt_laneid),
      OURC_SYMBOL(ourc_simt_warpid),
      OURC_SYMBOL(ourc_simt_shared),
      OURC_SYMBOL(ourc_simt_check_shared),
      OURC_SYMBOL(ourc_simt_barrier),
      OURC_SYMBOL(ourc_simt_syncwarp),
      OURC_SYMBOL(ourc_simt_shfl),
      OURC_SYMBOL(ourc_simt_vote),
      OURC_SYMBOL(ourc_simt_ldmatrix),
      OURC_SYMBOL(ourc_simt_stmatrix),
      OURC_SYMBOL(ourc_simt_mma_m16n8k16),
      OURC_SYMBOL(ourc_simt_cp_async),
      OURC_SYMBOL(ourc_simt_cp_async_commit),
      OURC_SYMBOL(ourc_simt_cp_async_wait),
  };
  return symbols;
}
