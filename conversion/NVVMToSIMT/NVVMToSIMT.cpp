//===- NVVMToSIMT.cpp - GPU modules as functions of the SIMT machine ---===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/NVVMToSIMT/Passes.h"
#include "conversion/NVVMToSIMT/SimtRuntime.h"
#include "runtime/simt/SimtOps.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Transforms/LocationSnapshot.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/MathExtras.h"

#define DEBUG_TYPE "ourc-nvvm-to-simt"

namespace ourc {
#define GEN_PASS_DEF_NVVMTOSIMTPASS
#include "conversion/NVVMToSIMT/Passes.h.inc"
} // namespace ourc

using namespace mlir;
using namespace ourc;
using namespace ourc::simt;

static constexpr unsigned globalSpace = 1, sharedSpace = 3;

/// Whether `global` is constant data in global memory.
static bool isTable(LLVM::GlobalOp global) {
  return global.getConstant() && global.getAddrSpace() == globalSpace;
}

/// Places the variables in shared memory: those of static size one after the
/// other, then the array of dynamic size, to which several names may refer.
static LogicalResult layOutShared(gpu::GPUModuleOp module,
                                  SharedLayout &layout) {
  SmallVector<LLVM::GlobalOp> dynamic;
  int64_t offset = 0, dynamicAlignment = 1;
  for (auto global : module.getOps<LLVM::GlobalOp>()) {
    if (isTable(global))
      continue;
    if (global.getAddrSpace() != sharedSpace)
      return global.emitOpError("is a variable outside shared memory, which "
                                "the SIMT machine does not have");
    auto alignment = static_cast<int64_t>(global.getAlignment().value_or(16));
    if (alignment > 1024)
      return global.emitOpError("is aligned to ")
             << alignment << " bytes: at most 1024 is right";
    DataLayout data = DataLayout::closest(global);
    auto bytes = static_cast<int64_t>(data.getTypeSize(global.getGlobalType()));
    if (bytes == 0) {
      dynamic.push_back(global);
      dynamicAlignment = std::max(dynamicAlignment, alignment);
      continue;
    }
    offset = static_cast<int64_t>(llvm::alignTo(
        static_cast<uint64_t>(offset), static_cast<uint64_t>(alignment)));
    layout.offsets[global.getSymNameAttr()] = offset;
    offset += bytes;
  }
  layout.staticBytes = static_cast<int64_t>(llvm::alignTo(
      static_cast<uint64_t>(offset), static_cast<uint64_t>(dynamicAlignment)));
  for (LLVM::GlobalOp global : dynamic)
    layout.offsets[global.getSymNameAttr()] = layout.staticBytes;
  return success();
}

/// Creates the function that takes the addresses of the arguments of `kernel`.
static LLVM::LLVMFuncOp createThunk(OpBuilder &builder, LLVM::LLVMFuncOp kernel,
                                    StringRef name) {
  Location loc = kernel.getLoc();
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(builder.getContext()), {pointer});
  auto thunk = LLVM::LLVMFuncOp::create(builder, loc, name, type,
                                        LLVM::Linkage::Internal);
  Block *block = thunk.addEntryBlock(builder);
  OpBuilder body = OpBuilder::atBlockBegin(block);
  SmallVector<Value> arguments;
  for (auto [i, argument] : llvm::enumerate(kernel.getArgumentTypes())) {
    Value slot =
        LLVM::GEPOp::create(body, loc, pointer, pointer, block->getArgument(0),
                            ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(i)});
    Value address = LLVM::LoadOp::create(body, loc, pointer, slot);
    arguments.push_back(LLVM::LoadOp::create(body, loc, argument, address));
  }
  LLVM::CallOp::create(body, loc, kernel, arguments);
  LLVM::ReturnOp::create(body, loc, ValueRange());
  return thunk;
}

/// Makes all pointers plain ones in `function`.
static void dropAddressSpaces(LLVM::LLVMFuncOp function) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](LLVM::LLVMPointerType type) -> Type {
    return LLVM::LLVMPointerType::get(type.getContext());
  });
  replacer.recursivelyReplaceElementsIn(function, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  function.walk([](LLVM::AddrSpaceCastOp cast) {
    cast.replaceAllUsesWith(cast.getArg());
    cast.erase();
  });
}

