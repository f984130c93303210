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
  OURC_SIMT_ATOMIC = 2,     ///< reads and writes
  OURC_SIMT_ATOMIC_LOAD = 3 ///< reads alone
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
/// The same for the thread's own variable at [base, base + size).
void ourc_simt_check_local(const char *site, const void *address, int64_t bytes,
                           int32_t alignment, const void *base, int64_t size);

/// barrier.cta.sync.aligned: `threads` is 0 for all threads of the block.
void ourc_simt_barrier(const char *site, int32_t id, int32_t threads);
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

enum OurcSimtMultiplicand { OURC_SIMT_MMA_F16 = 0, OURC_SIMT_MMA_BF16 = 1 };
/// mma.sync.aligned.m16n8k16.row.col.f32.{f16,bf16}.{f16,bf16}.f32. `registers`
/// holds a0..a3, b0, b1 and the bits of c0..c3; the bits of d0..d3 overwrite
/// the first four.
void ourc_simt_mma_m16n8k16(const char *site, int32_t multiplicand,
                            uint32_t *registers);

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
