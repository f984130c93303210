//===- kernel-run.cpp - Compile and run single kernels --------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// kernel-run case.mlir…: compiles the kernel.funcs of each file by their
// schedules and runs them.
//
// With --check, inputs are random, dynamic sizes (named by `ourc.shape`) are
// swept over --dims=M=0,1,7;N=5, and results are compared with the kernel's
// meaning in f64. Otherwise inputs are read from case.in0.npy, …; the shapes of
// dynamic results from case.ref0.npy, …; results are written to case.out0.npy,
// ….
//
// With --target=simt kernels have GPU schedules and run on the SIMT machine;
// OURC_SIMT_SEED selects the order of threads.
//
// Buffers end where an unmapped page begins, so that a read or write beyond one
// is caught; results start as 0xCD bytes.
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToCPU/Passes.h"
#include "conversion/KernelToGPU/Passes.h"
#include "conversion/KernelToGPU/Pipelines.h"
#include "dialects/kernel/KernelDialect.h"
#include "runtime/abi/ProgramABI.h"
#include "runtime/simt/SimtSymbols.h"
#include "strategy/Strategies.h"
#include "target/cpu/MachineDescription.h"
#include "test/lib/Interpreter.h"
#include "test/lib/KernelRuntime.h"
#include "test/lib/MachinePeak.h"
#include "test/lib/Npy.h"
#include "test/lib/RandomCases.h"
#include "transforms/gpu/Mutants.h"

#include "mlir/AsmParser/AsmParser.h"
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
#include <cmath>
#include <map>
#include <random>
#include <set>
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
    assign("assign", cl::desc("Let the first strategy that matches choose "
                              "the schedule of a kernel without one"));
static cl::opt<bool> check("check", cl::desc("Compare with the interpreter"));
static cl::opt<bool>
    randomInputs("random", cl::desc("Random inputs, as with --check, but no "
                                    "comparison"));
static cl::opt<double>
    work("work", cl::init(0),
         cl::desc("With --time: multiply-adds of the kernel; prints the "
                  "fraction of what one core can do, times --num-threads"));
static cl::opt<std::string>
    dims("dims", cl::desc("With --check: sizes of the dynamic dimensions to "
                          "run, M=0,1,7;N=5"));
static cl::opt<std::string>
    schedule("schedule", cl::desc("A schedule attribute for all kernels"));
static cl::opt<double>
    tolerance("tolerance", cl::init(0),
              cl::desc("With --check: the greatest error, relative to the "
                       "greatest magnitude; 0: by the result's type"));
static cl::opt<bool>
    special("special",
            cl::desc("With --check: some inputs are zero, denormal, infinite "
                     "or not a number"));
static cl::opt<std::string>
    kernelSource("kernel-source",
                 cl::desc("Print GPU modules to this file; messages of the "
                          "SIMT machine then name its lines"));
static cl::opt<int> workspaceBytes(
    "workspace", cl::init(0),
    cl::desc("Bytes of the workspace of dynamic size of kernels whose schedule "
             "is not chosen by --assign"));
static cl::opt<bool>
    traffic("traffic", cl::desc("Count sectors and bank conflicts instead of "
                                "checking; prints what was counted"));
static cl::opt<uint64_t>
    blockLimit("block-limit", cl::init(0),
               cl::desc("Run at most this many blocks of a launch on the SIMT "
                        "machine"));
static cl::opt<bool> counters("counters",
                              cl::desc("Print what the SIMT machine counted"));
static cl::opt<std::string>
    mutant("mutant",
           cl::desc("Make this fault in the GPU kernels, by its name in "
                    "-ourc-mutate-gpu: \"drop-sync 2\""));
static cl::opt<int> repeats("time", cl::init(0),
                            cl::desc("Print the best time of this many runs"));
static cl::opt<int>
    cold("cold", cl::init(0),
         cl::desc("With --time: runs take turns with copies of the inputs of "
                  "this many MiB in all, so that none is in a cache"));
static cl::opt<int> threads(
    "num-threads", cl::init(1),
    cl::desc("Threads; with --check even the smallest loops are shared"));

