//===- gpu-mutants.cpp - Which faults of GPU kernels are found
//----------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// gpu-mutants case.mlir --seeds=20 --dims=_=1,65
//
// Makes every fault of -ourc-mutate-gpu in the kernels of a file, one at a
// time, and runs each mutant on the SIMT machine with all checks, for every
// combination of sizes and every seed, until something is wrong. Prints a line
// a mutant: its name, and how it was found, or "never differs" (its comparison
// had the kernel's value in every execution), or "survived". Before that the
// kernel itself must run clean for every seed.
//
// With seed 0 the last sizes run again with NaN in each operand: in its last
// row, so that a read beyond the row before it is seen also where what is read
// is multiplied by zero.
//
// A mutant runs in a process of its own: it may loop or crash.
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToGPU/Passes.h"
#include "conversion/KernelToGPU/Pipelines.h"
#include "dialects/kernel/KernelDialect.h"
#include "runtime/abi/ProgramABI.h"
#include "runtime/simt/SimtSymbols.h"
#include "test/lib/Interpreter.h"
#include "test/lib/RandomCases.h"
#include "transforms/gpu/Mutants.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <limits>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace ourc;
namespace cl = llvm::cl;

static cl::opt<std::string> file(cl::Positional, cl::Required,
                                 cl::desc("case.mlir"));
static cl::opt<int> seeds("seeds", cl::init(20), cl::desc("Seeds to run"));
static cl::opt<int> predicateSeeds(
    "predicate-seeds", cl::init(2),
    cl::desc("Seeds to run mutants of predicates with: what is computed does "
             "not depend on the order of threads"));
static cl::opt<std::string>
    dims("dims", cl::desc("Sizes of the dynamic dimensions; those without a "
                          "name in ourc.shape are called _"));
static cl::list<std::string>
    kinds("kinds", cl::CommaSeparated,
          cl::desc("Only mutants of these kinds: drop-sync, …"));
static cl::opt<int> every("every", cl::init(1),
                          cl::desc("Only each mutant whose number among its "
                                   "kind is a multiple of this"));
static cl::opt<unsigned>
    limit("limit", cl::init(20),
          cl::desc("Seconds of a core that a mutant may take"));

namespace {
/// The arguments of one call, and what must come out.
struct Case {
  std::vector<std::vector<int64_t>> shapes;
  std::vector<test::Tensor> tensors, wanted;
  std::vector<int64_t> dynamic;
  std::string what;
  bool once = false; ///< with seed 0 alone
};
} // namespace

static size_t getElementBytes(Type type) {
  return (type.getIntOrFloatBitWidth() + 7) / 8;
}

static llvm::Expected<Case> makeCase(kernel::FuncOp kernel,
                                     const llvm::StringMap<int64_t> &sizes,
                                     std::optional<unsigned> nan = {},
                                     bool wholeRow = true) {
  std::mt19937_64 random(42);
  Case result;
  FunctionType type = kernel.getFunctionType();
  unsigned numInputs = type.getNumInputs() - type.getNumResults();
  for (unsigned i = 0; i < type.getNumInputs(); ++i) {
    auto tensor = cast<RankedTensorType>(type.getInput(i));
    auto names = kernel.getArgAttrOfType<ArrayAttr>(i, kernel::kShapeAttrName);
    std::vector<int64_t> shape(tensor.getShape());
    for (auto [d, size] : llvm::enumerate(shape)) {
      if (!ShapedType::isDynamic(size))
        continue;
      StringRef name =
          names ? cast<FlatSymbolRefAttr>(names[d]).getValue() : "_";
      auto it = sizes.find(name);
      if (it == sizes.end())
        return llvm::createStringError("--dims has no size for " + name);
      size = it->second;
      result.dynamic.push_back(size);
    }
    test::Tensor values(tensor.getElementType(), shape);
    std::vector<char> memory(
        getElementBytes(values.element) * values.data.size(), '\xcd');
    if (i < numInputs) {
      for (test::Scalar &scalar : values.data)
        scalar = test::makeRandom(values.element, random, /*special=*/false);
      if (nan == i && !values.data.empty())
        values
            .data[values.data.size() -
                  static_cast<size_t>(std::max<int64_t>(1, shape.back()))]
            .f = std::numeric_limits<double>::quiet_NaN();
      values.toMemory(memory.data());
      values = test::Tensor::fromMemory(values.element, shape, memory.data());
    }
    result.shapes.push_back(shape);
    result.tensors.push_back(std::move(values));
  }
  llvm::Expected<std::vector<test::Tensor>> wanted =
      test::interpretKernel(kernel, result.tensors);
  if (!wanted)
    return wanted.takeError();
  result.wanted = std::move(*wanted);
  for (const auto &size : sizes)
    result.what +=
        " " + size.getKey().str() + "=" + std::to_string(size.getValue());
  return result;
}

