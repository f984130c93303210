//===- OurcEnums.td - Enums of the ourc dialect -------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_DIALECTS_OURC_OURCENUMS_TD
#define OURC_DIALECTS_OURC_OURCENUMS_TD

include "dialects/ourc/OurcBase.td"
include "mlir/IR/EnumAttr.td"

class Ourc_EnumAttr<EnumInfo info, string mnemonic>
    : EnumAttr<Ourc_Dialect, info, mnemonic> {
  let assemblyFormat = "$value";
}

def Ourc_ComparePredicate : I32Enum<"ComparePredicate",
    "how two elements are compared",
    [I32EnumCase<"EQ", 0, "eq">, I32EnumCase<"NE", 1, "ne">,
     I32EnumCase<"LT", 2, "lt">, I32EnumCase<"LE", 3, "le">,
     I32EnumCase<"GT", 4, "gt">, I32EnumCase<"GE", 5, "ge">]> {
  let cppNamespace = "::ourc";
}
def Ourc_ComparePredicateAttr
    : Ourc_EnumAttr<Ourc_ComparePredicate, "compare_predicate">;

def Ourc_Combiner : I32Enum<"Combiner", "how a reduction joins two elements",
    [I32EnumCase<"Add", 0, "add">, I32EnumCase<"Mul", 1, "mul">,
     I32EnumCase<"Maximum", 2, "maximum">, I32EnumCase<"Minimum", 3, "minimum">,
     I32EnumCase<"And", 4, "and">, I32EnumCase<"Or", 5, "or">]> {
  let cppNamespace = "::ourc";
}
def Ourc_CombinerAttr : Ourc_EnumAttr<Ourc_Combiner, "combiner">;

def Ourc_PoolKind : I32Enum<"PoolKind", "what a pooling window computes",
    [I32EnumCase<"Max", 0, "max">, I32EnumCase<"Sum", 1, "sum">]> {
  let cppNamespace = "::ourc";
}
def Ourc_PoolKindAttr : Ourc_EnumAttr<Ourc_PoolKind, "pool_kind">;

def Ourc_GeluForm : I32Enum<"GeluForm", "which function GELU is",
    [I32EnumCase<"Exact", 0, "exact">, I32EnumCase<"Tanh", 1, "tanh">]> {
  let cppNamespace = "::ourc";
}
def Ourc_GeluFormAttr : Ourc_EnumAttr<Ourc_GeluForm, "gelu_form">;

#endif // OURC_DIALECTS_OURC_OURCENUMS_TD
