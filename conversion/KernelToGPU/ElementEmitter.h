//===- ElementEmitter.h - The value of one tensor element --------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_KERNELTOGPU_ELEMENTEMITTER_H
#define OURC_CONVERSION_KERNELTOGPU_ELEMENTEMITTER_H

#include "conversion/KernelToGPU/KernelFrame.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace ourc::gpucodegen {

/// Points that one thread computes side by side: neighbours in a row-major
/// space of the sizes `shape`, from element `linear` on, which is a multiple of
/// their number.
struct Lanes {
  /// The coordinates of each; a power of two of them.
  llvm::SmallVector<llvm::SmallVector<mlir::Value>> points;
  llvm::SmallVector<mlir::Value> shape;
  mlir::Value linear;
  /// Whether they differ in the last coordinate alone, whose first value is a
  /// multiple of their number too.
  bool alongLast;
};

/// Computes single elements of the tensors in a kernel's body, by following
/// them back to loads of the kernel's operands: the body emitter that all GPU
/// strategies share. Every loop and every view becomes arithmetic on the
/// element's coordinates; a reduction becomes a loop in the calling thread,
/// unless a strategy has supplied the result (see `supply`).
///
/// What was computed at some coordinates is reused wherever it dominates.
class ElementEmitter {
public:
  explicit ElementEmitter(KernelFrame &frame) : frame(frame) {}

  /// The element of `tensor` at `coordinates` (index values). Null after an
  /// error, which has been reported.
  mlir::Value emit(mlir::OpBuilder &builder, mlir::Value tensor,
                   llvm::ArrayRef<mlir::Value> coordinates);

  /// Loads from an operand.
  mlir::Value load(mlir::OpBuilder &builder, mlir::BlockArgument argument,
                   llvm::ArrayRef<mlir::Value> coordinates);

  /// Ends the launch with an error where `index` (read as an unsigned number)
  /// is not below `size`: what follows may use it.
  void checkIndex(mlir::OpBuilder &builder, mlir::Location loc,
                  mlir::Value index, mlir::Value size);

  /// Stores into the operand `destination`.
  void store(mlir::OpBuilder &builder, mlir::BlockArgument destination,
             llvm::ArrayRef<mlir::Value> coordinates, mlir::Value value);

  /// The coordinates in the source of what is at `coordinates` of a view.
  llvm::SmallVector<mlir::Value>
  getExpandSource(mlir::OpBuilder &builder, mlir::tensor::ExpandShapeOp op,
                  llvm::ArrayRef<mlir::Value> coordinates);
  llvm::SmallVector<mlir::Value>
  getCollapseSource(mlir::OpBuilder &builder, mlir::tensor::CollapseShapeOp op,
                    llvm::ArrayRef<mlir::Value> coordinates);

  /// The element number of a row-major tensor.
  mlir::Value linearize(mlir::OpBuilder &builder, mlir::Value tensor,
                        llvm::ArrayRef<mlir::Value> coordinates);

  /// From here on, what neighbours need of an operand is loaded together, where
  /// it lies together: the addresses of all operands are multiples of 16.
  void addLanes(Lanes group) { lanes.push_back(std::move(group)); }
  void clearLanes() { lanes.clear(); }

  /// Makes the elements of a loop nest's results at `points` in one nest, and
  /// supplies them. The points determine all loops but the reductions.
  mlir::LogicalResult
  reduceLanes(mlir::OpBuilder &builder, mlir::linalg::GenericOp op,
              llvm::ArrayRef<llvm::SmallVector<mlir::Value>> points);

  /// Stores the values of the points that `coordinates` has in `destination`,
  /// one for each of `group`.
  void storeLanes(mlir::OpBuilder &builder, mlir::BlockArgument destination,
                  const Lanes &group,
                  llvm::ArrayRef<llvm::SmallVector<mlir::Value>> coordinates,
                  llvm::ArrayRef<mlir::Value> values);

  /// Whether the coordinates of `argument` are point `lane` of `group`, in a
  /// tensor of that very shape.
  bool isPoint(const Lanes &group, size_t lane, mlir::BlockArgument argument,
               llvm::ArrayRef<mlir::Value> coordinates);

  /// Gives the address in shared memory of an operand's element where it has
  /// been copied to, else null.
  using TileFn = std::function<mlir::Value(
      mlir::OpBuilder &, mlir::BlockArgument, llvm::ArrayRef<mlir::Value>)>;
  void setTiles(TileFn find) { findInTile = std::move(find); }

  /// Stores what the kernel returns where its one operation's result is at
  /// `coordinates`, which is known. `resultDims` are those of findResultDims.
  mlir::LogicalResult
  storeResults(mlir::OpBuilder &builder,
               llvm::ArrayRef<llvm::SmallVector<int64_t>> resultDims,
               llvm::ArrayRef<mlir::Value> coordinates);

  /// Says that `tensor` is `value` at `coordinates`, in code that `value`
  /// dominates. Elsewhere the tensor is computed as usual.
  void supply(mlir::Value tensor, llvm::ArrayRef<mlir::Value> coordinates,
              mlir::Value value);

  /// Clones the operations of a region's block with `arguments`, and returns
  /// what it yields. `iteration` gives the values of linalg.index. Empty after
  /// an error (regions yield at least one value).
  llvm::SmallVector<mlir::Value>
  inlineRegion(mlir::OpBuilder &builder, mlir::Region &region,
               mlir::ValueRange arguments,
               llvm::ArrayRef<mlir::Value> iteration = {});

