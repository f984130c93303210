//===- Passes.td - Passes that make kernels -----------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_TRANSFORMS_KERNEL_PASSES_TD
#define OURC_TRANSFORMS_KERNEL_PASSES_TD

include "mlir/Pass/PassBase.td"

defvar OURC_TARGET = [{The target whose strategies decide: `cpu:native`, }]
    # [{`cpu:x86-64-v3`, `simt`, …}];

def FuseElementwise : Pass<"ourc-fuse-elementwise", "::mlir::func::FuncOp"> {
  let summary = "Merge elementwise loops into their elementwise consumers";
  let description = [{
    A producer that one consumer reads, or that costs next to nothing (a
    broadcast, a cast), moves into the consumer's body. A producer is not
    merged where that would compute it more often, into a contraction (whose
    form strategies recognise), or across the line between what depends on
    frozen parameters alone and what does not: the former is prepared once. Nor
    does a producer with a rounding that may be left out move into one of several
    readers: all of them see one value.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"numFused", "fused", "Producers merged">,
  ];
}

def ElideRoundings : Pass<"ourc-elide-roundings", "::mlir::func::FuncOp"> {
  let summary = "Leave out roundings between operations of one body";
  let description = [{
    An operation on f16 or bf16 is computed in f32 and rounded. Where fusion has
    put all that read the value into the same body, which extend it again, the
    rounding costs time and accuracy alone: a chain rounds once, at its end.

    Only roundings with `fastmath<contract>` are left out (`contract-roundings`
    of `-ourc-to-linalg`), and only where every reader does without: readers that
    saw different numbers could not rely on one another.

    Before:

    ```mlir
    %0 = arith.addf %x, %y : f32
    %1 = arith.truncf %0 fastmath<contract> : f32 to bf16
    %2 = arith.extf %1 : bf16 to f32
    %3 = arith.maximumf %2, %zero : f32
    ```

    After:

    ```mlir
    %0 = arith.addf %x, %y : f32
    %3 = arith.maximumf %0, %zero : f32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [
    Statistic<"numElided", "elided", "Roundings left out">,
  ];
}

def FoldAttentionTransposes
    : Pass<"ourc-fold-attention-transposes", "::mlir::func::FuncOp"> {
  let summary = "Fold transposes into the maps of attention";
  let description = [{
    A transposed operand or result of `kernel.attention` becomes another
    indexing map, so heads are read and written where they lie, also where a
    reshape of batch dimensions stands between. Score operands keep the keys as
    their last dimension.

    Before:

    ```mlir
    %q = linalg.transpose ins(%x : tensor<2x9x12x32xf32>) … permutation = [0, 2, 1, 3]
    %o = kernel.attention queries(%q : tensor<2x12x9x32xf32>) …
        maps = [affine_map<(b, h, s, t, d, e) -> (b, h, s, d)>, …]
    ```

    After:

    ```mlir
    %o = kernel.attention queries(%x : tensor<2x9x12x32xf32>) …
        maps = [affine_map<(b, h, s, t, d, e) -> (b, s, h, d)>, …]
    ```
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"numFolded", "folded", "Transposes folded">,
  ];
}

def FormKernels : Pass<"ourc-form-kernels", "::mlir::ModuleOp"> {
  let summary = "Group operations into kernels and outline them";
  let description = [{
    Greedy over bytes not moved. Strategies are asked in their order: each
    operation that a strategy can make alone starts a kernel, which then absorbs
    consumers and producers as long as the strategy can make the whole, the
    graph stays acyclic, and nothing is computed more often at a cost. What no
    strategy can make is an error at the user's line.

    Each kernel becomes a `kernel.func`, isolated, its dimensions named by
    `ourc.shape`; the graph keeps `kernel.launch` ops, views (reshapes) and
    sizes. Booleans are bytes from here on: at the program's boundary such an
    argument or result carries `kernel.boolean`.

    Every refusal to fuse is a missed-optimisation remark in the category
    `ourc-form-kernels` (`--remarks-filter-missed=ourc-form-kernels`).
  }];
  let options = [
    Option<"target", "target", "std::string", [{"cpu:native"}], OURC_TARGET>,
  ];
  let dependentDialects = [
    "::ourc::kernel::KernelDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect",
    "::mlir::affine::AffineDialect",
  ];
  let statistics = [
    Statistic<"numKernels", "kernels", "Kernels formed">,
    Statistic<"numAbsorbed", "absorbed", "Operations fused into a kernel">,
    Statistic<"numRefused", "refused", "Fusions refused">,
  ];
}

def AssignStrategies : Pass<"ourc-assign-strategies", "::mlir::ModuleOp"> {
  let summary = "Decide strategy, schedule, operand layouts and workspace";
  let description = [{
    The first strategy of the target that matches a kernel decides for it: the
    `schedule` attribute, the arguments that it wants packed, the workspace. A
    packed argument becomes `linalg.unpack` in the kernel's body; at the launch
    the operand is packed by a kernel of its own, which
    `ourc-hoist-preparation` moves to `@init` for frozen weights. With
    `pack=false` arguments stay as they are, and no memory is spent on packs.
    A workspace becomes the kernel's last argument, and an empty tensor of its
    size at each launch, which finds its place among the buffers of the program.

    Filters of a convolution by Winograd's F(2x2, 3x3) are packed and then
    transformed, and come back by `kernel.winograd_filter` in the body. That
    strategy is only for frozen weights, and not for `strict`.
  }];
  let options = [
    Option<"target", "target", "std::string", [{"cpu:native"}], OURC_TARGET>,
    Option<"pack", "pack", "bool", "true",
           "Pack the operands that strategies want packed">,
    Option<"strict", "strict", "bool", "false",
           "Use no strategy whose results differ from the kernel's meaning by "
           "more than the order of additions">,
    Option<"schedules", "schedules", "std::string", [{""}],
           "A file of schedules (strategy/ScheduleFile.h) for the kernels that "
           "it names; the strategies decide for the others">,
  ];
  let dependentDialects = [
    "::ourc::kernel::KernelDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect",
    "::mlir::affine::AffineDialect",
  ];
  let statistics = [
    Statistic<"numAssigned", "assigned", "Kernels given a schedule">,
    Statistic<"numGiven", "given", "Kernels whose schedule was in the file">,
    Statistic<"numPacked", "packed", "Operands packed">,
    Statistic<"numWorkspaces", "workspaces", "Kernels given a workspace">,
  ];
}

def HoistPreparation : Pass<"ourc-hoist-preparation", "::mlir::ModuleOp"> {
  let summary = "Move what depends on frozen parameters alone into @init";
  let description = [{
    Launches of `@main` whose tensors come from `ourc.frozen` parameters and
    constants alone move to `func.func @init`, which takes the program's
    parameters and returns what `@main` still uses; `@main` gets those as
    arguments that carry `kernel.prepared = <result of @init>`. Results of
    dynamic shape stay, and so do those that are much larger than what they come
    from, unless they take less than a mebibyte.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect"];
  let statistics = [
    Statistic<"numHoisted", "hoisted", "Launches moved">,
    Statistic<"numPrepared", "prepared", "Tensors prepared">,
  ];
}

def DecomposeKernelOps : Pass<"ourc-decompose-kernel-ops", "::mlir::ModuleOp"> {
  let summary = "Take kernel.coupled_reduce, kernel.attention and kernel.scatter apart";
  let description = [{
    For targets without a strategy for them, and for tests of their meaning that
    run upstream lowerings: `kernel.coupled_reduce` becomes one `linalg.generic`
    with the state's components as results and one with the `finish` region
    (`merge` is not needed: there is one part); `kernel.attention` becomes the
    loops of its definition, which hold the whole score matrix;
    `kernel.scatter` becomes a nest of `scf.for` with `tensor.insert`.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"numDecomposed", "decomposed", "Operations taken apart">,
  ];
}

def DeduplicateKernels : Pass<"ourc-deduplicate-kernels", "::mlir::ModuleOp"> {
  let summary = "Keep one of kernels that are equal but for name and location";
  let description = [{
    Kernels are compared by structure: body, types, dimension names, schedule.
    Locations of the dropped ones are kept in the remaining kernel's location,
    so that reports name every user line. Kernels that nothing launches are
    dropped.
  }];
  let statistics = [
    Statistic<"numMerged", "merged", "Kernels merged into an equal one">,
    Statistic<"numUnused", "unused", "Kernels that nothing launched">,
  ];
}

#endif // OURC_TRANSFORMS_KERNEL_PASSES_TD
