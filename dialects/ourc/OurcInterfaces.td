//===- OurcInterfaces.td - What an op knows -----------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_DIALECTS_OURC_OURCINTERFACES_TD
#define OURC_DIALECTS_OURC_OURCINTERFACES_TD

include "mlir/IR/OpBase.td"

def Ourc_ScalarBodyOpInterface : OpInterface<"ScalarBodyOpInterface"> {
  let cppNamespace = "::ourc";
  let description = [{
    An elementwise op, as a function of scalars. Attached as an external model
    beside the lowering to linalg (conversion/OurcToLinalg/ScalarBody.cpp).
  }];
  let methods = [
    InterfaceMethod<[{
        Builds the op on one element of each operand with arith and math ops
        and returns one element of the result.
      }], "::mlir::Value", "buildScalarBody",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::ValueRange":$elements)>,
  ];
}

def Ourc_DecomposableOpInterface : OpInterface<"DecomposableOpInterface"> {
  let cppNamespace = "::ourc";
  let description = [{
    A composite op, as primitive ops. Attached as an external model beside the
    pass that asks (transforms/graph/Decompose.cpp).
  }];
  let methods = [
    InterfaceMethod<[{
        Builds the decomposition before the op and returns one value for each
        result, of the result's type; fails where the op's form has none.
      }], "::llvm::FailureOr<::llvm::SmallVector<::mlir::Value>>", "decompose",
      (ins "::mlir::OpBuilder &":$builder)>,
    InterfaceMethod<[{
        Whether `-ourc-to-linalg` lowers the op as it stands, so that
        `-ourc-decompose` leaves it whole unless told otherwise.
      }], "bool", "isLoweredWhole", (ins), [{}], [{ return false; }]>,
  ];
}

def Ourc_CostOpInterface : OpInterface<"CostOpInterface"> {
  let cppNamespace = "::ourc";
  let description = [{
    The arithmetic that an op stands for, for reports and cost models.
  }];
  let methods = [
    InterfaceMethod<[{
        Floating-point operations, a multiply-add counted as two; nothing when a
        size is dynamic.
      }], "::std::optional<int64_t>", "getFlops">,
  ];
}

#endif // OURC_DIALECTS_OURC_OURCINTERFACES_TD
