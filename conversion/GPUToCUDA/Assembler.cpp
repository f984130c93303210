//===- Assembler.cpp - PTX to machine code --------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/GPUToCUDA/Assembler.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace ourc;
using llvm::StringRef;

Assembler Assembler::find() {
  Assembler found;
  if (const char *named = std::getenv("OURC_PTXAS"); named && *named) {
    if (named != StringRef("none"))
      found.path = named;
    return found;
  }
  if (auto onPath = llvm::sys::findProgramByName("ptxas")) {
    found.path = *onPath;
    return found;
  }
  llvm::SmallVector<std::string> folders;
  if (const char *home = std::getenv("CUDA_HOME"); home && *home)
    folders.push_back(std::string(home) + "/bin");
  folders.push_back("/usr/local/cuda/bin");
  for (StringRef folder : folders)
    if (auto inFolder = llvm::sys::findProgramByName("ptxas", {folder})) {
      found.path = *inFolder;
      break;
    }
  return found;
}

std::string Assembler::getIdentity() const {
  if (!exists())
    return "";
  llvm::sys::fs::file_status status;
  std::string text = path;
  if (!llvm::sys::fs::status(path, status))
    text += ';' + std::to_string(status.getSize()) + ';' +
            std::to_string(
                status.getLastModificationTime().time_since_epoch().count());
  return text;
}

llvm::Expected<std::string> Assembler::assemble(StringRef ptx,
                                                StringRef chip) const {
  llvm::SmallString<128> folder;
  if (std::error_code code =
          llvm::sys::fs::createUniqueDirectory("ourc-ptxas", folder))
    return llvm::createStringError("cannot make a temporary folder: " +
                                   code.message());
  llvm::scope_exit cleanUp([&] { llvm::sys::fs::remove_directories(folder); });
  auto inFolder = [&](StringRef name) {
    llvm::SmallString<128> file(folder);
    llvm::sys::path::append(file, name);
    return file.str().str();
  };
  std::string source = inFolder("kernel.ptx"), cubin = inFolder("kernel.cubin"),
              log = inFolder("log");
  {
    std::error_code code;
    llvm::raw_fd_ostream os(source, code);
    if (code)
      return llvm::createStringError("cannot write '" + source +
                                     "': " + code.message());
    os << ptx;
  }
  std::string architecture = ("-arch=" + chip).str();
  StringRef arguments[] = {path, architecture, source, "-o", cubin};
  std::optional<StringRef> redirects[] = {std::nullopt, StringRef(log),
                                          StringRef(log)};
  std::string message;
  int result = llvm::sys::ExecuteAndWait(path, arguments, std::nullopt,
                                         redirects, /*SecondsToWait=*/0,
                                         /*MemoryLimit=*/0, &message);
  if (result != 0) {
    if (auto text = llvm::MemoryBuffer::getFile(log))
      message += (*text)->getBuffer().trim().str();
    return llvm::createStringError("'" + path + "' failed for " + chip + ": " +
                                   message);
  }
  auto code = llvm::MemoryBuffer::getFile(cubin, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
  if (!code)
    return llvm::createStringError(
        "'" + path + "' wrote no code: " + code.getError().message());
  return (*code)->getBuffer().str();
}
