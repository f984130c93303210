//===- KernelSchedules.cpp - What schedules may say -----------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bounds that hold for every target, so that no schedule, however it was
// written, makes an emitter build code without end. What a target can do
// beyond them is its emitter's to check.
//
//===----------------------------------------------------------------------===//

#include "dialects/kernel/KernelDialect.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ourc::kernel;

using EmitError = function_ref<InFlightDiagnostic()>;

static LogicalResult verifyRange(EmitError emitError, StringRef name,
                                 int64_t value, int64_t min, int64_t max) {
  if (value >= min && value <= max)
    return success();
  return emitError() << "'" << name << "' must be from " << min << " to " << max
                     << ", but is " << value;
}

static LogicalResult verifyLanes(EmitError emitError, int64_t lanes) {
  if (lanes >= 1 && lanes <= 64 && llvm::isPowerOf2_64(lanes))
    return success();
  return emitError() << "'lanes' must be a power of two from 1 to 64, but is "
                     << lanes;
}

static LogicalResult verifyInterleave(EmitError emitError, int64_t interleave) {
  if (interleave >= 1 && interleave <= 8 && llvm::isPowerOf2_64(interleave))
    return success();
  return emitError() << "'interleave' must be 1, 2, 4 or 8, but is "
                     << interleave;
}

static LogicalResult verifyGrain(EmitError emitError, int64_t grain) {
  return verifyRange(emitError, "grain", grain, 1,
                     std::numeric_limits<int64_t>::max());
}

LogicalResult CPUContractionAttr::verify(EmitError emitError, int64_t mr,
                                         int64_t nr, int64_t kb, int64_t lanes,
                                         bool, int64_t prefetch, int64_t depth,
                                         int64_t mb) {
  if (failed(verifyLanes(emitError, lanes)) ||
      failed(verifyRange(emitError, "mr", mr, 1, 64)) ||
      failed(verifyRange(emitError, "nr", nr, 1, 1024)) ||
      failed(verifyRange(emitError, "prefetch", prefetch, 0, 1024)) ||
      failed(verifyRange(emitError, "mb", mb, 0,
                         std::numeric_limits<int64_t>::max())))
    return failure();
  if (depth != 1 && depth != 2 && depth != 32)
    return emitError() << "'depth' must be 1, 2 or 32, but is " << depth;
  if (prefetch % depth != 0)
    return emitError() << "'prefetch' must be a multiple of 'depth', but is "
                       << prefetch;
  return verifyRange(emitError, "kb", kb, 0,
                     std::numeric_limits<int64_t>::max());
}

LogicalResult CPUWinogradAttr::verify(EmitError emitError, int64_t mr,
                                      int64_t nr, int64_t tiles, int64_t lanes,
                                      int64_t prefetch) {
  if (failed(verifyLanes(emitError, lanes)) ||
      failed(verifyRange(emitError, "mr", mr, 1, 64)) ||
      failed(verifyRange(emitError, "nr", nr, 1, 1024)) ||
      failed(verifyRange(emitError, "tiles", tiles, 1, 4096)))
    return failure();
  return verifyRange(emitError, "prefetch", prefetch, 0, 1024);
}

LogicalResult CPUDepthwiseAttr::verify(EmitError emitError, int64_t mr,
                                       int64_t vectors, int64_t lanes,
                                       int64_t rows, int64_t panel, bool) {
  if (failed(verifyLanes(emitError, lanes)) ||
      failed(verifyRange(emitError, "mr", mr, 1, 64)) ||
      failed(verifyRange(emitError, "rows", rows, 1, 1 << 20)) ||
      failed(verifyRange(emitError, "panel", panel, 1, 1 << 20)))
    return failure();
  return verifyRange(emitError, "vectors", vectors, 1, 16);
}

LogicalResult CPURowAttr::verify(EmitError emitError, int64_t lanes,
                                 int64_t unroll, int64_t grain, int64_t parts,
                                 int64_t interleave) {
  if (failed(verifyLanes(emitError, lanes)) ||
      failed(verifyInterleave(emitError, interleave)) ||
      failed(verifyRange(emitError, "unroll", unroll, 1, 16)) ||
      failed(verifyRange(emitError, "parts", parts, 0, 1024)))
    return failure();
  return verifyGrain(emitError, grain);
}

LogicalResult CPUPointwiseAttr::verify(EmitError emitError, int64_t lanes,
                                       int64_t grain, int64_t interleave) {
  if (failed(verifyLanes(emitError, lanes)) ||
      failed(verifyInterleave(emitError, interleave)))
    return failure();
  return verifyGrain(emitError, grain);
}

