//===- PairDot.h - Sums of products of bf16 pairs -------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two neighbouring bf16 of a sum's direction are a pair: the low half of 32
// bits comes first. A vector of pairs is vector<2N x bf16> and meets sums in
// vector<N x f32>:
//
//   sum[i] + a[2i] * b[2i] + a[2i+1] * b[2i+1]
//
// The odd product is added first; each addition is fused with its product and
// rounded. `ourc-lower-bf16` leaves this to an instruction where the target has
// one (it takes denormals for zero) and else makes it of f32 multiply-adds,
// with the same roundings.
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_KERNELTOCPU_PAIRDOT_H
#define OURC_CONVERSION_KERNELTOCPU_PAIRDOT_H

#include "conversion/KernelToCPU/CodeBuilder.h"

namespace ourc {

/// `sum` plus the products of the pairs of `a` and `b`.
mlir::Value emitPairDot(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value sum, mlir::Value a, mlir::Value b);

/// The pairs of two vectors of bf16: lanes 0 of both, lanes 1 of both, ….
mlir::Value emitPairs(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value first, mlir::Value second);

/// Which halves of a pair are read; the others are zero.
enum class PairHalves : uint8_t { None = 0, First = 1, Second = 2, Both = 3 };

/// One pair in all lanes: both halves from `pointer` on, or only one of them,
/// so that nothing beyond is read.
mlir::Value loadPairSplat(CodeBuilder &code, mlir::Value pointer,
                          PairHalves halves = PairHalves::Both);

/// The same with the second half `stride` elements after the first.
mlir::Value loadPairSplat(CodeBuilder &code, mlir::Value pointer,
                          mlir::Value stride, PairHalves halves);

/// `code.lanes` pairs that follow one another in memory; lanes that are off in
/// `mask` (null: none) are zero.
mlir::Value loadPairs(CodeBuilder &code, mlir::Value pointer,
                      mlir::Value mask = {});

/// The same with `stride` elements from pair to pair.
mlir::Value loadPairsStrided(CodeBuilder &code, mlir::Value pointer,
                             mlir::Value stride, mlir::Value mask = {});

/// Stores pairs one after another.
void storePairs(CodeBuilder &code, mlir::Value pairs, mlir::Value pointer);

} // namespace ourc

#endif // OURC_CONVERSION_KERNELTOCPU_PAIRDOT_H
