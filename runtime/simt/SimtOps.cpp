//===- SimtOps.cpp - The calls of lowered kernels ----------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/simt/SimtOps.h"

#include "runtime/simt/Machine.h"

#include <string.h>

using namespace ourc::simt;

static uint32_t fullMask() { return 0xffffffffu; }

int32_t ourc_simt_tid(int32_t dim) {
  Machine &m = Machine::current();
  uint32_t id = m.thread().id;
  if (dim == 0)
    return static_cast<int32_t>(id % m.block[0]);
  if (dim == 1)
    return static_cast<int32_t>(id / m.block[0] % m.block[1]);
  return static_cast<int32_t>(id / m.block[0] / m.block[1]);
}

int32_t ourc_simt_ntid(int32_t dim) {
  return static_cast<int32_t>(Machine::current().block[dim]);
}

int32_t ourc_simt_ctaid(int32_t dim) {
  return static_cast<int32_t>(Machine::current().blockId[dim]);
}

int32_t ourc_simt_nctaid(int32_t dim) {
  return static_cast<int32_t>(Machine::current().grid[dim]);
}

int32_t ourc_simt_laneid() {
  return static_cast<int32_t>(Machine::current().thread().id % warpSize);
}

int32_t ourc_simt_warpid() {
  return static_cast<int32_t>(Machine::current().thread().id / warpSize);
}

void *ourc_simt_shared() { return Machine::current().shared; }

void ourc_simt_access(const char *site, const void *address, int64_t bytes,
                      int32_t kind, int32_t space, int32_t alignment,
                      int32_t root) {
  Machine::current().access(site, address, bytes, static_cast<Access>(kind),
                            static_cast<uint32_t>(space),
                            static_cast<uint32_t>(alignment), root);
}

void ourc_simt_atomic(const char *site, const void *address, int64_t bytes,
                      int32_t kind, int32_t space, int32_t alignment,
                      int32_t root, int32_t order) {
  Machine::current().atomic(site, address, bytes, static_cast<Access>(kind),
                            static_cast<uint32_t>(space),
                            static_cast<uint32_t>(alignment), root,
                            static_cast<uint32_t>(order));
}

void ourc_simt_fence(int32_t order) {
  Machine::current().fence(static_cast<uint32_t>(order));
}

void ourc_simt_trap(const char *site, const char *reason) {
  Machine::current().fail(site, "%s", reason);
}

void ourc_simt_check_local(const char *site, const void *address, int64_t bytes,
                           int32_t alignment, const void *base, int64_t size) {
  Machine::current().accessLocal(site, address, bytes,
                                 static_cast<uint32_t>(alignment), base, size);
}

void ourc_simt_barrier(const char *site, int32_t id, int32_t threads) {
  Machine::current().barrier(site, id, threads, /*waits=*/true);
}

void ourc_simt_barrier_arrive(const char *site, int32_t id, int32_t threads) {
  Machine::current().barrier(site, id, threads, /*waits=*/false);
}

void ourc_simt_mbarrier_init(const char *site, const void *barrier,
                             int32_t count) {
  Machine::current().initMBarrier(site, barrier, static_cast<uint32_t>(count));
}

void ourc_simt_mbarrier_inval(const char *site, const void *barrier) {
  Machine::current().invalidateMBarrier(site, barrier);
}

int64_t ourc_simt_mbarrier_arrive(const char *site, const void *barrier,
                                  int32_t count, int32_t expectBytes) {
  return static_cast<int64_t>(Machine::current().arriveMBarrier(
      site, barrier, static_cast<uint32_t>(count),
      static_cast<uint32_t>(expectBytes)));
}

int32_t ourc_simt_mbarrier_test(const char *site, const void *barrier,
                                int64_t state, int32_t isParity) {
  Machine &machine = Machine::current();
  bool done = machine.testMBarrier(site, barrier, static_cast<uint64_t>(state),
                                   isParity != 0);
  if (!done)
    machine.letOthersRun(/*waits=*/true);
  return done;
}

void ourc_simt_mbarrier_wait(const char *site, const void *barrier,
                             int32_t parity) {
  Machine::current().waitMBarrier(site, barrier, static_cast<uint32_t>(parity));
}

void ourc_simt_cp_async_mbarrier(const char *site, const void *barrier,
                                 int32_t noinc) {
  Machine::current().arriveWithCopies(site, barrier, noinc != 0);
}

void ourc_simt_syncwarp(const char *site, int32_t mask) {
  Machine::current().warp({WarpOp::Sync, site, static_cast<uint32_t>(mask), 0,
                           0, nullptr, nullptr, nullptr});
}

int32_t ourc_simt_shfl(const char *site, int32_t kind, int32_t mask,
                       int32_t value, int32_t offset, int32_t maskAndClamp,
                       int32_t *valid) {
  uint32_t in[3] = {static_cast<uint32_t>(value), static_cast<uint32_t>(offset),
                    static_cast<uint32_t>(maskAndClamp)};
  uint32_t out[2];
  Machine::current().warp({WarpOp::Shuffle, site, static_cast<uint32_t>(mask),
                           kind, 0, in, out, nullptr});
  if (valid)
    *valid = static_cast<int32_t>(out[1]);
  return static_cast<int32_t>(out[0]);
}

int32_t ourc_simt_vote(const char *site, int32_t kind, int32_t mask,
                       int32_t predicate) {
  auto in = static_cast<uint32_t>(predicate);
  uint32_t out;
  Machine::current().warp({WarpOp::Vote, site, static_cast<uint32_t>(mask),
                           kind, 0, &in, &out, nullptr});
  return static_cast<int32_t>(out);
}

void ourc_simt_ldmatrix(const char *site, uint32_t *out, const void *row,
                        int32_t num, int32_t trans) {
  Machine::current().warp({WarpOp::LoadMatrix, site, fullMask(), trans, num,
                           nullptr, out, const_cast<void *>(row)});
}

void ourc_simt_stmatrix(const char *site, void *row, const uint32_t *in,
                        int32_t num, int32_t trans) {
  Machine::current().warp(
      {WarpOp::StoreMatrix, site, fullMask(), trans, num, in, nullptr, row});
}

void ourc_simt_mma(const char *site, int32_t form, uint32_t *registers) {
  uint32_t out[4];
  Machine::current().warp(
      {WarpOp::Mma, site, fullMask(), form, 0, registers, out, nullptr});
  memcpy(registers, out, sizeof(out));
}

void ourc_simt_cp_async(const char *site, void *shared, const void *global,
                        int32_t bytes, int32_t sourceBytes, int32_t root) {
  Machine::current().copyAsync(site,
                               {shared, global, static_cast<uint32_t>(bytes),
                                static_cast<uint32_t>(sourceBytes), false,
                                false},
                               root);
}

void ourc_simt_cp_async_commit() { Machine::current().commitCopies(); }

void ourc_simt_cp_async_wait(int32_t pending) {
  Machine::current().waitCopies(pending);
}
