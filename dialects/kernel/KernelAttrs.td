//===- KernelAttrs.td - Schedules of kernels ----------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_DIALECTS_KERNEL_KERNELATTRS_TD
#define OURC_DIALECTS_KERNEL_KERNELATTRS_TD

include "dialects/kernel/KernelBase.td"
include "mlir/IR/AttrTypeBase.td"

def Kernel_ScheduleAttrInterface : AttrInterface<"ScheduleAttrInterface"> {
  let cppNamespace = "::ourc::kernel";
  let description = [{
    What a strategy decided about one kernel. Each strategy has its own
    attribute, with typed fields; an emitter obeys the fields and decides
    nothing.
  }];
  let methods = [
    InterfaceMethod<"The name of the strategy: `contraction`, `row`, …",
                    "::llvm::StringRef", "getStrategy">,
    InterfaceMethod<"The kind of target that the schedule is for: `cpu` or `gpu`",
                    "::llvm::StringRef", "getTargetKind">,
  ];
}

class Kernel_Schedule<string name, string strategy, string targetKind>
    : AttrDef<Kernel_Dialect, name,
              [DeclareAttrInterfaceMethods<Kernel_ScheduleAttrInterface>]> {
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDefinition = [{
    ::llvm::StringRef $cppClass::getStrategy() const { return "}] # strategy # [{"; }
    ::llvm::StringRef $cppClass::getTargetKind() const { return "}] # targetKind # [{"; }
  }];
}

def Kernel_CPUContractionAttr
    : Kernel_Schedule<"CPUContraction", "contraction", "cpu"> {
  let mnemonic = "cpu_contraction";
  let summary = "A contraction or convolution as one register-tiled nest";
  let description = [{
    `mr` output rows (or pixels of one output row) by `nr` output columns are
    accumulated in registers of `lanes` elements; `kb` reduction steps make one
    block, 0 meaning all of them. `splitN` gives each task whole column panels;
    otherwise tasks own rows (tiles, or rows of an image), and make `mb` of them
    for one panel after the other, so that what they read and write stays in a
    cache; 0: all of them. After each `prefetch` reduction steps of a
    tile one cache line of the packed panel that comes next is fetched, so that
    weights arrive from memory while others are multiplied; 0: none is.

    `depth` reduction steps are made at a time. 1: multiply-adds of the
    accumulator's type. 2: sums of products of bf16 pairs, for which the second
    operand is packed with pairs innermost, or rearranged so panel by panel;
    `prefetch` is a multiple of it. 32: the same operands in AMX tiles, 16 rows
    and 16 columns of sums a tile; up to eight tiles are held, so `mr` and `nr`
    are at most 32.
  }];
  let parameters = (ins "int64_t":$mr, "int64_t":$nr, "int64_t":$kb,
                        "int64_t":$lanes, "bool":$splitN,
                        DefaultValuedParameter<"int64_t", "0">:$prefetch,
                        DefaultValuedParameter<"int64_t", "1">:$depth,
                        DefaultValuedParameter<"int64_t", "0">:$mb);
}

def Kernel_CPUWinogradAttr : Kernel_Schedule<"CPUWinograd", "winograd", "cpu"> {
  let mnemonic = "cpu_winograd";
  let summary = "A 3x3 convolution by Winograd's F(2x2, 3x3)";
  let description = [{
    Blocks of `tiles` tiles of 2x2 pixels are the units of work: their inputs are
    transformed into scratch memory of the thread; for each panel of `nr` filters
    sixteen products, register-tiled `mr` x `nr` on vectors of `lanes` elements,
    are summed over the channels and transformed back. After each `prefetch`
    steps of a product's tile one cache line of the weights that come next is
    fetched; 0: none is.
  }];
  let parameters = (ins "int64_t":$mr, "int64_t":$nr, "int64_t":$tiles,
                        "int64_t":$lanes,
                        DefaultValuedParameter<"int64_t", "0">:$prefetch);
}

