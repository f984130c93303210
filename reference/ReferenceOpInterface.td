//===- ReferenceOpInterface.td - What an operation means ------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_REFERENCE_REFERENCEOPINTERFACE_TD
#define OURC_REFERENCE_REFERENCEOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def ReferenceOpInterface : OpInterface<"ReferenceOpInterface"> {
  let cppNamespace = "::ourc::reference";
  let description = [{
    The meaning of an operation, as a function of tensors.
  }];
  let methods = [
    InterfaceMethod<[{
        The results on these operands. Fails, with an error at the operation,
        where the operands are outside of what it is defined for.
      }], "::llvm::FailureOr<::llvm::SmallVector<::ourc::reference::Tensor>>",
      "evaluate",
      (ins "::llvm::ArrayRef<::ourc::reference::Tensor>":$operands,
           "const ::ourc::reference::Symbols &":$symbols)>,
  ];
}

#endif // OURC_REFERENCE_REFERENCEOPINTERFACE_TD