  /// The inputs of one iteration of a loop nest.
  mlir::LogicalResult emitInputs(mlir::OpBuilder &builder,
                                 mlir::linalg::GenericOp op,
                                 llvm::ArrayRef<mlir::Value> iteration,
                                 llvm::SmallVectorImpl<mlir::Value> &inputs);

  /// The sizes of a loop nest, on the device.
  llvm::SmallVector<mlir::Value> getLoopSizes(mlir::linalg::GenericOp op);

  /// Results of an affine map at `operands`.
  llvm::SmallVector<mlir::Value> applyMap(mlir::OpBuilder &builder,
                                          mlir::AffineMap map,
                                          llvm::ArrayRef<mlir::Value> operands);

private:
  struct Known {
    llvm::SmallVector<mlir::Value, 4> coordinates;
    mlir::Value value;
  };

  /// The element number of the first element of a piece: what is accessed
  /// together with lane `lane` of `group`. `length` is its length, which is 1
  /// where `argument` does not have neighbours together.
  mlir::Value findPiece(
      mlir::OpBuilder &builder, mlir::BlockArgument argument,
      const Lanes &group, size_t lane,
      llvm::function_ref<llvm::ArrayRef<mlir::Value>(size_t)> coordinatesOf,
      size_t &first, size_t &length);
  mlir::Value loadLanes(mlir::OpBuilder &builder, mlir::BlockArgument argument,
                        llvm::ArrayRef<mlir::Value> coordinates);
  mlir::Value lookUp(mlir::OpBuilder &builder, mlir::Value tensor,
                     llvm::ArrayRef<mlir::Value> coordinates);
  mlir::Value compute(mlir::OpBuilder &builder, mlir::Value tensor,
                      llvm::ArrayRef<mlir::Value> coordinates);

  mlir::Value emitOp(mlir::OpBuilder &, mlir::linalg::GenericOp, mlir::OpResult,
                     llvm::ArrayRef<mlir::Value>);
  mlir::Value emitOp(mlir::OpBuilder &, kernel::CoupledReduceOp, mlir::OpResult,
                     llvm::ArrayRef<mlir::Value>);
  mlir::Value emitOp(mlir::OpBuilder &, kernel::AttentionOp, mlir::OpResult,
                     llvm::ArrayRef<mlir::Value>);
  mlir::Value emitOp(mlir::OpBuilder &, mlir::arith::ConstantOp, mlir::OpResult,
                     llvm::ArrayRef<mlir::Value>);
  mlir::Value emitOp(mlir::OpBuilder &, mlir::tensor::EmptyOp, mlir::OpResult,
                     llvm::ArrayRef<mlir::Value>);
  mlir::Value emitOp(mlir::OpBuilder &, mlir::tensor::FromElementsOp,
                     mlir::OpResult, llvm::ArrayRef<mlir::Value>);
  mlir::Value emitOp(mlir::OpBuilder &, mlir::tensor::CastOp, mlir::OpResult,
                     llvm::ArrayRef<mlir::Value>);
  mlir::Value emitOp(mlir::OpBuilder &, mlir::tensor::SplatOp, mlir::OpResult,
                     llvm::ArrayRef<mlir::Value>);
  mlir::Value emitOp(mlir::OpBuilder &, mlir::tensor::ExpandShapeOp,
                     mlir::OpResult, llvm::ArrayRef<mlir::Value>);
  mlir::Value emitOp(mlir::OpBuilder &, mlir::tensor::CollapseShapeOp,
                     mlir::OpResult, llvm::ArrayRef<mlir::Value>);
  mlir::Value emitOp(mlir::OpBuilder &, mlir::tensor::ExtractSliceOp,
                     mlir::OpResult, llvm::ArrayRef<mlir::Value>);
  mlir::Value emitOp(mlir::OpBuilder &, mlir::tensor::InsertSliceOp,
                     mlir::OpResult, llvm::ArrayRef<mlir::Value>);
  mlir::Value emitOp(mlir::OpBuilder &, mlir::tensor::PadOp, mlir::OpResult,
                     llvm::ArrayRef<mlir::Value>);
  mlir::Value emitOp(mlir::OpBuilder &, mlir::tensor::ConcatOp, mlir::OpResult,
                     llvm::ArrayRef<mlir::Value>);

  KernelFrame &frame;
  llvm::SmallVector<Lanes, 1> lanes;
  TileFn findInTile;
  /// Most recent last.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<Known, 2>> known;
};

/// Runs body(iteration, state) for every point of the box `sizes` in row-major
/// order and returns the last state. The body returns an empty state after an
/// error; then the result is empty too.
llvm::SmallVector<mlir::Value> emitLoopNest(
    mlir::OpBuilder &builder, mlir::Location loc, KernelFrame &frame,
    llvm::ArrayRef<mlir::Value> sizes, mlir::ValueRange init,
    llvm::function_ref<llvm::SmallVector<mlir::Value>(
        mlir::OpBuilder &, llvm::ArrayRef<mlir::Value>, mlir::ValueRange)>
        body);

/// Whether two index values are the same value or the same constant.
bool isSameIndex(mlir::Value a, mlir::Value b);

/// Converts between floating-point types.
mlir::Value emitFloatCast(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value value, mlir::Type type);

} // namespace ourc::gpucodegen

#endif // OURC_CONVERSION_KERNELTOGPU_ELEMENTEMITTER_H
