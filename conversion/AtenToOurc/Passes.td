//===- Passes.td - ATen calls to ourc -------------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_ATENTOOURC_PASSES_TD
#define OURC_CONVERSION_ATENTOOURC_PASSES_TD

include "mlir/Pass/PassBase.td"

def AtenToOurc : Pass<"ourc-aten-to-ourc", "::mlir::ModuleOp"> {
  let summary = "Lower calls of ATen operators to the ourc dialect";
  let description = [{
    Replaces each `aten.call` by `ourc` ops of the same meaning and makes
    explicit what PyTorch leaves implicit:

    - type promotion: operands are cast to the type that the operator computes
      in, the result to the type that the call declares;
    - broadcasting: operands of one elementwise op have one shape
      (`ourc.broadcast`; dynamic sizes are `ourc.dim` values where a symbol
      names them, else `tensor.dim`). Two dynamic dimensions that meet are taken
      as equal: tracing has proved it;
    - negative dimensions and indices, `-1` sizes, absent arguments and scalars.

    Convolutions and pools are channels-last in `ourc`: each is wrapped in
    `ourc.transpose`.

    An operator that is not known, or a form of one that is not supported, is an
    error at the location of the call. All of them are reported, not only the
    first.

    Example:

    ```mlir
    %0 = aten.call "add.Tensor"(self = %x, other = %b)
        : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
    ```

    becomes

    ```mlir
    %0 = ourc.broadcast %b dims [1] sizes [2, 4] : tensor<4xf32> -> tensor<2x4xf32>
    %1 = ourc.add %x, %0 : tensor<2x4xf32>
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::tensor::TensorDialect", "::ourc::OurcDialect",
  ];
  let statistics = [
    Statistic<"numCalls", "calls", "Calls of ATen operators lowered">,
  ];
}

#endif // OURC_CONVERSION_ATENTOOURC_PASSES_TD