LogicalResult CPUAttentionAttr::verify(EmitError emitError, int64_t mr,
                                       int64_t kb, int64_t lanes,
                                       int64_t depth) {
  if (failed(verifyLanes(emitError, lanes)) ||
      failed(verifyRange(emitError, "depth", depth, 1, 2)) ||
      failed(verifyRange(emitError, "mr", mr, 1, 64)))
    return failure();
  return verifyRange(emitError, "kb", kb, 1, 1 << 20);
}

LogicalResult CPUPoolAttr::verify(EmitError emitError, int64_t lanes,
                                  int64_t grain) {
  if (failed(verifyLanes(emitError, lanes)))
    return failure();
  return verifyGrain(emitError, grain);
}

LogicalResult CPUScatterAttr::verify(EmitError emitError, int64_t lanes,
                                     int64_t grain) {
  if (failed(verifyLanes(emitError, lanes)))
    return failure();
  return verifyGrain(emitError, grain);
}

/// How many neighbours a thread asks memory for together.
static LogicalResult verifyWidth(EmitError emitError, int64_t width) {
  if (failed(verifyRange(emitError, "width", width, 1, 16)))
    return failure();
  if (width & (width - 1))
    return emitError() << "'width' must be a power of two, but is " << width;
  return success();
}

LogicalResult GPUPointwiseAttr::verify(EmitError emitError, int64_t threads,
                                       int64_t width) {
  if (failed(verifyRange(emitError, "threads", threads, 1, 1024)))
    return failure();
  return verifyWidth(emitError, width);
}

LogicalResult GPURowAttr::verify(EmitError emitError, int64_t threads,
                                 int64_t rows, int64_t width, int64_t chunks,
                                 bool staged, int64_t columns) {
  if (columns != 1) {
    if (failed(verifyRange(emitError, "columns", columns, 32, 1024)))
      return failure();
    if (columns % 32 != 0)
      return emitError() << "'columns' must be a multiple of 32, but is "
                         << columns;
    if (rows != 1 || width != 1 || chunks != 0 || staged)
      return emitError() << "'columns' stands for rows of loops alone";
    return verifyRange(emitError, "threads", threads, 1, 1024 / columns);
  }
  for (auto [name, value, least, most] :
       {std::tuple("threads", threads, 32, 1024),
        std::tuple("rows", rows, 1, 32), std::tuple("chunks", chunks, 0, 64)})
    if (failed(verifyRange(emitError, name, value, least, most)))
      return failure();
  if (threads % 32 != 0)
    return emitError() << "'threads' must be a multiple of 32, but is "
                       << threads;
  if (rows > 1 && threads != 32)
    return emitError() << "'threads' must be 32 when there are " << rows
                       << " rows, but is " << threads;
  if (staged && (chunks == 0 || width != 1))
    return emitError() << "'staged' needs chunks of width 1";
  return verifyWidth(emitError, width);
}

LogicalResult GPUScatterAttr::verify(EmitError emitError, int64_t threads) {
  return verifyRange(emitError, "threads", threads, 1, 1024);
}

LogicalResult GPUContractionAttr::verify(EmitError emitError, int64_t tileM,
                                         int64_t tileN, int64_t tileK,
                                         int64_t warpsM, int64_t warpsN,
                                         int64_t stages) {
  for (auto [name, value, max] :
       {std::tuple("tileM", tileM, 1024), std::tuple("tileN", tileN, 1024),
        std::tuple("tileK", tileK, 1024), std::tuple("warpsM", warpsM, 32),
        std::tuple("warpsN", warpsN, 32), std::tuple("stages", stages, 16)})
    if (failed(verifyRange(emitError, name, value, 1, max)))
      return failure();
  return success();
}

LogicalResult GPUTileAttr::verify(EmitError emitError, int64_t tileM,
                                  int64_t tileN, int64_t tileK,
                                  int64_t threadsM, int64_t threadsN,
                                  int64_t stages) {
  for (auto [name, value, max] :
       {std::tuple("tileM", tileM, 1024), std::tuple("tileN", tileN, 1024),
        std::tuple("tileK", tileK, 1024), std::tuple("threadsM", threadsM, 32),
        std::tuple("threadsN", threadsN, 32), std::tuple("stages", stages, 16)})
    if (failed(verifyRange(emitError, name, value, 1, max)))
      return failure();
  return success();
}

LogicalResult GPUAttentionAttr::verify(EmitError emitError, int64_t warps,
                                       int64_t keys, int64_t stages) {
  if (failed(verifyRange(emitError, "warps", warps, 1, 32)) ||
      failed(verifyRange(emitError, "keys", keys, 16, 1024)))
    return failure();
  return verifyRange(emitError, "stages", stages, 2, 16);
}
