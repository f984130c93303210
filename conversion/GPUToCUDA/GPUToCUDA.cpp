//===- GPUToCUDA.cpp - GPU modules and launches for CUDA ------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/GPUToCUDA/Passes.h"

#include "conversion/GPUToCUDA/Assembler.h"
#include "conversion/GPUToCUDA/KernelTable.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/Support/raw_ostream.h"

#define DEBUG_TYPE "ourc-gpu-to-cuda"

namespace ourc {
#define GEN_PASS_DEF_GPUTOCUDAPASS
#include "conversion/GPUToCUDA/Passes.h.inc"
} // namespace ourc

using namespace mlir;
using namespace ourc;

static constexpr StringLiteral launchName = "ourc_device_launch";

static FailureOr<std::string> makePTX(gpu::GPUModuleOp module, StringRef chip,
                                      StringRef features) {
  auto target =
      NVVM::NVVMTargetAttr::get(module.getContext(), /*optLevel=*/2,
                                "nvptx64-nvidia-cuda", chip, features);
  gpu::TargetOptions options("", {}, "", "", gpu::CompilationTarget::Assembly);
  auto serializer = dyn_cast<gpu::TargetAttrInterface>(target);
  if (!serializer)
    return module.emitOpError(
        "cannot become PTX: no translation is registered");
  // It leaves the time that it took as an attribute.
  DictionaryAttr attributes = module->getDiscardableAttrDictionary();
  std::optional<SmallVector<char, 0>> text =
      serializer.serializeToObject(module, options);
  module->setDiscardableAttrs(attributes);
  if (!text)
    return module.emitOpError("could not be translated to PTX for ") << chip;
  std::string ptx(text->begin(), text->end());
  // Without the terminator that some versions append.
  while (!ptx.empty() && ptx.back() == '\0')
    ptx.pop_back();
  return ptx;
}

static LogicalResult writeFile(Operation *op, const Twine &path,
                               StringRef bytes) {
  std::error_code code;
  llvm::raw_fd_ostream os(path.str(), code);
  if (code)
    return op->emitError("cannot write '") << path << "': " << code.message();
  os << bytes;
  return success();
}

/// An i8 array on the stack of `bytes` bytes, made at the function's start.
static Value createSlots(OpBuilder &entry, Location loc, size_t bytes) {
  auto pointer = LLVM::LLVMPointerType::get(entry.getContext());
  Value size =
      LLVM::ConstantOp::create(entry, loc,
                               entry.getI64IntegerAttr(static_cast<int64_t>(
                                   std::max<size_t>(bytes, 8))));
  return LLVM::AllocaOp::create(entry, loc, pointer, entry.getI8Type(), size,
                                /*alignment=*/8);
}

/// The address of the value number `i`, of 8 bytes each.
static Value getSlot(OpBuilder &builder, Location loc, Value array, size_t i) {
  return LLVM::GEPOp::create(builder, loc,
                             LLVM::LLVMPointerType::get(builder.getContext()),
                             builder.getI64Type(), array,
                             ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(i)});
}

namespace {
struct GPUToCUDAPass : ourc::impl::GPUToCUDAPassBase<GPUToCUDAPass> {
  using GPUToCUDAPassBase::GPUToCUDAPassBase;

