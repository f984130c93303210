//===- Passes.td - The graph half to LLVM -------------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_GRAPHTOLLVM_PASSES_TD
#define OURC_CONVERSION_GRAPHTOLLVM_PASSES_TD

include "mlir/Pass/PassBase.td"

def GraphToLLVM : Pass<"ourc-graph-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Lower the planned graph to an OurcProgram";
  let description = [{
    Turns `@main`, `@init` and `@shapes` into the functions `run`, `init` and
    `shapes` of an `OurcProgram` (runtime/abi/ProgramABI.h), and makes the
    constant `ourc_program` that describes them: symbols, inputs, parameters,
    prepared weights, results, buffers, and a report of the kernels in JSON.

    Each `kernel.func` moves into a module of its own, which the kernel half
    compiles; the graph declares and calls its entry. Launches are called in
    order; the first non-zero code ends the call.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::arith::ArithDialect"];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"\"",
           "The target's name, recorded in the program.">,
  ];
  let statistics = [
    Statistic<"numLaunches", "launches", "Launches lowered to calls">,
  ];
}

#endif // OURC_CONVERSION_GRAPHTOLLVM_PASSES_TD
