//===- OurcDialect.h - The ourc dialect
//---------------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_DIALECTS_OURC_OURCDIALECT_H
#define OURC_DIALECTS_OURC_OURCDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include "dialects/ourc/OurcEnums.h.inc"

#include "dialects/ourc/OurcDialect.h.inc"

#include "dialects/ourc/OurcInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/ourc/OurcAttrs.h.inc"

#define GET_OP_CLASSES
#include "dialects/ourc/OurcOps.h.inc"

namespace ourc {

// Attributes of a program's arguments and results; see the dialect's
// description.
inline constexpr llvm::StringLiteral kNameAttrName = "ourc.name";
inline constexpr llvm::StringLiteral kShapeAttrName = "ourc.shape";
inline constexpr llvm::StringLiteral kParameterAttrName = "ourc.parameter";
inline constexpr llvm::StringLiteral kFrozenAttrName = "ourc.frozen";
inline constexpr llvm::StringLiteral kUnsignedAttrName = "ourc.unsigned";
inline constexpr llvm::StringLiteral kLayoutAttrName = "ourc.layout";
inline constexpr llvm::StringLiteral kUserDimsAttrName = "ourc.user_dims";
inline constexpr llvm::StringLiteral kUpdatesAttrName = "ourc.updates";

} // namespace ourc

#endif // OURC_DIALECTS_OURC_OURCDIALECT_H
