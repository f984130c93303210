//===- OperandReader.h - Elements of any tensor in a kernel ---------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_KERNELTOCPU_OPERANDREADER_H
#define OURC_CONVERSION_KERNELTOCPU_OPERANDREADER_H

#include "conversion/KernelToCPU/BodyEmitter.h"
#include "conversion/KernelToCPU/KernelABI.h"
#include "conversion/KernelToCPU/LaneIndex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Builders.h"
#include "strategy/cpu/NestAnalysis.h"
#include "llvm/ADT/SetVector.h"

namespace ourc {

class Reduction;

/// A range of a reduction's loop.
struct LoopPart {
  unsigned loop;
  mlir::Value lower, upper; ///< i64
};

/// Reads elements of a tensor value of the kernel's body, computing what is
/// not in memory: it looks through reshapes, slices, pads, concatenations,
/// packs, fills and constants, recomputes elementwise producers, and emits the
/// loops of reductions, down to the kernel's arguments.
///
/// A read whose indices do not change in a loop is emitted before that loop,
/// and a second read of the same elements gives the first one's value. So the
/// loops that a consumer opens decide where its producers are computed.
class OperandReader {
public:
  using Indices = llvm::ArrayRef<LaneIndex>;
  using Provider = std::function<mlir::FailureOr<mlir::Value>(
      mlir::OpBuilder &, mlir::Location, Indices, mlir::Value mask)>;

  /// `unroll` is how many vectors a reduction carries at a time.
  OperandReader(KernelABI &abi, int64_t lanes, int64_t unroll = 4)
      : abi(abi), lanes(lanes), unroll(unroll) {}

  /// The elements of `tensor` at `indices`: a `vector<lanes x T>`, or one T
  /// where all lanes agree. Lanes off in `mask` (null: all are on; at least one
  /// is) are not read and have any value. The value is available at `builder`'s
  /// insertion point.
  mlir::FailureOr<mlir::Value> read(mlir::OpBuilder &builder,
                                    mlir::Location loc, mlir::Value tensor,
                                    Indices indices, mlir::Value mask = {});

  /// The value of a scalar that the kernel's body computes.
  mlir::FailureOr<mlir::Value>
  readScalar(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value scalar);

  /// The values that `body`, a region over the dimensions `loops`, yields;
  /// `known` and `wanted` as a BodyEmitter takes them.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  emitBody(mlir::OpBuilder &builder, mlir::Block &body,
           mlir::ValueRange arguments, Indices loops, mlir::Value mask,
           llvm::ArrayRef<std::pair<mlir::Value, mlir::Value>> known = {},
           std::optional<llvm::ArrayRef<unsigned>> wanted = std::nullopt);

  /// From now on the elements of `tensor` come from `provider`. What depends
  /// on it is computed in `home` or deeper.
  void bind(mlir::Value tensor, Provider provider, mlir::Block *home);
  void unbind(mlir::Value tensor);

  /// Elements of `tensors` are computed once for each execution of `level` and
  /// kept at `scratch`, over the dimensions whose index changes inside of it.
  /// `lanesOutside`: the lanes run along a dimension that is fixed at the
  /// level, where `mask` has those that are on; else they run inside of it.
  void keep(const llvm::SetVector<mlir::Value> &tensors, mlir::Block *level,
            mlir::Value scratch, bool lanesOutside, mlir::Value mask);
  /// The bytes of scratch memory that were needed; an i64 of the entry.
  mlir::Value getScratchBytes() { return scratchBytes; }

  /// `index` times a size of the kernel.
  LaneIndex scale(mlir::OpBuilder &builder, mlir::Location loc,
                  const LaneIndex &index, mlir::Value factor);
  /// The position of an element of a contiguous tensor.
  LaneIndex linearize(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value tensor, Indices indices);

  /// Elements of a tensor in memory (`getStorage`), bound or not.
  mlir::FailureOr<mlir::Value> readMemory(mlir::OpBuilder &builder,
                                          mlir::Location loc,
                                          mlir::Value tensor, Indices indices,
                                          mlir::Value mask);

  /// The state of `op`, a reduction whose parts can be merged, over a part of
  /// its elements; `loops` has the indices of the loops that are not reduced.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  reducePart(mlir::OpBuilder &builder, mlir::Operation *op, Indices loops,
             mlir::Value mask, const LoopPart &part);

  int64_t getLanes() const { return lanes; }
  KernelABI &getABI() { return abi; }

