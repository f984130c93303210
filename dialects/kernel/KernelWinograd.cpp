//===- KernelWinograd.cpp - kernel.winograd_filter ------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/kernel/KernelDialect.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ourc::kernel;

LogicalResult WinogradFilterOp::verify() {
  auto from = cast<RankedTensorType>(getTransformed().getType());
  auto to = cast<RankedTensorType>(getFilter().getType());
  if (from.getElementType() != to.getElementType())
    return emitOpError("operand and result must have one element type, but "
                       "have ")
           << from.getElementType() << " and " << to.getElementType();
  ArrayRef<int64_t> u = from.getShape(), f = to.getShape();
  if (u.size() != 5 || u[1] != 4 || u[2] != 4 || u[4] < 1)
    return emitOpError("operand must be panels x 4 x 4 x channels x lanes, but "
                       "is ")
           << from;
  if (f.size() != 4 || f[1] != 3 || f[2] != 3 || f[3] != u[3])
    return emitOpError("result must be filters x 3 x 3 x ")
           << u[3] << ", but is " << to;
  if (int64_t(llvm::divideCeil(f[0], u[4])) != u[0])
    return emitOpError("operand has ")
           << u[0] << " panels of " << u[4] << " filters, but the result has "
           << f[0] << " filters";
  return success();
}
