//===- Splat.h - Values that are one number throughout --------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_TRANSFORMS_GRAPH_SPLAT_H
#define OURC_TRANSFORMS_GRAPH_SPLAT_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Value.h"
#include <optional>

namespace ourc {

/// The element that a value has throughout: a splat constant, or a broadcast,
/// reshape, transpose or slice of one. Null where there is none.
mlir::TypedAttr getSplat(mlir::Value value);

/// The same as a number; nothing for booleans.
std::optional<double> getSplatNumber(mlir::Value value);

/// The same for booleans.
std::optional<bool> getSplatBool(mlir::Value value);

} // namespace ourc

#endif // OURC_TRANSFORMS_GRAPH_SPLAT_H
