//===- ElementwiseOps.td - Elementwise operations -----------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_DIALECTS_OURC_ELEMENTWISEOPS_TD
#define OURC_DIALECTS_OURC_ELEMENTWISEOPS_TD

include "dialects/ourc/OurcEnums.td"

// Elementwise ops: one shape for all operands and results (C1). Their meaning
// on one element is their ScalarBodyOpInterface.

class Ourc_ElementwiseOp<string mnemonic, list<Trait> traits = []>
    : Ourc_Op<mnemonic, [Pure, Elementwise, Scalarizable, Vectorizable,
                         Tensorizable, Ourc_Reifies] # traits>;

class Ourc_UnaryOp<string mnemonic, Type type, string what, string more = "">
    : Ourc_ElementwiseOp<mnemonic, [SameOperandsAndResultType]> {
  let summary = what # " of each element";
  let description = [{
    Constraints:
    - (C1) Operand and result have one type.
    }] # more;
  let arguments = (ins type:$x);
  let results = (outs type:$result);
  let assemblyFormat = "$x attr-dict `:` type($x)";
}

class Ourc_BinaryOp<string mnemonic, Type type, string what, string more = "",
                    list<Trait> traits = []>
    : Ourc_ElementwiseOp<mnemonic, [SameOperandsAndResultType] # traits> {
  let summary = what # ", element by element";
  let description = [{
    Constraints:
    - (C1) Operands and result have one type.
    }] # more;
  let arguments = (ins type:$lhs, type:$rhs);
  let results = (outs type:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs)";
}

def Ourc_AbsOp : Ourc_UnaryOp<"abs", Ourc_NumberTensor, "Absolute value",
    "\nSigned for integers; the least integer stays itself."> { let hasFolder = 1; }
def Ourc_NegOp : Ourc_UnaryOp<"neg", Ourc_NumberTensor, "Negation"> { let hasFolder = 1; }
def Ourc_NotOp : Ourc_UnaryOp<"not", Ourc_LogicalTensor, "Bitwise complement"> { let hasFolder = 1; }
def Ourc_ExpOp : Ourc_UnaryOp<"exp", Ourc_FloatTensor, "eˣ">;
def Ourc_Expm1Op : Ourc_UnaryOp<"expm1", Ourc_FloatTensor, "eˣ - 1">;
def Ourc_LogOp : Ourc_UnaryOp<"log", Ourc_FloatTensor, "Natural logarithm">;
def Ourc_Log1pOp : Ourc_UnaryOp<"log1p", Ourc_FloatTensor, "Logarithm of 1 + x">;
def Ourc_SqrtOp : Ourc_UnaryOp<"sqrt", Ourc_FloatTensor, "Square root">;
def Ourc_RsqrtOp : Ourc_UnaryOp<"rsqrt", Ourc_FloatTensor, "1 / √x">;
def Ourc_TanhOp : Ourc_UnaryOp<"tanh", Ourc_FloatTensor, "Hyperbolic tangent">;
def Ourc_ErfOp : Ourc_UnaryOp<"erf", Ourc_FloatTensor, "Error function">;
def Ourc_SigmoidOp : Ourc_UnaryOp<"sigmoid", Ourc_FloatTensor, "1 / (1 + e⁻ˣ)">;
def Ourc_SinOp : Ourc_UnaryOp<"sin", Ourc_FloatTensor, "Sine">;
def Ourc_CosOp : Ourc_UnaryOp<"cos", Ourc_FloatTensor, "Cosine">;
def Ourc_FloorOp : Ourc_UnaryOp<"floor", Ourc_FloatTensor, "Greatest integer not above"> { let hasFolder = 1; }
def Ourc_CeilOp : Ourc_UnaryOp<"ceil", Ourc_FloatTensor, "Least integer not below"> { let hasFolder = 1; }

def Ourc_AddOp : Ourc_BinaryOp<"add", Ourc_NumberTensor, "Sum", "", [Commutative]> { let hasFolder = 1; }
def Ourc_SubOp : Ourc_BinaryOp<"sub", Ourc_NumberTensor, "Difference"> { let hasFolder = 1; }
def Ourc_MulOp : Ourc_BinaryOp<"mul", Ourc_NumberTensor, "Product", "", [Commutative]> { let hasFolder = 1; }
def Ourc_DivOp : Ourc_BinaryOp<"div", Ourc_NumberTensor, "Quotient",
    "\nInteger division truncates; by zero it is undefined."> { let hasFolder = 1; }
