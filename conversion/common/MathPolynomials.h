//===- MathPolynomials.h - Elementary functions without a library ---------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elementary functions in `arith`, `math.fma` and bit operations, on a scalar
// or a vector of f32. NaN, infinities, zeros of either sign, denormals and
// overflow give what IEEE 754-2019 recommends. f16 and bf16 go through f32, so
// they have half an ulp and the f32 error on top.
//
// Bounds in ulp of f32. test/integration/cpu/math_cases.py measures them over a
// sample that has every exponent, and over every value of f16 and bf16; its
// target math_exhaustive takes every f32 (functions of one argument):
//
//   exp 1.05 · exp2 1 · expm1 1.5 · log 1 · log2 1.1 · log10 1 · log1p 1.5
//   tanh 1.5 · sinh 3.5 · cosh 3.5 · erf 1.15 · sin 1.5 · cos 1.5 · tan 3.5
//   atan 1.5 · atan2 2 · asin 2.5 · acos 1.5 · asinh 2.5 · acosh 2.5
//   atanh 2.5 · rsqrt 1.5 · powf 0.51
//
// f64 is not expanded (a CPU calls libm for it), but for expm1 and log1p, which
// are made from its exp and log.
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_COMMON_MATHPOLYNOMIALS_H
#define OURC_CONVERSION_COMMON_MATHPOLYNOMIALS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"

namespace ourc {

/// The value of the `math` operation `op` on `operands`, all scalars or all
/// vectors of one length. Null where there is no expansion: the operation is
/// native, libm's, or on another type.
mlir::Value expandMath(mlir::OpBuilder &builder, mlir::Operation *op,
                       mlir::ValueRange operands);

/// 1 + f(x) for the `math` operation `function` on f32 `x`, where that costs
/// less than f(x): erf with an absolute error of 3e-7, tanh of 3 ulp. Null
/// elsewhere. GELU asks for it; a sum has no use for f's exactness near zero.
mlir::Value expandOnePlus(mlir::OpBuilder &builder, mlir::Operation *function,
                          mlir::Value x);

/// Rewrites every operation that `expandMath` knows.
void populateMathPolynomialPatterns(mlir::RewritePatternSet &patterns);

} // namespace ourc

#endif // OURC_CONVERSION_COMMON_MATHPOLYNOMIALS_H
