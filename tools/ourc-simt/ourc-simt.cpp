//===- ourc-simt.cpp - Run one GPU kernel under the checker ------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ourc-simt kernel.mlir --block=128 --arg=f32[1024]=iota --arg=f32[8] --print=1
//
// Runs a kernel written in the gpu, nvvm and llvm dialects (and arith, scf,
// memref, …) on the SIMT machine with all of its checks, for one seed or many.
// Ends with code 1 at the first report.
//
//===----------------------------------------------------------------------===//

#include "compiler/CodeGenerator.h"
#include "compiler/RuntimeSymbols.h"
#include "conversion/KernelToGPU/Pipelines.h"
#include "conversion/NVVMToSIMT/Passes.h"
#include "runtime/abi/ProgramABI.h"
#include "runtime/core/Context.h"
#include "runtime/simt/Simt.h"
#include "tools/ourc-simt/KernelArgument.h"
#include "tools/registration/Registration.h"

#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace ourc;
namespace cl = llvm::cl;

namespace {
/// The command line. Not global: no static constructors.
struct ToolOptions {
  cl::opt<std::string> file{cl::Positional, cl::Required,
                            cl::desc("kernel.mlir")};
  cl::opt<std::string> kernel{
      "kernel", cl::desc("Kernel to run, where the file has several")};
  cl::list<std::string> arguments{
      "arg", cl::desc("An argument of the kernel, in order: i32=7, "
                      "f32[64]=iota, f16[4]=1,2,3,4; buffers may be zeros, "
                      "ones, iota, random, poison or a list")};
  cl::list<int64_t> grid{"grid", cl::CommaSeparated,
                         cl::desc("Blocks in x, y, z")};
  cl::list<int64_t> block{"block", cl::CommaSeparated,
                          cl::desc("Threads of a block in x, y, z")};
  cl::opt<int> shared{"shared", cl::init(0),
                      cl::desc("Bytes of dynamic shared memory")};
  cl::opt<uint64_t> seed{"seed", cl::init(0),
                         cl::desc("The order of threads; 0: the plain one")};
  cl::opt<uint64_t> seeds{"seeds", cl::init(1),
                          cl::desc("Run with this many seeds, from --seed on")};
  cl::list<std::string> checks{
      "checks", cl::CommaSeparated,
      cl::desc("What is checked: bounds, alignment, uninitialised, races; "
               "all, the default; none")};
  cl::list<unsigned> print{
      "print", cl::CommaSeparated,
      cl::desc("Print these arguments after the last run, by number")};
  cl::opt<bool> counters{"counters", cl::desc("Print what was counted")};
};
} // namespace

static llvm::Error parseChecks(const cl::list<std::string> &names) {
  uint32_t checks = names.empty() ? OURC_SIMT_CHECK_ALL : 0;
  for (llvm::StringRef name : names) {
    std::optional<uint32_t> check =
        llvm::StringSwitch<std::optional<uint32_t>>(name)
            .Case("all", OURC_SIMT_CHECK_ALL)
            .Case("none", 0)
            .Case("bounds", OURC_SIMT_CHECK_BOUNDS)
            .Case("alignment", OURC_SIMT_CHECK_ALIGNMENT)
            .Case("uninitialised", OURC_SIMT_CHECK_UNINITIALISED)
            .Case("races", OURC_SIMT_CHECK_RACES)
            .Default(std::nullopt);
    if (!check)
      return llvm::createStringError(
          "unknown check '" + name +
          "': bounds, alignment, uninitialised, races, all and none exist");
    checks |= *check;
  }
  ourc_simt_set_checks(checks);
  return llvm::Error::success();
}

/// The kernel to run: a gpu.func or an llvm.func.
static llvm::Expected<FunctionOpInterface> findKernel(ModuleOp module,
                                                      llvm::StringRef name) {
  SmallVector<FunctionOpInterface> found;
  module.walk([&](FunctionOpInterface function) {
    bool isKernel =
        function->hasAttr(gpu::GPUDialect::getKernelFuncAttrName()) ||
        function->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName());
    if (isKernel && (name.empty() || function.getName() == name))
      found.push_back(function);
  });
  if (found.size() == 1)
    return found.front();
  if (found.empty())
    return llvm::createStringError(
        name.empty() ? "the file has no kernel: a gpu.func … kernel, or an "
                       "llvm.func with nvvm.kernel, in a gpu.module"
                     : "the file has no kernel '" + name + "'");
  return llvm::createStringError(
      "the file has several kernels: choose one with --kernel");
}

static bool isMemory(Type type) {
  return isa<LLVM::LLVMPointerType, MemRefType>(type);
}

