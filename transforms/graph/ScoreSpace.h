//===- ScoreSpace.h - The dimensions that scores are raised to ------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_TRANSFORMS_GRAPH_SCORESPACE_H
#define OURC_TRANSFORMS_GRAPH_SCORESPACE_H

#include "dialects/ourc/OurcDialect.h"
#include "transforms/graph/SymbolicShapes.h"

namespace ourc {

/// Batch dimensions of a tensor, to which other tensors with merged or split
/// batch dimensions are brought. The last two dimensions of all are not batch.
class ScoreSpace {
public:
  ScoreSpace() = default;
  ScoreSpace(SymbolicShapes &shapes, mlir::Value tensor)
      : shapes(&shapes), batch(getBatch(tensor)) {}

  /// The rank of a tensor in this space.
  int64_t getRank() const { return batch.size() + 2; }

  /// Whether every batch dimension of `other` is a run of this space's.
  bool refines(mlir::Value other) { return getRuns(other).has_value(); }

  /// `value`, whose batch dimensions are runs of this space's, in this space.
  mlir::Value splitBatch(mlir::OpBuilder &builder, mlir::Value value);

  /// `value`, in this space, with the batch dimensions of `like`.
  mlir::Value mergeBatch(mlir::OpBuilder &builder, mlir::Value value,
                         mlir::Value like);

  /// The elements of `value`, which is as for `splitBatch`, in this space
  /// without repetition: dimensions along which it is a broadcast have size 1.
  mlir::Value getSmallest(mlir::OpBuilder &builder, mlir::Value value);

  /// Two tensors of this space's rank with some dimensions of size 1, each
  /// repeated along the dimensions of size 1 where the other has another size.
  std::pair<mlir::Value, mlir::Value>
  broadcastTogether(mlir::OpBuilder &builder, mlir::Value a, mlir::Value b);

private:
  using Runs = llvm::SmallVector<llvm::SmallVector<int64_t>>;

  /// A size, and how it stands in a type.
  struct Size {
    mlir::AffineExpr expr;
    int64_t type;
    bool operator==(const Size &other) const {
      return expr == other.expr && type == other.type;
    }
  };
  using Shape = llvm::SmallVector<Size>;

  Shape getShape(mlir::Value value);
  Shape getBatch(mlir::Value value) {
    Shape shape = getShape(value);
    shape.truncate(shape.size() < 2 ? 0 : shape.size() - 2);
    return shape;
  }
  /// For each batch dimension of `other`, the dimensions here that it is made
  /// of; none for one of size 1.
  std::optional<Runs> getRuns(mlir::Value other);
  mlir::Value reshape(mlir::OpBuilder &builder, mlir::Value value,
                      llvm::ArrayRef<Size> shape);

  SymbolicShapes *shapes = nullptr;
  Shape batch;
};

} // namespace ourc

#endif // OURC_TRANSFORMS_GRAPH_SCORESPACE_H
