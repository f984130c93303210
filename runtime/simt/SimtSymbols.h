//===- SimtSymbols.h - What lowered kernels link against ---------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_RUNTIME_SIMT_SIMTSYMBOLS_H
#define OURC_RUNTIME_SIMT_SIMTSYMBOLS_H

#include "runtime/simt/Simt.h"
#include "runtime/simt/SimtOps.h"

namespace ourc::simt {

/// Calls define(name, function pointer) for every function of the machine that
/// kernels and their entries may call: what a JIT has to know.
template <typename Define> void forEachSymbol(Define define) {
#define OURC_SIMT_SYMBOL(name) define(#name, &name)
  OURC_SIMT_SYMBOL(ourc_simt_launch);
  OURC_SIMT_SYMBOL(ourc_simt_tid);
  OURC_SIMT_SYMBOL(ourc_simt_ntid);
  OURC_SIMT_SYMBOL(ourc_simt_ctaid);
  OURC_SIMT_SYMBOL(ourc_simt_nctaid);
  OURC_SIMT_SYMBOL(ourc_simt_laneid);
  OURC_SIMT_SYMBOL(ourc_simt_warpid);
  OURC_SIMT_SYMBOL(ourc_simt_shared);
  OURC_SIMT_SYMBOL(ourc_simt_access);
  OURC_SIMT_SYMBOL(ourc_simt_check_local);
  OURC_SIMT_SYMBOL(ourc_simt_atomic);
  OURC_SIMT_SYMBOL(ourc_simt_fence);
  OURC_SIMT_SYMBOL(ourc_simt_trap);
  OURC_SIMT_SYMBOL(ourc_simt_barrier);
  OURC_SIMT_SYMBOL(ourc_simt_barrier_arrive);
  OURC_SIMT_SYMBOL(ourc_simt_mbarrier_init);
  OURC_SIMT_SYMBOL(ourc_simt_mbarrier_inval);
  OURC_SIMT_SYMBOL(ourc_simt_mbarrier_arrive);
  OURC_SIMT_SYMBOL(ourc_simt_mbarrier_test);
  OURC_SIMT_SYMBOL(ourc_simt_mbarrier_wait);
  OURC_SIMT_SYMBOL(ourc_simt_cp_async_mbarrier);
  OURC_SIMT_SYMBOL(ourc_simt_syncwarp);
  OURC_SIMT_SYMBOL(ourc_simt_shfl);
  OURC_SIMT_SYMBOL(ourc_simt_vote);
  OURC_SIMT_SYMBOL(ourc_simt_ldmatrix);
  OURC_SIMT_SYMBOL(ourc_simt_stmatrix);
  OURC_SIMT_SYMBOL(ourc_simt_mma);
  OURC_SIMT_SYMBOL(ourc_simt_cp_async);
  OURC_SIMT_SYMBOL(ourc_simt_cp_async_commit);
  OURC_SIMT_SYMBOL(ourc_simt_cp_async_wait);
#undef OURC_SIMT_SYMBOL
}

} // namespace ourc::simt

#endif // OURC_RUNTIME_SIMT_SIMTSYMBOLS_H