/// Checks arguments against the kernel's, and tells the checker about buffers.
static LogicalResult
describeBuffers(FunctionOpInterface kernel,
                ArrayRef<tools::KernelArgument> arguments) {
  if (kernel.getNumArguments() != arguments.size())
    return kernel.emitError("takes ")
           << kernel.getNumArguments() << " arguments, but " << arguments.size()
           << " are given with --arg";
  Builder builder(kernel.getContext());
  SmallVector<Attribute> extents;
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    Type type = kernel.getArgument(static_cast<unsigned>(i)).getType();
    if (argument.isBuffer() != isMemory(type))
      return kernel.emitError("argument ")
             << i << " is of type " << type << ", but --arg gives "
             << (argument.isBuffer() ? "a buffer" : "a scalar");
    if (!argument.isBuffer() &&
        (!type.isIntOrFloat() ||
         type.getIntOrFloatBitWidth() != 8 * argument.getElementBytes()))
      return kernel.emitError("argument ")
             << i << " is of type " << type << ", but --arg gives "
             << argument.getElementBytes() << " bytes";
    if (auto memref = dyn_cast<MemRefType>(type)) {
      if (!memref.hasStaticShape() || !memref.getLayout().isIdentity())
        return kernel.emitError("argument ")
               << i << " is of type " << type
               << ": memrefs must have a static shape and no layout";
      if (memref.getNumElements() != argument.getCount())
        return kernel.emitError("argument ")
               << i << " has " << memref.getNumElements()
               << " elements, but --arg gives " << argument.getCount();
    }
    SmallVector<int64_t> extent;
    if (argument.isBuffer())
      extent = {argument.getElementBytes(), argument.getCount()};
    extents.push_back(builder.getDenseI64ArrayAttr(extent));
  }
  kernel->setAttr("kernel.extents", builder.getArrayAttr(extents));
  return success();
}

/// Adds llvm.func @entry(context, addresses of the arguments) -> i32.
static void addEntry(ModuleOp module, StringAttr gpuModule, StringAttr kernel,
                     ArrayRef<Type> types, ArrayRef<int64_t> grid,
                     ArrayRef<int64_t> block, int dynamicShared) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  Location loc = module.getLoc();
  auto pointer = LLVM::LLVMPointerType::get(module.getContext());
  Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
  auto entry = LLVM::LLVMFuncOp::create(
      builder, loc, "ourc_simt_entry",
      LLVM::LLVMFunctionType::get(i32, {pointer, pointer}));
  Block *body = entry.addEntryBlock(builder);
  builder.setInsertionPointToEnd(body);
  auto constant = [&](Type type, int64_t value) -> Value {
    return LLVM::ConstantOp::create(builder, loc, type,
                                    builder.getIntegerAttr(type, value));
  };
  SmallVector<Value> operands;
  for (auto [i, type] : llvm::enumerate(types)) {
    Value slot = LLVM::GEPOp::create(
        builder, loc, pointer, pointer, body->getArgument(1),
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(i)});
    Value address = LLVM::LoadOp::create(builder, loc, pointer, slot);
    if (auto wanted = dyn_cast<LLVM::LLVMPointerType>(type)) {
      if (wanted != pointer)
        address = LLVM::AddrSpaceCastOp::create(builder, loc, wanted, address);
      operands.push_back(address);
    } else {
      operands.push_back(LLVM::LoadOp::create(builder, loc, type, address));
    }
  }
  auto dims = [&](ArrayRef<int64_t> sizes) {
    auto at = [&](size_t i) {
      return constant(i64, i < sizes.size() ? sizes[i] : 1);
    };
    Value x = at(0), y = at(1), z = at(2);
    return gpu::KernelDim3{x, y, z};
  };
  gpu::KernelDim3 gridSize = dims(grid), blockSize = dims(block);
  Value shared = constant(i32, dynamicShared);
  Value zero = constant(i32, 0);
  gpu::LaunchFuncOp::create(
      builder, loc,
      SymbolRefAttr::get(gpuModule, {FlatSymbolRefAttr::get(kernel)}), gridSize,
      blockSize, shared, operands, body->getArgument(0));
  LLVM::ReturnOp::create(builder, loc, zero);
  module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                  builder.getUnitAttr());
}

using EntryFn = int32_t (*)(OurcContext *, void **);

static llvm::Expected<std::unique_ptr<llvm::orc::LLJIT>> load(ModuleOp module) {
  std::string error;
  auto machine = cpu::MachineDescription::parse("cpu:native", error);
  if (!machine)
    return llvm::createStringError(error);
  llvm::Expected<CodeGenerator> generator = CodeGenerator::create(*machine);
  if (!generator)
    return generator.takeError();
  llvm::Expected<ObjectCode> object = generator->generate(module);
  if (!object)
    return object.takeError();
  auto created = llvm::orc::LLJITBuilder()
                     .setPlatformSetUp(llvm::orc::setUpInactivePlatform)
                     .create();
  if (!created)
    return created.takeError();
  llvm::orc::LLJIT &jit = **created;
  llvm::orc::SymbolMap symbols;
  for (const RuntimeSymbol &symbol : runtimeSymbols())
    symbols[jit.mangleAndIntern(symbol.name)] = {
        llvm::orc::ExecutorAddr::fromPtr(symbol.address),
        llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  if (llvm::Error failure =
          jit.getMainJITDylib().define(llvm::orc::absoluteSymbols(symbols)))
    return failure;
  auto process = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      jit.getDataLayout().getGlobalPrefix());
  if (!process)
    return process.takeError();
  jit.getMainJITDylib().addGenerator(std::move(*process));
  if (llvm::Error failure =
          jit.addObjectFile(llvm::MemoryBuffer::getMemBufferCopy(
              llvm::StringRef(object->data(), object->size()))))
    return failure;
  return std::move(*created);
}

