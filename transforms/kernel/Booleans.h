//===- Booleans.h - Booleans at the program's boundary
//------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_TRANSFORMS_KERNEL_BOOLEANS_H
#define OURC_TRANSFORMS_KERNEL_BOOLEANS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ourc {

/// Makes arguments and results of i1 tensors bytes, marked `kernel.boolean`,
/// converted inside of the function.
void makeBoundaryBytes(mlir::func::FuncOp func);

/// An elementwise `byte != 0` of a tensor of bytes.
mlir::Value bytesToBooleans(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Value bytes);
/// An elementwise 0 or 1 of a tensor of booleans.
mlir::Value booleansToBytes(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Value booleans);

} // namespace ourc

#endif // OURC_TRANSFORMS_KERNEL_BOOLEANS_H
