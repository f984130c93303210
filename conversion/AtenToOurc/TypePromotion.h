//===- TypePromotion.h - The element type that operands promote to ------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_ATENTOOURC_TYPEPROMOTION_H
#define OURC_CONVERSION_ATENTOOURC_TYPEPROMOTION_H

#include "conversion/AtenToOurc/Emitter.h"

namespace ourc::aten {

/// The type that both element types convert to: the wider of two floats or of
/// two integers, the float of a float and an integer, f32 for f16 with bf16.
mlir::Type promote(mlir::Type a, mlir::Type b);

/// The element type that an operator computes in, by PyTorch's rules: tensors
/// with dimensions decide; tensors without any, and after them scalars, raise
/// the result only to a higher category (boolean, integer, float).
mlir::Type promoteOperands(mlir::ValueRange tensors,
                           llvm::ArrayRef<Scalar> scalars = {});

/// The type in which an operator with this result and these scalars is
/// computed: f32 for f16 and bf16 where a scalar would be rounded to them.
mlir::Type computeType(mlir::Type result, llvm::ArrayRef<Scalar> scalars);

/// Whether a scalar is the same number in the element type.
bool isExact(Scalar scalar, mlir::Type element);

} // namespace ourc::aten

#endif // OURC_CONVERSION_ATENTOOURC_TYPEPROMOTION_H
