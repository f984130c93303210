//===- KernelOps.td - Operations of the kernel dialect ------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_DIALECTS_KERNEL_KERNELOPS_TD
#define OURC_DIALECTS_KERNEL_KERNELOPS_TD

include "dialects/kernel/KernelAttrs.td"
include "dialects/kernel/KernelBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"

class Kernel_Op<string mnemonic, list<Trait> traits = []>
    : Op<Kernel_Dialect, mnemonic, traits>;

def Kernel_FuncOp
    : Kernel_Op<"func", [FunctionOpInterface, IsolatedFromAbove, Symbol,
                         OpAsmOpInterface]> {
  let summary = "One fused kernel";
  let description = [{
    The unit of fusion, deduplication, caching, tuning and explanation. Its
    arguments are the inputs, then one destination for each result, then, where
    `workspace` is present, a `tensor<?xi8>` of scratch memory. A tensor
    argument may carry `ourc.shape = [@d0, 128]` to say which dynamic
    dimensions are equal: the same symbol is the same size. These symbols are
    names local to the kernel.

    Constraints:
    - (C1) There are at least as many arguments as results; the destination of
      result `i` is argument `numInputs + i` and has the result's type.
    - (C2) Arguments are ranked tensors; none has `i1` elements: a boolean is a
      byte in every buffer (`i8`).
    - (C3) The body is one block that ends in `kernel.return`.
    - (C4) `ourc.shape` has one entry for each dimension: a symbol for a dynamic
      one, the size for a static one.

    Example:

    ```mlir
    kernel.func @relu(%x: tensor<?x64xf32>, %out: tensor<?x64xf32>)
        -> tensor<?x64xf32>
        attributes {schedule = #kernel.cpu_pointwise<lanes = 16, grain = 4096>} {
      %0 = linalg.generic …
      kernel.return %0 : tensor<?x64xf32>
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<Kernel_ScheduleAttrInterface>:$schedule,
                       UnitAttr:$workspace,
                       OptionalAttr<StrAttr>:$sym_visibility,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region MaxSizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// The region that holds the kernel's code; never null for a kernel.
    ::mlir::Region *getCallableRegion() { return &getBody(); }
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() {
      return getFunctionType().getInputs();
    }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() {
      return getFunctionType().getResults();
    }
    unsigned getNumInputs() {
      return getFunctionType().getNumInputs() - getFunctionType().getNumResults()
             - (getWorkspace() ? 1 : 0);
    }
    /// The destination of result `i`.
    ::mlir::BlockArgument getDestination(unsigned i) {
      return getBody().front().getArgument(getNumInputs() + i);
    }
    /// Whether result `i` is what was in its destination with a part replaced
    /// (`kernel.scatter`): the kernel reads the destination.
    bool updatesDestination(unsigned i);
    ReturnOp getReturnOp();
  }];
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name,
                                 "::mlir::FunctionType":$type)>];
}

def Kernel_ReturnOp
    : Kernel_Op<"return", [Pure, HasParent<"FuncOp">, Terminator,
                           ReturnLike]> {
  let summary = "The results of a kernel";
  let description = [{
    Constraints:
    - (C1) The operands' types are the kernel's result types.
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
  let builders = [OpBuilder<(ins), [{ /* no results */ }]>];
  let hasVerifier = 1;
}

/// What a launch takes: tensors before, memrefs after bufferisation.
def Kernel_Buffer : AnyTypeOf<[AnyRankedTensor, AnyMemRef]>;

def Kernel_LaunchOp
    : Kernel_Op<"launch", [AttrSizedOperandSegments, DestinationStyleOpInterface,
                           DeclareOpInterfaceMethods<SymbolUserOpInterface>,
                           DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
                           DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let summary = "Run a kernel on these operands";
  let description = [{
    Destination style: on tensors each destination is tied to a result; on
    memrefs (the bufferised graph half) there are no results and the
    destinations are written.

    Constraints:
    - (C1) The callee is a `kernel.func`.
    - (C2) Operand count and types match the callee's arguments: on tensors
      exactly; on memrefs by shape and element type.
    - (C3) `workspace` is given if and only if the callee asks for it.
    - (C4) Operands are all tensors or all memrefs.

    Example:

    ```mlir
    %y = kernel.launch @relu(%x) outs(%e)
        : (tensor<?x64xf32>) outs(tensor<?x64xf32>) -> tensor<?x64xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee,
                       Variadic<Kernel_Buffer>:$inputs,
                       Variadic<Kernel_Buffer>:$outputs,
                       Optional<Kernel_Buffer>:$workspace);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    $callee `(` $inputs `)` `outs` `(` $outputs `)`
    (`workspace` `(` $workspace^ `:` type($workspace) `)`)? attr-dict
    `:` custom<TypesInParens>(type($inputs)) `outs` `` custom<TypesInParens>(type($outputs))
    (`->` type($results)^)?
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutputsMutable(); }
  }];
}

def Kernel_YieldOp
    : Kernel_Op<"yield", [Pure, Terminator, ReturnLike,
                          ParentOneOf<["CoupledReduceOp", "AttentionOp",
                                       "ScatterOp"]>]> {
  let summary = "Values of a region of coupled_reduce, attention or scatter";
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
  let builders = [OpBuilder<(ins), [{ /* no values */ }]>];
}

