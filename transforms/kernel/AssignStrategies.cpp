//===- AssignStrategies.cpp - Decide how kernels are made
//---------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/kernel/Passes.h"

#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/SymbolTable.h"
#include "strategy/Strategies.h"
#include "transforms/kernel/KernelNames.h"
#include "transforms/kernel/Outline.h"

#define DEBUG_TYPE "ourc-assign-strategies"

namespace ourc {
#define GEN_PASS_DEF_ASSIGNSTRATEGIES
#include "transforms/kernel/Passes.h.inc"
} // namespace ourc

using namespace mlir;
using namespace ourc;

namespace {
struct AssignStrategiesPass
    : ourc::impl::AssignStrategiesBase<AssignStrategiesPass> {
  using AssignStrategiesBase::AssignStrategiesBase;

  void runOnOperation() override;

private:
  LogicalResult assign(kernel::FuncOp kernel,
                       ArrayRef<std::unique_ptr<Strategy>> strategies,
                       Assignment &assignment);
  /// Packs one argument in the kernel's body.
  void packArgument(kernel::FuncOp kernel, const PackedOperand &packed);
  /// Packs one operand of a launch by a kernel of its own.
  LogicalResult packOperand(kernel::LaunchOp launch,
                            const PackedOperand &packed, SymbolTable &symbols,
                            kernel::FuncOp &packKernel);
  /// Gives a launch a workspace of `bytes`, in the sizes of its operands.
  void giveWorkspace(kernel::LaunchOp launch, AffineExpr bytes);
};
} // namespace

LogicalResult
AssignStrategiesPass::assign(kernel::FuncOp kernel,
                             ArrayRef<std::unique_ptr<Strategy>> strategies,
                             Assignment &assignment) {
  SmallVector<std::string> reasons;
  for (const std::unique_ptr<Strategy> &strategy : strategies) {
    std::string reason;
    if (failed(strategy->match(kernel, &reason))) {
      reasons.push_back((strategy->getName() + ": " + reason).str());
      continue;
    }
    assignment = strategy->assign(kernel);
    kernel.setScheduleAttr(assignment.schedule);
    ++numAssigned;
    return success();
  }
  InFlightDiagnostic error =
      kernel.emitError("no strategy of the target can make this kernel");
  for (const std::string &reason : reasons)
    error.attachNote() << reason;
  return failure();
}

void AssignStrategiesPass::packArgument(kernel::FuncOp kernel,
                                        const PackedOperand &packed) {
  BlockArgument argument = kernel.getBody().getArgument(packed.argument);
  auto type = cast<RankedTensorType>(argument.getType());
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  RankedTensorType packedType = linalg::PackOp::inferPackedType(
      type, packed.innerTiles, packed.innerDimsPos, packed.outerPerm);
  argument.setType(packedType);
  Value empty = tensor::EmptyOp::create(builder, kernel.getLoc(),
                                        type.getShape(), type.getElementType());
  auto unpack = linalg::UnPackOp::create(
      builder, kernel.getLoc(), argument, empty, packed.innerDimsPos,
      getAsIndexOpFoldResult(builder.getContext(), packed.innerTiles),
      packed.outerPerm);
  argument.replaceAllUsesExcept(unpack.getResult(), unpack);
  SmallVector<Type> arguments(kernel.getBody().getArgumentTypes());
  kernel.setFunctionType(
      builder.getFunctionType(arguments, kernel.getResultTypes()));
}

