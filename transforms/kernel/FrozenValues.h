//===- FrozenValues.h - What depends on frozen parameters alone
//---------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_TRANSFORMS_KERNEL_FROZENVALUES_H
#define OURC_TRANSFORMS_KERNEL_FROZENVALUES_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace ourc {

/// Answers whether an operation computes from `ourc.frozen` parameters and
/// constants alone, something worth keeping: of static shape, and not larger
/// than what it is computed from (a broadcast bias is not worth it) or, where
/// it is more than repeated elements, small.
class FrozenValues {
public:
  bool isPreparation(mlir::Operation *op);
  /// Whether the value comes from frozen parameters alone.
  bool isFrozen(mlir::Value value);

private:
  llvm::DenseMap<mlir::Operation *, bool> known;
};

} // namespace ourc

#endif // OURC_TRANSFORMS_KERNEL_FROZENVALUES_H
