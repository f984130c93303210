//===- AtenOps.td - The aten dialect ------------------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_DIALECTS_ATEN_ATENOPS_TD
#define OURC_DIALECTS_ATEN_ATENOPS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/DialectBase.td"
include "mlir/IR/OpBase.td"

def Aten_Dialect : Dialect {
  let name = "aten";
  let cppNamespace = "::ourc::aten";
  let summary = "Calls of ATen operators, as PyTorch's graph holds them";
  let description = [{
    One generic op, so that the importer knows no operator and every lowering is
    C++ that lit tests reach (conversion/AtenToOurc).
  }];
  let useDefaultAttributePrinterParser = 1;
}

def Aten_OperandAttr : AttrDef<Aten_Dialect, "Operand"> {
  let mnemonic = "operand";
  let summary = "Stands for an operand of the call in its `arguments`";
  let parameters = (ins "unsigned":$index);
  let assemblyFormat = "`<` $index `>`";
}

def Aten_CallOp : Op<Aten_Dialect, "call"> {
  let summary = "A call of an ATen operator";
  let description = [{
    `callee` is the operator with its overload, without the namespace
    (`linear.default`). `arguments` maps each argument's name in the operator's
    schema to a constant, to an operand, or to a list of both; an absent
    argument is None or the default. Tensors have ranked tensor types, sizes
    that a call decides are `index`.

    The op is not `Pure`: whether an operator is known is decided by the
    lowering, and an unknown one must not vanish.

    Constraints:
    - (C1) Every operand is named by `arguments`.
    - (C2) An `#aten.operand` names an existing operand.

    Example:

    ```mlir
    %1 = aten.call "view.default"(self = %0, size = [%n, 12, 32])
        : (tensor<?x384xf32>, index) -> tensor<?x12x32xf32>
    ```
  }];
  let arguments = (ins StrAttr:$callee, Variadic<AnyType>:$operands,
                       DictionaryAttr:$arguments);
  let results = (outs Variadic<AnyType>:$results);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The named argument as an attribute (`#aten.operand`, a constant or a
    /// list), or null when it is absent.
    ::mlir::Attribute getArgument(::llvm::StringRef name) {
      return getArguments().get(name);
    }
    /// The operand behind an `#aten.operand`, or null for another attribute.
    ::mlir::Value getOperandOf(::mlir::Attribute attr);
    /// The named argument's operand, or null.
    ::mlir::Value getValue(::llvm::StringRef name) {
      return getOperandOf(getArgument(name));
    }
  }];
}

#endif // OURC_DIALECTS_ATEN_ATENOPS_TD
