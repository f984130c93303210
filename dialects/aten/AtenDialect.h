//===- AtenDialect.h - The aten dialect
//---------------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_DIALECTS_ATEN_ATENDIALECT_H
#define OURC_DIALECTS_ATEN_ATENDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"

#include "dialects/aten/AtenDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/aten/AtenAttrs.h.inc"

#define GET_OP_CLASSES
#include "dialects/aten/AtenOps.h.inc"

#endif // OURC_DIALECTS_ATEN_ATENDIALECT_H