def Kernel_CoupledReduceOp
    : Kernel_Op<"coupled_reduce", [
        AttrSizedOperandSegments, DestinationStyleOpInterface,
        SingleBlockImplicitTerminator<"YieldOp">, RecursiveMemoryEffects,
        DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let summary = "A reduction whose state has several coupled components";
  let description = [{
    Reduces `inputs` (one shape) over `dimensions`. The state is a tuple of
    scalars. `init` gives the state of nothing; `accumulate` takes a state and
    one element of each input; `merge` joins the states of two disjoint parts,
    so that lanes, threads and blocks may reduce apart; `finish` turns the last
    state into one element of each result. The same op is online softmax
    (maximum and sum), Welford's mean and variance, argmax and logsumexp.

    `merge` must be associative up to rounding and have `init` as its neutral
    element: every order of parts is a legal result, and an emitter picks one
    that does not depend on the number of threads.

    Constraints:
    - (C1) All inputs are tensors of one shape.
    - (C2) `dimensions` are unique, in range, ascending.
    - (C3) Destinations have the inputs' shape without `dimensions`.
    - (C4) `init` has no arguments and yields the state.
    - (C5) `accumulate` takes the state, then the inputs' element types, and
      yields the state.
    - (C6) `merge` takes two states and yields the state.
    - (C7) `finish` takes the state and yields the destinations' element types.

    Example (softmax's maximum and sum of exponentials):

    ```mlir
    %m, %s = kernel.coupled_reduce ins(%x : tensor<4x8xf32>)
        outs(%e0, %e1 : tensor<4xf32>, tensor<4xf32>) dimensions = [1] init {
      …
      kernel.yield %ninf, %zero : f32, f32
    } accumulate {
    ^bb0(%max: f32, %sum: f32, %v: f32):
      …
    } merge {
    ^bb0(%m0: f32, %s0: f32, %m1: f32, %s1: f32):
      …
    } finish {
    ^bb0(%max: f32, %sum: f32):
      kernel.yield %max, %sum : f32, f32
    } -> tensor<4xf32>, tensor<4xf32>
    ```
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$inputs,
                       Variadic<AnyRankedTensor>:$outputs,
                       DenseI64ArrayAttr:$dimensions);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$init, SizedRegion<1>:$accumulate,
                        SizedRegion<1>:$merge, SizedRegion<1>:$finish);
  let assemblyFormat = [{
    `ins` `(` $inputs `:` type($inputs) `)`
    `outs` `(` $outputs `:` type($outputs) `)`
    `dimensions` `=` $dimensions attr-dict-with-keyword
    `init` $init `accumulate` $accumulate `merge` $merge `finish` $finish
    `->` type($results)
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutputsMutable(); }
    /// The types of the state's components.
    ::mlir::TypeRange getStateTypes();
  }];
}

