//===- OperandReader.h - Elements of any tensor in a kernel ---------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_KERNELTOCPU_OPERANDREADER_H
#define OURC_CONVERSION_KERNELTOCPU_OPERANDREADER_H

#include "conversion/KernelToCPU/KernelABI.h"
#include "mlir/IR/Builders.h"

namespace ourc {

/// An index of a tensor in one dimension, for a vector of elements: lane `l`
/// has the index `base + l * step`.
struct LaneIndex {
  mlir::Value base; ///< i64
  int64_t step = 0;
};

/// Reads elements of a tensor value of the kernel's body. Looks through
/// `tensor.expand_shape`, `collapse_shape`, `extract_slice`, transposes, and
/// recomputes elementwise producers down to the kernel's arguments.
class OperandReader {
public:
  OperandReader(KernelABI &abi, int64_t lanes) : abi(abi), lanes(lanes) {}

  /// The elements of `tensor` at `indices`: a `vector<lanes x T>`, or one T
  /// when no index has a step. Lanes off in `mask` (null: all are on) are not
  /// read and have any value.
  mlir::FailureOr<mlir::Value> read(mlir::OpBuilder &builder,
                                    mlir::Location loc, mlir::Value tensor,
                                    llvm::ArrayRef<LaneIndex> indices,
                                    mlir::Value mask = {});

private:
  KernelABI &abi;
  int64_t lanes;
};

} // namespace ourc

#endif // OURC_CONVERSION_KERNELTOCPU_OPERANDREADER_H
