//===- Models.h - The meaning of operations, by family --------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_REFERENCE_MODELS_H
#define OURC_REFERENCE_MODELS_H

#include "dialects/ourc/OurcDialect.h"
#include "reference/Reference.h"

#include "reference/ReferenceOpInterface.h.inc"

namespace ourc::reference {

// Each attaches the ReferenceOpInterface of one family.
void registerCompositeModels(mlir::DialectRegistry &registry);
void registerContractionModels(mlir::DialectRegistry &registry);
void registerElementwiseModels(mlir::DialectRegistry &registry);
void registerIndexModels(mlir::DialectRegistry &registry);
void registerReductionModels(mlir::DialectRegistry &registry);
void registerShapeModels(mlir::DialectRegistry &registry);

/// An interface model from a function `Results meaning(OpT, operands, symbols)`
/// found by the operation's type.
template <typename OpT, typename Meaning>
struct Model : ReferenceOpInterface::ExternalModel<Model<OpT, Meaning>, OpT> {
  Results evaluate(mlir::Operation *op, llvm::ArrayRef<Tensor> operands,
                   const Symbols &symbols) const {
    return Meaning()(mlir::cast<OpT>(op), operands, symbols);
  }
};

/// One result.
/// `place` and `value`, elements of `type`, joined into `place`.
void joinInto(Combiner combiner, Element &place, const Element &value,
              mlir::Type type);

inline Results single(Tensor tensor) {
  llvm::SmallVector<Tensor> results;
  results.push_back(std::move(tensor));
  return results;
}

/// Static sizes with values for the dynamic ones, taken from `operands` from
/// `next` on.
llvm::SmallVector<int64_t> readSizes(llvm::ArrayRef<int64_t> staticSizes,
                                     llvm::ArrayRef<Tensor> operands,
                                     unsigned &next);

} // namespace ourc::reference

#endif // OURC_REFERENCE_MODELS_H
