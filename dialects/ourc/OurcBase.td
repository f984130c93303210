//===- OurcBase.td - The ourc dialect -----------------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_DIALECTS_OURC_OURCBASE_TD
#define OURC_DIALECTS_OURC_OURCBASE_TD

include "mlir/IR/DialectBase.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialects/ourc/OurcInterfaces.td"

def Ourc_Dialect : Dialect {
  let name = "ourc";
  let cppNamespace = "::ourc";
  let summary = "Tensor programs: few primitives, composites that keep intent";
  let description = [{
    Values are builtin ranked tensors, static or dynamic, of f64 f32 f16 bf16
    f8E4M3FN f8E5M2, i64 i32 i16 i8 i1; integers are signless and an op that
    needs a sign says so. Every op is pure. Elementwise operands have one shape:
    broadcasting is `ourc.broadcast`.

    Function arguments and results carry what is true at the program's boundary:

    | attribute | on | meaning |
    | --- | --- | --- |
    | `ourc.name` | argument, result | the user's name of it |
    | `ourc.shape` | argument | for each dimension a symbol, or the size of a static one |
    | `ourc.parameter` | argument | the name of the weight; its data is outside the IR |
    | `ourc.frozen` | parameter | it may be prepared once: it cannot change unseen |
    | `ourc.unsigned` | argument, result | integers are unsigned |
    | `ourc.layout` | argument, result | the order of dimensions in memory, outermost first |
    | `ourc.user_dims` | argument, result | dimension `i` is the user's dimension `user_dims[i]`: what `-ourc-apply-layouts` makes of `ourc.layout` |
    | `ourc.updates` | result | the number of the argument, of the result's type, whose buffer the result overwrites |
  }];
  let hasConstantMaterializer = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def Ourc_Float : AnyTypeOf<[F64, F32, F16, BF16]>;
def Ourc_Int : AnyTypeOf<[I64, I32, I16, I8]>;
def Ourc_Element
    : AnyTypeOf<[F64, F32, F16, BF16, F8E4M3FN, F8E5M2, I64, I32, I16, I8, I1]>;

def Ourc_Tensor : RankedTensorOf<[Ourc_Element]>;
def Ourc_FloatTensor : RankedTensorOf<[Ourc_Float]>;
def Ourc_NumberTensor : RankedTensorOf<[Ourc_Float, Ourc_Int]>;
def Ourc_BoolTensor : RankedTensorOf<[I1]>;
def Ourc_LogicalTensor : RankedTensorOf<[Ourc_Int, I1]>;
def Ourc_IndexTensor : RankedTensorOf<[I64, I32]>;

defvar Ourc_Reifies = DeclareOpInterfaceMethods<
    ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>;

class Ourc_Op<string mnemonic, list<Trait> traits = []>
    : Op<Ourc_Dialect, mnemonic, traits>;

/// Result types follow from operands and attributes; a declared result may be
/// more or less static than the inferred one.
defvar Ourc_Infers = InferTypeOpAdaptorWithIsCompatible;
defvar Ourc_InfersDefinition = [{
  bool $cppClass::isCompatibleReturnTypes(::mlir::TypeRange inferred,
                                          ::mlir::TypeRange declared) {
    return ::ourc::areCompatibleResults(inferred, declared);
  }
}];
class Ourc_InferredOp<string mnemonic, list<Trait> traits = []>
    : Ourc_Op<mnemonic, traits # [Ourc_Infers]> {
  let extraClassDefinition = Ourc_InfersDefinition;
}

#endif // OURC_DIALECTS_OURC_OURCBASE_TD
