//===- CodeGenerator.cpp - LLVM modules to machine code -------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/CodeGenerator.h"

#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <mutex>

using namespace ourc;

static constexpr llvm::StringLiteral tripleName = "x86_64-unknown-linux-gnu";

void CodeGenerator::initialize() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
}

llvm::Expected<CodeGenerator>
CodeGenerator::create(const cpu::MachineDescription &description) {
  initialize();
  std::string error;
  llvm::Triple triple(tripleName);
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return llvm::createStringError(error);
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, description.cpu, description.features, llvm::TargetOptions(),
      llvm::Reloc::PIC_, std::nullopt, llvm::CodeGenOptLevel::Default));
  if (!machine)
    return llvm::createStringError("LLVM cannot generate code for the CPU '" +
                                   description.cpu + "'");
  return CodeGenerator(std::move(machine));
}

llvm::Expected<ObjectCode> CodeGenerator::generate(mlir::ModuleOp op,
                                                   std::string *assembly) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module =
      mlir::translateModuleToLLVMIR(op, context, "ourc");
  if (!module)
    return llvm::createStringError("could not be translated to LLVM IR");
  module->setDataLayout(machine->createDataLayout());
  module->setTargetTriple(machine->getTargetTriple());

  auto emit = [&](llvm::Module &m, llvm::raw_pwrite_stream &stream,
                  llvm::CodeGenFileType type) -> llvm::Error {
    llvm::legacy::PassManager passes;
    if (machine->addPassesToEmitFile(passes, stream, nullptr, type))
      return llvm::createStringError("the target cannot emit such a file");
    passes.run(m);
    return llvm::Error::success();
  };
  if (assembly) {
    // Code generation consumes the module.
    std::unique_ptr<llvm::Module> copy = llvm::CloneModule(*module);
    llvm::SmallString<0> text;
    llvm::raw_svector_ostream stream(text);
    if (llvm::Error error =
            emit(*copy, stream, llvm::CodeGenFileType::AssemblyFile))
      return error;
    *assembly = text.str().str();
  }
  ObjectCode object;
  llvm::raw_svector_ostream stream(object);
  if (llvm::Error error =
          emit(*module, stream, llvm::CodeGenFileType::ObjectFile))
    return error;
  return object;
}
