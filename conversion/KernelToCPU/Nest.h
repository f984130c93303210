//===- Nest.h - The nest of loops of results of one shape -----------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_KERNELTOCPU_NEST_H
#define OURC_CONVERSION_KERNELTOCPU_NEST_H

#include "conversion/KernelToCPU/LoopNest.h"
#include "conversion/KernelToCPU/OperandReader.h"
#include "strategy/cpu/NestAnalysis.h"

namespace ourc {

/// A tensor whose elements are written to (a part of) a destination.
struct Root {
  mlir::Value tensor;
  mlir::BlockArgument destination;
  mlir::Value shape; ///< its strides are the destination's
  int64_t dim = 0;   ///< along which `offset` is
  LaneIndex offset;  ///< of the first element
};

/// The nest of roots of one shape.
class Nest {
public:
  Nest(KernelABI &abi, const NestOptions &options, llvm::ArrayRef<Root> roots,
       llvm::ArrayRef<Root> rowRoots, NestAnalysis analysis);

  /// Prepares the reader for one task; `home` is the task's outermost block.
  using Prepare = std::function<void(OperandReader &, mlir::Block *home)>;
  void setPrepare(Prepare function) { prepare = std::move(function); }

  /// What is done for each element of the roots instead of storing it, `parts`
  /// times; null: once.
  using Body = std::function<mlir::LogicalResult(
      mlir::OpBuilder &, OperandReader &, llvm::ArrayRef<LaneIndex> indices,
      mlir::Value part, mlir::Value mask)>;
  void setBody(Body function, mlir::Value parts) {
    body = std::move(function);
    numParts = parts;
  }

  mlir::LogicalResult emit();

private:
  /// Dimensions [first, last] of the roots, as one.
  struct Group {
    int64_t first, last;
    bool row;
    mlir::Value size;
  };

  void makeGroups();
  mlir::LogicalResult emitIteration(mlir::OpBuilder &builder,
                                    mlir::Value iteration);
  mlir::LogicalResult emitRow(mlir::OpBuilder &builder, mlir::Value mask);
  mlir::LogicalResult emitInner(mlir::OpBuilder &builder, unsigned group,
                                mlir::Value mask);
  mlir::LogicalResult store(mlir::OpBuilder &builder, const Root &root,
                            mlir::Value mask);
  mlir::Value getGrain(mlir::Value perIteration);
  bool hasManyRows();
  mlir::LogicalResult emitTile(mlir::OpBuilder &builder, mlir::Value mask);
  bool isTransposed(const Group &group) {
    return analysis.transposedDim >= group.first &&
           analysis.transposedDim <= group.last;
  }
  bool isLane(const Group &group) {
    return analysis.laneDim >= group.first && analysis.laneDim <= group.last;
  }

  KernelABI &abi;
  const NestOptions &options;
  llvm::ArrayRef<Root> roots, rowRoots;
  NestAnalysis analysis;
  mlir::Location loc;
  int64_t lanes;
  OperandReader reader;
  Prepare prepare;
  Body body;
  mlir::Value numParts; ///< how often `body` runs for each element; null: once
  mlir::Value perPart;  ///< iterations of each
  LaneIndex part;       ///< of this iteration
  llvm::SmallVector<Group> groups;
  llvm::SmallVector<LaneIndex> indices;
  mlir::Value chunks;       ///< how many parts the lanes' loop is in; null: one
  mlir::Value lower, upper; ///< the part of this iteration
  mlir::Value scratch;
  Group *laneRows = nullptr;  ///< lanes that are rows, looped over inside
  bool lanesAreRows = false;  ///< in either way
  Group *tileGroup = nullptr; ///< of the transposed dimension
  LaneIndex tileStart;
};

} // namespace ourc

#endif // OURC_CONVERSION_KERNELTOCPU_NEST_H
