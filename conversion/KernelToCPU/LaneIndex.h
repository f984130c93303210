//===- LaneIndex.h - Indices of the lanes of a vector ---------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_KERNELTOCPU_LANEINDEX_H
#define OURC_CONVERSION_KERNELTOCPU_LANEINDEX_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"

namespace ourc {

/// An index in one dimension for each lane of a vector. Lane `l` has
///
///   constant + sum(coefficient * value) + step * l + varying[l]
///
/// where the values are i64 scalars and `varying`, where present, is a vector
/// of i64. The sum is kept apart until it is needed, so that equal indices
/// compare equal and strides stay known.
class LaneIndex {
public:
  LaneIndex() = default;
  /*implicit*/ LaneIndex(int64_t constant) : constant(constant) {}
  /// The i64 scalar `base`, and `step` more in each further lane.
  /*implicit*/ LaneIndex(mlir::Value base, int64_t step = 0);
  /// One index for each element of `vector`, a vector of i64.
  static LaneIndex perLane(mlir::Value vector);

  /// Whether all lanes agree.
  bool isUniform() const { return step == 0 && !varying; }
  /// Whether lane `l` differs from the first by `l * getStep()`.
  bool isLinear() const { return !varying; }
  std::optional<int64_t> getConstant() const;
  int64_t getStep() const { return step; }
  /// The values on which the index depends.
  void collectValues(llvm::SmallVectorImpl<mlir::Value> &values) const;
  /// A number that divides the first lane's index, whatever its values are;
  /// 0 where the index is 0.
  int64_t getDivisor() const;

  LaneIndex operator+(const LaneIndex &other) const;
  LaneIndex operator*(int64_t factor) const;
  bool operator==(const LaneIndex &other) const;
  bool operator!=(const LaneIndex &other) const { return !(*this == other); }

  /// The first lane's index (without `varying`), as an i64.
  mlir::Value emitBase(mlir::OpBuilder &builder, mlir::Location loc) const;
  /// All lanes' indices, as a vector of i64.
  mlir::Value emitVector(mlir::OpBuilder &builder, mlir::Location loc,
                         int64_t lanes) const;
  /// An i64 where the index is uniform, else a vector.
  mlir::Value emit(mlir::OpBuilder &builder, mlir::Location loc,
                   int64_t lanes) const;
  /// The same without the lanes' differences.
  LaneIndex getBase() const;

private:
  int64_t constant = 0;
  /// Each value once, in the order of first mention, which unlike addresses is
  /// the same in every run; no coefficient is zero.
  llvm::SmallVector<std::pair<mlir::Value, int64_t>, 2> terms;
  int64_t step = 0;
  mlir::Value varying;
};

} // namespace ourc

#endif // OURC_CONVERSION_KERNELTOCPU_LANEINDEX_H
