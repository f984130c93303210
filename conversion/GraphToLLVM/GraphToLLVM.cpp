//===- GraphToLLVM.cpp - The planned graph becomes an OurcProgram ---------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/GraphToLLVM/Passes.h"

#include "conversion/GraphToLLVM/GraphFunctions.h"
#include "conversion/GraphToLLVM/KernelReport.h"
#include "conversion/GraphToLLVM/ProgramGlobal.h"
#include "dialects/kernel/KernelDialect.h"
#include "dialects/ourc/OurcDialect.h"
#include "transforms/buffer/ProgramFunctions.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/Support/FormatVariadic.h"

#define DEBUG_TYPE "ourc-graph-to-llvm"

namespace ourc {
#define GEN_PASS_DEF_GRAPHTOLLVM
#include "conversion/GraphToLLVM/Passes.h.inc"
} // namespace ourc

using namespace mlir;
using namespace ourc;

namespace {

class GraphToLLVMPass : public ourc::impl::GraphToLLVMBase<GraphToLLVMPass> {
public:
  using GraphToLLVMBase::GraphToLLVMBase;

  void runOnOperation() override {
    if (failed(lowerProgram()))
      signalPassFailure();
  }

private:
  LogicalResult lowerProgram();
  LogicalResult lowerConstants();
  LogicalResult lowerArithmetic(const GraphFunctions &functions);
  void splitKernels();
};

} // namespace

/// Constants of the graph keep their names and become data of the program.
LogicalResult GraphToLLVMPass::lowerConstants() {
  for (auto global :
       llvm::make_early_inc_range(getOperation().getOps<memref::GlobalOp>())) {
    auto elements =
        dyn_cast_or_null<ElementsAttr>(global.getInitialValueAttr());
    if (!elements || !global.getConstant())
      return global.emitError("must be constant and have a value");
    // The value as one row-major array.
    auto type = cast<MemRefType>(global.getType());
    auto flat =
        RankedTensorType::get({type.getNumElements()}, type.getElementType());
    Attribute value;
    if (auto dense = dyn_cast<DenseElementsAttr>(elements))
      value = dense.isSplat() ? dense.resizeSplat(flat) : dense.reshape(flat);
    else if (auto resource = dyn_cast<DenseResourceElementsAttr>(elements))
      value = DenseResourceElementsAttr::get(flat, resource.getRawHandle());
    else
      return global.emitError("has a value of an unknown form");
    OpBuilder b(global);
    auto array =
        LLVM::LLVMArrayType::get(type.getElementType(), type.getNumElements());
    std::string name = global.getSymName().str();
    auto lowered = LLVM::GlobalOp::create(
        b, global.getLoc(), array, /*isConstant=*/true, LLVM::Linkage::Internal,
        name + ".data", value, /*alignment=*/64);
    global.erase();
    lowered.setSymName(name);
  }
  return success();
}

/// Each kernel in a module of its own; the graph sees its entry. The entry's
/// symbol is no C function's: a kernel may be called `exp`.
void GraphToLLVMPass::splitKernels() {
  ModuleOp module = getOperation();
  auto ptr = LLVM::LLVMPointerType::get(&getContext());
  auto type = LLVM::LLVMFunctionType::get(IntegerType::get(&getContext(), 32),
                                          {ptr, ptr, ptr});
  for (auto func :
       llvm::make_early_inc_range(module.getOps<kernel::FuncOp>())) {
    OpBuilder b(func);
    std::string name = func.getSymName().str();
    std::string entry = kernelEntryName(name);
    LLVM::LLVMFuncOp::create(b, func.getLoc(), entry, type);
    auto nested = ModuleOp::create(b, func.getLoc(), name);
    func.setSymName(entry);
    func->moveBefore(nested.getBody(), nested.getBody()->end());
  }
}

LogicalResult
GraphToLLVMPass::lowerArithmetic(const GraphFunctions &functions) {
  LLVMTypeConverter converter(&getContext());
  RewritePatternSet patterns(&getContext());
  arith::populateCeilFloorDivExpandOpsPatterns(patterns);
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  FrozenRewritePatternSet frozen(std::move(patterns));
  LLVMConversionTarget target(getContext());
  target.addLegalOp<UnrealizedConversionCastOp>();
  for (LLVM::LLVMFuncOp func :
       {functions.run, functions.init, functions.shapes}) {
    if (!func)
      continue;
    if (failed(applyPartialConversion(func, target, frozen)))
      return failure();
    SmallVector<UnrealizedConversionCastOp> casts;
    func.walk([&](UnrealizedConversionCastOp cast) { casts.push_back(cast); });
    reconcileUnrealizedCasts(casts);
  }
  return success();
}

LogicalResult GraphToLLVMPass::lowerProgram() {
  ModuleOp module = getOperation();
  if (failed(verifyProgram(module)))
    return failure();
  auto main = module.lookupSymbol<func::FuncOp>(kMainName);
  auto init = module.lookupSymbol<func::FuncOp>(kInitName);
  auto shapes = module.lookupSymbol<func::FuncOp>(kShapesName);
  FailureOr<ProgramSignature> signature = ProgramSignature::of(main);
  if (failed(signature))
    return failure();

  ProgramFacts facts;
  facts.name = module.getSymName().value_or(kMainName).str();
  facts.target = target;
  bool onDevice = StringRef(target).starts_with("cuda:");
  if (onDevice)
    facts.device = "ourc_cuda_runtime";
  llvm::json::Object report;
  describeProgram(module, report);
  facts.report =
      llvm::formatv("{0}", llvm::json::Value(std::move(report))).str();
  size_t numSizes =
      shapes ? shapes.getFunctionType().getNumResults() : size_t(0);
  if (numSizes < signature->offsets.size())
    return main.emitError("has ")
           << signature->offsets.size() << " buffers, but '@" << kShapesName
           << "' returns only " << numSizes << " sizes";
  facts.numComputedDims = numSizes - signature->offsets.size();

  GraphFunctions functions;
  FailureOr<LLVM::LLVMFuncOp> run = emitRun(module, main, *signature, onDevice);
  if (failed(run))
    return failure();
  functions.run = *run;
  if (shapes && numSizes != 0) {
    FailureOr<LLVM::LLVMFuncOp> lowered =
        emitShapes(module, shapes, facts.numComputedDims);
    if (failed(lowered))
      return failure();
    functions.shapes = *lowered;
  }
  if (init && !signature->prepared.empty()) {
    FailureOr<ProgramSignature> initSignature = ProgramSignature::of(init);
    if (failed(initSignature))
      return failure();
    FailureOr<LLVM::LLVMFuncOp> lowered =
        emitInit(module, init, *initSignature, onDevice);
    if (failed(lowered))
      return failure();
    functions.init = *lowered;
    if (auto bytes = init->getAttrOfType<IntegerAttr>(kScratchBytesAttrName))
      facts.initScratchBytes = bytes.getInt();
  }
  for (kernel::LaunchOp launch : main.getOps<kernel::LaunchOp>()) {
    (void)launch;
    ++numLaunches;
  }
  if (failed(emitProgramGlobal(module, main, *signature, functions, facts)) ||
      failed(lowerConstants()) || failed(lowerArithmetic(functions)))
    return failure();
  for (func::FuncOp func : {main, init, shapes})
    if (func)
      func.erase();
  for (Operation *symbol : programSymbols(module))
    symbol->erase();
  splitKernels();
  return success();
}
