//===- TransposableOpInterface.td - How transposes move past an operation ===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_TRANSFORMS_GRAPH_TRANSPOSABLEOPINTERFACE_TD
#define OURC_TRANSFORMS_GRAPH_TRANSPOSABLEOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def TransposableOpInterface : OpInterface<"TransposableOpInterface"> {
  let cppNamespace = "::ourc";
  let description = [{
    An operation that a transpose of its operands can move past. Elementwise
    operations need none of this: they move by their trait.
  }];
  let methods = [
    InterfaceMethod<[{
        How many operands, from the first, have to have the transpose.
      }], "unsigned", "getNumTransposable">,
    InterfaceMethod<[{
        Given `operands[i]` with operand i = transpose(operands[i],
        permutation), builds the operation on them and returns a value equal to
        its result, which may end in a transpose. Fails where the operation's
        form does not allow it.
      }], "::llvm::FailureOr<::mlir::Value>", "buildOnUntransposed",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$operands,
           "::llvm::ArrayRef<int64_t>":$permutation)>,
  ];
}

#endif // OURC_TRANSFORMS_GRAPH_TRANSPOSABLEOPINTERFACE_TD
