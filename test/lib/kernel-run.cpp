//===- kernel-run.cpp - Compile and run single kernels --------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// kernel-run case.mlir…: each file holds one kernel.func with a CPU schedule
// (or without, with --assign). Inputs are read from case.in0.npy, …; the shapes
// of dynamic results from case.ref0.npy, …; results are written to
// case.out0.npy, …. Buffers end where an unmapped page begins, so that a read
// or write beyond one is caught; results start as 0xCD bytes.
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToCPU/Passes.h"
#include "dialects/kernel/KernelDialect.h"
#include "runtime/abi/ProgramABI.h"
#include "strategy/cpu/CPUStrategies.h"
#include "target/cpu/MachineDescription.h"
#include "test/lib/KernelRuntime.h"
#include "test/lib/Npy.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include <chrono>
#include <sys/mman.h>

using namespace mlir;
using namespace ourc;
namespace cl = llvm::cl;

static cl::list<std::string> files(cl::Positional, cl::OneOrMore,
                                   cl::desc("case.mlir…"));
static cl::opt<std::string> target("target", cl::init("cpu:native"),
                                   cl::desc("Machine to compile for"));
static cl::opt<std::string>
    emit("emit", cl::init("run"),
         cl::desc("run; or print and stop: assigned, mlir, llvm, ll, asm"));
static cl::opt<bool>
    assign("assign", cl::desc("Let the first CPU strategy that matches choose "
                              "the schedule of a kernel without one"));
static cl::opt<int> repeats("time", cl::init(0),
                            cl::desc("Print the best time of this many runs"));
static cl::opt<int> threads("threads", cl::init(1), cl::desc("Threads"));