namespace {
struct NVVMToSIMTPass : ourc::impl::NVVMToSIMTPassBase<NVVMToSIMTPass> {
  using NVVMToSIMTPassBase::NVVMToSIMTPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    RuntimeCalls runtime(module);
    for (auto gpuModule :
         llvm::make_early_inc_range(module.getOps<gpu::GPUModuleOp>())) {
      if (!kernelSource.empty() &&
          failed(generateLocationsFromIR(kernelSource, kKernelLineTag,
                                         gpuModule, OpPrintingFlags())))
        return signalPassFailure();
      if (failed(lowerModule(gpuModule, runtime)))
        return signalPassFailure();
    }
    module->removeAttr(gpu::GPUDialect::getContainerModuleAttrName());
  }

private:
  LogicalResult lowerModule(gpu::GPUModuleOp gpuModule, RuntimeCalls &runtime) {
    SharedLayout layout;
    if (failed(layOutShared(gpuModule, layout)))
      return failure();
    for (Operation &op : gpuModule.getBody()->getOperations())
      if (!isa<LLVM::LLVMFuncOp, LLVM::GlobalOp>(op))
        return op.emitOpError("in a GPU module: lower it to the LLVM dialect "
                              "first (-ourc-gpu-to-nvvm-pipeline)");

    // Launches are found before names change.
    SmallVector<gpu::LaunchFuncOp> launches;
    getOperation().walk([&](gpu::LaunchFuncOp launch) {
      if (launch.getKernelModuleName() == gpuModule.getNameAttr())
        launches.push_back(launch);
    });

    SymbolTable hostSymbols(getOperation());
    SymbolTable gpuSymbols(gpuModule);
    SmallVector<LLVM::GlobalOp> tables;
    for (auto table :
         llvm::make_early_inc_range(gpuModule.getOps<LLVM::GlobalOp>())) {
      if (!isTable(table))
        continue;
      tables.push_back(table);
      if (hostSymbols.lookup(table.getSymNameAttr()) &&
          failed(gpuSymbols.renameToUnique(table, {&hostSymbols})))
        return failure();
      table->moveBefore(gpuModule);
      table.setAddrSpace(0);
      hostSymbols.insert(table);
    }
    llvm::DenseMap<StringAttr, KernelInfo> kernels;
    OpBuilder builder(gpuModule);
    for (auto function :
         llvm::make_early_inc_range(gpuModule.getOps<LLVM::LLVMFuncOp>())) {
      StringAttr oldName = function.getSymNameAttr();
      bool isKernel =
          function->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName());
      uint64_t granule = 16;
      function.walk(
          [&](Operation *op) { granule = std::min(granule, getGranule(op)); });
      auto extents = function->getAttrOfType<ArrayAttr>(kExtentsAttrName);
      function->removeAttr(kExtentsAttrName);
      BufferRoots roots;
      roots.isKernel = isKernel;
      for (auto [i, table] : llvm::enumerate(tables))
        roots.tables[table.getSymNameAttr()] =
            static_cast<int32_t>(function.getNumArguments() + i);
      if (!function.isDeclaration() &&
          failed(lowerFunction(function, runtime, layout, roots)))
        return failure();
      if (hostSymbols.lookup(oldName) &&
          failed(gpuSymbols.renameToUnique(function, {&hostSymbols})))
        return failure();
      function->moveBefore(gpuModule);
      hostSymbols.insert(function);
      if (!isKernel)
        continue;
      ++numKernels;
      LLVM::LLVMFuncOp thunk = createThunk(
          builder, function, (function.getSymName() + "_simt").str());
      hostSymbols.insert(thunk);
      kernels[oldName] = {thunk, extents, granule};
    }

