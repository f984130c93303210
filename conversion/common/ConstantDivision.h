//===- ConstantDivision.h - Divisions by a constant without a divider -----===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_COMMON_CONSTANTDIVISION_H
#define OURC_CONVERSION_COMMON_CONSTANTDIVISION_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"

namespace ourc {

/// `x / y` of f32, of any shape, where `y` is a constant for which
/// multiplications give what a division does; else null. A quotient of
/// magnitude 2^-100 or more is the one that a division rounds to, infinities,
/// NaN and the signs of zeros included; a smaller one may differ by an ulp.
mlir::Value emitConstantDivision(mlir::OpBuilder &builder, mlir::Location loc,
                                 mlir::Value x, mlir::Value y);

} // namespace ourc

#endif // OURC_CONVERSION_COMMON_CONSTANTDIVISION_H
