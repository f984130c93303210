//===- WarpOps.cpp - What a warp does together -------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fragment layouts are those of the PTX manual: "Matrix Fragments for mma
// .m16n8k16 with floating point type" and the ldmatrix and stmatrix sections.
//
//===----------------------------------------------------------------------===//

#include "runtime/simt/HalfFloat.h"
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

/// With g = lane / 4 and t = lane % 4:
///   a0, a1: (g, 2t + i)      a2, a3: (g + 8, 2t + i)
///   a4, a5: (g, 2t + 8 + i)  a6, a7: (g + 8, 2t + 8 + i)
///   b0, b1: (2t + i, g)      b2, b3: (2t + 8 + i, g)
///   c0, c1: (g, 2t + i)      c2, c3: (g + 8, 2t + i)
void multiply(Machine &machine, Thread *lanes) {
  ++machine.counters.matrixMultiplies;
  bool bfloat = lanes[0].request.variant == OURC_SIMT_MMA_BF16;
  float a[16][16], b[8][16]; // b by columns
  auto unpack = [&](uint32_t pair, unsigned i) {
    auto bits = static_cast<uint16_t>(pair >> (16 * i));
    return bfloat ? bfloatToFloat(bits) : halfToFloat(bits);
  };
  for (uint32_t lane = 0; lane < warpSize; ++lane) {
    const uint32_t *r = lanes[lane].request.in;
    uint32_t g = lane / 4, t = 2 * (lane % 4);
    for (unsigned i = 0; i < 2; ++i) {
      a[g][t + i] = unpack(r[0], i);
      a[g + 8][t + i] = unpack(r[1], i);
      a[g][t + 8 + i] = unpack(r[2], i);
      a[g + 8][t + 8 + i] = unpack(r[3], i);
      b[g][t + i] = unpack(r[4], i);
      b[g][t + 8 + i] = unpack(r[5], i);
    }
  }
  for (uint32_t lane = 0; lane < warpSize; ++lane) {
    const WarpRequest &request = lanes[lane].request;
    uint32_t g = lane / 4, t = 2 * (lane % 4);
    for (unsigned i = 0; i < 4; ++i) {
      const float *row = a[g + 8 * (i / 2)], *column = b[t + i % 2];
      // Tensor cores do not round products: they are exact in double.
      float c, result;
      memcpy(&c, request.in + 6 + i, sizeof(c));
      double sum = c;
      for (unsigned k = 0; k < 16; ++k)
        sum += static_cast<double>(row[k]) * static_cast<double>(column[k]);
      result = static_cast<float>(sum);
      memcpy(request.out + i, &result, sizeof(result));
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
    return multiply(machine, lanes);
  }
}
