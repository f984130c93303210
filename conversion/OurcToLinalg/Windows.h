//===- Windows.h - What convolutions and pools share ----------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_OURCTOLINALG_WINDOWS_H
#define OURC_CONVERSION_OURCTOLINALG_WINDOWS_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace ourc {

/// `value` ([batch, spatial…, channels]) with a border around its spatial
/// dimensions; itself where there is none.
inline mlir::Value padSpatial(mlir::OpBuilder &builder, mlir::Location loc,
                              mlir::Value value, llvm::ArrayRef<int64_t> low,
                              llvm::ArrayRef<int64_t> high,
                              mlir::TypedAttr border) {
  auto zero = [](int64_t x) { return x == 0; };
  if (llvm::all_of(low, zero) && llvm::all_of(high, zero))
    return value;
  auto mixed = [&](llvm::ArrayRef<int64_t> spatial) {
    llvm::SmallVector<int64_t> all{0};
    all.append(spatial.begin(), spatial.end());
    all.push_back(0);
    return mlir::getAsIndexOpFoldResult(builder.getContext(), all);
  };
  mlir::Value scalar = mlir::arith::ConstantOp::create(builder, loc, border);
  return mlir::tensor::PadOp::create(builder, loc, mlir::Type(), value,
                                     mixed(low), mixed(high), scalar);
}

} // namespace ourc

#endif // OURC_CONVERSION_OURCTOLINALG_WINDOWS_H
