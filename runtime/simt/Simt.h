//===- Simt.h - Launching kernels on the SIMT machine ------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The SIMT machine runs GPU kernels on the CPU: one fibre a GPU thread, one
// block after another, in the thread that launches. It exists to verify: shared
// memory starts poisoned, an asynchronous copy may land as late as the wait
// that makes it visible, seeded schedules let any thread run ahead of any
// other, and what PTX leaves undefined (a barrier that part of a warp misses, a
// lane named in a mask that never comes) is an error with a message. It never
// predicts time.
//
//===----------------------------------------------------------------------===//

#ifndef OURC_RUNTIME_SIMT_SIMT_H
#define OURC_RUNTIME_SIMT_SIMT_H

#include "runtime/abi/ProgramABI.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A kernel as a function of the addresses of its arguments, in order.
typedef void (*OurcSimtKernelFn)(void **args);

/// Global memory that a kernel may touch. `bytes` < 0: of unknown extent, or,
/// with a null `base`, no memory at all.
struct OurcSimtBuffer {
  const void *base;
  int64_t bytes;
  const char *name; ///< for messages
};

/// Runs `kernel` for every thread of every block of the grid.
///   name:        for messages.
///   args:        the addresses of the kernel's arguments.
///   grid, block: extents in x, y, z; each at least 1, at most 1024 threads a
///                block.
///   sharedBytes: static and dynamic shared memory of a block together.
///   buffers:     one for each argument, then the kernel's constant tables.
///                numBuffers 0: nothing is known.
///   granule:     no access is smaller than this many bytes, or straddles two
///                multiples of it: 1, 2, 4, 8 or 16.
/// Returns 0, or OURC_ERROR_RUNTIME after ourc_report_error(ctx, ...).
int32_t ourc_simt_launch(OurcContext *ctx, const char *name,
                         OurcSimtKernelFn kernel, void **args,
                         const int64_t *grid, const int64_t *block,
                         int64_t sharedBytes,
                         const struct OurcSimtBuffer *buffers,
                         int64_t numBuffers, int32_t granule);

/// What is checked of each access to memory.
enum OurcSimtCheck {
  OURC_SIMT_CHECK_BOUNDS = 1,
  OURC_SIMT_CHECK_ALIGNMENT = 2,
  /// Reads of shared memory that nobody has written.
  OURC_SIMT_CHECK_UNINITIALISED = 4,
  /// Accesses that no synchronisation orders, and copies that no wait
  /// completes.
  OURC_SIMT_CHECK_RACES = 8,
  OURC_SIMT_CHECK_ALL = 15,
  /// Not a check: count sectors and bank conflicts of plain accesses, too.
  OURC_SIMT_COUNT_TRAFFIC = 16
};
/// Selects the checks of later launches of this process. The environment's
/// OURC_SIMT_CHECKS is the initial value: "all", "none", or names of
/// bounds, alignment, uninitialised and races with commas between; without it,
/// all. "traffic" can be added.
void ourc_simt_set_checks(uint32_t checks);

/// Runs at most this many blocks of each later launch, spread evenly over the
/// grid: enough to count what every block does alike. 0, the default: all.
void ourc_simt_set_block_limit(uint64_t blocks);

/// Selects the schedule of later launches of this process. 0, the default:
/// blocks and threads run in order until they must wait, and asynchronous
/// copies land at their wait. Any other seed draws the order of blocks and,
/// block by block, how threads are ordered and when copies land. The
/// environment's OURC_SIMT_SEED is the initial value.
void ourc_simt_set_seed(uint64_t seed);

/// What was executed since the process began, over all launches.
struct OurcSimtCounters {
  uint64_t launches;
  uint64_t blocks;
  uint64_t barriers;         ///< completed, one for each block and barrier
  uint64_t warpInstructions; ///< rendezvous of a warp: shfl, ldmatrix, mma, ...
  uint64_t matrixMultiplies; ///< mma.sync
  uint64_t matrixLoads;      ///< 8x8 matrices that ldmatrix read
  uint64_t matrixLoadReplays; ///< extra cycles of ldmatrix: bank conflicts
  uint64_t asyncCopyBytes;    ///< cp.async
  uint64_t switches;          ///< from one fibre to another
  uint64_t gridBlocks;        ///< of all launches, also those not run
  // With OURC_SIMT_COUNT_TRAFFIC:
  uint64_t globalSectors; ///< of 32 bytes, that warps touched
  uint64_t idealSectors;  ///< as few as could hold what they touched
  uint64_t sharedPhases;  ///< cycles of shared memory without conflicts
  uint64_t sharedReplays; ///< further ones: bank conflicts
};
void ourc_simt_get_counters(struct OurcSimtCounters *counters);

#ifdef __cplusplus
}
#endif

#endif // OURC_RUNTIME_SIMT_SIMT_H