def Kernel_CPUDepthwiseAttr
    : Kernel_Schedule<"CPUDepthwise", "depthwise", "cpu"> {
  let mnemonic = "cpu_depthwise";
  let summary = "A depthwise convolution with channels on lanes";
  let description = [{
    `mr` pixels of an output row by `vectors` vectors of `lanes` channels are
    accumulated in registers. `rows` output rows are made of `panel` such blocks
    of channels before the next ones: their input stays in cache meanwhile.
    `splitChannels` gives each task whole channels; otherwise tasks own rows.
  }];
  let parameters = (ins "int64_t":$mr, "int64_t":$vectors, "int64_t":$lanes,
                        "int64_t":$rows, "int64_t":$panel,
                        "bool":$splitChannels);
}

def Kernel_CPURowAttr : Kernel_Schedule<"CPURow", "row", "cpu"> {
  let mnemonic = "cpu_row";
  let summary = "Reductions along rows with their producers and consumers";
  let description = [{
    One task iteration owns one row: the reduced dimensions of all loops of the
    kernel, kept in cache between the loops. `lanes` elements make a vector,
    `unroll` vectors are carried at a time. `grain` rows are the least that a
    thread is given.

    Where `parts` is not 0, rows are few and long: each reduction is cut into up
    to `parts` parts, by its size alone, which threads share; what the parts have
    meets in the kernel's workspace, in their order. Then threads share elements
    of the result, not rows.

    Where elements cost more than a few instructions, up to `interleave` vectors
    are computed together, each hiding the latency of the others.
  }];
  let parameters = (ins "int64_t":$lanes, "int64_t":$unroll, "int64_t":$grain,
                        DefaultValuedParameter<"int64_t", "0">:$parts,
                        DefaultValuedParameter<"int64_t", "1">:$interleave);
}

def Kernel_CPUPointwiseAttr
    : Kernel_Schedule<"CPUPointwise", "pointwise", "cpu"> {
  let mnemonic = "cpu_pointwise";
  let summary = "Parallel loops only: elementwise chains, copies, transposes, gathers";
  let description = [{
    `lanes` elements of the innermost dimension make a vector; `grain` elements
    are the least that a thread is given. `interleave` as in `cpu_row`.
  }];
  let parameters = (ins "int64_t":$lanes, "int64_t":$grain,
                        DefaultValuedParameter<"int64_t", "1">:$interleave);
}

def Kernel_CPUAttentionAttr
    : Kernel_Schedule<"CPUAttention", "attention", "cpu"> {
  let mnemonic = "cpu_attention";
  let summary = "Attention with an online softmax over key blocks";
  let description = [{
    `mr` query rows share a tile; `kb` keys make a block, whose scores stay in
    L1; `lanes` elements make a vector. One task iteration is one (batch, head).
    `depth` is 1 for multiply-adds, 2 for sums of products of bf16 pairs.
  }];
  let parameters = (ins "int64_t":$mr, "int64_t":$kb, "int64_t":$lanes,
                        DefaultValuedParameter<"int64_t", "1">:$depth);
}

def Kernel_CPUPoolAttr : Kernel_Schedule<"CPUPool", "pool", "cpu"> {
  let mnemonic = "cpu_pool";
  let summary = "Window reductions with channels innermost";
  let description = [{
    `lanes` channels make a vector; one task iteration is one output row of at
    least `grain` rows a thread.
  }];
  let parameters = (ins "int64_t":$lanes, "int64_t":$grain);
}

def Kernel_CPUScatterAttr : Kernel_Schedule<"CPUScatter", "scatter", "cpu"> {
  let mnemonic = "cpu_scatter";
  let summary = "Elements at computed places, replaced in their destination";
  let description = [{
    Tasks share the dimensions that are not indexed and run over the indices in
    order, so repeated indices give one result whatever the number of threads.
    `lanes` elements of the last dimension make a vector where it is not
    indexed; `grain` elements are the least that a thread is given.
  }];
  let parameters = (ins "int64_t":$lanes, "int64_t":$grain);
}

def Kernel_GPUPointwiseAttr
    : Kernel_Schedule<"GPUPointwise", "pointwise", "gpu"> {
  let mnemonic = "gpu_pointwise";
  let summary = "One thread a few output elements; reductions are loops in a thread";
  let description = [{
    Blocks of `threads` threads cover the elements of the largest result, `width`
    neighbours a thread. Neighbours in memory are loaded and stored together, 16
    bytes at most; where an operand's address is not a multiple of 16 in a call,
    elements are made one by one.
  }];
  let parameters = (ins "int64_t":$threads,
                        DefaultValuedParameter<"int64_t", "1">:$width);
}