  void runOnOperation() override {
    int32_t architecture;
    if (!StringRef(chip).starts_with("sm_") ||
        StringRef(chip).drop_front(3).getAsInteger(10, architecture)) {
      getOperation().emitError("'")
          << chip << "' is no architecture; 'sm_90' would be one";
      return signalPassFailure();
    }
    for (auto gpuModule :
         llvm::make_early_inc_range(getOperation().getOps<gpu::GPUModuleOp>()))
      if (failed(lowerModule(gpuModule, architecture)))
        return signalPassFailure();
    if (!twins)
      getOperation()->removeAttr(gpu::GPUDialect::getContainerModuleAttrName());
  }

private:
  LogicalResult lowerModule(gpu::GPUModuleOp gpuModule, int32_t architecture) {
    SmallVector<gpu::LaunchFuncOp> launches;
    getOperation().walk([&](gpu::LaunchFuncOp launch) {
      if (launch.getKernelModuleName() == gpuModule.getNameAttr())
        launches.push_back(launch);
    });
    FailureOr<std::string> ptx = makePTX(gpuModule, chip, features);
    if (failed(ptx))
      return failure();
    if (!dumpStem.empty() &&
        failed(writeFile(gpuModule, dumpStem + ".ptx", *ptx)))
      return failure();
    std::string cubin;
    if (Assembler assembler = Assembler::find();
        assemble && assembler.exists()) {
      llvm::Expected<std::string> made = assembler.assemble(*ptx, chip);
      if (!made)
        return gpuModule.emitOpError("could not be assembled: ")
               << llvm::toString(made.takeError());
      cubin = std::move(*made);
      ++numCubins;
      if (!dumpStem.empty() &&
          failed(writeFile(gpuModule, dumpStem + ".cubin", cubin)))
        return failure();
    }

    KernelTable table(getOperation());
    table.addCode(gpuModule, *ptx, cubin, architecture);
    llvm::DenseMap<StringAttr, LLVM::GlobalOp> kernels;
    SmallVector<LLVM::LLVMFuncOp> functions(
        gpuModule.getOps<LLVM::LLVMFuncOp>());
    for (LLVM::LLVMFuncOp function : functions) {
      if (!function->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName()))
        continue;
      LLVM::LLVMFuncOp twin =
          twins ? createTwin(gpuModule, function) : LLVM::LLVMFuncOp();
      kernels[function.getSymNameAttr()] = table.addKernel(function, twin);
      ++numKernels;
    }
    for (gpu::LaunchFuncOp launch : launches) {
      auto kernel = kernels.find(launch.getKernelName());
      if (kernel == kernels.end())
        return launch.emitOpError("launches what is no kernel of '")
               << gpuModule.getName() << "'";
      if (failed(lowerLaunch(launch, kernel->second)))
        return failure();
      ++numLaunches;
    }
    if (!twins)
      gpuModule.erase();
    return success();
  }

