//===- SizePolynomial.h - Sums of products of sizes -----------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_TRANSFORMS_GRAPH_SIZEPOLYNOMIAL_H
#define OURC_TRANSFORMS_GRAPH_SIZEPOLYNOMIAL_H

#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace ourc {

/// A polynomial with integer coefficients over atoms: symbols, and divisions
/// and remainders that do not simplify. Terms and factors are sorted, so equal
/// polynomials have equal representations.
class SizePolynomial {
public:
  explicit SizePolynomial(mlir::AffineExpr expr);

  mlir::AffineExpr toExpr(mlir::MLIRContext *context) const;

  /// The quotient if every term is divisible by the one term of `divisor`.
  std::optional<SizePolynomial> divide(const SizePolynomial &divisor) const;

private:
  SizePolynomial() = default;

  struct Term {
    llvm::SmallVector<mlir::AffineExpr> factors; ///< sorted atoms
    int64_t coefficient;
  };

  static SizePolynomial constant(int64_t value);
  static SizePolynomial atom(mlir::AffineExpr expr);
  void add(const Term &term);
  static SizePolynomial sum(const SizePolynomial &a, const SizePolynomial &b);
  static SizePolynomial product(const SizePolynomial &a,
                                const SizePolynomial &b);
  static SizePolynomial quotient(mlir::AffineExprKind kind, SizePolynomial a,
                                 SizePolynomial b, mlir::MLIRContext *context);

  llvm::SmallVector<Term> terms; ///< sorted, no zero coefficient
};

} // namespace ourc

#endif // OURC_TRANSFORMS_GRAPH_SIZEPOLYNOMIAL_H