/// All combinations of --dims.
static llvm::Expected<std::vector<Case>> makeCases(kernel::FuncOp kernel) {
  auto all = test::parseSizes(dims);
  std::vector<Case> cases;
  SmallVector<size_t> at(all.size(), 0);
  for (;;) {
    llvm::StringMap<int64_t> sizes;
    for (auto [dim, position] : llvm::zip(all, at))
      sizes[dim.first] = dim.second[position];
    llvm::Expected<Case> one = makeCase(kernel, sizes);
    if (!one)
      return one.takeError();
    cases.push_back(std::move(*one));
    size_t d = all.size();
    while (d > 0 && ++at[d - 1] == all[d - 1].second.size())
      at[--d] = 0;
    if (d != 0)
      continue;
    FunctionType type = kernel.getFunctionType();
    for (unsigned i = 0; i < type.getNumInputs() - type.getNumResults(); ++i) {
      auto tensor = cast<RankedTensorType>(type.getInput(i));
      if (tensor.getRank() < 2 || !isa<FloatType>(tensor.getElementType()))
        continue;
      llvm::Expected<Case> special = makeCase(kernel, sizes, i);
      if (special && llvm::all_of(special->wanted, [](const auto &tensor) {
            return llvm::all_of(tensor.data, [](const test::Scalar &scalar) {
              return std::isnan(scalar.f);
            });
          }))
        special = makeCase(kernel, sizes, i, /*wholeRow=*/false);
      if (!special)
        return special.takeError();
      special->once = true;
      special->what += " NaN in " + std::to_string(i);
      cases.push_back(std::move(*special));
    }
    return cases;
  }
}

// The first message of generated code in this process.
static std::string reported;

extern "C" {
void ourc_report_error(OurcContext *, const char *message, int64_t) {
  if (reported.empty())
    reported = message;
}
void ourc_parallel_for(OurcContext *, OurcTaskFn task, void *args, int64_t n,
                       int64_t) {
  task(args, 0, n);
}
}

/// Runs one case with one seed; returns what is wrong, or nothing.
static std::string runCase(const Case &one, OurcKernelFn entry, uint64_t seed) {
  ourc_simt_set_seed(seed);
  std::vector<void *> pointers;
  std::vector<std::vector<char>> memory;
  for (const test::Tensor &tensor : one.tensors) {
    memory.emplace_back(
        getElementBytes(tensor.element) * tensor.data.size() + 512, '\xcd');
    auto at = reinterpret_cast<uintptr_t>(memory.back().data());
    char *data = reinterpret_cast<char *>((at + 255) / 256 * 256);
    if (memory.size() <= one.tensors.size() - one.wanted.size())
      tensor.toMemory(data);
    pointers.push_back(data);
  }
  reported.clear();
  if (entry(nullptr, pointers.data(), one.dynamic.data()))
    return reported.empty() ? "launch failed" : reported;
  for (auto [r, wanted] : llvm::enumerate(one.wanted)) {
    size_t i = one.tensors.size() - one.wanted.size() + r;
    test::Tensor got = test::Tensor::fromMemory(one.tensors[i].element,
                                                one.shapes[i], pointers[i]);
    if (llvm::Error error = test::compare(got, wanted, "result " + Twine(r), 0))
      return "wrong result:" + one.what + ": " +
             llvm::toString(std::move(error));
  }
  return "";
}

/// Lowers a module in NVVM to code and runs all cases; in a child.
static std::string runModule(ModuleOp module, StringRef name,
                             ArrayRef<Case> cases, int numSeeds) {
  PassManager manager(module.getContext());
  buildNVVMToSIMTPipeline(manager, {});
  if (failed(manager.run(module)))
    return "does not lower";
  auto llvmContext = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> code =
      translateModuleToLLVMIR(module, *llvmContext, "mutant");
  if (!code)
    return "does not translate";
  llvm::ExitOnError exitOnError("gpu-mutants: ");
  auto builder = exitOnError(llvm::orc::JITTargetMachineBuilder::detectHost());
  builder.setCodeGenOptLevel(llvm::CodeGenOptLevel::None);
  std::unique_ptr<llvm::orc::LLJIT> jit =
      exitOnError(llvm::orc::LLJITBuilder()
                      .setJITTargetMachineBuilder(std::move(builder))
                      .create());
  llvm::orc::SymbolMap symbols;
  auto define = [&](StringRef symbol, auto *function) {
    symbols[jit->mangleAndIntern(symbol)] = {
        llvm::orc::ExecutorAddr::fromPtr(function),
        llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  };
  define("ourc_parallel_for", &ourc_parallel_for);
  define("ourc_report_error", &ourc_report_error);
  simt::forEachSymbol(define);
  exitOnError(
      jit->getMainJITDylib().define(llvm::orc::absoluteSymbols(symbols)));
  jit->getMainJITDylib().addGenerator(exitOnError(
      llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
          jit->getDataLayout().getGlobalPrefix())));
  code->setDataLayout(jit->getDataLayout());
  exitOnError(jit->addIRModule(
      llvm::orc::ThreadSafeModule(std::move(code), std::move(llvmContext))));
  auto entry = exitOnError(jit->lookup(name)).toPtr<OurcKernelFn>();
  for (int seed = 0; seed < numSeeds; ++seed)
    for (const Case &one : cases) {
      if (one.once && seed)
        continue;
      std::string wrong = runCase(one, entry, static_cast<uint64_t>(seed));
      if (!wrong.empty())
        return "seed " + std::to_string(seed) + ": " + wrong;
    }
  return "";
}

