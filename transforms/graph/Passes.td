//===- Passes.td - Passes over the ourc dialect ---------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_TRANSFORMS_GRAPH_PASSES_TD
#define OURC_TRANSFORMS_GRAPH_PASSES_TD

include "mlir/Pass/PassBase.td"

def ApplyLayouts : Pass<"ourc-apply-layouts", "::mlir::func::FuncOp"> {
  let summary = "Let arguments and results have the order of their memory";
  let description = [{
    An argument or result with `ourc.layout` gets the type of its memory in
    row-major order, `ourc.user_dims` in place of the attribute, and a transpose
    between it and the program. So a channels-last image reaches a convolution,
    whose own transpose cancels with this one, as it is.
  }];
  let dependentDialects = ["::ourc::OurcDialect"];
  let statistics = [
    Statistic<"numApplied", "applied", "Arguments and results reordered">,
  ];
}

def Decompose : Pass<"ourc-decompose", "::mlir::func::FuncOp"> {
  let summary = "Take composite operations apart";
  let description = [{
    Replaces each composite by primitive operations
    (`DecomposableOpInterface`), but those that the target wants whole. By
    default these are the ones that `-ourc-to-linalg` lowers directly.

    f16 and bf16 composites are computed in f32 and rounded once at the end.
  }];
  let options = [
    ListOption<"keep", "keep", "std::string",
        "Mnemonics of composites to leave whole, without the dialect's name "
        "(default: those that -ourc-to-linalg lowers as they stand); `none` "
        "keeps nothing">,
    ListOption<"apart", "apart", "std::string",
        "Mnemonics of composites to take apart although -ourc-to-linalg lowers "
        "them: the target's kernels cannot make them; `name:type` names those "
        "whose first operand has this element type, `name:type>size` those of "
        "them where the last dimension of it or of the result is larger, or "
        "not known">,
  ];
  let dependentDialects = ["::ourc::OurcDialect", "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::affine::AffineDialect"];
  let statistics = [
    Statistic<"numDecomposed", "decomposed", "Composites taken apart">,
  ];
}

def FoldBatchNorm : Pass<"ourc-fold-batch-norm", "::mlir::func::FuncOp"> {
  let summary = "Fold batch normalisation into the convolution before it";
  let description = [{
    batch_norm(convolution(x, filter) + bias) is a convolution with another
    filter and bias:

    ```
    scale   = weight / √(variance + epsilon)
    filter' = filter · scale            (along its out channels)
    bias'   = beta + (bias - mean) · scale
    ```

    Only where the filter, the statistics and the vectors come from constants
    and `ourc.frozen` parameters alone, and nothing else reads the convolution:
    then all of this is prepared once. It is computed in f32 (f64 for f64). A
    filter of f16 or bf16 stays as it is, because it would be rounded again:
    scale and bias' follow the convolution, in f32. Others stay for `-ourc-decompose`; each is a missed-optimisation remark with
    its reason.
  }];
  let dependentDialects = ["::ourc::OurcDialect"];
  let statistics = [
    Statistic<"numFolded", "folded", "Batch norms folded">,
    Statistic<"numRefused", "refused", "Batch norms that stay">,
  ];
}

def PropagateTransposes
    : Pass<"ourc-propagate-transposes", "::mlir::func::FuncOp"> {
  let summary = "Move transposes down until they meet and cancel";
  let description = [{
    `op(transpose(x))` becomes `transpose(op(x))` for elementwise operations
    (whose other operands have the same transpose, or can be had transposed for
    nothing: splats and broadcast vectors) and for every operation with a
    `TransposableOpInterface`: broadcast, slice, pad, concat, reduce, softmax,
    batch norm, pool. Transposes that meet merge; one that moves only
    dimensions of size 1 is a reshape.

    Convolutions are channels-last and the importer wraps each into a pair of
    transposes: after this pass a network of convolutions has one at its input
    and none between its layers.

    Before:

    ```mlir
    %1 = ourc.transpose %conv [0, 3, 1, 2] : tensor<1x56x56x64xf32> -> tensor<1x64x56x56xf32>
    %2 = ourc.maximum %1, %zero : tensor<1x64x56x56xf32>
    %3 = ourc.transpose %2 [0, 2, 3, 1] : tensor<1x64x56x56xf32> -> tensor<1x56x56x64xf32>
    ```

    After:

    ```mlir
    %3 = ourc.maximum %conv, %zero : tensor<1x56x56x64xf32>
    ```
  }];
  let dependentDialects = ["::ourc::OurcDialect", "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"numSunk", "sunk", "Transposes moved past an operation">,
  ];
}

