//===- Call.h - One ATen call on its way to ourc ------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_ATENTOOURC_CALL_H
#define OURC_CONVERSION_ATENTOOURC_CALL_H

#include "conversion/AtenToOurc/Emitter.h"
#include "dialects/aten/AtenDialect.h"

namespace ourc::aten {

/// The arguments of a call by the names of the operator's schema, and the
/// results that its lowering finds. An argument that is missing or of the wrong
/// kind is a failure; see Emitter for what that means.
class Call : public Emitter {
public:
  Call(CallOp op, SizeResolver &resolver,
       const llvm::DenseSet<mlir::Value> &unsignedValues)
      : Emitter(mlir::OpBuilder(op), op.getLoc(), resolver), op(op),
        unsignedValues(unsignedValues), results(op->getNumResults()) {}

  //===--- Arguments ------------------------------------------------------===//

  bool has(llvm::StringRef name);
  /// A tensor of a supported element type.
  mlir::Value tensor(llvm::StringRef name);
  /// Null where it is absent.
  mlir::Value optionalTensor(llvm::StringRef name);
  /// A list of tensors; null where one is None and `allowNone` is set.
  llvm::SmallVector<mlir::Value> tensors(llvm::StringRef name,
                                         bool allowNone = false);
  int64_t integer(llvm::StringRef name, std::optional<int64_t> absent = {});
  bool flag(llvm::StringRef name, std::optional<bool> absent = {});
  double number(llvm::StringRef name, std::optional<double> absent = {});
  llvm::StringRef string(llvm::StringRef name, llvm::StringRef absent);
  Scalar scalar(llvm::StringRef name, std::optional<Scalar> absent = {});
  /// A size: a constant or an index.
  mlir::OpFoldResult size(llvm::StringRef name,
                          std::optional<int64_t> absent = {});
  llvm::SmallVector<mlir::OpFoldResult> sizes(llvm::StringRef name);
  /// Constants; one integer, alone or in a list, stands for `count`.
  llvm::SmallVector<int64_t>
  integers(llvm::StringRef name, int64_t count,
           std::optional<llvm::SmallVector<int64_t>> absent = {});
  /// A dimension of a tensor of that rank, counted from the end if negative.
  int64_t dim(llvm::StringRef name, int64_t rank,
              std::optional<int64_t> absent = {});
  /// Dimensions, ascending; all of them where the list is absent or empty.
  llvm::SmallVector<int64_t> dims(llvm::StringRef name, int64_t rank);
  /// Whether the tensor holds unsigned integers.
  bool isUnsigned(mlir::Value tensor) {
    return unsignedValues.contains(tensor);
  }

  //===--- Results --------------------------------------------------------===//

  /// The declared type, null (and a failure) where it is not a tensor's.
  mlir::RankedTensorType resultType(unsigned index = 0);
  mlir::Type resultElement(unsigned index = 0);
  bool isUsed(unsigned index);
  /// Sets a result; the value may be more or less static than declared.
  llvm::LogicalResult set(unsigned index, mlir::Value value);
  /// Sets the only result that a lowering computes.
  llvm::LogicalResult finish(mlir::Value value) { return set(0, value); }
  llvm::ArrayRef<mlir::Value> getResults() const { return results; }

  CallOp op;

private:
  mlir::Attribute required(llvm::StringRef name, bool hasDefault);
  mlir::Value checkTensor(llvm::StringRef name, mlir::Value value);
  void wrongKind(llvm::StringRef name, llvm::StringRef expected);

  const llvm::DenseSet<mlir::Value> &unsignedValues;
  llvm::SmallVector<mlir::Value> results;
};

} // namespace ourc::aten

#endif // OURC_CONVERSION_ATENTOOURC_CALL_H
