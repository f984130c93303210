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
#include "strategy/ScheduleFile.h"
#include "strategy/Strategies.h"
#include "transforms/kernel/FrozenValues.h"
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
  ScheduleFile file;

  LogicalResult assignFromFile(kernel::FuncOp kernel,
                               ArrayRef<std::unique_ptr<Strategy>> strategies,
                               ArrayRef<kernel::LaunchOp> launches,
                               kernel::ScheduleAttrInterface schedule,
                               Assignment &assignment);
  LogicalResult assign(kernel::FuncOp kernel,
                       ArrayRef<std::unique_ptr<Strategy>> strategies,
                       ArrayRef<kernel::LaunchOp> launches,
                       Assignment &assignment);
  /// Whether all that `assignment` packs comes from frozen weights, and may be
  /// packed at all.
  bool canPrepare(const Assignment &assignment,
                  ArrayRef<kernel::LaunchOp> launches);
  /// Packs one argument in the kernel's body.
  void packArgument(kernel::FuncOp kernel, const PackedOperand &packed);
  /// Packs one operand of a launch by kernels of their own, which are appended
  /// to `packKernels`.
  LogicalResult packOperand(kernel::LaunchOp launch,
                            const PackedOperand &packed, SymbolTable &symbols,
                            SmallVectorImpl<kernel::FuncOp> &packKernels);
  /// Gives a launch a workspace of `bytes`, in the sizes of its operands.
  void giveWorkspace(kernel::LaunchOp launch, AffineExpr bytes);
};
} // namespace

LogicalResult AssignStrategiesPass::assignFromFile(
    kernel::FuncOp kernel, ArrayRef<std::unique_ptr<Strategy>> strategies,
    ArrayRef<kernel::LaunchOp> launches, kernel::ScheduleAttrInterface schedule,
    Assignment &assignment) {
  auto fail = [&](const Twine &why) {
    return kernel.emitError("cannot have the schedule ")
           << schedule << " that '" << schedules << "' gives it: " << why;
  };
  StringRef kind = StringRef(target).starts_with("cpu:") ? "cpu" : "gpu";
  if (schedule.getTargetKind() != kind)
    return fail("it is for a " + schedule.getTargetKind() + ", the target '" +
                target + "' is none");
  std::string reasons = "the target '" + target + "' has no such strategy";
  for (const std::unique_ptr<Strategy> &strategy : strategies) {
    if (strategy->getName() != schedule.getStrategy())
      continue;
    std::string reason;
    if (strict && strategy->isApproximate())
      return fail("the strategy is off under 'strict'");
    if (failed(strategy->match(kernel, &reason))) {
      reasons = reason;
      continue; // two strategies may share a name
    }
    FailureOr<Assignment> given =
        strategy->assignGiven(kernel, schedule, &reason);
    if (failed(given))
      return fail(reason);
    if (strategy->needsFrozenOperands() && !canPrepare(*given, launches))
      return fail("its weights cannot be prepared ahead of a call");
    assignment = *given;
    kernel.setScheduleAttr(assignment.schedule);
    ++numAssigned;
    ++numGiven;
    return success();
  }
  return fail(reasons);
}

LogicalResult AssignStrategiesPass::assign(
    kernel::FuncOp kernel, ArrayRef<std::unique_ptr<Strategy>> strategies,
    ArrayRef<kernel::LaunchOp> launches, Assignment &assignment) {
  if (!file.empty())
    if (auto schedule = file.lookup(getKernelKey(kernel)))
      return assignFromFile(kernel, strategies, launches, schedule, assignment);
  SmallVector<std::string> reasons;
  for (const std::unique_ptr<Strategy> &strategy : strategies) {
    std::string reason;
    if (strict && strategy->isApproximate())
      continue;
    if (failed(strategy->match(kernel, &reason))) {
      reasons.push_back((strategy->getName() + ": " + reason).str());
      continue;
    }
    assignment = strategy->assign(kernel);
    if (strategy->needsFrozenOperands() && !canPrepare(assignment, launches)) {
      reasons.push_back((strategy->getName() +
                         ": its weights cannot be prepared ahead of a call")
                            .str());
      continue;
    }
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

/// The type of packed filters [panel][3][3][channel][lane], transformed.
static RankedTensorType getWinogradType(RankedTensorType packed) {
  SmallVector<int64_t> shape(packed.getShape());
  shape[1] = shape[2] = 4;
  return packed.clone(shape);
}

/// Σ_hv G[i][h] G[j][v] packed[p][h][v][c][l], as kernel.winograd_filter says.
static linalg::GenericOp createWinogradTransform(OpBuilder &builder,
                                                 Location loc, Value packed) {
  auto type = cast<RankedTensorType>(packed.getType());
  Type element = type.getElementType();
  RankedTensorType result = getWinogradType(type);
  SmallVector<Attribute> entries;
  for (double entry : {1., 0., 0., .5, .5, .5, .5, -.5, .5, 0., 0., 1.})
    entries.push_back(builder.getFloatAttr(element, entry));
  Value g = arith::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(RankedTensorType::get({4, 3}, element), entries));
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(element));
  Value empty = tensor::EmptyOp::create(builder, loc, result.getShape(),
                                        result.getElementType());
  Value start = linalg::FillOp::create(builder, loc, zero, empty).getResult(0);
  // p, i, j, c, l, h, v
  AffineExpr p, i, j, c, l, h, v;
  bindDims(builder.getContext(), p, i, j, c, l, h, v);
  auto map = [&](ArrayRef<AffineExpr> results) {
    return AffineMap::get(7, 0, results, builder.getContext());
  };
  auto parallel = utils::IteratorType::parallel;
  auto reduction = utils::IteratorType::reduction;
  return linalg::GenericOp::create(
      builder, loc, result, ValueRange{g, g, packed}, start,
      ArrayRef{map({i, h}), map({j, v}), map({p, h, v, c, l}),
               map({p, i, j, c, l})},
      ArrayRef{parallel, parallel, parallel, parallel, parallel, reduction,
               reduction},
      [](OpBuilder &body, Location loc, ValueRange args) {
        Value weight = arith::MulFOp::create(body, loc, args[0], args[1]);
        Value product = arith::MulFOp::create(body, loc, weight, args[2]);
        Value sum = arith::AddFOp::create(body, loc, args[3], product);
        linalg::YieldOp::create(body, loc, sum);
      });
}