def Kernel_AttentionOp
    : Kernel_Op<"attention", [
        DestinationStyleOpInterface,
        SingleBlockImplicitTerminator<"YieldOp">, RecursiveMemoryEffects,
        DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let summary = "softmax(score(Q Kᵀ)) V without the score matrix";
  let description = [{
    Over the dimensions `(b…, s, t, d, e)`:

      S[b,s,t] = score(scale · Σ_d Q[b,s,d] · K[b,t,d], operands[b,s,t])
      O[b,s,e] = Σ_t softmax_t(S)[b,s,t] · V[b,t,e]

    Products are accumulated, and softmax is computed, in f32 (f64 for f64
    inputs). `indexing_maps` place each operand: queries, keys, values, score
    operands, result, in that order; each is a projected permutation (score
    operands may also have broadcast dimensions, given as constant 0), so a
    transposed operand costs nothing. `causal` masks keys t > s. A row whose
    scores are all -inf is NaN unless `zeroMaskedRows` is present, then zero.

    Constraints:
    - (C1) There is one map for each operand and destination, all over
      `numBatch + 4` dimensions, with as many results as the tensor has
      dimensions.
    - (C2) The map of queries uses b…, s, d; of keys b…, t, d; of values
      b…, t, e; of the result b…, s, e; each dimension once. Score operands use
      b…, s, t only.
    - (C3) Dimensions that share a position have compatible sizes.
    - (C4) The score region takes the score (f32, f64 for f64 queries) and one
      element of each score operand, and yields a score.

    Example:

    ```mlir
    %o = kernel.attention queries(%q : tensor<2x12x9x32xf32>)
        keys(%k : …) values(%v : …) score_operands(%bias : tensor<9x9xf32>)
        outs(%e : …) scale = 0.17677669 maps = […] {
    ^bb0(%s: f32, %b: f32):
      %0 = arith.addf %s, %b : f32
      kernel.yield %0 : f32
    } -> tensor<2x12x9x32xf32>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$queries, AnyRankedTensor:$keys,
                       AnyRankedTensor:$values,
                       Variadic<AnyRankedTensor>:$scoreOperands,
                       AnyRankedTensor:$output,
                       AffineMapArrayAttr:$indexing_maps,
                       F64Attr:$scale, UnitAttr:$causal,
                       UnitAttr:$zeroMaskedRows);
  let results = (outs AnyRankedTensor:$result);
  let regions = (region SizedRegion<1>:$score);
  let assemblyFormat = [{
    `queries` `(` $queries `:` type($queries) `)`
    `keys` `(` $keys `:` type($keys) `)`
    `values` `(` $values `:` type($values) `)`
    (`score_operands` `(` $scoreOperands^ `:` type($scoreOperands) `)`)?
    `outs` `(` $output `:` type($output) `)`
    `scale` `=` $scale (`causal` $causal^)? (`zero_masked_rows` $zeroMaskedRows^)?
    `maps` `=` $indexing_maps attr-dict-with-keyword $score `->` type($result)
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutputMutable(); }
    /// The number of leading batch dimensions of the iteration space.
    unsigned getNumBatch();
    ::mlir::AffineMap getMap(unsigned operand) {
      return ::mlir::cast<::mlir::AffineMapAttr>(getIndexingMaps()[operand]).getValue();
    }
  }];
}

def Kernel_ScatterOp
    : Kernel_Op<"scatter", [
        DestinationStyleOpInterface,
        SingleBlockImplicitTerminator<"YieldOp">, RecursiveMemoryEffects,
        DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let summary = "Elements at computed places, replaced in the destination";
  let description = [{
    The result is the destination, but for each index `i…` of the index tensors
    and each `r…` of the destination's dimensions without `axes`

      result[axes[k] at indices[k][i…], the rest at r…] =
          combine(what is there, updates[i…, r…])

    in the row-major order of `i…`. Unlike other destinations, this one is read:
    a kernel that returns it has its result in the memory of what it updates.
    An index out of bounds is reported and nothing is written for it.

    Constraints:
    - (C1) There are as many index tensors as `axes`, at least one; all have one
      shape and one element type, i32 or i64.
    - (C2) `axes` are unique and in range of the destination's rank.
    - (C3) `updates` has the indices' shape, then the destination's without
      `axes`.
    - (C4) `combine` takes the element that is there and the update and yields
      an element.

    Example:

    ```mlir
    %0 = kernel.scatter updates(%row : tensor<1x4x8xf32>)
        at(%i : tensor<1xi64>) outs(%cache : tensor<4x64x8xf32>) axes = [1] {
    ^bb0(%old: f32, %new: f32):
      kernel.yield %new : f32
    } -> tensor<4x64x8xf32>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$updates,
                       Variadic<AnyRankedTensor>:$indices,
                       AnyRankedTensor:$output, DenseI64ArrayAttr:$axes);
  let results = (outs AnyRankedTensor:$result);
  let regions = (region SizedRegion<1>:$combine);
  let assemblyFormat = [{
    `updates` `(` $updates `:` type($updates) `)`
    `at` `(` $indices `:` type($indices) `)`
    `outs` `(` $output `:` type($output) `)`
    `axes` `=` $axes attr-dict-with-keyword $combine `->` type($result)
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutputMutable(); }
    /// The destination's dimensions that are not indexed.
    ::llvm::SmallVector<int64_t> getFreeDims();
    /// Whether `combine` looks at what is there.
    bool readsElements() { return !getCombine().getArgument(0).use_empty(); }
  }];
}

def Kernel_WinogradFilterOp : Kernel_Op<"winograd_filter", [Pure]> {
  let summary = "The 3x3 filters that a Winograd transform was made of";
  let description = [{
    The inverse of the transform of filters for Winograd's convolution
    F(2x2, 3x3), as `linalg.unpack` is the inverse of `linalg.pack`. With the
    columns of the filters in panels of `lanes`, the operand holds

    ```
    transformed[p][i][j][c][l] = Σ_hv G[i][h] G[j][v] filter[p*lanes + l][h][v][c]
    G = [[1, 0, 0], [1/2, 1/2, 1/2], [1/2, -1/2, 1/2], [0, 0, 1]]
    ```

    and zeros beyond the last filter. A kernel whose strategy is `winograd`
    begins with this op: its argument is what `@init` prepared, and the rest of
    the body still says which convolution is meant. What an operand that is no
    such transform gives is not defined.

    Constraints:
    - (C1) The operand is `tensor<P x 4 x 4 x C x lanes>`, the result
      `tensor<F x 3 x 3 x C>`, of one float type and of static shape.
    - (C2) `P` panels are as many as `F` filters need.

    Example:

    ```mlir
    %filter = kernel.winograd_filter %transformed
        : tensor<2x4x4x64x32xf32> -> tensor<64x3x3x64xf32>
    ```
  }];
  let arguments = (ins StaticShapeTensorOf<[AnyFloat]>:$transformed);
  let results = (outs StaticShapeTensorOf<[AnyFloat]>:$filter);
  let assemblyFormat = "$transformed attr-dict `:` type($transformed) `->` type($filter)";
  let hasVerifier = 1;
}

#endif // OURC_DIALECTS_KERNEL_KERNELOPS_TD
