//===- SizePolynomial.cpp - Sums of products of sizes ---------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/graph/SizePolynomial.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace ourc;

/// A total order of expressions that does not depend on addresses.
static int compareExprs(AffineExpr a, AffineExpr b) {
  if (a == b)
    return 0;
  if (a.getKind() != b.getKind())
    return a.getKind() < b.getKind() ? -1 : 1;
  auto order = [](int64_t x, int64_t y) { return x < y ? -1 : x > y ? 1 : 0; };
  if (auto symbol = dyn_cast<AffineSymbolExpr>(a))
    return order(symbol.getPosition(), cast<AffineSymbolExpr>(b).getPosition());
  if (auto dim = dyn_cast<AffineDimExpr>(a))
    return order(dim.getPosition(), cast<AffineDimExpr>(b).getPosition());
  if (auto value = dyn_cast<AffineConstantExpr>(a))
    return order(value.getValue(), cast<AffineConstantExpr>(b).getValue());
  auto x = cast<AffineBinaryOpExpr>(a), y = cast<AffineBinaryOpExpr>(b);
  if (int lhs = compareExprs(x.getLHS(), y.getLHS()))
    return lhs;
  return compareExprs(x.getRHS(), y.getRHS());
}

static int compareFactors(ArrayRef<AffineExpr> a, ArrayRef<AffineExpr> b) {
  if (a.size() != b.size())
    return a.size() > b.size() ? -1 : 1;
  for (auto [x, y] : llvm::zip(a, b))
    if (int order = compareExprs(x, y))
      return order;
  return 0;
}

SizePolynomial SizePolynomial::constant(int64_t value) {
  SizePolynomial result;
  result.add({{}, value});
  return result;
}

SizePolynomial SizePolynomial::atom(AffineExpr expr) {
  SizePolynomial result;
  result.add({{expr}, 1});
  return result;
}

void SizePolynomial::add(const Term &term) {
  if (term.coefficient == 0)
    return;
  auto *place = llvm::find_if(terms, [&](const Term &other) {
    return compareFactors(term.factors, other.factors) <= 0;
  });
  if (place == terms.end() ||
      compareFactors(term.factors, place->factors) != 0) {
    terms.insert(place, term);
    return;
  }
  place->coefficient += term.coefficient;
  if (place->coefficient == 0)
    terms.erase(place);
}

SizePolynomial SizePolynomial::sum(const SizePolynomial &a,
                                   const SizePolynomial &b) {
  SizePolynomial result = a;
  for (const Term &term : b.terms)
    result.add(term);
  return result;
}

SizePolynomial SizePolynomial::product(const SizePolynomial &a,
                                       const SizePolynomial &b) {
  SizePolynomial result;
  for (const Term &x : a.terms)
    for (const Term &y : b.terms) {
      Term term{x.factors, x.coefficient * y.coefficient};
      term.factors.append(y.factors);
      llvm::sort(term.factors, [](AffineExpr l, AffineExpr r) {
        return compareExprs(l, r) < 0;
      });
      result.add(term);
    }
  return result;
}

std::optional<SizePolynomial>
SizePolynomial::divide(const SizePolynomial &divisor) const {
  if (divisor.terms.size() != 1)
    return std::nullopt;
  const Term &by = divisor.terms.front();
  SizePolynomial result;
  for (const Term &term : terms) {
    if (term.coefficient % by.coefficient != 0)
      return std::nullopt;
    Term left{term.factors, term.coefficient / by.coefficient};
    for (AffineExpr factor : by.factors) {
      auto *found = llvm::find(left.factors, factor);
      if (found == left.factors.end())
        return std::nullopt;
      left.factors.erase(found);
    }
    result.add(left);
  }
  return result;
}

SizePolynomial SizePolynomial::quotient(AffineExprKind kind, SizePolynomial a,
                                        SizePolynomial b,
                                        MLIRContext *context) {
  if (std::optional<SizePolynomial> exact = a.divide(b))
    return kind == AffineExprKind::Mod ? constant(0) : *exact;
  AffineExpr x = a.toExpr(context), y = b.toExpr(context);
  // Only division by a positive constant has a meaning for all values.
  AffineExpr folded = kind == AffineExprKind::Mod        ? x % y
                      : kind == AffineExprKind::FloorDiv ? x.floorDiv(y)
                                                         : x.ceilDiv(y);
  if (auto value = dyn_cast<AffineConstantExpr>(folded))
    return constant(value.getValue());
  if (folded.getKind() == kind)
    return atom(folded);
  return SizePolynomial(folded);
}

SizePolynomial::SizePolynomial(AffineExpr expr) {
  if (auto value = dyn_cast<AffineConstantExpr>(expr)) {
    *this = constant(value.getValue());
    return;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary) {
    *this = atom(expr);
    return;
  }
  SizePolynomial a(binary.getLHS()), b(binary.getRHS());
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    *this = sum(a, b);
    return;
  case AffineExprKind::Mul:
    *this = product(a, b);
    return;
  default:
    *this = quotient(expr.getKind(), a, b, expr.getContext());
  }
}

AffineExpr SizePolynomial::toExpr(MLIRContext *context) const {
  AffineExpr result = getAffineConstantExpr(0, context);
  for (const Term &term : terms) {
    AffineExpr product = getAffineConstantExpr(1, context);
    for (AffineExpr factor : term.factors)
      product = product * factor;
    result = result + product * term.coefficient;
  }
  return result;
}
