//===- Frozen.h - What cannot change between calls ------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_TRANSFORMS_GRAPH_FROZEN_H
#define OURC_TRANSFORMS_GRAPH_FROZEN_H

#include "mlir/IR/Value.h"

namespace ourc {

/// Whether a value comes from constants and `ourc.frozen` parameters alone, so
/// that what is computed from it can be computed once.
bool isFrozen(mlir::Value value);

} // namespace ourc

#endif // OURC_TRANSFORMS_GRAPH_FROZEN_H