/// Runs the entry for every seed; prints and returns false at a report.
static bool runSeeds(EntryFn entry, const ToolOptions &options,
                     ArrayRef<tools::KernelArgument> arguments) {
  std::vector<std::vector<char>> memory;
  std::vector<void *> addresses;
  for (const tools::KernelArgument &argument : arguments) {
    // Aligned as a driver aligns what it allocates; empty ones have an address.
    memory.emplace_back(static_cast<size_t>(
        argument.getCount() * argument.getElementBytes() + 512));
    auto at = reinterpret_cast<uintptr_t>(memory.back().data());
    addresses.push_back(reinterpret_cast<void *>((at + 255) / 256 * 256));
  }
  uint64_t count = std::max<uint64_t>(1, options.seeds);
  for (uint64_t i = 0; i < count; ++i) {
    for (auto [argument, address] : llvm::zip_equal(arguments, addresses))
      argument.fill(static_cast<char *>(address));
    uint64_t seed = options.seed + i;
    ourc_simt_set_seed(seed);
    OurcContext context;
    if (entry(&context, addresses.data()) == 0)
      continue;
    const char *message = runtime::reportedError(context);
    llvm::StringRef text = message ? message : "no message";
    llvm::errs() << "ourc-simt: seed " << seed << ": "
                 << text.substr(0, text.rfind(" (")) << "\n";
    return false;
  }
  for (unsigned number : options.print)
    if (number < arguments.size()) {
      llvm::outs() << "argument " << number << ": ";
      arguments[number].print(static_cast<char *>(addresses[number]),
                              llvm::outs());
      llvm::outs() << "\n";
    }
  llvm::outs() << "ourc-simt: " << count << " passed\n";
  return true;
}

static llvm::Error runTool(ToolOptions &options, bool &passed) {
  if (llvm::Error error = parseChecks(options.checks))
    return error;
  std::vector<tools::KernelArgument> arguments;
  for (llvm::StringRef text : options.arguments) {
    llvm::Expected<tools::KernelArgument> argument =
        tools::KernelArgument::parse(text);
    if (!argument)
      return argument.takeError();
    arguments.push_back(std::move(*argument));
  }
  DialectRegistry registry;
  mlir::registerAllDialects(registry);
  ourc::registerAllDialects(registry);
  registerConvertMemRefToLLVMInterface(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadDialect<gpu::GPUDialect, LLVM::LLVMDialect>();
  auto diagnosed = [] {
    return llvm::createStringError("the kernel could not be compiled");
  };
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler printer(sources, &context);
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>(options.file, sources, &context);
  if (!module)
    return diagnosed();
  llvm::Expected<FunctionOpInterface> found =
      findKernel(*module, options.kernel);
  if (!found)
    return found.takeError();
  FunctionOpInterface kernel = *found;
  auto gpuModule = kernel->getParentOfType<gpu::GPUModuleOp>();
  if (!gpuModule)
    return llvm::createStringError("the kernel must be in a gpu.module");
  if (failed(describeBuffers(kernel, arguments)))
    return diagnosed();
  SmallVector<Type> types;
  for (Type type : kernel.getArgumentTypes())
    types.push_back(isa<MemRefType>(type) ? LLVM::LLVMPointerType::get(&context)
                                          : type);
  StringAttr name = StringAttr::get(&context, kernel.getName());
  StringAttr moduleName = gpuModule.getNameAttr();

  PassManager lowering(&context);
  buildGPUToNVVMPipeline(lowering);
  if (failed(lowering.run(*module)))
    return diagnosed();
  addEntry(*module, moduleName, name, types, options.grid, options.block,
           options.shared);
  PassManager toSIMT(&context);
  buildNVVMToSIMTPipeline(toSIMT, {});
  if (failed(toSIMT.run(*module)))
    return diagnosed();

  auto jit = load(*module);
  if (!jit)
    return jit.takeError();
  auto entry = (*jit)->lookup("ourc_simt_entry");
  if (!entry)
    return entry.takeError();
  passed = runSeeds(entry->toPtr<EntryFn>(), options, arguments);
  if (options.counters) {
    OurcSimtCounters counts;
    ourc_simt_get_counters(&counts);
    llvm::outs() << "blocks: " << counts.blocks
                 << ", barriers: " << counts.barriers
                 << ", warp instructions: " << counts.warpInstructions
                 << ", multiplications: " << counts.matrixMultiplies << "\n";
  }
  return llvm::Error::success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  ToolOptions options;
  cl::ParseCommandLineOptions(argc, argv,
                              "Run a GPU kernel on the SIMT machine\n");
  bool passed = false;
  if (llvm::Error error = runTool(options, passed)) {
    llvm::errs() << "ourc-simt: " << llvm::toString(std::move(error)) << "\n";
    return 2;
  }
  return passed ? 0 : 1;
}
