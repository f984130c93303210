//===- Contraction.h - Contractions and convolutions as one nest ----------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_STRATEGY_CPU_CONTRACTION_H
#define OURC_STRATEGY_CPU_CONTRACTION_H

#include "dialects/kernel/KernelDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "strategy/StridedView.h"
#include "llvm/ADT/MapVector.h"
#include <optional>
#include <string>

namespace ourc {

/// What the strategy `contraction` knows of a kernel: the loops of its one
/// contraction by role, where each operand's elements lie, and the elementwise
/// operations on its result. Convolutions differ only in the address of A.
struct ContractionNest {
  /// A dimension of A that is padded with zeros: the index
  ///   mStep * m + kStep * k - low
  /// reads zero outside [0, size).
  struct Padding {
    unsigned m, k; ///< loops
    int64_t mStep, kStep, low;
    Product size;
  };

  /// An elementwise operation on the contraction's result.
  struct Epilogue {
    mlir::linalg::LinalgOp op;
    /// For each loop of `op`, the contraction's loop.
    llvm::SmallVector<unsigned> loops;
    /// For each operand that is not computed from the contraction's result,
    /// where its elements lie; none: a constant, or computed in the kernel.
    llvm::SmallVector<std::optional<LinearAccess>> operands;
  };

  /// A destination of the kernel.
  struct Result {
    mlir::Value value; ///< the contraction's result, or an epilogue's
    LinearAccess access;
  };

  mlir::linalg::LinalgOp op;
  unsigned aOperand = 0, bOperand = 1;
  /// The contraction's loops by role, outermost first. `m` belongs to A and the
  /// result, `n` to B and the result.
  llvm::SmallVector<unsigned> batch, m, n, k;
  llvm::SmallVector<Product> sizes; ///< of each loop

  mlir::Type aType, bType; ///< element types
  mlir::Type accType;      ///< f32 for f16 and bf16
  bool aUnsigned = false, bUnsigned = false;

  LinearAccess a;
  llvm::SmallVector<Padding> padding;

  /// B: packed in panels (its stride along `n` is then 1 and `panelStride` is
  /// from one panel of `packedTile` columns to the next), or a view.
  LinearAccess b;
  int64_t packedTile = 0;
  Product panelStride;
  /// The loop whose iterations are a panel's columns, where B is packed.
  unsigned packedLoop = 0;
  /// The reduction loop whose steps are taken in pairs, if one is. Where B is
  /// packed, each of its columns holds pairs of that loop, and strides are
  /// those to even steps.
  std::optional<unsigned> pairLoop;
  /// Or transformed filters, of `packedTile` columns a panel; `b` is then
  /// empty.
  mlir::BlockArgument transformed;

  /// What the accumulators start from: `initValue`, or the elements of `init`.
  mlir::TypedAttr initValue;
  std::optional<LinearAccess> init;

  llvm::SmallVector<Epilogue> epilogues;
  llvm::SmallVector<Result> results;
  /// Whether an epilogue needs the loops as they are in the kernel: it reads
  /// `linalg.index` or an operand that is computed in the kernel.
  bool needsLoops = false;

  /// Analyses a kernel. None where this strategy cannot make it; `reason` then
  /// says why. `packsBatch`: B may be packed along a loop of both operands.
  static std::optional<ContractionNest> get(kernel::FuncOp kernel,
                                            std::string *reason = nullptr,
                                            bool packsBatch = false);

  /// Joins neighbouring loops of one role that every operand steps through as
  /// through one.
  void joinLoops();

  /// The constant that fills all of a tensor, if it is one.
  static mlir::TypedAttr getSplat(mlir::Value tensor);

  /// Whether the steps of a reduction loop can be taken in pairs of bf16.
  bool canTakePairs(unsigned loop) const;

  /// The reduction loop that is best taken in pairs of bf16: consecutive in A's
  /// memory, where one is. None where there is none, or the elements are
  /// others.
  std::optional<unsigned> choosePairLoop() const;

  /// Whether the sum, taken in pairs, can be made of AMX tiles, each 16 rows of
  /// 32 consecutive bf16 of A; `reason` says why not.
  bool fitsAMXTiles(std::string *reason = nullptr) const;

  /// Whether loops `outer` and `inner` are one loop for `access`.
  bool isOneLoop(const LinearAccess &access, unsigned outer,
                 unsigned inner) const;
};

} // namespace ourc

#endif // OURC_STRATEGY_CPU_CONTRACTION_H
