//===- SymbolicShapes.h - Sizes of tensors as expressions of symbols ------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which dynamic dimensions are equal, and what they are. A size is an
// AffineExpr over symbols only, in a normal form (a sum of products, sorted),
// so that two sizes that are the same polynomial are the same expression and
// compare by `==`. A static size is a constant expression.
//
// A symbol of an expression is a program symbol (`ourc.symbol`, or the local
// name of a kernel argument's `ourc.shape`) or something unknown: an index
// value or a dimension about which nothing is known.
//
//===----------------------------------------------------------------------===//

#ifndef OURC_TRANSFORMS_GRAPH_SYMBOLICSHAPES_H
#define OURC_TRANSFORMS_GRAPH_SYMBOLICSHAPES_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"

namespace ourc {

/// An analysis of one function (a program's or a kernel's). It reads the IR on
/// demand and remembers what it read: erase no operation while it is in use.
class SymbolicShapes {
public:
  explicit SymbolicShapes(mlir::FunctionOpInterface function);

  /// The sizes of a ranked tensor.
  llvm::SmallVector<mlir::AffineExpr> getShape(mlir::Value tensor);
  mlir::AffineExpr getSize(mlir::Value tensor, int64_t dim);

  /// An index value as an expression.
  mlir::AffineExpr getIndex(mlir::Value index);
  mlir::AffineExpr getIndex(mlir::OpFoldResult index);

  /// The product of sizes.
  mlir::AffineExpr getProduct(llvm::ArrayRef<mlir::AffineExpr> sizes);

  /// Whether two tensors have one shape, as far as is known.
  bool haveSameShape(mlir::Value a, mlir::Value b) {
    return getShape(a) == getShape(b);
  }

  /// The name of a program symbol; empty for an unknown one.
  llvm::StringRef getSymbolName(unsigned position) const;

  /// Builds `size`: a constant where it is one, else `ourc.dim` and arithmetic.
  /// An unknown symbol becomes the index value, or the `tensor.dim`, that it
  /// stands for, which must dominate the insertion point.
  mlir::OpFoldResult materialize(mlir::OpBuilder &builder, mlir::Location loc,
                                 mlir::AffineExpr size);
  /// The sizes of `tensor`, constants for its static ones.
  llvm::SmallVector<mlir::OpFoldResult>
  materializeShape(mlir::OpBuilder &builder, mlir::Location loc,
                   mlir::Value tensor);
  /// Values for the dimensions of `tensor` that are dynamic in its type, as
  /// `tensor.empty` takes them.
  llvm::SmallVector<mlir::Value>
  materializeDynamicSizes(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value tensor);

private:
  /// What a position stands for: a name, or an unknown value (a tensor's
  /// dimension when `dim` is not negative).
  struct Symbol {
    mlir::StringAttr name;
    mlir::Value value;
    int64_t dim = -1;
  };

  mlir::AffineExpr getNamed(mlir::StringAttr name);
  mlir::AffineExpr getUnknown(mlir::Value value, int64_t dim);
  llvm::SmallVector<mlir::AffineExpr> computeArgument(mlir::BlockArgument arg);
  void computeResults(mlir::Operation *op);

  mlir::FunctionOpInterface function;
  llvm::SmallVector<Symbol> symbols;
  llvm::DenseMap<mlir::StringAttr, unsigned> named;
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, unsigned> unknown;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::AffineExpr>> shapes;
  llvm::DenseMap<mlir::Value, mlir::AffineExpr> indices;
};

/// The normal form of an expression over symbols.
mlir::AffineExpr normalizeSize(mlir::AffineExpr size);

/// Whether `a` divides `b` without remainder whatever the symbols are; gives
/// the quotient.
std::optional<mlir::AffineExpr> divideExactly(mlir::AffineExpr b,
                                              mlir::AffineExpr a);

} // namespace ourc

#endif // OURC_TRANSFORMS_GRAPH_SYMBOLICSHAPES_H
