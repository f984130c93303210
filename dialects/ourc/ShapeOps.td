//===- ShapeOps.td - Operations that move elements ----------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_DIALECTS_OURC_SHAPEOPS_TD
#define OURC_DIALECTS_OURC_SHAPEOPS_TD

include "mlir/IR/BuiltinAttributeInterfaces.td"

include "dialects/ourc/OurcEnums.td"

class Ourc_SizedOp<string mnemonic, list<Trait> traits = []>
    : Ourc_Op<mnemonic, [Pure, Ourc_Reifies] # traits> {
  let extraClassDeclaration = [{
    /// The result's sizes: attributes for static ones, values otherwise.
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedSizes() {
      ::mlir::Builder builder(getContext());
      return ::mlir::getMixedValues(getStaticSizes(), getSizes(), builder);
    }
  }];
}

def Ourc_ReshapeOp : Ourc_SizedOp<"reshape"> {
  let summary = "The same elements in row-major order under another shape";
  let description = [{
    Constraints:
    - (C1) Operand and result have one element type and, where it is known, one
      number of elements.
    - (C2) `sizes` is the result's shape: a value for each dynamic dimension.

    Example: `%y = ourc.reshape %x sizes [%n, 12, 32] : tensor<?x384xf32> -> tensor<?x12x32xf32>`
  }];
  let arguments = (ins Ourc_Tensor:$x, Variadic<Index>:$sizes,
                       DenseI64ArrayAttr:$static_sizes);
  let results = (outs Ourc_Tensor:$result);
  let assemblyFormat = [{
    $x `sizes` custom<DynamicIndexList>($sizes, $static_sizes) attr-dict
    `:` type($x) `->` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Ourc_TransposeOp : Ourc_InferredOp<"transpose", [Pure, Ourc_Reifies]> {
  let summary = "Reordered dimensions";
  let description = [{
    Result dimension `i` is operand dimension `permutation[i]`.

    Constraints:
    - (C1) `permutation` is a permutation of the operand's dimensions.
    - (C2) The result has the operand's element type and permuted shape.

    Example: `%y = ourc.transpose %x [0, 2, 1] : tensor<2x3x4xf32> -> tensor<2x4x3xf32>`
  }];
  let arguments = (ins Ourc_Tensor:$x, DenseI64ArrayAttr:$permutation);
  let results = (outs Ourc_Tensor:$result);
  let assemblyFormat = "$x $permutation attr-dict `:` type($x) `->` type($result)";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Ourc_BroadcastOp : Ourc_SizedOp<"broadcast"> {
  let summary = "Elements repeated along new or unit dimensions";
  let description = [{
    Operand dimension `i` becomes result dimension `dimensions[i]`; an operand
    dimension of size 1 is repeated. No dynamic operand dimension is repeated:
    a dynamic one has the result's size.

    Constraints:
    - (C1) `dimensions` has one entry for each operand dimension, ascending and
      in range of the result's rank.
    - (C2) A static operand dimension is 1 or the result's size.
    - (C3) `sizes` is the result's shape; element types are equal.

    Example: `%y = ourc.broadcast %x dims [1] sizes [%n, 4] : tensor<4xf32> -> tensor<?x4xf32>`
  }];
  let arguments = (ins Ourc_Tensor:$x, DenseI64ArrayAttr:$dimensions,
                       Variadic<Index>:$sizes, DenseI64ArrayAttr:$static_sizes);
  let results = (outs Ourc_Tensor:$result);
  let assemblyFormat = [{
    $x `dims` $dimensions `sizes` custom<DynamicIndexList>($sizes, $static_sizes)
    attr-dict `:` type($x) `->` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Ourc_SliceOp : Ourc_Op<"slice", [Pure, AttrSizedOperandSegments, Ourc_Reifies]> {
  let summary = "A rectangular part, with strides";
  let description = [{
    Result element `i` is operand element `offsets + i · strides`. The part must
    lie inside the operand.

    Constraints:
    - (C1) `offsets`, `sizes` and `strides` have the operand's rank; strides are
      positive.
    - (C2) `sizes` is the result's shape; element types are equal.
    - (C3) Where all is static, the part lies inside the operand.

    Example: `%y = ourc.slice %x offsets [0, 2] sizes [%n, 3] strides [1, 2] : tensor<?x8xf32> -> tensor<?x3xf32>`
  }];
  let arguments = (ins Ourc_Tensor:$x, Variadic<Index>:$offsets,
                       Variadic<Index>:$sizes, DenseI64ArrayAttr:$static_offsets,
                       DenseI64ArrayAttr:$static_sizes,
                       DenseI64ArrayAttr:$strides);
  let results = (outs Ourc_Tensor:$result);
  let assemblyFormat = [{
    $x `offsets` custom<DynamicIndexList>($offsets, $static_offsets)
    `sizes` custom<DynamicIndexList>($sizes, $static_sizes)
    `strides` $strides attr-dict `:` type($x) `->` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedOffsets() {
      ::mlir::Builder builder(getContext());
      return ::mlir::getMixedValues(getStaticOffsets(), getOffsets(), builder);
    }
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedSizes() {
      ::mlir::Builder builder(getContext());
      return ::mlir::getMixedValues(getStaticSizes(), getSizes(), builder);
    }
  }];
}

def Ourc_PadOp : Ourc_InferredOp<"pad", [Pure, Ourc_Reifies]> {
  let summary = "A border of one value";
  let description = [{
    Constraints:
    - (C1) `low` and `high` have the operand's rank and are not negative.
    - (C2) `value` is a scalar of the operand's element type.
    - (C3) Each result dimension is `low + operand + high`.

    Example: `%y = ourc.pad %x low [1] high [2] value(0.0 : f32) : tensor<4xf32> -> tensor<7xf32>`
  }];
  let arguments = (ins Ourc_Tensor:$x, TypedAttrInterface:$value,
                       DenseI64ArrayAttr:$low, DenseI64ArrayAttr:$high);
  let results = (outs Ourc_Tensor:$result);
  let assemblyFormat = [{
    $x `low` $low `high` $high `value` `(` $value `)` attr-dict
    `:` type($x) `->` type($result)
  }];
  let hasFolder = 1;
}

def Ourc_RepeatOp : Ourc_InferredOp<"repeat", [Pure, Ourc_Reifies]> {
  let summary = "Each element several times in a row";
  let description = [{
    Element `i…` of the result is element `i / factors…` of the operand:
    upsampling to the nearest, by whole factors.

    Constraints:
    - (C1) `factors` has the operand's rank and entries of 1 or more.
    - (C2) Each result dimension is the operand's times its factor.

    Example: `%y = ourc.repeat %x [1, 2] : tensor<?x3xf32> -> tensor<?x6xf32>`
  }];
  let arguments = (ins Ourc_Tensor:$x, DenseI64ArrayAttr:$factors);
  let results = (outs Ourc_Tensor:$result);
  let assemblyFormat = "$x $factors attr-dict `:` type($x) `->` type($result)";
}

def Ourc_ConcatOp : Ourc_InferredOp<"concat", [Pure, Ourc_Reifies]> {
  let summary = "Tensors one after the other";
  let description = [{
    Constraints:
    - (C1) There is at least one operand; all have one rank and element type.
    - (C2) `dim` is in range; other dimensions agree.
    - (C3) The result's `dim` is the sum of the operands'.

    Example: `%y = ourc.concat %a, %b dim 0 : tensor<2x3xf32>, tensor<4x3xf32> -> tensor<6x3xf32>`
  }];
  let arguments = (ins Variadic<Ourc_Tensor>:$inputs, I64Attr:$dim);
  let results = (outs Ourc_Tensor:$result);
  let assemblyFormat = "$inputs `dim` $dim attr-dict `:` type($inputs) `->` type($result)";
  let hasFolder = 1;
}

def Ourc_GatherOp : Ourc_InferredOp<"gather", [Pure, Ourc_Reifies]> {
  let summary = "Elements or slices at given indices";
  let description = [{
    `indices` holds one tensor for each entry of `axes`, all of one shape. The
    result has the indices' shape, then the operand's dimensions without `axes`:

      result[i…, r…] = x with axis axes[k] at indices[k][i…], the rest at r…

    An index out of bounds is an error of the call, reported with the index.
    Embedding is `axes = [0]`.

    Constraints:
    - (C1) There are as many index tensors as `axes`, at least one; all have
      one type.
    - (C2) `axes` are unique and in range.
    - (C3) The result's shape is as above; element types are equal.

    Example: `%y = ourc.gather %table at %i axes [0] : tensor<100x8xf32>, tensor<?xi64> -> tensor<?x8xf32>`
  }];
  let arguments = (ins Ourc_Tensor:$x, Variadic<Ourc_IndexTensor>:$indices,
                       DenseI64ArrayAttr:$axes);
  let results = (outs Ourc_Tensor:$result);
  let assemblyFormat = [{
    $x `at` $indices `axes` $axes attr-dict
    `:` type($x) `,` type($indices) `->` type($result)
  }];
}

def Ourc_ScatterOp : Ourc_InferredOp<"scatter", [Pure, Ourc_Reifies]> {
  let summary = "A tensor with elements or slices at given indices replaced";
  let description = [{
    `indices` holds one tensor for each entry of `axes`, all of one shape.
    `updates` has the indices' shape, then the dimensions of `x` without `axes`.
    The result is `x`, but

      result with axis axes[k] at indices[k][i…], the rest at r… = updates[i…, r…]

    or, with a combiner, what it makes of the element that is there and of the
    update. Where indices repeat, updates are made in the indices' row-major
    order: without a combiner the last one stays. An index out of bounds is an
    error of the call, reported with the index. It undoes `ourc.gather`: a row
    of a cache that is written is `axes = [2]`.

    Where the result overwrites `x` in the program's memory (`ourc.updates`),
    only what is replaced is written.

    Constraints:
    - (C1) There are as many index tensors as `axes`, at least one; all have
      one type.
    - (C2) `axes` are unique and in range.
    - (C3) `updates` has the shape above; element types are equal.
    - (C4) The result has the type of `x`.
    - (C5) `and`, `or` take integers or i1; the other combiners take no i1.

    Example: `%y = ourc.scatter %row into %cache at %i axes [1] : tensor<1x4x8xf32>, tensor<4x64x8xf32>, tensor<1xi64> -> tensor<4x64x8xf32>`
  }];
  let arguments = (ins Ourc_Tensor:$updates, Ourc_Tensor:$x,
                       Variadic<Ourc_IndexTensor>:$indices,
                       DenseI64ArrayAttr:$axes,
                       OptionalAttr<Ourc_CombinerAttr>:$combiner);
  let results = (outs Ourc_Tensor:$result);
  let assemblyFormat = [{
    (`by` $combiner^)? $updates `into` $x `at` $indices `axes` $axes attr-dict
    `:` type($updates) `,` type($x) `,` type($indices) `->` type($result)
  }];
}

#endif // OURC_DIALECTS_OURC_SHAPEOPS_TD
