//===- ElidableRounding.h - Roundings that fusion may leave out -----------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_TRANSFORMS_KERNEL_ELIDABLEROUNDING_H
#define OURC_TRANSFORMS_KERNEL_ELIDABLEROUNDING_H

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace ourc {

/// Whether a rounding is only how an operation on a narrow type ends
/// (`contract-roundings` of ourc-to-linalg), not one that the program asks for.
inline bool isElidableRounding(mlir::arith::TruncFOp rounding) {
  return mlir::arith::bitEnumContainsAll(
      rounding.getFastmath().value_or(mlir::arith::FastMathFlags::none),
      mlir::arith::FastMathFlags::contract);
}

} // namespace ourc

#endif // OURC_TRANSFORMS_KERNEL_ELIDABLEROUNDING_H
