//===- KernelDialect.h - The kernel dialect
//-----------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_DIALECTS_KERNEL_KERNELDIALECT_H
#define OURC_DIALECTS_KERNEL_KERNELDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/kernel/KernelDialect.h.inc"

#include "dialects/kernel/KernelAttrInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/kernel/KernelAttrs.h.inc"

#define GET_OP_CLASSES
#include "dialects/kernel/KernelOps.h.inc"

namespace ourc::kernel {

/// The argument attribute that names a tensor's dimensions: an array with one
/// flat symbol reference (dynamic) or integer (static) for each.
inline constexpr llvm::StringLiteral kShapeAttrName = "ourc.shape";

/// Checks an `ourc.shape` attribute against the type that it describes.
llvm::LogicalResult
verifyShapeAttr(mlir::Attribute attr, mlir::RankedTensorType type,
                llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

} // namespace ourc::kernel

#endif // OURC_DIALECTS_KERNEL_KERNELDIALECT_H
