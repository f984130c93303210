//===- Outline.h - From a group of operations to a kernel and its launch
//------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_TRANSFORMS_KERNEL_OUTLINE_H
#define OURC_TRANSFORMS_KERNEL_OUTLINE_H

#include "dialects/kernel/KernelDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "transforms/graph/SymbolicShapes.h"
#include "llvm/ADT/SetVector.h"

namespace ourc {

/// The operations of a kernel, in the order of the program.
using OperationGroup = llvm::SetVector<mlir::Operation *>;

/// Whether `op` is cloned into each kernel that uses it rather than computed
/// once: constants that fit an instruction, empty tensors and their fills,
/// index arithmetic.
bool isClonedIntoKernels(mlir::Operation *op);

/// Whether `op` stays in the graph because it only renames a buffer.
bool isView(mlir::Operation *op);

/// A kernel that computes a group, with what the group exchanges with the rest.
struct OutlinedKernel {
  kernel::FuncOp kernel;
  llvm::SmallVector<mlir::Value> inputs;  ///< values from outside of the group
  llvm::SmallVector<mlir::Value> results; ///< values that the rest uses
  /// By result: the value from outside that it is, with a part replaced. It is
  /// the launch's destination.
  llvm::DenseMap<mlir::Value, mlir::Value> updated;
};

/// Builds the kernel of `group` at `builder`'s insertion point. Tensors of
/// booleans are bytes in its arguments. Fails, with the reason in `reason`
/// where given, when a size that the kernel needs is not a size of its
/// arguments.
llvm::FailureOr<OutlinedKernel> outlineKernel(mlir::OpBuilder &builder,
                                              const OperationGroup &group,
                                              llvm::StringRef name,
                                              SymbolicShapes &shapes,
                                              std::string *reason = nullptr);

/// Launches an outlined kernel before `builder`'s insertion point and replaces
/// the group's results. `replaced` maps results of groups that were replaced
/// before, and is extended. The group's operations stay, without users outside
/// of the group, until the caller erases them: `shapes` remembers them.
kernel::LaunchOp replaceByLaunch(mlir::OpBuilder &builder,
                                 OutlinedKernel outlined,
                                 SymbolicShapes &shapes,
                                 mlir::IRMapping &replaced);

/// The type of a tensor in memory: booleans are bytes.
mlir::RankedTensorType getBufferType(mlir::Type type);

} // namespace ourc

#endif // OURC_TRANSFORMS_KERNEL_OUTLINE_H