def Ourc_PowOp : Ourc_BinaryOp<"pow", Ourc_FloatTensor, "Power">;
def Ourc_MaximumOp : Ourc_BinaryOp<"maximum", Ourc_NumberTensor, "Greater element",
    "\nNaN if either is NaN; signed for integers.", [Commutative]> { let hasFolder = 1; }
def Ourc_MinimumOp : Ourc_BinaryOp<"minimum", Ourc_NumberTensor, "Lesser element",
    "\nNaN if either is NaN; signed for integers.", [Commutative]> { let hasFolder = 1; }
def Ourc_AndOp : Ourc_BinaryOp<"and", Ourc_LogicalTensor, "Bitwise and", "", [Commutative]> { let hasFolder = 1; }
def Ourc_OrOp : Ourc_BinaryOp<"or", Ourc_LogicalTensor, "Bitwise or", "", [Commutative]> { let hasFolder = 1; }
def Ourc_XorOp : Ourc_BinaryOp<"xor", Ourc_LogicalTensor, "Bitwise exclusive or", "", [Commutative]> { let hasFolder = 1; }

def Ourc_CompareOp : Ourc_ElementwiseOp<"compare",
    [SameTypeOperands, SameOperandsAndResultShape, Ourc_Infers]> {
  let extraClassDefinition = Ourc_InfersDefinition;
  let summary = "Comparison, element by element";
  let description = [{
    Any comparison with NaN is false, but `ne`, which is true. Integers are
    signed; booleans compare as false < true.

    Constraints:
    - (C1) Operands have one type; the result has their shape and i1 elements.

    Example: `%m = ourc.compare lt %a, %b : tensor<4xf32>`
  }];
  let arguments = (ins Ourc_ComparePredicateAttr:$predicate, Ourc_Tensor:$lhs,
                       Ourc_Tensor:$rhs);
  let results = (outs Ourc_BoolTensor:$result);
  let assemblyFormat = "$predicate $lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)";
  let hasFolder = 1;
}

def Ourc_SelectOp : Ourc_ElementwiseOp<"select",
    [AllTypesMatch<["onTrue", "onFalse", "result"]>,
     AllShapesMatch<["condition", "onTrue", "onFalse", "result"]>]> {
  let summary = "One of two elements, by a condition";
  let description = [{
    Constraints:
    - (C1) Both choices and the result have one type.
    - (C2) The condition has their shape.

    Example: `%y = ourc.select %c, %a, %b : tensor<4xi1>, tensor<4xf32>`
  }];
  let arguments = (ins Ourc_BoolTensor:$condition, Ourc_Tensor:$onTrue,
                       Ourc_Tensor:$onFalse);
  let results = (outs Ourc_Tensor:$result);
  let assemblyFormat = [{
    $condition `,` $onTrue `,` $onFalse attr-dict
    `:` type($condition) `,` type($result)
  }];
  let hasFolder = 1;
}

def Ourc_CastOp : Ourc_ElementwiseOp<"cast", [SameOperandsAndResultShape]> {
  let summary = "Change of element type";
  let description = [{
    Float to float rounds to nearest even. Float to integer truncates towards
    zero; out of range it is undefined. Integers are signed unless
    `unsignedSource` or `unsignedResult` says otherwise. To i1: true where the
    element is not zero (NaN is true). From i1: 0 or 1.

    `implicit`: the program does not ask for this rounding; an operation that
    computes in a wider type ends with it. Where another such operation goes on
    in the wider type, the rounding between them may be left out.

    Constraints:
    - (C1) Operand and result have one shape.

    Example: `%y = ourc.cast %x : tensor<4xf32> -> tensor<4xbf16>`
  }];
  let arguments = (ins Ourc_Tensor:$x, UnitAttr:$unsignedSource,
                       UnitAttr:$unsignedResult, UnitAttr:$implicit);
  let results = (outs Ourc_Tensor:$result);
  let builders = [
    OpBuilder<(ins "::mlir::Type":$type, "::mlir::Value":$x), [{
      build($_builder, $_state, type, x, /*unsignedSource=*/false,
            /*unsignedResult=*/false, /*implicit=*/false);
    }]>,
  ];
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($result)";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

#endif // OURC_DIALECTS_OURC_ELEMENTWISEOPS_TD