def RaiseRepeats : Pass<"ourc-raise-repeats", "::mlir::func::FuncOp"> {
  let summary = "Form ourc.repeat from gathers at indices known when compiling";
  let description = [{
    A gather whose indices along each axis are 0, 0, …, 1, 1, …, each the same
    number of times, is `ourc.repeat`: upsampling to the nearest, as PyTorch
    decomposes it. The indices are evaluated element by element with the folders
    of the operations that compute them.
  }];
  let dependentDialects = ["::ourc::OurcDialect"];
  let statistics = [Statistic<"numRaised", "raised", "Repeats formed">];
}

def RaiseAttention : Pass<"ourc-raise-attention", "::mlir::func::FuncOp"> {
  let summary = "Form ourc.attention from hand-written chains";
  let description = [{
    softmax(scale · (q kᵀ) + mask) v, written with two contractions, becomes
    `ourc.attention`. The scale is a product with or a quotient by a splat, of
    the scores, the queries or the keys. Masks are added, or select -inf; several
    of one kind become one. Casts between floats are looked through, and so are
    reshapes that merge or split batch dimensions anywhere in the chain: the
    attention gets the finest batch dimensions that occur.

    Where the middle of such a chain was found but does not fit (the
    probabilities are used elsewhere, a mask fills with another value than
    -inf, …) the reason is a missed-optimisation remark at the user's line.
  }];
  let dependentDialects = ["::ourc::OurcDialect", "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"numRaised", "raised", "Attentions formed">,
    Statistic<"numRefused", "refused", "Chains that do not fit">,
  ];
}

def RaiseLinear : Pass<"ourc-raise-linear", "::mlir::func::FuncOp"> {
  let summary = "Form ourc.linear from contractions";
  let description = [{
    A contraction of the last dimension of `x` with a matrix, and the broadcast
    vector added to it, become `ourc.linear`. Reshapes around it that only
    regroup the dimensions that it keeps move after it or before it, where they
    meet their inverse: the `view, addmm, view` of a linear layer over
    [batch, sequence, features] becomes one `ourc.linear` on that shape.
    Likewise a contraction loses reshapes that only merge its batch dimensions.
  }];
  let dependentDialects = ["::ourc::OurcDialect", "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"numRaised", "raised", "Linears formed">,
  ];
}

def RaiseUpdates : Pass<"ourc-raise-updates", "::mlir::func::FuncOp"> {
  let summary = "Find the parts of arguments that a program overwrites";
  let description = [{
    Where a result updates an argument (`ourc.updates`) and is a concatenation
    of slices of it in their places, but for one part, the part is scattered
    into the argument at its positions (`ourc.scatter`): then only the part is
    written. Replacements may follow each other. Others are left alone, since
    the argument is computed anew in any case.
  }];
  let dependentDialects = ["::ourc::OurcDialect"];
  let statistics = [
    Statistic<"numRaised", "raised", "Replaced parts found">,
  ];
}

def SimplifyMasks : Pass<"ourc-simplify-masks", "::mlir::func::FuncOp"> {
  let summary = "Simplify what PyTorch graphs compute to make masks and positions";
  let description = [{
    - Index tensors that count along one of their dimensions (an iota, its
      broadcasts and unit reshapes): a gather with them is a slice; compared
      with a bound that they keep they are true or false throughout.
    - `and`, `or`, `xor`, `not`, `select` of splats.
    - An elementwise operation of one broadcast value (and splats) is done
      before the broadcast.
    - An attention mask `select(c, 0, -inf)` is `c`; a mask that is true (or
      zero) throughout is none; a comparison of positions that keeps the keys up
      to the query's is `causal`.
  }];
  let dependentDialects = ["::ourc::OurcDialect", "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"numSimplified", "simplified", "Operations simplified">,
  ];
}

def SimplifyShapes : Pass<"ourc-simplify-shapes", "::mlir::func::FuncOp"> {
  let summary = "Use what symbols tell about sizes";
  let description = [{
    - `tensor.dim`, and index arithmetic on sizes, become `ourc.dim` and its
      simplest arithmetic; a size that is a constant becomes one.
    - Reshapes, broadcasts and slices whose result has the operand's shape, as
      expressions of symbols, vanish.
  }];
  let dependentDialects = ["::ourc::OurcDialect", "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"numSizes", "sizes", "Sizes simplified">,
    Statistic<"numIdentities", "identities", "Operations without effect removed">,
  ];
}

#endif // OURC_TRANSFORMS_GRAPH_PASSES_TD