bool AssignStrategiesPass::canPrepare(const Assignment &assignment,
                                      ArrayRef<kernel::LaunchOp> launches) {
  FrozenValues frozen;
  return pack && llvm::all_of(launches, [&](kernel::LaunchOp launch) {
           return llvm::all_of(
               assignment.packedOperands, [&](const PackedOperand &packed) {
                 return frozen.isFrozen(launch->getOperand(packed.argument));
               });
         });
}

void AssignStrategiesPass::packArgument(kernel::FuncOp kernel,
                                        const PackedOperand &packed) {
  BlockArgument argument = kernel.getBody().getArgument(packed.argument);
  auto type = cast<RankedTensorType>(argument.getType());
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  RankedTensorType packedType = linalg::PackOp::inferPackedType(
      type, packed.innerTiles, packed.innerDimsPos, packed.outerPerm);
  if (packed.winograd) {
    argument.setType(getWinogradType(packedType));
    auto filter = kernel::WinogradFilterOp::create(builder, kernel.getLoc(),
                                                   type, argument);
    argument.replaceAllUsesExcept(filter.getResult(), filter);
    SmallVector<Type> arguments(kernel.getBody().getArgumentTypes());
    kernel.setFunctionType(
        builder.getFunctionType(arguments, kernel.getResultTypes()));
    return;
  }
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

LogicalResult AssignStrategiesPass::packOperand(
    kernel::LaunchOp launch, const PackedOperand &packed, SymbolTable &symbols,
    SmallVectorImpl<kernel::FuncOp> &packKernels) {
  OpBuilder builder(launch);
  OpOperand &operand = launch->getOpOperand(packed.argument);
  auto type = cast<RankedTensorType>(operand.get().getType());
  RankedTensorType packedType = linalg::PackOp::inferPackedType(
      type, packed.innerTiles, packed.innerDimsPos, packed.outerPerm);
  Location loc = launch.getLoc();
  auto user = launch->getParentOfType<func::FuncOp>();
  // Makes `op`, whose result is the operand, a kernel.
  auto outline = [&](Operation *op, StringRef name) -> LogicalResult {
    OperationGroup group;
    group.insert(op);
    SymbolicShapes shapes(user);
    OpBuilder moduleBuilder(user);
    std::string reason;
    FailureOr<OutlinedKernel> outlined =
        outlineKernel(moduleBuilder, group, name, shapes, &reason);
    if (failed(outlined))
      return launch.emitError("its packing cannot be outlined: ") << reason;
    symbols.insert(outlined->kernel, user->getIterator());
    packKernels.push_back(outlined->kernel);
    builder.setInsertionPoint(op);
    IRMapping replaced;
    replaceByLaunch(builder, *outlined, shapes, replaced);
    op->erase();
    return success();
  };

  Value padding = arith::ConstantOp::create(
      builder, loc, builder.getZeroAttr(type.getElementType()));
  Value empty = tensor::EmptyOp::create(builder, loc, packedType.getShape(),
                                        type.getElementType());
  bool pads = false;
  for (auto [dim, tile] : llvm::zip(packed.innerDimsPos, packed.innerTiles))
    pads |= type.getDimSize(dim) % tile != 0;
  auto pack = linalg::PackOp::create(
      builder, loc, operand.get(), empty, packed.innerDimsPos,
      getAsIndexOpFoldResult(builder.getContext(), packed.innerTiles),
      pads ? std::optional<Value>(padding) : std::nullopt, packed.outerPerm);
  operand.set(pack.getResult());
  ++numPacked;
  if (failed(outline(pack, "pack")))
    return failure();
  if (!packed.winograd)
    return success();
  builder.setInsertionPoint(launch);
  linalg::GenericOp transform =
      createWinogradTransform(builder, loc, operand.get());
  operand.set(transform.getResult(0));
  return outline(transform, "winograd_transform");
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
  if (!schedules.empty()) {
    llvm::Expected<ScheduleFile> read =
        ScheduleFile::read(schedules, &getContext());
    if (!read) {
      module.emitError(llvm::toString(read.takeError()));
      return signalPassFailure();
    }
    file = std::move(*read);
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
    ArrayRef<kernel::LaunchOp> users = launches[kernel.getSymNameAttr()];
    if (failed(assign(kernel, strategies, users, assignment)))
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
      for (kernel::LaunchOp launch : users) {
        SmallVector<kernel::FuncOp> packKernels;
        if (failed(packOperand(launch, packed, symbols, packKernels)))
          return signalPassFailure();
        for (kernel::FuncOp packKernel : packKernels) {
          Assignment ofPack;
          if (failed(assign(packKernel, strategies, {}, ofPack)))
            return signalPassFailure();
        }
      }
      packArgument(kernel, packed);
    }
  }
  for (func::FuncOp func : module.getOps<func::FuncOp>())
    if (!func.isDeclaration())
      sortTopologically(&func.getBody().front());
}