  /// i32 k_twin(args, grid, block, sharedBytes): an OurcTwinFn.
  LLVM::LLVMFuncOp createTwin(gpu::GPUModuleOp gpuModule,
                              LLVM::LLVMFuncOp kernel) {
    Location loc = kernel.getLoc();
    OpBuilder module(gpuModule);
    auto pointer = LLVM::LLVMPointerType::get(&getContext());
    Type i32 = module.getI32Type(), i64 = module.getI64Type();
    auto twin = LLVM::LLVMFuncOp::create(
        module, loc, (kernel.getSymName() + "_twin").str(),
        LLVM::LLVMFunctionType::get(i32, {pointer, pointer, pointer, i64}),
        LLVM::Linkage::Internal);
    Block *body = twin.addEntryBlock(module);
    OpBuilder builder = OpBuilder::atBlockBegin(body);
    SmallVector<Value> arguments;
    for (auto [i, type] : llvm::enumerate(kernel.getArgumentTypes())) {
      Value address =
          LLVM::LoadOp::create(builder, loc, pointer,
                               getSlot(builder, loc, body->getArgument(0), i));
      auto space = dyn_cast<LLVM::LLVMPointerType>(type);
      Value value = LLVM::LoadOp::create(builder, loc,
                                         space ? Type(pointer) : type, address);
      if (space && space != pointer)
        value = LLVM::AddrSpaceCastOp::create(builder, loc, type, value);
      arguments.push_back(value);
    }
    auto sizes = [&](unsigned argument) {
      auto size = [&](size_t i) -> Value {
        return LLVM::LoadOp::create(
            builder, loc, i64,
            getSlot(builder, loc, body->getArgument(argument), i));
      };
      return gpu::KernelDim3{size(0), size(1), size(2)};
    };
    gpu::KernelDim3 grid = sizes(1), block = sizes(2);
    Value shared =
        LLVM::TruncOp::create(builder, loc, i32, body->getArgument(3));
    Value context = LLVM::ZeroOp::create(builder, loc, pointer);
    auto symbol =
        SymbolRefAttr::get(gpuModule.getNameAttr(),
                           {FlatSymbolRefAttr::get(kernel.getSymNameAttr())});
    gpu::LaunchFuncOp::create(builder, loc, symbol, grid, block, shared,
                              arguments, context);
    Value zero =
        LLVM::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0));
    LLVM::ReturnOp::create(builder, loc, zero);
    return twin;
  }

  LogicalResult lowerLaunch(gpu::LaunchFuncOp launch, LLVM::GlobalOp kernel) {
    auto function = launch->getParentOfType<LLVM::LLVMFuncOp>();
    Type i32 = IntegerType::get(&getContext(), 32);
    if (!function || function.getFunctionType().getReturnType() != i32)
      return launch.emitOpError(
          "must be in an llvm.func that returns i32, the code of the launch");
    if (launch.hasClusterSize() || launch.getAsyncToken() ||
        !launch.getAsyncDependencies().empty())
      return launch.emitOpError("with clusters or tokens cannot be lowered");
    Value context = launch.getAsyncObject();
    if (!context || !isa<LLVM::LLVMPointerType>(context.getType()))
      return launch.emitOpError(
          "needs the runtime's context: gpu.launch_func <%ctx : !llvm.ptr> …");
    gpu::KernelDim3 grid = launch.getGridSizeOperandValues();
    gpu::KernelDim3 block = launch.getBlockSizeOperandValues();
    Location loc = launch.getLoc();
    OpBuilder builder(launch);
    OpBuilder entry = OpBuilder::atBlockBegin(&function.getBody().front());
    Type i64 = builder.getI64Type();
    auto pointer = LLVM::LLVMPointerType::get(&getContext());
    for (Value size : {grid.x, block.x})
      if (size.getType() != i64)
        return launch.emitOpError("must have sizes of type i64, but has ")
               << size.getType();

    // Every argument in a slot of 8 bytes, then the addresses of the slots.
    auto operands = launch.getKernelOperands();
    for (Value operand : operands)
      if (!isa<LLVM::LLVMPointerType>(operand.getType()) &&
          (!operand.getType().isIntOrFloat() ||
           operand.getType().getIntOrFloatBitWidth() > 64))
        return launch.emitOpError("passes an argument of type ")
               << operand.getType()
               << "; addresses, integers and floats are right";
    Value slots = createSlots(entry, loc, 8 * operands.size());
    Value addresses = createSlots(entry, loc, 8 * operands.size());
    for (auto [i, operand] : llvm::enumerate(operands)) {
      Value value = operand;
      if (auto space = dyn_cast<LLVM::LLVMPointerType>(value.getType());
          space && space != pointer)
        value = LLVM::AddrSpaceCastOp::create(builder, loc, pointer, value);
      Value slot = getSlot(builder, loc, slots, i);
      LLVM::StoreOp::create(builder, loc, value, slot);
      LLVM::StoreOp::create(builder, loc, slot,
                            getSlot(builder, loc, addresses, i));
    }
    auto storeSizes = [&](gpu::KernelDim3 sizes) {
      Value array = createSlots(entry, loc, 24);
      Value values[] = {sizes.x, sizes.y, sizes.z};
      for (auto [i, size] : llvm::enumerate(values))
        LLVM::StoreOp::create(builder, loc, size,
                              getSlot(builder, loc, array, i));
      return array;
    };
    Value gridSizes = storeSizes(grid), blockSizes = storeSizes(block);
    Value shared;
    if (Value dynamic = launch.getDynamicSharedMemorySize())
      shared = LLVM::ZExtOp::create(builder, loc, i64, dynamic);
    else
      shared =
          LLVM::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(0));
    Value table = LLVM::AddressOfOp::create(builder, loc, kernel);
    SmallVector<Value> arguments{context,   table,      addresses,
                                 gridSizes, blockSizes, shared};
    if (!getOperation().lookupSymbol(launchName)) {
      OpBuilder top = OpBuilder::atBlockBegin(getOperation().getBody());
      LLVM::LLVMFuncOp::create(
          top, getOperation().getLoc(), launchName,
          LLVM::LLVMFunctionType::get(
              i32, llvm::to_vector(ValueRange(arguments).getTypes())));
    }
    Value code = LLVM::CallOp::create(builder, loc, TypeRange{i32}, launchName,
                                      arguments)
                     .getResult();

    // Return at once when the launch failed.
    Block *before = launch->getBlock();
    Block *after = before->splitBlock(launch);
    Block *failed = builder.createBlock(after);
    LLVM::ReturnOp::create(builder, loc, code);
    builder.setInsertionPointToEnd(before);
    Value zero =
        LLVM::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0));
    Value bad =
        LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, code, zero);
    LLVM::CondBrOp::create(builder, loc, bad, failed, after);
    launch.erase();
    return success();
  }
};
} // namespace