def Kernel_GPURowAttr : Kernel_Schedule<"GPURow", "row", "gpu"> {
  let mnemonic = "gpu_row";
  let summary = "A block makes rows: reductions with their producers and consumers";
  let description = [{
    `threads` threads (a multiple of 32) share the elements of one row: what the
    kernel's reductions reduce. A block makes `rows` rows; more than one have a
    warp each. Partial results meet in a lane, by shuffles in a warp, then through
    shared memory, always in the same order.

    `chunks` = 0: loops over the elements. Otherwise a thread holds at most
    `chunks` times `width` elements of a row of known length in registers, so that
    each operand is read once. The `width` elements of a chunk are neighbours,
    which memory is asked for together, 16 bytes at most. `staged` moves whole
    tiles of `rows` rows between global and shared memory, 16 bytes at a time,
    for rows whose length is no multiple of that. Where an operand's address is
    not a multiple of 16 in a call, loops are run instead.

    `columns` > 1 (a multiple of 32): rows whose elements are far from each other
    in memory, while the rows are neighbours. A block makes `columns` of them, a
    lane each, `threads` threads share a row, and partial results meet in shared
    memory. There is no other parameter then.
  }];
  let parameters = (ins "int64_t":$threads,
                        DefaultValuedParameter<"int64_t", "1">:$rows,
                        DefaultValuedParameter<"int64_t", "1">:$width,
                        DefaultValuedParameter<"int64_t", "0">:$chunks,
                        DefaultValuedParameter<"bool", "false">:$staged,
                        DefaultValuedParameter<"int64_t", "1">:$columns);
}

def Kernel_GPUScatterAttr : Kernel_Schedule<"GPUScatter", "scatter", "gpu"> {
  let mnemonic = "gpu_scatter";
  let summary = "One thread a position of the dimensions that are not indexed";
  let description = [{
    Blocks of `threads` threads cover the destination's dimensions that are not
    indexed. Each thread runs over the indices in order, so repeated indices give
    one result and no two threads write to one place.
  }];
  let parameters = (ins "int64_t":$threads);
}

def Kernel_GPUContractionAttr
    : Kernel_Schedule<"GPUContraction", "contraction", "gpu"> {
  let mnemonic = "gpu_contraction";
  let summary = "A contraction on tensor cores (mma.sync m16n8k16)";
  let description = [{
    A block makes a tile of `tileM` x `tileN` results with `warpsM` x `warpsN`
    warps, in steps of `tileK` along the contracted dimensions. `stages` tiles of
    operands are in shared memory at a time; copies run `stages - 1` steps ahead.
  }];
  let parameters = (ins "int64_t":$tileM, "int64_t":$tileN, "int64_t":$tileK,
                        "int64_t":$warpsM, "int64_t":$warpsN,
                        "int64_t":$stages);
}

def Kernel_GPUTileAttr : Kernel_Schedule<"GPUTile", "tile", "gpu"> {
  let mnemonic = "gpu_tile";
  let summary = "A contraction of f32, by multiply-adds on tiles in registers";
  let description = [{
    A block makes a tile of `tileM` x `tileN` results with `threadsM` x
    `threadsN` threads, each of which keeps its `tileM / threadsM` x
    `tileN / threadsN` sums in registers, in steps of `tileK` along the
    contracted dimensions. `stages` tiles of operands are in shared memory at a
    time; copies run `stages - 1` steps ahead.
  }];
  let parameters = (ins "int64_t":$tileM, "int64_t":$tileN, "int64_t":$tileK,
                        "int64_t":$threadsM, "int64_t":$threadsN,
                        "int64_t":$stages);
}

def Kernel_GPUAttentionAttr
    : Kernel_Schedule<"GPUAttention", "attention", "gpu"> {
  let mnemonic = "gpu_attention";
  let summary = "Attention on tensor cores with an online softmax";
  let description = [{
    A block makes the results of `warps` x 16 queries. It takes `keys` keys and
    values at a time through shared memory, `stages` tiles of them; copies run
    `stages - 1` steps ahead. Scores and probabilities are in registers alone.
  }];
  let parameters = (ins "int64_t":$warps, "int64_t":$keys, "int64_t":$stages);
}

#endif // OURC_DIALECTS_KERNEL_KERNELATTRS_TD
