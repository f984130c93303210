//===- Mutants.h - Small faults, made on purpose -----------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_TRANSFORMS_GPU_MUTANTS_H
#define OURC_TRANSFORMS_GPU_MUTANTS_H

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace ourc {

/// One small fault of a kernel in NVVM.
struct GPUMutant {
  enum class Kind {
    DropSync,       ///< a barrier, commit, wait or fence is gone
    ShiftWait,      ///< a wait leaves one group more outstanding
    DropPredicate,  ///< a comparison is always true
    ShiftPredicate, ///< a comparison is with one more
    DropStage,      ///< an index that a loop carries does not advance
    ShiftStage      ///< such an index starts one step further
  };

  Kind kind;
  /// The operation that is changed; for stages, the terminator whose operand
  /// is.
  mlir::Operation *op;
  /// Stages: the block argument that carries the index.
  mlir::BlockArgument index;

  /// "drop-sync 2 nvvm.barrier0": the kind, a number among those of its kind,
  /// the operation.
  std::string name;
};

llvm::StringRef getGPUMutantKindName(GPUMutant::Kind kind);

/// The faults that can be made in the GPU modules of `module`, in order.
std::vector<GPUMutant> findGPUMutants(mlir::ModuleOp module);

/// Makes one of them; others of the list are invalid from then on.
void applyGPUMutant(const GPUMutant &mutant);

/// Leaves a kernel as it is, but for an access out of bounds of a local
/// variable wherever the mutant's comparison has another value than the
/// kernel's. Only mutants of predicates can be probed.
void probeGPUMutant(const GPUMutant &mutant);

} // namespace ourc

#endif // OURC_TRANSFORMS_GPU_MUTANTS_H
