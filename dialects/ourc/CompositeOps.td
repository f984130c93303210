//===- CompositeOps.td - Composite operations ---------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_DIALECTS_OURC_COMPOSITEOPS_TD
#define OURC_DIALECTS_OURC_COMPOSITEOPS_TD

include "dialects/ourc/OurcEnums.td"

// Composites keep intent until a target decides. Each has a decomposition
// (DecomposableOpInterface).

def Ourc_LinearOp : Ourc_InferredOp<"linear", [Pure, Ourc_Reifies,
    DeclareOpInterfaceMethods<Ourc_CostOpInterface>]> {
  let summary = "x Wᵀ + b";
  let description = [{
    Contracts the last dimension of `x` with the last of `weight`
    ([out, in]) and adds `bias` ([out]) where given.

    Constraints:
    - (C1) `x` has rank 1 or more, `weight` rank 2, `bias` rank 1; one element
      type.
    - (C2) The last dimensions of `x` and `weight` agree; `bias` has the size of
      the first of `weight`.

    Example: `%y = ourc.linear %x, %w bias %b : tensor<?x8xf32>, tensor<4x8xf32>, tensor<4xf32> -> tensor<?x4xf32>`
  }];
  let arguments = (ins Ourc_FloatTensor:$x, Ourc_FloatTensor:$weight,
                       Optional<Ourc_FloatTensor>:$bias);
  let results = (outs Ourc_FloatTensor:$result);
  let assemblyFormat = [{
    $x `,` $weight (`bias` $bias^)? attr-dict
    `:` type($x) `,` type($weight) (`,` type($bias)^)? `->` type($result)
  }];
}

def Ourc_SoftmaxOp : Ourc_Op<"softmax", [Pure, SameOperandsAndResultType, Ourc_Reifies]> {
  let summary = "eˣ over the sum of eˣ along one dimension";
  let description = [{
    Computed after subtraction of the maximum, in f32 for f16 and bf16. A line
    that is all -inf is NaN.

    Constraints:
    - (C1) `dim` is in range.

    Example: `%y = ourc.softmax %x dim 1 : tensor<?x8xf32>`
  }];
  let arguments = (ins Ourc_FloatTensor:$x, I64Attr:$dim);
  let results = (outs Ourc_FloatTensor:$result);
  let assemblyFormat = "$x `dim` $dim attr-dict `:` type($x)";
  let hasVerifier = 1;
}

def Ourc_LayerNormOp : Ourc_Op<"layer_norm",
    [Pure, AttrSizedOperandSegments, AllTypesMatch<["x", "result"]>, Ourc_Reifies]> {
  let summary = "Normalisation over the trailing dimensions";
  let description = [{
    (x - mean) / √(variance + epsilon) · weight + bias over the last `num_dims`
    dimensions; the variance is the biased one. Statistics are computed in f32
    for f16 and bf16.

    Constraints:
    - (C1) `num_dims` is from 1 to the rank of `x`.
    - (C2) `weight` and `bias`, where given, have the shape of the last
      `num_dims` dimensions of `x` and its element type.
    - (C3) `epsilon` is not negative.

    Example: `%y = ourc.layer_norm %x weight %w : tensor<8xf32> dims 1 epsilon 1.0e-5 : tensor<?x8xf32>`
  }];
  let arguments = (ins Ourc_FloatTensor:$x, Optional<Ourc_FloatTensor>:$weight,
                       Optional<Ourc_FloatTensor>:$bias, I64Attr:$num_dims,
                       F64Attr:$epsilon);
  let results = (outs Ourc_FloatTensor:$result);
  let assemblyFormat = [{
    $x (`weight` $weight^ `:` type($weight))? (`bias` $bias^ `:` type($bias))?
    `dims` $num_dims `epsilon` $epsilon attr-dict `:` type($x)
  }];
  let hasVerifier = 1;
}

def Ourc_BatchNormOp : Ourc_Op<"batch_norm",
    [Pure, AllTypesMatch<["x", "result"]>, AttrSizedOperandSegments, Ourc_Reifies]> {
  let summary = "Normalisation of each channel by given statistics";
  let description = [{
    (x - mean) / √(variance + epsilon) · weight + bias with vectors along
    dimension `channel`.

    Constraints:
    - (C1) `channel` is in range.
    - (C2) All vectors have the size of that dimension and the element type
      of `x`.
    - (C3) `epsilon` is not negative.

    Example: `%y = ourc.batch_norm %x mean %m variance %v channel 2 epsilon 1.0e-5 : tensor<1x8x4xf32>, tensor<4xf32>, tensor<4xf32>`
  }];
  let arguments = (ins Ourc_FloatTensor:$x, Ourc_FloatTensor:$mean,
                       Ourc_FloatTensor:$variance,
                       Optional<Ourc_FloatTensor>:$weight,
                       Optional<Ourc_FloatTensor>:$bias, I64Attr:$channel,
                       F64Attr:$epsilon);
  let results = (outs Ourc_FloatTensor:$result);
  let assemblyFormat = [{
    $x `mean` $mean `variance` $variance (`weight` $weight^ `:` type($weight))?
    (`bias` $bias^ `:` type($bias))? `channel` $channel `epsilon` $epsilon attr-dict
    `:` type($x) `,` type($mean) `,` type($variance)
  }];
  let hasVerifier = 1;
}

