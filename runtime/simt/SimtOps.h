//===- SimtOps.h - What lowered kernels call on the SIMT machine -------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The instructions that `-ourc-nvvm-to-simt` turns into calls. Only code that
// runs under ourc_simt_launch may call them. `site` names the instruction in
// messages; it is one pointer for each instruction of the kernel, so that two
// threads are at the same instruction exactly when their sites are equal.
//
//===----------------------------------------------------------------------===//

#ifndef OURC_RUNTIME_SIMT_SIMTOPS_H
#define OURC_RUNTIME_SIMT_SIMTOPS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Special registers; `dim` is 0, 1, 2 for x, y, z.
int32_t ourc_simt_tid(int32_t dim);
int32_t ourc_simt_ntid(int32_t dim);
int32_t ourc_simt_ctaid(int32_t dim);
int32_t ourc_simt_nctaid(int32_t dim);
int32_t ourc_simt_laneid(void);
int32_t ourc_simt_warpid(void);

/// The block's shared memory, aligned to 1024 bytes.
void *ourc_simt_shared(void);

enum OurcSimtAccess {
  OURC_SIMT_LOAD = 0,
  OURC_SIMT_STORE = 1,
  OURC_SIMT_ATOMIC = 2,      ///< reads and writes
  OURC_SIMT_ATOMIC_LOAD = 3, ///< reads alone
  OURC_SIMT_ATOMIC_STORE = 4 ///< writes alone
};
/// Memory order and scope of atomic operations and fences; 0: relaxed, beyond
/// the block.
enum OurcSimtOrder {
  OURC_SIMT_ACQUIRE = 1,
  OURC_SIMT_RELEASE = 2,
  OURC_SIMT_SCOPE_BLOCK = 4
};
/// State spaces, by the numbers of NVPTX's address spaces.
enum OurcSimtSpace {
  OURC_SIMT_GENERIC = 0,
  OURC_SIMT_GLOBAL = 1,
  OURC_SIMT_SHARED = 3,
  OURC_SIMT_LOCAL = 5
};
/// Precedes each load and store. Ends the launch with an error where one of
/// the checks that are switched on (OurcSimtCheck) finds fault with it. `root`
/// is the buffer of the launch that the address was computed from, or -1.
void ourc_simt_access(const char *site, const void *address, int64_t bytes,
                      int32_t kind, int32_t space, int32_t alignment,
                      int32_t root);
/// Precedes each atomic operation: the same, then what the operation orders.
/// Other threads may run first.
void ourc_simt_atomic(const char *site, const void *address, int64_t bytes,
                      int32_t kind, int32_t space, int32_t alignment,
                      int32_t root, int32_t order);
/// fence.acq_rel, fence.sc and membar, of the scope in `order`.
void ourc_simt_fence(int32_t order);
/// The same as ourc_simt_access for the thread's own variable at [base, base +
/// size).
void ourc_simt_check_local(const char *site, const void *address, int64_t bytes,
                           int32_t alignment, const void *base, int64_t size);

/// trap: ends the launch with an error that says `reason`.
void ourc_simt_trap(const char *site, const char *reason);

/// barrier.cta.sync.aligned: `threads` is 0 for all threads of the block.
void ourc_simt_barrier(const char *site, int32_t id, int32_t threads);
/// barrier.cta.arrive.aligned
void ourc_simt_barrier_arrive(const char *site, int32_t id, int32_t threads);

/// mbarrier.init.shared.b64 and mbarrier.inval
void ourc_simt_mbarrier_init(const char *site, const void *barrier,
                             int32_t count);
void ourc_simt_mbarrier_inval(const char *site, const void *barrier);
/// mbarrier.arrive with a count, or with .expect_tx and a count of 1; returns
/// the state.
int64_t ourc_simt_mbarrier_arrive(const char *site, const void *barrier,
                                  int32_t count, int32_t expectBytes);
/// mbarrier.test_wait of a state, or with .parity; 0 or 1.
int32_t ourc_simt_mbarrier_test(const char *site, const void *barrier,
                                int64_t state, int32_t isParity);
