//===- UnitBroadcast.h - Broadcasts as dimensions of size 1 ---------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_TRANSFORMS_GRAPH_UNITBROADCAST_H
#define OURC_TRANSFORMS_GRAPH_UNITBROADCAST_H

#include "dialects/ourc/OurcDialect.h"

#include "mlir/IR/Builders.h"

namespace ourc {

/// The operand of a broadcast in the result's rank, of size 1 in the dimensions
/// along which it would be repeated.
mlir::Value createWithUnitDims(mlir::OpBuilder &builder, mlir::Location loc,
                               BroadcastOp broadcast);

} // namespace ourc

#endif // OURC_TRANSFORMS_GRAPH_UNITBROADCAST_H