def Ourc_GroupNormOp : Ourc_Op<"group_norm",
    [Pure, AllTypesMatch<["x", "result"]>, AttrSizedOperandSegments, Ourc_Reifies]> {
  let summary = "Normalisation of groups of channels of each sample";
  let description = [{
    (x - mean) / √(variance + epsilon) · weight + bias, where the mean and the
    biased variance are those of one sample (dimension 0) and one of `groups`
    equal runs of dimension `channel`, and `weight` and `bias` go along
    `channel`. Statistics are computed in f32 for f16 and bf16. (Wu and He,
    arXiv:1803.08494.)

    Constraints:
    - (C1) `channel` is in range and is not 0.
    - (C2) `groups` is 1 or more and divides the number of channels.
    - (C3) `weight` and `bias`, where given, have the size of that dimension and
      the element type of `x`.
    - (C4) `epsilon` is not negative.

    Example: `%y = ourc.group_norm %x weight %w : tensor<8xf32> groups 2 channel 3 epsilon 1.0e-5 : tensor<?x5x5x8xf32>`
  }];
  let arguments = (ins Ourc_FloatTensor:$x, Optional<Ourc_FloatTensor>:$weight,
                       Optional<Ourc_FloatTensor>:$bias, I64Attr:$groups,
                       I64Attr:$channel, F64Attr:$epsilon);
  let results = (outs Ourc_FloatTensor:$result);
  let assemblyFormat = [{
    $x (`weight` $weight^ `:` type($weight))? (`bias` $bias^ `:` type($bias))?
    `groups` $groups `channel` $channel `epsilon` $epsilon attr-dict `:` type($x)
  }];
  let hasVerifier = 1;
}

def Ourc_GeluOp : Ourc_Op<"gelu", [Pure, SameOperandsAndResultType,
                                   Elementwise, Ourc_Reifies]> {
  let summary = "Gaussian error linear unit";
  let description = [{
    `exact`: x/2 · (1 + erf(x/√2)); `tanh`: x/2 · (1 + tanh(√(2/π) (x + 0.044715 x³))).
    (Hendrycks and Gimpel, arXiv:1606.08415.)

    Example: `%y = ourc.gelu %x exact : tensor<?xf32>`
  }];
  let arguments = (ins Ourc_FloatTensor:$x, Ourc_GeluFormAttr:$form);
  let results = (outs Ourc_FloatTensor:$result);
  let assemblyFormat = "$x $form attr-dict `:` type($x)";
}

def Ourc_SiluOp : Ourc_Op<"silu", [Pure, SameOperandsAndResultType, Elementwise,
                                   Ourc_Reifies]> {
  let summary = "x · sigmoid(x)";
  let arguments = (ins Ourc_FloatTensor:$x);
  let results = (outs Ourc_FloatTensor:$result);
  let assemblyFormat = "$x attr-dict `:` type($x)";
}

def Ourc_AttentionOp : Ourc_InferredOp<"attention", [Pure,
    Ourc_Reifies, DeclareOpInterfaceMethods<Ourc_CostOpInterface>]> {
  let summary = "softmax(scale · Q Kᵀ + mask) V";
  let description = [{
    Queries are [batch…, s, d], keys [batch…, t, d], values [batch…, t, e], the
    result [batch…, s, e]. `mask`, where given, broadcasts (unit dimensions
    only) to [batch…, s, t]: a boolean mask keeps where it is true, a float mask
    is added. `causal` masks keys t > s. A row without any key is NaN, zero
    with `zero_masked_rows`.

    Constraints:
    - (C1) All but the mask have one rank, at least 3, and one element type.
    - (C2) Batch sizes agree; d, t agree where they are shared.
    - (C3) The mask has i1 or the queries' elements; its rank is the queries' and
      each of its sizes is 1 or the score's.

    Example: `%y = ourc.attention %q, %k, %v scale 0.125 causal : tensor<2x9x8xf32>, tensor<2x9x8xf32>, tensor<2x9x8xf32> -> tensor<2x9x8xf32>`
  }];
  let arguments = (ins Ourc_FloatTensor:$queries, Ourc_FloatTensor:$keys,
                       Ourc_FloatTensor:$values, Optional<Ourc_Tensor>:$mask,
                       F64Attr:$scale, UnitAttr:$causal,
                       UnitAttr:$zero_masked_rows);
  let results = (outs Ourc_FloatTensor:$result);
  let assemblyFormat = [{
    $queries `,` $keys `,` $values (`mask` $mask^ `:` type($mask))?
    `scale` $scale (`causal` $causal^)? (`zero_masked_rows` $zero_masked_rows^)?
    attr-dict `:` type($queries) `,` type($keys) `,` type($values)
    `->` type($result)
  }];
}

#endif // OURC_DIALECTS_OURC_COMPOSITEOPS_TD
