//===- Passes.td - The ourc dialect to linalg -----------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_OURCTOLINALG_PASSES_TD
#define OURC_CONVERSION_OURCTOLINALG_PASSES_TD

include "mlir/Pass/PassBase.td"

def OurcToLinalg : Pass<"ourc-to-linalg", "::mlir::func::FuncOp"> {
  let summary = "Lower ourc tensor operations to linalg, tensor and kernel operations";
  let description = [{
    Every operation of the ourc dialect becomes loops on tensors:

    | ourc | becomes |
    | --- | --- |
    | elementwise (`ScalarBodyOpInterface`) | `linalg.generic` with parallel loops |
    | `broadcast` | an indexing map of its users; a `linalg.generic` for the others |
    | `reshape` | `tensor.collapse_shape`, then `tensor.expand_shape`, as few of both as the symbolic sizes allow |
    | `transpose`, `slice`, `pad`, `concat` | `linalg.transpose`, `tensor.extract_slice`, `tensor.pad`, `tensor.concat` |
    | `gather` | `linalg.generic` over the indices with `tensor.extract` |
    | `scatter` | `kernel.scatter` |
    | `iota` | `linalg.generic` with `linalg.index` |
    | `reduce`, `contract`, `linear` | `linalg.generic` with reduction loops |
    | `convolution`, `pool` | `tensor.pad`, then the named linalg op for two spatial dimensions and a `linalg.generic` for others |
    | `softmax`, `layer_norm` | `kernel.coupled_reduce`, then a `linalg.generic` |
    | `attention` | `kernel.attention` |

    A splat constant becomes a scalar of its users' bodies. f16 and bf16 are
    computed in f32 and rounded after each operation, as PyTorch does; sums are
    accumulated in f32 throughout. Multiplications and additions of floats carry
    `fastmath<contract>`, nothing else. With `contract-roundings` these roundings
    carry it, too, but not those that the program asks for (casts):
    `-ourc-elide-roundings` may leave them out. Sizes of results are `ourc.dim` and index
    arithmetic where the symbols tell them, so that no loop nest depends on
    another one for its size.

    `ourc.symbol` and `ourc.dim` stay. An operation that has no lowering here (a
    composite that `-ourc-decompose` takes apart) is an error that names it.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::tensor::TensorDialect", "::ourc::kernel::KernelDialect",
    "::ourc::OurcDialect",
  ];
  let options = [
    Option<"contractRoundings", "contract-roundings", "bool", "false",
           "Mark the roundings of operations on f16 and bf16, so that "
           "-ourc-elide-roundings may leave them out within a fused chain">,
  ];
  let statistics = [
    Statistic<"numLowered", "lowered", "Operations of the ourc dialect lowered">,
  ];
}

#endif // OURC_CONVERSION_OURCTOLINALG_PASSES_TD
