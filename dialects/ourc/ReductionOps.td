//===- ReductionOps.td - Reductions and windows -------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_DIALECTS_OURC_REDUCTIONOPS_TD
#define OURC_DIALECTS_OURC_REDUCTIONOPS_TD

include "dialects/ourc/OurcEnums.td"

def Ourc_ReduceOp : Ourc_InferredOp<"reduce", [Pure, Ourc_Reifies]> {
  let summary = "All elements along some dimensions, joined";
  let description = [{
    An empty reduction gives the combiner's neutral element: 0, 1, the least and
    the greatest value (infinite for floats), all ones, zero. f16 and bf16 sums
    and products are accumulated in f32.

    Constraints:
    - (C1) `dimensions` are unique, ascending and in range.
    - (C2) The result has the operand's element type and its shape without
      `dimensions`.
    - (C3) `and`, `or` take integers or i1; the others take no i1.

    Example: `%s = ourc.reduce add %x [1] : tensor<4x8xf32> -> tensor<4xf32>`
  }];
  let arguments = (ins Ourc_CombinerAttr:$combiner, Ourc_Tensor:$x,
                       DenseI64ArrayAttr:$dimensions);
  let results = (outs Ourc_Tensor:$result);
  let assemblyFormat = "$combiner $x $dimensions attr-dict `:` type($x) `->` type($result)";
  let hasFolder = 1;
}

def Ourc_PoolOp : Ourc_InferredOp<"pool", [Pure, Ourc_Reifies]> {
  let summary = "Maximum or sum over sliding windows, channels last";
  let description = [{
    The operand is [batch, spatial…, channels]. Padding is -inf (the least
    value) for `max`, zero for `sum`.

    Constraints:
    - (C1) `window`, `strides`, `dilations`, `low` and `high` have one entry for
      each spatial dimension (rank - 2); the first three are positive, padding
      is not negative.
    - (C2) Padding on either side is less than the dilated window.
    - (C3) The result's spatial sizes are
      floor((size + low + high - dilation · (window - 1) - 1) / stride) + 1.

    Example: `%y = ourc.pool max %x window [3] strides [2] dilations [1] low [1] high [1] : tensor<1x8x4xf32> -> tensor<1x4x4xf32>`
  }];
  let arguments = (ins Ourc_PoolKindAttr:$kind, Ourc_NumberTensor:$x,
                       DenseI64ArrayAttr:$window, DenseI64ArrayAttr:$strides,
                       DenseI64ArrayAttr:$dilations, DenseI64ArrayAttr:$low,
                       DenseI64ArrayAttr:$high);
  let results = (outs Ourc_NumberTensor:$result);
  let assemblyFormat = [{
    $kind $x `window` $window `strides` $strides `dilations` $dilations
    `low` $low `high` $high attr-dict `:` type($x) `->` type($result)
  }];
}

#endif // OURC_DIALECTS_OURC_REDUCTIONOPS_TD