/// What kind of message it is.
static StringRef classify(StringRef message) {
  static const std::pair<StringRef, StringRef> words[] = {
      {"data race", "race"},
      {"still under way", "unfinished copy"},
      {"nobody has written", "uninitialised"},
      {"out of bounds", "out of bounds"},
      {"of shared memory", "out of bounds"},
      {"multiple of", "misaligned"},
      {"not aligned", "misaligned"},
      {"deadlock", "deadlock"},
      {"waits at", "divergence"},
      {"mask", "divergence"},
      {"wrong result", "wrong result"},
      {"does not end", "does not end"},
      {"crash", "crash"},
  };
  for (auto [word, kind] : words)
    if (message.contains(word))
      return kind;
  return "other";
}

/// Runs `body` in a child process; returns its text.
static std::string runApart(llvm::function_ref<std::string()> body) {
  int ends[2];
  if (pipe(ends))
    return "no pipe";
  llvm::outs().flush();
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT})
      ::signal(signal, SIG_DFL);
    rlimit seconds{limit, limit};
    setrlimit(RLIMIT_CPU, &seconds);
    std::string text = body();
    (void)!write(ends[1], text.data(), text.size());
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  char part[4096];
  for (ssize_t bytes; (bytes = read(ends[0], part, sizeof(part))) > 0;)
    text.append(part, static_cast<size_t>(bytes));
  close(ends[0]);
  int status;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status) &&
      (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL))
    return "does not end";
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? text : "crash";
}

static int run(MLIRContext &context) {
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(file, &context);
  if (!module)
    return 1;
  auto functions = llvm::to_vector(module->getOps<kernel::FuncOp>());
  if (functions.size() != 1) {
    llvm::errs() << "gpu-mutants: " << file << " must hold one kernel.func\n";
    return 1;
  }
  std::string name = functions.front().getSymName().str();
  llvm::Expected<std::vector<Case>> cases = makeCases(functions.front());
  if (!cases) {
    llvm::errs() << "gpu-mutants: " << llvm::toString(cases.takeError())
                 << "\n";
    return 1;
  }
  PassManager manager(&context);
  manager.addPass(createKernelToGPUPass());
  buildGPUToNVVMPipeline(manager);
  if (failed(manager.run(*module)))
    return 1;

  std::string clean = runApart([&] {
    OwningOpRef<ModuleOp> copy = cast<ModuleOp>((*module)->clone());
    return runModule(*copy, name, *cases, seeds);
  });
  llvm::outs() << "unchanged\t"
               << (clean.empty() ? std::string("clean over ") +
                                       std::to_string(seeds) + " seeds"
                                 : clean)
               << "\n";
  if (!clean.empty())
    return 1;
  size_t count = findGPUMutants(*module).size();
  for (size_t i = 0; i < count; ++i) {
    OwningOpRef<ModuleOp> copy = cast<ModuleOp>((*module)->clone());
    std::vector<GPUMutant> mutants = findGPUMutants(*copy);
    const GPUMutant &mutant = mutants[i];
    StringRef kind = getGPUMutantKindName(mutant.kind);
    if (!kinds.empty() && !llvm::is_contained(kinds, kind.str()))
      continue;
    unsigned number = 0;
    StringRef(mutant.name).split(' ').second.consumeInteger(10, number);
    if (number % static_cast<unsigned>(every) != 0)
      continue;
    std::string mutantName = mutant.name;
    bool predicate = mutant.kind == GPUMutant::Kind::DropPredicate ||
                     mutant.kind == GPUMutant::Kind::ShiftPredicate;
    if (predicate) {
      std::string probed = runApart([&] {
        probeGPUMutant(mutant);
        return runModule(*copy, name, *cases, 1);
      });
      if (probed.empty()) {
        llvm::outs() << mutantName << "\tnever differs\t\n";
        llvm::outs().flush();
        continue;
      }
    }
    std::string wrong = runApart([&] {
      applyGPUMutant(mutant);
      int count = predicate ? std::min<int>(seeds, predicateSeeds) : seeds;
      return runModule(*copy, name, *cases, count);
    });
    llvm::outs() << mutantName << "\t"
                 << (wrong.empty() ? StringRef("survived") : classify(wrong))
                 << "\t" << wrong << "\n";
    llvm::outs().flush();
  }
  return 0;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  cl::ParseCommandLineOptions(argc, argv, "Find out which faults are found\n");
  ourc_simt_set_checks(OURC_SIMT_CHECK_ALL);
  DialectRegistry registry;
  registerAllDialects(registry);
  registry.insert<kernel::KernelDialect>();
  registerGPUCodegenInterfaces(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  return run(context);
}