/// mbarrier.try_wait.parity in a loop: returns when the phase has completed.
void ourc_simt_mbarrier_wait(const char *site, const void *barrier,
                             int32_t parity);
/// cp.async.mbarrier.arrive{.noinc}
void ourc_simt_cp_async_mbarrier(const char *site, const void *barrier,
                                 int32_t noinc);

/// bar.warp.sync
void ourc_simt_syncwarp(const char *site, int32_t mask);

enum OurcSimtShuffle {
  OURC_SIMT_SHFL_UP = 0,
  OURC_SIMT_SHFL_DOWN = 1,
  OURC_SIMT_SHFL_BFLY = 2,
  OURC_SIMT_SHFL_IDX = 3
};
/// shfl.sync.b32; `valid` may be null, else it gets the predicate (0 or 1).
int32_t ourc_simt_shfl(const char *site, int32_t kind, int32_t mask,
                       int32_t value, int32_t offset, int32_t maskAndClamp,
                       int32_t *valid);

enum OurcSimtVote {
  OURC_SIMT_VOTE_ANY = 0,
  OURC_SIMT_VOTE_ALL = 1,
  OURC_SIMT_VOTE_BALLOT = 2,
  OURC_SIMT_VOTE_UNI = 3
};
/// vote.sync; the predicate forms return 0 or 1.
int32_t ourc_simt_vote(const char *site, int32_t kind, int32_t mask,
                       int32_t predicate);

/// ldmatrix.sync.aligned.m8n8.x<num>{.trans}.shared.b16 into out[0 .. num).
void ourc_simt_ldmatrix(const char *site, uint32_t *out, const void *row,
                        int32_t num, int32_t trans);
/// stmatrix.sync.aligned.m8n8.x<num>{.trans}.shared.b16 of in[0 .. num).
void ourc_simt_stmatrix(const char *site, void *row, const uint32_t *in,
                        int32_t num, int32_t trans);

/// mma.sync.aligned: shape, type of the multiplicands, type of the
/// accumulators.
enum OurcSimtMma {
  OURC_SIMT_MMA_M16N8K16_F16_F32 = 0,
  OURC_SIMT_MMA_M16N8K16_BF16_F32 = 1,
  OURC_SIMT_MMA_M16N8K8_F16_F32 = 2,
  OURC_SIMT_MMA_M16N8K8_BF16_F32 = 3,
  OURC_SIMT_MMA_M16N8K4_TF32_F32 = 4,
  OURC_SIMT_MMA_M16N8K8_TF32_F32 = 5,
  OURC_SIMT_MMA_M16N8K16_F16_F16 = 6,
  OURC_SIMT_MMA_M16N8K8_F16_F16 = 7,
  OURC_SIMT_MMA_M16N8K32_S8_S32 = 8,
  OURC_SIMT_MMA_M16N8K32_U8_S32 = 9,
  OURC_SIMT_MMA_M16N8K16_S8_S32 = 10,
  OURC_SIMT_MMA_M16N8K16_U8_S32 = 11,
  OURC_SIMT_MMA_M8N8K4_F64_F64 = 12
};
/// mma.sync.aligned.<shape>.row.col. `registers` holds those of A, of B and of
/// C, in this order, in words of 32 bits; those of D overwrite the first.
void ourc_simt_mma(const char *site, int32_t form, uint32_t *registers);

/// cp.async.shared.global of `bytes` (4, 8, 16), of which the first
/// `sourceBytes` are read and the rest become zero. `root`: the source's, as in
/// ourc_simt_access.
void ourc_simt_cp_async(const char *site, void *shared, const void *global,
                        int32_t bytes, int32_t sourceBytes, int32_t root);
void ourc_simt_cp_async_commit(void);
/// Waits until at most `pending` of the thread's groups are outstanding.
void ourc_simt_cp_async_wait(int32_t pending);

#ifdef __cplusplus
}
#endif

#endif // OURC_RUNTIME_SIMT_SIMTOPS_H
