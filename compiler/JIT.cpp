//===- JIT.cpp - A program's code in this process -------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/JIT.h"

#include "compiler/RuntimeSymbols.h"

#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace ourc;

LoadedProgram::LoadedProgram(std::unique_ptr<llvm::orc::LLJIT> jit,
                             const OurcProgram *program)
    : jit(std::move(jit)), program(program) {}

LoadedProgram::~LoadedProgram() = default;

llvm::Expected<std::unique_ptr<LoadedProgram>>
LoadedProgram::load(llvm::ArrayRef<const ObjectCode *> objects) {
  CodeGenerator::initialize(); // code may have come from the cache
  llvm::Expected<std::unique_ptr<llvm::orc::LLJIT>> created =
      llvm::orc::LLJITBuilder()
          .setPlatformSetUp(llvm::orc::setUpInactivePlatform)
          .create();
  if (!created)
    return created.takeError();
  std::unique_ptr<llvm::orc::LLJIT> jit = std::move(*created);
  llvm::orc::JITDylib &library = jit->getMainJITDylib();

  llvm::orc::SymbolMap symbols;
  for (const RuntimeSymbol &symbol : runtimeSymbols())
    symbols[jit->mangleAndIntern(symbol.name)] = {
        llvm::orc::ExecutorAddr::fromPtr(symbol.address),
        llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  if (llvm::Error error =
          library.define(llvm::orc::absoluteSymbols(std::move(symbols))))
    return error;
  // libm and memcpy.
  auto process = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      jit->getDataLayout().getGlobalPrefix());
  if (!process)
    return process.takeError();
  library.addGenerator(std::move(*process));

  for (const ObjectCode *object : objects)
    if (llvm::Error error = jit->addObjectFile(llvm::MemoryBuffer::getMemBuffer(
            llvm::StringRef(object->data(), object->size()), "",
            /*RequiresNullTerminator=*/false)))
      return error;
  auto address = jit->lookup("ourc_program");
  if (!address)
    return address.takeError();
  return std::unique_ptr<LoadedProgram>(
      new LoadedProgram(std::move(jit), address->toPtr<const OurcProgram *>()));
}
