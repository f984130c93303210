//===- Memory.h - Loads and stores of lanes -------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_KERNELTOCPU_MEMORY_H
#define OURC_CONVERSION_KERNELTOCPU_MEMORY_H

#include "conversion/KernelToCPU/LaneIndex.h"

namespace ourc {

/// The elements of type `element` at `pointer` + `offset` (in elements): a
/// scalar where the offset is uniform, else a `vector<lanes x element>`. Lanes
/// off in `mask` (null: all are on) are not read; at least one must be on. i1
/// elements are bytes in memory.
mlir::Value emitLoad(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Type element, mlir::Value pointer,
                     const LaneIndex &offset, int64_t lanes, mlir::Value mask);

/// The opposite; `value` is a vector where the offset is not uniform.
void emitStore(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
               mlir::Value pointer, const LaneIndex &offset, int64_t lanes,
               mlir::Value mask);

/// The mask of lanes whose `index` is below `bound` (i64).
mlir::Value emitMask(mlir::OpBuilder &builder, mlir::Location loc,
                     const LaneIndex &index, mlir::Value bound, int64_t lanes);

/// `value` in all lanes, where it is not a vector yet.
mlir::Value emitSplat(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value value, int64_t lanes);

/// A bf16 scalar or vector as its bits (i16), anything else as it is; and back.
/// Not every target's code generator moves bf16 without computing.
mlir::Value toBits(mlir::OpBuilder &builder, mlir::Location loc,
                   mlir::Value value);
mlir::Value fromBits(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value value, mlir::Type element);

/// Bytes of an element in memory.
int64_t getStorageBytes(mlir::Type element);

} // namespace ourc

#endif // OURC_CONVERSION_KERNELTOCPU_MEMORY_H