LogicalResult AssignStrategiesPass::packOperand(kernel::LaunchOp launch,
                                                const PackedOperand &packed,
                                                SymbolTable &symbols,
                                                kernel::FuncOp &packKernel) {
  OpBuilder builder(launch);
  OpOperand &operand = launch->getOpOperand(packed.argument);
  Value source = operand.get();
  auto type = cast<RankedTensorType>(source.getType());
  RankedTensorType packedType = linalg::PackOp::inferPackedType(
      type, packed.innerTiles, packed.innerDimsPos, packed.outerPerm);
  Location loc = launch.getLoc();
  Value padding = arith::ConstantOp::create(
      builder, loc, builder.getZeroAttr(type.getElementType()));
  Value empty = tensor::EmptyOp::create(builder, loc, packedType.getShape(),
                                        type.getElementType());
  bool pads = false;
  for (auto [dim, tile] : llvm::zip(packed.innerDimsPos, packed.innerTiles))
    pads |= type.getDimSize(dim) % tile != 0;
  auto pack = linalg::PackOp::create(
      builder, loc, source, empty, packed.innerDimsPos,
      getAsIndexOpFoldResult(builder.getContext(), packed.innerTiles),
      pads ? std::optional<Value>(padding) : std::nullopt, packed.outerPerm);
  operand.set(pack.getResult());

  OperationGroup group;
  group.insert(pack);
  auto user = launch->getParentOfType<func::FuncOp>();
  SymbolicShapes shapes(user);
  OpBuilder moduleBuilder(user);
  std::string reason;
  FailureOr<OutlinedKernel> outlined =
      outlineKernel(moduleBuilder, group, "pack", shapes, &reason);
  if (failed(outlined))
    return launch.emitError("its packing cannot be outlined: ") << reason;
  symbols.insert(outlined->kernel, user->getIterator());
  packKernel = outlined->kernel;
  builder.setInsertionPoint(pack);
  IRMapping replaced;
  replaceByLaunch(builder, *outlined, shapes, replaced);
  pack.erase();
  ++numPacked;
  return success();
}

void AssignStrategiesPass::giveWorkspace(kernel::LaunchOp launch,
                                         AffineExpr bytes) {
  OpBuilder builder(launch);
  Location loc = launch.getLoc();
  SymbolicShapes shapes(launch->getParentOfType<func::FuncOp>());
  SmallVector<AffineExpr> sizes;
  for (Value operand : launch->getOperands()) {
    auto type = cast<RankedTensorType>(operand.getType());
    for (int64_t d = 0; d < type.getRank(); ++d)
      if (type.isDynamicDim(d))
        sizes.push_back(shapes.getSize(operand, d));
  }
  OpFoldResult size = shapes.materialize(
      builder, loc, normalizeSize(bytes.replaceSymbols(sizes)));
  // The type is the kernel's, static only where its own sizes say it.
  RankedTensorType type =
      RankedTensorType::get({ShapedType::kDynamic}, builder.getI8Type());
  Value empty;
  if (auto constant = dyn_cast<AffineConstantExpr>(bytes))
    empty = tensor::EmptyOp::create(builder, loc, {constant.getValue()},
                                    builder.getI8Type());
  else
    empty = tensor::EmptyOp::create(
        builder, loc, type,
        ValueRange{getValueOrCreateConstantIndexOp(builder, loc, size)});
  launch.getWorkspaceMutable().assign(empty);
}

void AssignStrategiesPass::runOnOperation() {
  ModuleOp module = getOperation();
  std::string error;
  auto strategies = createStrategies(target, error);
  if (!error.empty()) {
    module.emitError(error);
    return signalPassFailure();
  }
  SymbolTable symbols(module);
  DenseMap<StringAttr, SmallVector<kernel::LaunchOp>> launches;
  module.walk([&](kernel::LaunchOp launch) {
    launches[launch.getCalleeAttr().getAttr()].push_back(launch);
  });
  SmallVector<kernel::FuncOp> kernels(module.getOps<kernel::FuncOp>());
  for (kernel::FuncOp kernel : kernels) {
    if (kernel.getSchedule())
      continue; // a user's
    Assignment assignment;
    if (failed(assign(kernel, strategies, assignment)))
      return signalPassFailure();
    addWorkspace(kernel, assignment.workspaceBytes);
    if (assignment.workspaceBytes) {
      for (kernel::LaunchOp launch : launches[kernel.getSymNameAttr()])
        giveWorkspace(launch, assignment.workspaceBytes);
      ++numWorkspaces;
    }
    if (!pack)
      continue;
    for (const PackedOperand &packed : assignment.packedOperands) {
      auto type = cast<RankedTensorType>(
          kernel.getBody().getArgument(packed.argument).getType());
      if (!type.hasStaticShape())
        continue; // its pack would have to be made in each call, of any size
      for (kernel::LaunchOp launch : launches[kernel.getSymNameAttr()]) {
        kernel::FuncOp packKernel;
        Assignment ofPack;
        if (failed(packOperand(launch, packed, symbols, packKernel)) ||
            failed(assign(packKernel, strategies, ofPack)))
          return signalPassFailure();
      }
      packArgument(kernel, packed);
    }
  }
  for (func::FuncOp func : module.getOps<func::FuncOp>())
    if (!func.isDeclaration())
      sortTopologically(&func.getBody().front());
}
