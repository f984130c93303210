//===- CodeBuilder.h - Short forms for what emitters write ----------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_KERNELTOCPU_CODEBUILDER_H
#define OURC_CONVERSION_KERNELTOCPU_CODEBUILDER_H

#include "conversion/KernelToCPU/KernelABI.h"
#include "mlir/IR/Builders.h"
#include "strategy/StridedView.h"

namespace ourc {

/// Builds i64 arithmetic (folded where operands are constants), loops, and
/// accesses to memory by scalars and vectors of `lanes` elements. All of it
/// goes to `builder`, whose insertion point loops move into their bodies.
class CodeBuilder {
public:
  CodeBuilder(KernelABI &abi, mlir::OpBuilder builder, int64_t lanes)
      : abi(abi), builder(builder), lanes(lanes), loc(abi.getLoc()) {}

  KernelABI &abi;
  mlir::OpBuilder builder;
  const int64_t lanes;
  const mlir::Location loc;

  // i64 arithmetic.
  static std::optional<int64_t> getConstant(mlir::Value value);
  mlir::Value constant(int64_t value) { return abi.getConstant(value); }
  mlir::Value add(mlir::Value lhs, mlir::Value rhs);
  mlir::Value sub(mlir::Value lhs, mlir::Value rhs);
  mlir::Value mul(mlir::Value lhs, mlir::Value rhs);
  mlir::Value min(mlir::Value lhs, mlir::Value rhs);
  mlir::Value max(mlir::Value lhs, mlir::Value rhs);
  /// Quotient and remainder of numbers that are not negative; the divisor is
  /// not zero.
  mlir::Value div(mlir::Value lhs, mlir::Value rhs);
  mlir::Value rem(mlir::Value lhs, mlir::Value rhs);
  mlir::Value ceilDiv(mlir::Value lhs, mlir::Value rhs);
  mlir::Value less(mlir::Value lhs, mlir::Value rhs);
  mlir::Value product(const Product &product);
  mlir::Value product(llvm::ArrayRef<mlir::Value> values);

  /// The parts of a linear index: one for each size, the last the fastest.
  llvm::SmallVector<mlir::Value> delinearize(mlir::Value index,
                                             llvm::ArrayRef<mlir::Value> sizes);

  /// The least number of units for a thread: about ten microseconds' worth,
  /// where a unit is `work` multiply-adds.
  mlir::Value grain(mlir::Value work);

  // Vectors.
  mlir::VectorType vectorOf(mlir::Type element) const {
    return mlir::VectorType::get({lanes}, element);
  }
  mlir::Value broadcast(mlir::Value scalar);
  /// A vector of one constant.
  mlir::Value splat(mlir::TypedAttr value);
  mlir::Value zero(mlir::Type element);
  /// The first `count` lanes; null where `count` is `lanes`.
  mlir::Value mask(int64_t count);
  /// Lane `i` is on where `i < count`; any count.
  mlir::Value mask(mlir::Value count);
  mlir::Value allLanes();
  /// Between float types, or between integer types.
  mlir::Value convert(mlir::Value value, mlir::Type element,
                      bool isUnsigned = false);
  /// 0, 1, 2, … of i64.
  mlir::Value laneNumbers();

  // Memory. The addresses need no alignment beyond an element's.
  mlir::Value address(mlir::Value pointer, mlir::Value elements,
                      mlir::Type type);
  mlir::Value address(mlir::Value pointer, int64_t elements, mlir::Type type);
  /// The same address, of which the optimiser does not know where it is from:
  /// what was loaded through another one is loaded again, not kept.
  mlir::Value forget(mlir::Value pointer);
  /// Nothing is loaded before that is loaded after, so that steps which follow
  /// one another need the registers of one.
  void fence();
  mlir::Value load(mlir::Value pointer, mlir::Type type);
  void store(mlir::Value value, mlir::Value pointer);
  /// Lanes off in `mask` (null: none) are zero.
  mlir::Value loadVector(mlir::Value pointer, mlir::Type element,
                         mlir::Value mask = {});
  void storeVector(mlir::Value vector, mlir::Value pointer,
                   mlir::Value mask = {});
  /// The same with `stride` elements from lane to lane.
  mlir::Value loadStrided(mlir::Value pointer, mlir::Type element,
                          mlir::Value stride, mlir::Value mask = {});
  void storeStrided(mlir::Value vector, mlir::Value pointer, mlir::Value stride,
                    mlir::Value mask = {});
  /// Memory on the stack of the function being built.
  mlir::Value stack(mlir::Type element, int64_t elements);

  // Control flow.
  using LoopBody = llvm::function_ref<void(mlir::Value iv)>;
  using CarryingBody = llvm::function_ref<llvm::SmallVector<mlir::Value>(
      mlir::Value iv, mlir::ValueRange carried)>;
  void loop(mlir::Value begin, mlir::Value end, int64_t step, LoopBody body);
  llvm::SmallVector<mlir::Value> loop(mlir::Value begin, mlir::Value end,
                                      int64_t step, mlir::ValueRange carried,
                                      CarryingBody body);
  /// body(first row, size) for tiles of `rows` rows whose sizes are as equal as
  /// can be and at most `most`: never full tiles and a sliver. The code of the
  /// body is there once for each size that occurs.
  void
  equalTiles(mlir::Value rows, int64_t most,
             llvm::function_ref<void(mlir::Value first, int64_t size)> body);
  void branch(mlir::Value condition, llvm::function_ref<void()> then,
              llvm::function_ref<void()> otherwise = nullptr);

private:
  template <typename Op, typename Fold>
  mlir::Value arith(mlir::Value lhs, mlir::Value rhs, Fold fold);
};

} // namespace ourc

#endif // OURC_CONVERSION_KERNELTOCPU_CODEBUILDER_H