namespace {
/// A buffer that ends at an unmapped page.
struct GuardedBuffer {
  explicit GuardedBuffer(size_t bytes) {
    mapped = (bytes + 4095) / 4096 * 4096 + 4096;
    base = static_cast<char *>(mmap(nullptr, mapped, PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (base == MAP_FAILED)
      abort();
    mprotect(base + mapped - 4096, 4096, PROT_NONE);
    // With --time, alignment matters more than the guard.
    data = repeats ? base : base + mapped - 4096 - bytes;
  }
  GuardedBuffer(GuardedBuffer &&other)
      : base(std::exchange(other.base, nullptr)), data(other.data),
        mapped(other.mapped) {}
  ~GuardedBuffer() {
    if (base)
      munmap(base, mapped);
  }
  char *base, *data;
  size_t mapped;
};
} // namespace

static size_t getElementBytes(Type type) {
  return (type.getIntOrFloatBitWidth() + 7) / 8;
}

static StringRef getNpyType(Type type) {
  if (type.isF64())
    return "<f8";
  if (type.isF32())
    return "<f4";
  if (type.isF16())
    return "<f2";
  if (type.isBF16())
    return "<u2";
  switch (type.getIntOrFloatBitWidth()) {
  case 64:
    return "<i8";
  case 32:
    return "<i4";
  case 16:
    return "<i2";
  default:
    return "|i1";
  }
}

static LogicalResult assignSchedule(kernel::FuncOp func,
                                    const cpu::MachineDescription &machine) {
  for (const std::unique_ptr<Strategy> &strategy :
       createCPUStrategies(machine)) {
    std::string reason;
    if (failed(strategy->match(func, &reason))) {
      func.emitRemark("strategy ") << strategy->getName() << ": " << reason;
      continue;
    }
    func.setScheduleAttr(strategy->assign(func).schedule);
    return success();
  }
  return func.emitError("no strategy matches");
}

namespace {
/// What is needed of a kernel once it is compiled.
struct Signature {
  std::string name;
  FunctionType type;
  unsigned numResults;
  bool workspace;
  SmallVector<ArrayAttr> shapes;
};
} // namespace

/// Runs `entry` on the files of one case.
static llvm::Error runCase(StringRef stem, const Signature &signature,
                           OurcKernelFn entry) {
  std::vector<GuardedBuffer> buffers;
  std::vector<std::vector<int64_t>> sizes;
  std::vector<void *> pointers;
  std::vector<int64_t> dynamic;
  FunctionType type = signature.type;
  unsigned numInputs =
      type.getNumInputs() - signature.numResults - signature.workspace;
  llvm::DenseMap<Attribute, int64_t> symbols;
  for (auto [i, input] : llvm::enumerate(type.getInputs())) {
    auto tensor = cast<RankedTensorType>(input);
    ArrayAttr names = signature.shapes[i];
    bool isInput = i < numInputs;
    std::vector<int64_t> shape(tensor.getShape());
    std::vector<char> data;
    if (isInput) {
      llvm::Expected<test::NpyArray> array =
          test::readNpy((stem + ".in" + Twine(i) + ".npy").str());
      if (!array)
        return array.takeError();
      shape = array->shape;
      data = std::move(array->data);
    } else if (!tensor.hasStaticShape()) {
      bool known = names != nullptr;
      for (auto [d, size] : llvm::enumerate(shape))
        if (ShapedType::isDynamic(size)) {
          known = known && symbols.contains(names[d]);
          if (known)
            size = symbols[names[d]];
        }
      if (!known) {
        llvm::Expected<test::NpyArray> array = test::readNpy(
            (stem + ".ref" + Twine(i - numInputs) + ".npy").str());
        if (!array)
          return array.takeError();
        shape = array->shape;
      }
    }
    if (failed(verifyCompatibleShape(shape, tensor.getShape())))
      return llvm::createStringError(stem + ": operand " + Twine(i) +
                                     " does not have the argument's shape");
    size_t bytes = getElementBytes(tensor.getElementType());
    for (auto [d, size] : llvm::enumerate(shape)) {
      bytes *= size;
      if (tensor.isDynamicDim(d)) {
        dynamic.push_back(size);
        if (names)
          symbols.try_emplace(names[d], size);
      }
    }
    if (isInput && data.size() != bytes)
      return llvm::createStringError(stem + ": operand " + Twine(i) + " has " +
                                     Twine(data.size()) + " bytes, wanted " +
                                     Twine(bytes));
    buffers.emplace_back(bytes);
    if (isInput)
      memcpy(buffers.back().data, data.data(), bytes);
    else
      memset(buffers.back().data, 0xcd, bytes);
    pointers.push_back(buffers.back().data);
    sizes.push_back(shape);
  }

  if (int32_t code = entry(nullptr, pointers.data(), dynamic.data()))
    return llvm::createStringError(stem + ": the kernel returned " +
                                   Twine(code));
  double best = 1e30;
  for (int r = 0; r < repeats; ++r) {
    auto start = std::chrono::steady_clock::now();
    entry(nullptr, pointers.data(), dynamic.data());
    std::chrono::duration<double> took =
        std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count());
  }
  if (repeats)
    llvm::outs() << stem << ": " << llvm::format("%.3f us\n", best * 1e6);

