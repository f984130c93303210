//===- Trigonometry.h - Circular functions on f32 -------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_COMMON_TRIGONOMETRY_H
#define OURC_CONVERSION_COMMON_TRIGONOMETRY_H

#include "conversion/common/FloatBuilder.h"

namespace ourc {

// Parts of expandMath (MathPolynomials.h), which states their accuracy.

mlir::Value emitSin(FloatBuilder &m, mlir::Value x);
mlir::Value emitCos(FloatBuilder &m, mlir::Value x);
mlir::Value emitTan(FloatBuilder &m, mlir::Value x);
mlir::Value emitAtan(FloatBuilder &m, mlir::Value x);
mlir::Value emitAtan2(FloatBuilder &m, mlir::Value y, mlir::Value x);
mlir::Value emitAsin(FloatBuilder &m, mlir::Value x);
mlir::Value emitAcos(FloatBuilder &m, mlir::Value x);

} // namespace ourc

#endif // OURC_CONVERSION_COMMON_TRIGONOMETRY_H
