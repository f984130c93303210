//===- WarpOps.cpp - What a warp does together -------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fragment layouts are those of the PTX manual's sections on ldmatrix and
// stmatrix.
//
//===----------------------------------------------------------------------===//

#include "runtime/simt/Machine.h"
#include "runtime/simt/SimtOps.h"

#include <string.h>

using namespace ourc::simt;

namespace {

/// Calls body(lane, request) for the lanes of `mask`.
template <typename Body>
void forEachLane(Thread *lanes, uint32_t mask, Body body) {
  for (uint32_t lane = 0; lane < warpSize; ++lane)
    if (mask >> lane & 1)
      body(lane, lanes[lane].request);
}

/// in: value, offset, mask and clamp. out: value, predicate.
void shuffle(Thread *lanes, uint32_t mask) {
  // All lanes read before any writes: in and out are separate buffers.
  forEachLane(lanes, mask, [&](uint32_t lane, WarpRequest &r) {
    uint32_t offset = r.in[1] & 31, clamp = r.in[2] & 31;
    uint32_t segment = r.in[2] >> 8 & 31;
    uint32_t maxLane = (lane & segment) | (clamp & ~segment & 31);
    uint32_t minLane = lane & segment;
    uint32_t source;
    bool valid;
    switch (r.variant) {
    case OURC_SIMT_SHFL_UP:
      source = lane - offset;
      valid = static_cast<int32_t>(source) >= static_cast<int32_t>(maxLane);
      break;
    case OURC_SIMT_SHFL_DOWN:
      source = lane + offset;
      valid = source <= maxLane;
      break;
    case OURC_SIMT_SHFL_BFLY:
      source = lane ^ offset;
      valid = source <= maxLane;
      break;
    default:
      source = minLane | (offset & ~segment & 31);
      valid = source <= maxLane;
      break;
    }
    if (!valid)
      source = lane;
    // A lane outside the mask holds no value: poison.
    r.out[0] = mask >> source & 1 ? lanes[source].request.in[0] : 0xffffffffu;
    r.out[1] = valid;
  });
}

/// in: predicate. out: the result.
void vote(Thread *lanes, uint32_t mask) {
  uint32_t ballot = 0;
  forEachLane(lanes, mask, [&](uint32_t lane, WarpRequest &r) {
    ballot |= (r.in[0] & 1) << lane;
  });
  forEachLane(lanes, mask, [&](uint32_t, WarpRequest &r) {
    switch (r.variant) {
    case OURC_SIMT_VOTE_ANY:
      r.out[0] = ballot != 0;
      break;
    case OURC_SIMT_VOTE_ALL:
      r.out[0] = ballot == mask;
      break;
    case OURC_SIMT_VOTE_BALLOT:
      r.out[0] = ballot;
      break;
    default:
      r.out[0] = ballot == 0 || ballot == mask;
      break;
    }
  });
}

/// The 16-byte row `row` of matrix `matrix`: its address comes from that lane.
char *matrixRow(Thread *lanes, uint32_t matrix, uint32_t row) {
  return static_cast<char *>(lanes[8 * matrix + row].request.address);
}

/// Element (row, column) of a matrix of 16-bit elements.
uint16_t *matrixElement(Thread *lanes, uint32_t matrix, uint32_t row,
                        uint32_t column) {
  return reinterpret_cast<uint16_t *>(matrixRow(lanes, matrix, row)) + column;
}

void checkMatrixRows(Machine &machine, Thread *lanes, const WarpRequest &r,
                     Access access) {
  for (uint32_t lane = 0; lane < 8 * static_cast<uint32_t>(r.count); ++lane) {
    const void *row = lanes[lane].request.address;
    machine.checkShared(r.site, row, 16);
    if (reinterpret_cast<uintptr_t>(row) % 16)
      machine.fail(r.site, "the row of lane %u is not aligned to 16 bytes",
                   lane);
    machine.touchShared(lanes[lane].id, r.site, row, 16, access, false);
  }
}

/// Counts the extra cycles of one 8x8 matrix: eight rows of 16 bytes go through
/// 32 banks of 4 bytes in one cycle when each falls into banks of its own.
uint32_t bankReplays(Thread *lanes, uint32_t matrix) {
  uint32_t rows[8] = {};
  uint32_t worst = 1;
  for (uint32_t row = 0; row < 8; ++row) {
    auto address = reinterpret_cast<uintptr_t>(matrixRow(lanes, matrix, row));
    uint32_t hits = ++rows[address / 16 % 8];
    worst = hits > worst ? hits : worst;
  }
  return worst - 1;
}

/// Lane l holds elements (l / 4, 2 * (l % 4)) and the next one in its row; with
/// .trans those of the transposed matrix.
void loadMatrix(Machine &machine, Thread *lanes) {
  const WarpRequest &any = lanes[0].request;
  checkMatrixRows(machine, lanes, any, Access::Load);
  uint32_t count = static_cast<uint32_t>(any.count);
  machine.counters.matrixLoads += count;
  for (uint32_t matrix = 0; matrix < count; ++matrix) {
    machine.counters.matrixLoadReplays += bankReplays(lanes, matrix);
    for (uint32_t lane = 0; lane < warpSize; ++lane) {
      uint32_t row = lane / 4, column = 2 * (lane % 4);
      uint32_t lo, hi;
      if (any.variant) {
        lo = *matrixElement(lanes, matrix, column, row);
        hi = *matrixElement(lanes, matrix, column + 1, row);
      } else {
        lo = *matrixElement(lanes, matrix, row, column);
        hi = *matrixElement(lanes, matrix, row, column + 1);
      }
      lanes[lane].request.out[matrix] = lo | hi << 16;
    }
  }
}

void storeMatrix(Machine &machine, Thread *lanes) {
  const WarpRequest &any = lanes[0].request;
  checkMatrixRows(machine, lanes, any, Access::Store);
  for (uint32_t matrix = 0; matrix < static_cast<uint32_t>(any.count); ++matrix)
    for (uint32_t lane = 0; lane < warpSize; ++lane) {
      uint32_t row = lane / 4, column = 2 * (lane % 4);
      uint32_t pair = lanes[lane].request.in[matrix];
      auto lo = static_cast<uint16_t>(pair);
      auto hi = static_cast<uint16_t>(pair >> 16);
      if (any.variant) {
        *matrixElement(lanes, matrix, column, row) = lo;
        *matrixElement(lanes, matrix, column + 1, row) = hi;
      } else {
        *matrixElement(lanes, matrix, row, column) = lo;
        *matrixElement(lanes, matrix, row, column + 1) = hi;
      }
    }
}

} // namespace

void ourc::simt::executeWarpOp(Machine &machine, Thread *lanes, uint32_t mask) {
  WarpOp op = lanes[__builtin_ctz(mask)].request.op;
  switch (op) {
  case WarpOp::Sync:
    return;
  case WarpOp::Shuffle:
    return shuffle(lanes, mask);
  case WarpOp::Vote:
    return vote(lanes, mask);
  case WarpOp::LoadMatrix:
    return loadMatrix(machine, lanes);
  case WarpOp::StoreMatrix:
    return storeMatrix(machine, lanes);
  case WarpOp::Mma:
    ++machine.counters.matrixMultiplies;
    return executeMma(lanes);
  }
}