    for (gpu::LaunchFuncOp launch : launches) {
      auto kernel = kernels.find(launch.getKernelName());
      if (kernel == kernels.end())
        return launch.emitOpError("launches a function that is not a kernel");
      if (failed(lowerLaunch(launch, runtime, kernel->second, tables, layout)))
        return failure();
    }
    gpuModule.erase();
    return success();
  }

  LogicalResult lowerFunction(LLVM::LLVMFuncOp function, RuntimeCalls &runtime,
                              const SharedLayout &layout,
                              const BufferRoots &roots) {
    Location loc = function.getLoc();
    if (function.isExternal())
      return function.emitOpError(
          "has no body, so the SIMT machine cannot run it");
    OpBuilder entry = OpBuilder::atBlockBegin(&function.getBody().front());
    auto pointer = LLVM::LLVMPointerType::get(&getContext());
    Value size =
        LLVM::ConstantOp::create(entry, loc, entry.getI64IntegerAttr(64));
    Value scratch =
        LLVM::AllocaOp::create(entry, loc, pointer, entry.getI8Type(), size,
                               /*alignment=*/16);

    SmallVector<Operation *> operations;
    function.walk([&](Operation *op) {
      if (op != function)
        operations.push_back(op);
    });
    // Before addresses lose their space.
    for (Operation *op : operations) {
      // Others must get to run where a thread waits for what they write.
      std::optional<MemoryAccess> access = MemoryAccess::of(op);
      if (access && (checkAccesses || access->kind >= OURC_SIMT_ATOMIC))
        numChecks += checkAccess(op, runtime, roots);
    }
    for (Operation *op : operations) {
      if (isa_and_present<NVVM::NVVMDialect>(op->getDialect())) {
        if (failed(lowerInstruction(op, runtime, scratch, roots)))
          return failure();
        ++numInstructions;
        continue;
      }
      if (!isa_and_present<LLVM::LLVMDialect>(op->getDialect()))
        return op->emitOpError("in a GPU function: lower it to the LLVM "
                               "dialect first (-ourc-gpu-to-nvvm-pipeline)");
      if (failed(lowerPlain(op, runtime, layout)))
        return failure();
    }

    operations.clear();
    function.walk([&](Operation *op) { operations.push_back(op); });
    for (Operation *op : operations)
      expandBFloat(op);

    dropAddressSpaces(function);
    for (NamedAttribute attr :
         llvm::to_vector(function->getDiscardableAttrs())) {
      StringRef dialect = attr.getNameDialect()->getNamespace();
      if (dialect == NVVM::NVVMDialect::getDialectNamespace() ||
          dialect == gpu::GPUDialect::getDialectNamespace())
        function->removeAttr(attr.getName());
    }
    function.setLinkage(LLVM::Linkage::Internal);
    return success();
  }

  /// Lowers what the LLVM dialect itself says about a GPU.
  LogicalResult lowerPlain(Operation *op, RuntimeCalls &runtime,
                           const SharedLayout &layout) {
    OpBuilder builder(op);
    Location loc = op->getLoc();
    if (auto intrinsic = dyn_cast<LLVM::CallIntrinsicOp>(op)) {
      if (intrinsic.getIntrin().starts_with("llvm.nvvm."))
        return op->emitOpError("of '")
               << intrinsic.getIntrin()
               << "' is not an instruction of the SIMT machine";
      return success();
    }
    if (auto fence = dyn_cast<LLVM::FenceOp>(op)) {
      runtime.call(builder, loc, "ourc_simt_fence", {},
                   {RuntimeCalls::constant(
                       builder, loc,
                       getOrder(fence.getOrdering(), fence.getSyncscope()))});
      fence.erase();
      return success();
    }
    if (isa<LLVM::Trap>(op)) {
      auto reason = op->getAttrOfType<StringAttr>(kReasonAttrName);
      StringRef text = reason ? reason.getValue() : "trap";
      runtime.call(
          builder, loc, "ourc_simt_trap", {},
          {runtime.getSite(builder, op),
           runtime.getString(builder, loc, ("ourc_simt_reason_" + text).str(),
                             text)});
      op->erase();
      return success();
    }
    if (auto assembly = dyn_cast<LLVM::InlineAsmOp>(op))
      return assembly.emitOpError("cannot run on the SIMT machine");
    if (auto address = dyn_cast<LLVM::AddressOfOp>(op)) {
      auto found = layout.offsets.find(address.getGlobalNameAttr().getAttr());
      if (found == layout.offsets.end())
        return success();
      Value base = runtime.call(builder, loc, "ourc_simt_shared",
                                LLVM::LLVMPointerType::get(&getContext()), {});
      Value element = LLVM::GEPOp::create(
          builder, loc, base.getType(), builder.getI8Type(), base,
          ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(found->second)});
      address.replaceAllUsesWith(element);
      address.erase();
      return success();
    }
    return success();
  }
};
} // namespace
