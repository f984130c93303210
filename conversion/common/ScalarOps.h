//===- ScalarOps.h - One operation on lanes -------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_COMMON_SCALAROPS_H
#define OURC_CONVERSION_COMMON_SCALAROPS_H

#include "mlir/IR/Builders.h"

namespace ourc {

// Parts of the body emitters of all targets: what an operation becomes where
// cloning it would be slow, would trap, or would leave the result open.

/// A conversion between element types, `x` of any shape; null when `op` is not
/// one. f16 and bf16 round to nearest even, denormals included. Floats become
/// integers by truncation and saturation (NaN: 0), first to 32 bits where the
/// integer is narrower, of which the low bits are kept, as C does.
mlir::Value emitConversion(mlir::OpBuilder &builder, mlir::Operation *op,
                           mlir::Value x);

/// f32 to or from bf16 or f16, of any shape.
mlir::Value emitToF32(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value x);
mlir::Value emitFromF32(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value x, mlir::Type element);

/// `arith.maximumf` or `arith.minimumf`: NaN of either operand stays; of zeros
/// of two signs either may result.
mlir::Value emitMinMax(mlir::OpBuilder &builder, mlir::Location loc, bool max,
                       mlir::Value x, mlir::Value y);

/// An integer division or remainder; null when `op` is not one.
mlir::Value emitDivision(mlir::OpBuilder &builder, mlir::Operation *op,
                         mlir::Value x, mlir::Value y);

/// `math.ipowi`: a negative power of anything but 1 and -1 is 0.
mlir::Value emitIntegerPower(mlir::OpBuilder &builder, mlir::Location loc,
                             mlir::Value base, mlir::Value power);

} // namespace ourc

#endif // OURC_CONVERSION_COMMON_SCALAROPS_H
