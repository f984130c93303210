//===- ProgramFunctions.h - The functions of a program --------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program is `@main`, `@init` where weights are prepared, and `@shapes`
// where sizes are computed. `@shapes` has no arguments: sizes depend on
// symbols alone, which `ourc.dim` reads anywhere.
//
//===----------------------------------------------------------------------===//

#ifndef OURC_TRANSFORMS_BUFFER_PROGRAMFUNCTIONS_H
#define OURC_TRANSFORMS_BUFFER_PROGRAMFUNCTIONS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace ourc {

inline constexpr llvm::StringLiteral kMainName = "main";
inline constexpr llvm::StringLiteral kInitName = "init";
inline constexpr llvm::StringLiteral kShapesName = "shapes";

/// A boolean argument or destination, kept as bytes (`i8`).
inline constexpr llvm::StringLiteral kBooleanAttrName = "kernel.boolean";
/// On an argument: it is the destination of a result. Holds its dimensions.
inline constexpr llvm::StringLiteral kDestinationAttrName =
    "kernel.destination";
/// On an argument: it is the offset of a buffer that lives from the first to
/// the second position in the list of launches.
/// On a destination: the number of the argument that it is the memory of,
/// where the result updates one. The argument is used in its place.
inline constexpr llvm::StringLiteral kUpdatedArgAttrName = "kernel.updates";
inline constexpr llvm::StringLiteral kLifetimeAttrName = "kernel.lifetime";
/// On an argument of `@main`: the number of a result of `@init`.
inline constexpr llvm::StringLiteral kPreparedAttrName = "kernel.prepared";
/// On an argument: the arena that buffers live in.
inline constexpr llvm::StringLiteral kArenaAttrName = "kernel.arena";
/// On `@init`: the size of its arena.
inline constexpr llvm::StringLiteral kScratchBytesAttrName =
    "kernel.scratch_bytes";

/// Checks what every pass over a program relies on: there is `@main`, of one
/// block; the only other functions are `@init` and `@shapes`, of the forms that
/// passes give them; elements are integers or floats. Emits an error otherwise.
llvm::LogicalResult verifyProgram(mlir::ModuleOp module);

/// Whether a tensor or buffer has elements that programs pass and store.
bool hasStorableElements(mlir::Type type);

/// `@main` and, where there is one, `@init`.
llvm::SmallVector<mlir::func::FuncOp, 2>
programFunctions(mlir::ModuleOp module);

/// The function that returns computed sizes, made when missing.
mlir::func::FuncOp getOrCreateShapes(mlir::ModuleOp module);

/// Makes `@shapes` return `size` too, as its result `number`. Fails when the
/// size does not follow from symbols alone.
llvm::LogicalResult appendToShapes(mlir::ModuleOp module, mlir::Value size,
                                   unsigned &number);

/// The product of two sizes, folded where both are known.
mlir::OpFoldResult multiplySizes(mlir::OpBuilder &builder, mlir::Location loc,
                                 mlir::OpFoldResult a, mlir::OpFoldResult b);

} // namespace ourc

#endif // OURC_TRANSFORMS_BUFFER_PROGRAMFUNCTIONS_H
