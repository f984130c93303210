//===- Passes.td - Passes over the graph's buffers ----------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_TRANSFORMS_BUFFER_PASSES_TD
#define OURC_TRANSFORMS_BUFFER_PASSES_TD

include "mlir/Pass/PassBase.td"

def BufferizeGraph : Pass<"ourc-bufferize-graph", "::mlir::ModuleOp"> {
  let summary = "Turn the graph's tensors into buffers";
  let description = [{
    Bufferises the functions that launch kernels; kernels keep their tensors.
    A launch writes its destinations in place, so after
    `ourc-pass-destinations` nothing is copied except a result that is an
    argument, a constant, or a second copy of another result.

    Before:

    ```mlir
    func.func @main(%x: tensor<4xf32>, %out: tensor<4xf32> {kernel.destination = [4]})
        -> tensor<4xf32> {
      %e = tensor.empty() : tensor<4xf32>
      %0 = kernel.launch @a(%x) outs(%e) : …
      %1 = kernel.launch @b(%0) outs(%out) : …
      return %1 : tensor<4xf32>
    }
    ```

    After:

    ```mlir
    func.func @main(%x: memref<4xf32>, %out: memref<4xf32> {kernel.destination = [4]}) {
      %e = memref.alloc() : memref<4xf32>
      kernel.launch @a(%x) outs(%e) : …
      kernel.launch @b(%e) outs(%out) : …
      return
    }
    ```
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect",
                           "::mlir::memref::MemRefDialect"];
  let statistics = [
    Statistic<"numBuffers", "buffers", "Buffers allocated">,
    Statistic<"numCopies", "copies", "Copies left in the graph">,
  ];
}

def PassDestinations : Pass<"ourc-pass-destinations", "::mlir::ModuleOp"> {
  let summary = "Give each result of the program a destination argument";
  let description = [{
    Appends an argument for each result of `@main` and `@init` and makes the
    launch that computes the result write it, also through reshapes. The
    argument carries `kernel.destination`: for each dimension a symbol, a size
    (`i64`), or (`index`) the number of the value that `@shapes` returns for
    it. `@shapes` is made here where a result has such computed dimensions.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"numDirect", "direct", "Results written in place">,
    Statistic<"numCopied", "copied", "Results that need a copy">,
  ];
}

def PlanMemory : Pass<"ourc-plan-memory", "::mlir::ModuleOp"> {
  let summary = "Place all intermediate buffers in one arena";
  let description = [{
    Replaces the allocations of `@main` by views of one arena argument. Each
    buffer's offset is an argument with `kernel.lifetime = [first, last]`,
    positions in the list of launches; the runtime plans the offsets for the
    sizes of a call (runtime/core/MemoryPlan.h). `@shapes` returns the buffers'
    sizes in bytes after the computed dimensions of results.

    `@init` has static sizes: its offsets are constants and its scratch
    memory's size is `kernel.scratch_bytes` on the function.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect",
                           "::mlir::arith::ArithDialect"];
  let statistics = [
    Statistic<"numPlanned", "planned", "Buffers placed in the arena">,
  ];
}

#endif // OURC_TRANSFORMS_BUFFER_PASSES_TD