  for (unsigned i = numInputs; i < numInputs + signature.numResults; ++i) {
    Type element = cast<RankedTensorType>(type.getInput(i)).getElementType();
    size_t bytes = getElementBytes(element);
    for (int64_t size : sizes[i])
      bytes *= size;
    if (llvm::Error error = test::writeNpy(
            (stem + ".out" + Twine(i - numInputs) + ".npy").str(),
            getNpyType(element), sizes[i], pointers[i], bytes))
      return error;
  }
  return llvm::Error::success();
}

/// Compiles `code` and looks up the entry.
static llvm::Expected<OurcKernelFn>
compile(llvm::orc::LLJIT &jit, std::unique_ptr<llvm::Module> code,
        std::unique_ptr<llvm::LLVMContext> context, StringRef name) {
  llvm::orc::SymbolMap symbols;
  auto define = [&](StringRef symbol, auto *function) {
    symbols[jit.mangleAndIntern(symbol)] = {
        llvm::orc::ExecutorAddr::fromPtr(function),
        llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  };
  define("ourc_parallel_for", &ourc_parallel_for);
  define("ourc_thread_scratch", &ourc_thread_scratch);
  define("ourc_report_error", &ourc_report_error);
  if (llvm::Error error =
          jit.getMainJITDylib().define(llvm::orc::absoluteSymbols(symbols)))
    return error;
  auto process = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      jit.getDataLayout().getGlobalPrefix());
  if (!process)
    return process.takeError();
  jit.getMainJITDylib().addGenerator(std::move(*process));
  if (llvm::Error error = jit.addIRModule(
          llvm::orc::ThreadSafeModule(std::move(code), std::move(context))))
    return error;
  auto address = jit.lookup(name);
  if (!address)
    return address.takeError();
  return address->toPtr<OurcKernelFn>();
}

static LogicalResult processFile(StringRef path, MLIRContext &context,
                                 const cpu::MachineDescription &machine) {
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(path, &context);
  if (!module)
    return failure();
  auto funcs = module->getOps<kernel::FuncOp>();
  if (!llvm::hasSingleElement(funcs))
    return module->emitError("must hold one kernel.func");
  kernel::FuncOp func = *funcs.begin();
  Signature signature{func.getSymName().str(),
                      func.getFunctionType(),
                      func.getFunctionType().getNumResults(),
                      func.getWorkspace(),
                      {}};
  for (unsigned i = 0; i < signature.type.getNumInputs(); ++i)
    signature.shapes.push_back(
        func.getArgAttrOfType<ArrayAttr>(i, kernel::kShapeAttrName));

  if (assign && !func.getSchedule() && failed(assignSchedule(func, machine)))
    return failure();
  if (emit == "assigned") {
    module->print(llvm::outs());
    return success();
  }
  PassManager manager(&context);
  manager.addPass(createKernelToCPU());
  if (emit != "mlir")
    buildCPUToLLVMPipeline(manager);
  if (failed(applyPassManagerCLOptions(manager)) ||
      failed(manager.run(*module)))
    return failure();
  if (emit == "mlir" || emit == "llvm") {
    module->print(llvm::outs());
    return success();
  }

  auto llvmContext = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> code =
      translateModuleToLLVMIR(*module, *llvmContext, path);
  if (!code)
    return failure();
  llvm::ExitOnError exitOnError("kernel-run: ");
  llvm::orc::JITTargetMachineBuilder builder(
      llvm::Triple("x86_64-unknown-linux-gnu"));
  builder.setCPU(machine.cpu);
  builder.addFeatures(llvm::SubtargetFeatures(machine.features).getFeatures());
  builder.setCodeGenOptLevel(llvm::CodeGenOptLevel::Default);
  std::unique_ptr<llvm::TargetMachine> targetMachine =
      exitOnError(builder.createTargetMachine());
  code->setDataLayout(targetMachine->createDataLayout());
  code->setTargetTriple(targetMachine->getTargetTriple());
  if (emit == "ll") {
    code->print(llvm::outs(), nullptr);
    return success();
  }
  if (emit == "asm") {
    llvm::SmallString<0> text;
    llvm::raw_svector_ostream stream(text);
    llvm::legacy::PassManager codegen;
    targetMachine->addPassesToEmitFile(codegen, stream, nullptr,
                                       llvm::CodeGenFileType::AssemblyFile);
    codegen.run(*code);
    llvm::outs() << text;
    return success();
  }

  std::unique_ptr<llvm::orc::LLJIT> jit = exitOnError(
      llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(builder).create());
  OurcKernelFn entry = exitOnError(
      compile(*jit, std::move(code), std::move(llvmContext), signature.name));
  StringRef stem = path;
  stem.consume_back(".mlir");
  if (llvm::Error error = runCase(stem, signature, entry)) {
    llvm::errs() << "kernel-run: " << llvm::toString(std::move(error)) << "\n";
    return failure();
  }
  return success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  registerPassManagerCLOptions();
  cl::ParseCommandLineOptions(argc, argv, "Compile and run single kernels\n");
  test::setNumThreads(threads);

  std::string error;
  std::optional<cpu::MachineDescription> machine =
      cpu::MachineDescription::parse(target, error);
  if (!machine) {
    llvm::errs() << "kernel-run: " << error << "\n";
    return 1;
  }
  DialectRegistry registry;
  registerAllDialects(registry);
  registry.insert<kernel::KernelDialect>();
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  bool failedAny = false;
  for (const std::string &file : files)
    if (failed(processFile(file, context, *machine))) {
      llvm::errs() << "kernel-run: " << file << " failed\n";
      failedAny = true;
    }
  return failedAny;
}