namespace {
/// A buffer that ends at an unmapped page.
struct GuardedBuffer {
  explicit GuardedBuffer(size_t bytes) : bytes(bytes) {
    mapped = (bytes + 4095) / 4096 * 4096 + 4096;
    // As the runtime has it: large blocks in huge pages.
    constexpr size_t huge = size_t(1) << 21;
    bool large = repeats && bytes >= huge;
    if (large)
      mapped += huge;
    base = static_cast<char *>(mmap(nullptr, mapped, PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (base == MAP_FAILED)
      abort();
    if (large) {
      madvise(base, mapped, MADV_HUGEPAGE);
      data = reinterpret_cast<char *>(
          llvm::alignTo(reinterpret_cast<uintptr_t>(base), huge));
      return;
    }
    mprotect(base + mapped - 4096, 4096, PROT_NONE);
    // With --time and --traffic, alignment matters more than the guard.
    data = repeats || traffic ? base : base + mapped - 4096 - bytes;
  }
  GuardedBuffer(GuardedBuffer &&other)
      : base(std::exchange(other.base, nullptr)), data(other.data),
        mapped(other.mapped), bytes(other.bytes) {}
  ~GuardedBuffer() {
    if (base)
      munmap(base, mapped);
  }
  char *base, *data;
  size_t mapped, bytes;
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

/// Makes an argument come packed, as the strategy wants it.
static void packArgument(kernel::FuncOp kernel, const PackedOperand &packed) {
  Block &body = kernel.getBody().front();
  BlockArgument argument = body.getArgument(packed.argument);
  auto type = cast<RankedTensorType>(argument.getType());
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  RankedTensorType packedType = linalg::PackOp::inferPackedType(
      type, packed.innerTiles, packed.innerDimsPos, packed.outerPerm);
  argument.setType(packedType);
  if (packed.winograd) {
    SmallVector<int64_t> shape(packedType.getShape());
    shape[1] = shape[2] = 4;
    argument.setType(packedType.clone(shape));
    auto filter = kernel::WinogradFilterOp::create(builder, kernel.getLoc(),
                                                   type, argument);
    argument.replaceAllUsesExcept(filter.getResult(), filter);
    kernel.setFunctionType(builder.getFunctionType(
        SmallVector<Type>(body.getArgumentTypes()), kernel.getResultTypes()));
    return;
  }
  Value empty = tensor::EmptyOp::create(builder, kernel.getLoc(),
                                        type.getShape(), type.getElementType());
  auto unpack = linalg::UnPackOp::create(
      builder, kernel.getLoc(), argument, empty, packed.innerDimsPos,
      getAsIndexOpFoldResult(builder.getContext(), packed.innerTiles),
      packed.outerPerm);
  argument.replaceAllUsesExcept(unpack.getResult(), unpack);
  kernel.setFunctionType(builder.getFunctionType(
      SmallVector<Type>(body.getArgumentTypes()), kernel.getResultTypes()));
}

/// The workspaces of kernels by name, as strategies asked for them.
static std::map<std::string, AffineExpr> workspaces;

static LogicalResult assignSchedule(kernel::FuncOp func) {
  std::string error;
  for (const std::unique_ptr<Strategy> &strategy :
       createStrategies(target, error)) {
    std::string reason;
    if (failed(strategy->match(func, &reason))) {
      func.emitRemark("strategy ") << strategy->getName() << ": " << reason;
      continue;
    }
    Assignment assignment = strategy->assign(func);
    func.setScheduleAttr(assignment.schedule);
    for (const PackedOperand &packed : assignment.packedOperands)
      packArgument(func, packed);
    addWorkspace(func, assignment.workspaceBytes);
    workspaces[func.getSymName().str()] = assignment.workspaceBytes;
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

/// The bytes of a kernel's workspace of dynamic size, given the other sizes.
static int64_t getWorkspaceBytes(StringRef kernel, ArrayRef<int64_t> dynamic) {
  AffineExpr bytes = workspaces[kernel.str()];
  if (!bytes)
    return workspaceBytes;
  MLIRContext *context = bytes.getContext();
  SmallVector<AffineExpr> sizes;
  for (int64_t size : dynamic)
    sizes.push_back(getAffineConstantExpr(size, context));
  return cast<AffineConstantExpr>(bytes.replaceSymbols(sizes)).getValue();
}

/// Runs `entry` --time times and prints the best time; with --cold the median.
static void timeKernel(StringRef what, OurcKernelFn entry,
                       const std::vector<void *> &pointers,
                       const std::vector<int64_t> &dynamic,
                       const std::vector<GuardedBuffer> &buffers,
                       unsigned numInputs) {
  if (!repeats)
    return;
  std::vector<std::vector<void *>> copies{pointers};
  std::vector<GuardedBuffer> copied;
  int64_t left = int64_t(cold) << 20;
  while (left > 0) {
    copies.push_back(pointers);
    for (unsigned i = 0; i < numInputs; ++i) {
      copied.emplace_back(buffers[i].bytes);
      memcpy(copied.back().data, buffers[i].data, buffers[i].bytes);
      copies.back()[i] = copied.back().data;
      left -= buffers[i].bytes + 1;
    }
  }
  std::vector<double> seconds;
  for (int r = 0; r < repeats; ++r) {
    double start = test::getSeconds(threads == 1);
    entry(nullptr, copies[r % copies.size()].data(), dynamic.data());
    seconds.push_back(test::getSeconds(threads == 1) - start);
  }
  llvm::sort(seconds);
  double best = seconds[cold ? seconds.size() / 2 : 0];
  llvm::outs() << what << ": " << llvm::format("%.3f us", best * 1e6);
  if (work > 0) {
    double peak = test::measureMultiplyAdds();
    llvm::outs() << llvm::format(", %.1f GF/s, %.3f of the peak",
                                 2e-9 * work / best,
                                 work / best / (peak * threads));
  }
  llvm::outs() << "\n";
}

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
    bool isWorkspace = i >= numInputs + signature.numResults;
    std::vector<int64_t> shape(tensor.getShape());
    std::vector<char> data;
    if (isInput) {
      llvm::Expected<test::NpyArray> array =
          test::readNpy((stem + ".in" + Twine(i) + ".npy").str());
      if (!array)
        return array.takeError();
      shape = array->shape;
      data = std::move(array->data);
    } else if (isWorkspace && !tensor.hasStaticShape()) {
      shape[0] = getWorkspaceBytes(signature.name, dynamic);
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
  timeKernel(stem.str(), entry, pointers, dynamic, buffers, numInputs);

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

/// Whether argument `index` holds transformed filters.
static bool isTransformedFilter(kernel::FuncOp kernel, unsigned index) {
  BlockArgument argument = kernel.getBody().getArgument(index);
  return llvm::any_of(argument.getUsers(),
                      llvm::IsaPred<kernel::WinogradFilterOp>);
}

/// Runs `entry` on random operands for the sizes `symbols` and compares.
static llvm::Error checkCase(kernel::FuncOp reference,
                             const Signature &signature, OurcKernelFn entry,
                             const std::map<std::string, int64_t> &symbols) {
  std::mt19937_64 random(42);
  std::vector<GuardedBuffer> buffers;
  std::vector<void *> pointers;
  std::vector<int64_t> dynamic;
  std::vector<test::Tensor> tensors;
  std::string what = signature.name;
  for (const auto &[name, size] : symbols)
    what += " " + name + "=" + std::to_string(size);
  unsigned numArguments = signature.type.getNumInputs();
  unsigned numInputs =
      numArguments - signature.numResults - signature.workspace;
  for (unsigned i = 0; i < numArguments; ++i) {
    auto type = cast<RankedTensorType>(signature.type.getInput(i));
    std::vector<int64_t> shape(type.getShape());
    for (auto [d, size] : llvm::enumerate(shape)) {
      if (!ShapedType::isDynamic(size))
        continue;
      if (i >= numInputs + signature.numResults) {
        size = getWorkspaceBytes(signature.name, dynamic);
        dynamic.push_back(size);
        continue;
      }
      auto name = signature.shapes[i]
                      ? dyn_cast<FlatSymbolRefAttr>(signature.shapes[i][d])
                      : FlatSymbolRefAttr();
      auto it = name ? symbols.find(name.getValue().str()) : symbols.end();
      if (it == symbols.end())
        return llvm::createStringError(
            what + ": the size of dimension " + Twine(d) + " of argument " +
            Twine(i) + " is not in --dims (or has no name in ourc.shape)");
      size = it->second;
      dynamic.push_back(size);
    }
    test::Tensor tensor(type.getElementType(), shape);
    size_t bytes = getElementBytes(tensor.element) * tensor.data.size();
    buffers.emplace_back(bytes);
    char *data = buffers.back().data;
    memset(data, 0xcd, bytes);
    if (i < numInputs) {
      for (test::Scalar &scalar : tensor.data)
        scalar = test::makeRandom(tensor.element, random, special);
      if (isTransformedFilter(reference, i))
        test::makeWinogradFilter(tensor);
      tensor.toMemory(data);
      tensor = test::Tensor::fromMemory(tensor.element, shape, data);
    }
    pointers.push_back(data);
    tensors.push_back(std::move(tensor));
  }
  if (int32_t code = entry(nullptr, pointers.data(), dynamic.data()))
    return llvm::createStringError(what + ": the kernel returned " +
                                   Twine(code));
  timeKernel(what, entry, pointers, dynamic, buffers, numInputs);
  if (!check)
    return llvm::Error::success();
  llvm::Expected<std::vector<test::Tensor>> wanted =
      test::interpretKernel(reference, tensors);
  if (!wanted)
    return wanted.takeError();
  for (unsigned r = 0; r < signature.numResults; ++r) {
    const test::Tensor &destination = tensors[numInputs + r];
    test::Tensor got = test::Tensor::fromMemory(
        destination.element, destination.shape, pointers[numInputs + r]);
    if (llvm::Error error = test::compare(
            got, (*wanted)[r], what + ": result " + Twine(r), tolerance))
      return error;
  }
  return llvm::Error::success();
}

/// Checks a kernel for all combinations of --dims; gives how many there were.
static llvm::Expected<int> checkKernel(kernel::FuncOp reference,
                                       const Signature &signature,
                                       OurcKernelFn entry) {
  // Only the names that the kernel uses are swept.
  std::set<std::string> used;
  for (ArrayAttr shape : signature.shapes)
    if (shape)
      for (Attribute name : shape)
        if (auto symbol = dyn_cast<FlatSymbolRefAttr>(name))
          used.insert(symbol.getValue().str());
  auto all = test::parseSizes(dims);
  llvm::erase_if(all, [&](auto &dim) { return !used.count(dim.first); });
  SmallVector<size_t> at(all.size(), 0);
  for (int count = 1;; ++count) {
    std::map<std::string, int64_t> symbols;
    for (auto [dim, position] : llvm::zip(all, at))
      symbols[dim.first] = dim.second[position];
    if (llvm::Error error = checkCase(reference, signature, entry, symbols))
      return error;
    size_t d = all.size();
    while (d > 0 && ++at[d - 1] == all[d - 1].second.size())
      at[--d] = 0;
    if (d == 0)
      return count;
  }
}

/// A JIT that holds `code` and what it calls.
static llvm::Expected<std::unique_ptr<llvm::orc::LLJIT>>
createJIT(const llvm::orc::JITTargetMachineBuilder &builder,
          std::unique_ptr<llvm::Module> code,
          std::unique_ptr<llvm::LLVMContext> context) {
  auto created =
      llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(builder).create();
  if (!created)
    return created.takeError();
  llvm::orc::LLJIT &jit = **created;
  llvm::orc::SymbolMap symbols;
  auto define = [&](StringRef symbol, auto *function) {
    symbols[jit.mangleAndIntern(symbol)] = {
        llvm::orc::ExecutorAddr::fromPtr(function),
        llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  };
  define("ourc_parallel_for", &ourc_parallel_for);
  define("ourc_thread_scratch", &ourc_thread_scratch);
  define("ourc_report_error", &ourc_report_error);
  simt::forEachSymbol(define);
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
  return std::move(*created);
}

/// Sets the schedules that the options ask for.
static LogicalResult setSchedules(ModuleOp module) {
  for (auto func : module.getOps<kernel::FuncOp>()) {
    if (!schedule.empty()) {
      auto attr = dyn_cast_or_null<kernel::ScheduleAttrInterface>(
          parseAttribute(schedule, module.getContext()));
      if (!attr)
        return func.emitError("--schedule is no schedule attribute");
      func.setScheduleAttr(attr);
    }
    if (assign && !func.getSchedule() && failed(assignSchedule(func)))
      return failure();
  }
  return success();
}

/// Makes the fault that --mutant names.
static LogicalResult makeMutant(ModuleOp module) {
  std::vector<GPUMutant> mutants = findGPUMutants(module);
  for (const GPUMutant &one : mutants)
    if (StringRef(one.name).starts_with(mutant.getValue() + " ")) {
      applyGPUMutant(one);
      return success();
    }
  return module.emitError("there is no mutant '")
         << mutant << "' among " << mutants.size();
}

static LogicalResult processFile(StringRef path, MLIRContext &context,
                                 const cpu::MachineDescription &machine) {
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(path, &context);
  if (!module || failed(setSchedules(*module)))
    return failure();
  if (emit == "assigned") {
    module->print(llvm::outs());
    return success();
  }
  OwningOpRef<ModuleOp> reference = cast<ModuleOp>(module->clone());
  SmallVector<Signature> signatures;
  for (auto func : reference->getOps<kernel::FuncOp>()) {
    FunctionType type = func.getFunctionType();
    Signature signature{func.getSymName().str(),
                        type,
                        type.getNumResults(),
                        func.getWorkspace(),
                        {}};
    for (unsigned i = 0; i < type.getNumInputs(); ++i)
      signature.shapes.push_back(
          func.getArgAttrOfType<ArrayAttr>(i, kernel::kShapeAttrName));
    signatures.push_back(std::move(signature));
  }

  PassManager manager(&context);
  if (target == "simt") {
    manager.addPass(createKernelToGPUPass());
    buildGPUToNVVMPipeline(manager);
    if (!mutant.empty()) {
      if (failed(manager.run(*module)) || failed(makeMutant(*module)))
        return failure();
      manager.clear();
    }
    SIMTPipelineOptions simt;
    simt.kernelSource = kernelSource;
    buildNVVMToSIMTPipeline(manager, simt);
  } else {
    manager.addNestedPass<kernel::FuncOp>(createSplitCoupledReductions());
    manager.addPass(createKernelToCPU());
    CPUToLLVMOptions lowering;
    lowering.target = target;
    if (emit != "mlir")
      buildCPUToLLVMPipeline(manager, lowering);
  }
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
  // As in a model: constants are reached from the instruction's address.
  builder.setRelocationModel(llvm::Reloc::PIC_);
  builder.setCodeModel(llvm::CodeModel::Small);
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

  std::unique_ptr<llvm::orc::LLJIT> jit =
      exitOnError(createJIT(builder, std::move(code), std::move(llvmContext)));
  StringRef stem = path;
  stem.consume_back(".mlir");
  if (!check && !randomInputs && signatures.size() != 1)
    return module->emitError("must hold one kernel.func, or use --check");
  bool failedAny = false;
  for (const Signature &signature : signatures) {
    auto entry = exitOnError(jit->lookup(signature.name)).toPtr<OurcKernelFn>();
    std::string failureText;
    if (check || randomInputs) {
      llvm::Expected<int> count =
          checkKernel(reference->lookupSymbol<kernel::FuncOp>(signature.name),
                      signature, entry);
      if (count && check)
        llvm::outs() << signature.name << ": " << *count << " passed\n";
      else if (!count)
        failureText = llvm::toString(count.takeError());
    } else if (llvm::Error error = runCase(stem, signature, entry)) {
      failureText = llvm::toString(std::move(error));
    }
    if (!failureText.empty()) {
      llvm::errs() << "kernel-run: " << failureText << "\n";
      failedAny = true;
    }
  }
  return failure(failedAny);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  registerPassManagerCLOptions();
  cl::ParseCommandLineOptions(argc, argv, "Compile and run single kernels\n");
  if (traffic)
    ourc_simt_set_checks(OURC_SIMT_COUNT_TRAFFIC);
  ourc_simt_set_block_limit(blockLimit);
  test::setNumThreads(threads, /*ignoreGrain=*/check);

  std::string error;
  std::optional<cpu::MachineDescription> machine =
      cpu::MachineDescription::parse(
          target == "simt" ? "cpu:native" : target.getValue(), error);
  if (!machine) {
    llvm::errs() << "kernel-run: " << error << "\n";
    return 1;
  }
  DialectRegistry registry;
  registerAllDialects(registry);
  registry.insert<kernel::KernelDialect>();
  registerGPUCodegenInterfaces(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  bool failedAny = false;
  for (const std::string &file : files)
    if (failed(processFile(file, context, *machine))) {
      llvm::errs() << "kernel-run: " << file << " failed\n";
      failedAny = true;
    }
  if (counters) {
    OurcSimtCounters counts;
    ourc_simt_get_counters(&counts);
    llvm::outs() << "blocks: " << counts.blocks
                 << ", multiplications: " << counts.matrixMultiplies
                 << ", matrix loads: " << counts.matrixLoads
                 << ", bank conflicts: " << counts.matrixLoadReplays
                 << ", copied bytes: " << counts.asyncCopyBytes << "\n";
  }
  if (traffic) {
    OurcSimtCounters counts;
    ourc_simt_get_counters(&counts);
    llvm::outs() << "grid=" << counts.gridBlocks << " blocks=" << counts.blocks
                 << " mma=" << counts.matrixMultiplies
                 << " sectors=" << counts.globalSectors
                 << " ideal=" << counts.idealSectors
                 << " ldmatrix=" << counts.matrixLoads << " conflicts="
                 << counts.matrixLoadReplays + counts.sharedReplays << "\n";
  }
  return failedAny;
}
