//===- AMXTile.h - Products of tiles of bf16 in AMX registers -------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile is up to 16 rows of 64 bytes: 16 f32 sums a row, 32 bf16 of A, or 16
// pairs of B (Intel's Architectures Software Developer's Manual, "TILELOADD"
// and "TDPBF16PS"). LLVM gives tiles registers and configures them; there are
// eight, and one configuration a function, so functions keep to few shapes.
//
// Values are of LLVM's `x86_amx`. `ourc-lower-amx` leaves them where the target
// has the instructions and else makes them memory.
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_KERNELTOCPU_AMXTILE_H
#define OURC_CONVERSION_KERNELTOCPU_AMXTILE_H

#include "conversion/KernelToCPU/CodeBuilder.h"

namespace ourc::amx {

/// Rows of a tile, bytes of a row, and elements in them.
constexpr int64_t kRows = 16, kRowBytes = 64;
constexpr int64_t kPairs = 16, kDepth = 32;

/// LLVM's intrinsics of the operations below.
constexpr llvm::StringLiteral kZeroName = "llvm.x86.tilezero.internal",
                              kLoadName = "llvm.x86.tileloadd64.internal",
                              kStoreName = "llvm.x86.tilestored64.internal",
                              kMultiplyName = "llvm.x86.tdpbf16ps.internal";

/// `rows` rows of zero sums.
mlir::Value zero(CodeBuilder &code, int64_t rows);

/// `rows` rows of 64 bytes, `stride` bytes from row to row.
mlir::Value load(CodeBuilder &code, int64_t rows, mlir::Value pointer,
                 mlir::Value stride);

/// Sums of `rows` rows and the products of a tile of A, as many rows of 32
/// bf16, with a tile of B, 16 rows of 16 pairs.
mlir::Value multiply(CodeBuilder &code, int64_t rows, mlir::Value sums,
                     mlir::Value a, mlir::Value b);

/// Stores `rows` rows of sums, `stride` bytes from row to row.
void store(CodeBuilder &code, int64_t rows, mlir::Value pointer,
           mlir::Value stride, mlir::Value sums);

} // namespace ourc::amx

#endif // OURC_CONVERSION_KERNELTOCPU_AMXTILE_H
