//===- SourceOps.td - Constants, symbols, index ranges ------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_DIALECTS_OURC_SOURCEOPS_TD
#define OURC_DIALECTS_OURC_SOURCEOPS_TD

include "dialects/ourc/OurcEnums.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/IR/OpAsmInterface.td"

def Ourc_ConstantOp : Ourc_Op<"constant", [Pure, ConstantLike, Ourc_Reifies,
    AllTypesMatch<["value", "result"]>]> {
  let summary = "A tensor that is known when the program is compiled";
  let description = [{
    Example: `%c = ourc.constant dense<0.5> : tensor<4xf32>`
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Ourc_Tensor:$result);
  let assemblyFormat = "attr-dict $value";
  let hasFolder = 1;
}

def Ourc_IotaOp : Ourc_Op<"iota", [Pure, Ourc_Reifies]> {
  let summary = "Positions along one dimension";
  let description = [{
    Each element is its own index along `dim`, in the element type.

    Constraints:
    - (C1) `dim` is in range.
    - (C2) `sizes` is the result's shape.

    Example: `%i = ourc.iota dim 0 sizes [%n] : tensor<?xi64>`
  }];
  let arguments = (ins I64Attr:$dim, Variadic<Index>:$sizes,
                       DenseI64ArrayAttr:$static_sizes);
  let results = (outs Ourc_NumberTensor:$result);
  let assemblyFormat = [{
    `dim` $dim `sizes` custom<DynamicIndexList>($sizes, $static_sizes) attr-dict
    `:` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedSizes() {
      ::mlir::Builder builder(getContext());
      return ::mlir::getMixedValues(getStaticSizes(), getSizes(), builder);
    }
  }];
}

def Ourc_SymbolOp : Ourc_Op<"symbol", [Symbol]> {
  let summary = "A dimension whose size a call decides";
  let description = [{
    Named by the `ourc.shape` of function arguments, read by `ourc.dim`, checked
    at each call.

    Constraints:
    - (C1) 0 <= min <= max; multiple_of >= 1.

    Example: `ourc.symbol @batch {min = 1, max = 4096, multiple_of = 1}`
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, I64Attr:$min, I64Attr:$max,
                       DefaultValuedAttr<I64Attr, "1">:$multiple_of);
  let assemblyFormat = "$sym_name attr-dict";
  let hasVerifier = 1;
}

def Ourc_DimOp : Ourc_Op<"dim", [Pure,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "The size of a symbolic dimension in this call";
  let description = [{
    Constraints:
    - (C1) The symbol is an `ourc.symbol`.

    Example: `%n = ourc.dim @batch : index`
  }];
  let arguments = (ins FlatSymbolRefAttr:$symbol);
  let results = (outs Index:$result);
  let assemblyFormat = "$symbol attr-dict `:` type($result)";
}

#endif // OURC_DIALECTS_OURC_SOURCEOPS_TD