private:
  struct Entry {
    llvm::SmallVector<LaneIndex> indices;
    mlir::Value mask;
    mlir::Block *block;
    mlir::Value value;
  };
  struct Kept {
    llvm::SmallVector<LaneIndex> fixed; ///< of the dimensions not in `free`
    llvm::SmallVector<int64_t> free;    ///< in the order of storage
    llvm::SmallVector<mlir::Value> strides;
    mlir::Value pointer;
    bool wide; ///< an element is a whole vector
  };

  mlir::FailureOr<mlir::Value> compute(mlir::OpBuilder &builder,
                                       mlir::Location loc, mlir::Value tensor,
                                       Indices indices, mlir::Value mask);
  mlir::FailureOr<mlir::Value>
  readConstant(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value tensor,
               mlir::ElementsAttr elements, Indices indices, mlir::Value mask);
  mlir::FailureOr<mlir::Value> readElementwise(mlir::OpBuilder &builder,
                                               mlir::linalg::LinalgOp op,
                                               unsigned result, Indices indices,
                                               mlir::Value mask);
  mlir::FailureOr<mlir::Value> readExtract(mlir::OpBuilder &builder,
                                           mlir::tensor::ExtractOp op,
                                           Indices indices, mlir::Value mask);
  LaneIndex checkIndex(mlir::OpBuilder &builder, mlir::Location loc,
                       const LaneIndex &index, mlir::Value size,
                       mlir::Value mask);

  // ReadShape.cpp
  mlir::FailureOr<mlir::Value> readShaped(mlir::OpBuilder &builder,
                                          mlir::Location loc,
                                          mlir::Operation *op, Indices indices,
                                          mlir::Value mask);
  /// An index that must be in [0, high); `low`: whether it can be below.
  struct Bound {
    LaneIndex index;
    bool low;
    mlir::Value high; ///< null: cannot be above
  };
  using Part = llvm::function_ref<mlir::FailureOr<mlir::Value>(
      mlir::OpBuilder &, mlir::Value mask)>;
  mlir::FailureOr<mlir::Value>
  readWindow(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type element,
             llvm::ArrayRef<Bound> bounds, mlir::Value mask, bool uniform,
             Part inside, Part outside);

  // ReadReduction.cpp
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  reduce(mlir::OpBuilder &builder, const Reduction &spec, Indices loops,
         mlir::Value mask, bool apart, const LoopPart *part = nullptr);
  mlir::FailureOr<mlir::Value> readReduction(mlir::OpBuilder &builder,
                                             mlir::OpResult result,
                                             Indices indices, mlir::Value mask);

  // Kept.cpp
  mlir::FailureOr<mlir::Value> readKept(mlir::OpBuilder &builder,
                                        mlir::Location loc, mlir::Value tensor,
                                        Indices indices, mlir::Value mask);
  mlir::FailureOr<Kept> fillKept(mlir::OpBuilder &builder, mlir::Location loc,
                                 mlir::Value tensor, Indices indices,
                                 llvm::ArrayRef<bool> isFree);

  /// Where a value that needs `values`, and is computed from `tensor`, may be
  /// emitted: the block of the insertion point or of a loop around it.
  mlir::OpBuilder hoist(mlir::OpBuilder &builder, mlir::Value tensor,
                        llvm::ArrayRef<mlir::Value> values);
  bool dependsOn(mlir::Value tensor, mlir::Value bound);
  void remember(mlir::Value tensor, Indices indices, mlir::Value mask,
                mlir::Block *block, mlir::Value value);

  KernelABI &abi;
  int64_t lanes;
  int64_t unroll;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<Entry, 2>> cache;
  llvm::DenseMap<mlir::Value, std::pair<Provider, mlir::Block *>> bound;
  llvm::SetVector<mlir::Value> keptTensors;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<Kept, 1>> kept;
  mlir::Block *keepLevel = nullptr;
  bool keepLanesOutside = false;
  mlir::Value keepMask;
  mlir::Value keepPointer;
  mlir::Value scratchBytes;
  llvm::DenseMap<std::pair<mlir::Value, mlir::Value>, LaneIndex> checked;
};

/// The dimension of `tensor` along which what it is computed from is
/// contiguous in memory; -1 where there is none.
int64_t getUnitDim(mlir::Value tensor);

/// Quotient and remainder of a non-negative index by a size of at least 1.
std::pair<LaneIndex, LaneIndex> emitDivRem(mlir::OpBuilder &builder,
                                           mlir::Location loc,
                                           const LaneIndex &index,
                                           mlir::Value size, int64_t lanes);

/// The results of `map` on `loops`; floordiv and mod by constants included.
mlir::FailureOr<llvm::SmallVector<LaneIndex>>
applyMap(mlir::OpBuilder &builder, mlir::Location loc, mlir::AffineMap map,
         llvm::ArrayRef<LaneIndex> loops, int64_t lanes);

} // namespace ourc

#endif // OURC_CONVERSION_KERNELTOCPU_OPERANDREADER_H
