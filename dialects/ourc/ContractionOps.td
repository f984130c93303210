//===- ContractionOps.td - Contractions and convolutions ----------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_DIALECTS_OURC_CONTRACTIONOPS_TD
#define OURC_DIALECTS_OURC_CONTRACTIONOPS_TD

include "dialects/ourc/OurcEnums.td"

def Ourc_ContractOp : Ourc_InferredOp<"contract", [Pure, Ourc_Reifies,
    DeclareOpInterfaceMethods<Ourc_CostOpInterface>]> {
  let summary = "Sum of products over named dimensions";
  let description = [{
    The result's dimensions are the batch dimensions, the free dimensions of
    `lhs`, the free dimensions of `rhs`, each in the operand's order (batch in
    the order given). f16 and bf16 products are accumulated in f32.

    Constraints:
    - (C1) `lhs_batch` and `rhs_batch` have one length, likewise `lhs_contract`
      and `rhs_contract`; paired sizes agree.
    - (C2) No dimension appears twice on one side; all are in range.
    - (C3) Operands and result have one element type.

    Example: `%c = ourc.contract %a, %b batch [0], [0] contract [2], [1] : tensor<8x4x5xf32>, tensor<8x5x6xf32> -> tensor<8x4x6xf32>`
  }];
  let arguments = (ins Ourc_NumberTensor:$lhs, Ourc_NumberTensor:$rhs,
                       DenseI64ArrayAttr:$lhs_batch, DenseI64ArrayAttr:$rhs_batch,
                       DenseI64ArrayAttr:$lhs_contract,
                       DenseI64ArrayAttr:$rhs_contract);
  let results = (outs Ourc_NumberTensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `batch` $lhs_batch `,` $rhs_batch
    `contract` $lhs_contract `,` $rhs_contract attr-dict
    `:` type($lhs) `,` type($rhs) `->` type($result)
  }];
  let extraClassDeclaration = [{
    /// Dimensions that are neither batch nor contracted, ascending.
    ::llvm::SmallVector<int64_t> getLhsFree();
    ::llvm::SmallVector<int64_t> getRhsFree();
  }];
}

def Ourc_ConvolutionOp : Ourc_InferredOp<"convolution", [Pure, Ourc_Reifies,
    DeclareOpInterfaceMethods<Ourc_CostOpInterface>]> {
  let summary = "Convolution of any rank, channels last";
  let description = [{
    The input is [batch, spatial…, in channels], the filter
    [out channels, spatial…, in channels / groups], the result
    [batch, spatial…, out channels]. As in deep learning, the filter is not
    reflected. The border is zero. f16 and bf16 products are accumulated in f32.

    Constraints:
    - (C1) Input and filter have one rank, at least 3, and one element type; the
      filter's spatial sizes are static.
    - (C2) `strides`, `dilations`, `low` and `high` have one entry for each
      spatial dimension; strides and dilations are positive, padding is not
      negative.
    - (C3) `groups` is positive and divides in and out channels; the filter's
      last dimension is in channels / groups.
    - (C4) The result's spatial sizes are
      floor((size + low + high - dilation · (filter - 1) - 1) / stride) + 1.

    Example: `%y = ourc.convolution %x, %w strides [1] dilations [1] low [1] high [1] groups 1 : tensor<1x8x4xf32>, tensor<6x3x4xf32> -> tensor<1x8x6xf32>`
  }];
  let arguments = (ins Ourc_FloatTensor:$input, Ourc_FloatTensor:$filter,
                       DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$dilations,
                       DenseI64ArrayAttr:$low, DenseI64ArrayAttr:$high,
                       I64Attr:$groups);
  let results = (outs Ourc_FloatTensor:$result);
  let assemblyFormat = [{
    $input `,` $filter `strides` $strides `dilations` $dilations
    `low` $low `high` $high `groups` $groups attr-dict
    `:` type($input) `,` type($filter) `->` type($result)
  }];
}

#endif // OURC_DIALECTS_OURC_CONTRACTIONOPS_TD
