//===- Linker.cpp - Object files to a shared object -----------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Linker.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace ourc;
using llvm::StringRef;

// The runtime's archives, embedded (compiler/BUILD.bazel).
extern "C" {
extern const char ourc_artifact_archive_begin[];
extern const char ourc_artifact_archive_end[];
extern const char ourc_simt_archive_begin[];
extern const char ourc_simt_archive_end[];
}

static llvm::Expected<std::string> findLinker() {
  for (StringRef name : {"ld.lld-22", "ld.lld"})
    if (auto path =
            llvm::sys::findProgramByName(name, {"/usr/lib/llvm-22/bin"}))
      return *path;
  for (StringRef name : {"ld.lld-22", "ld.lld"})
    if (auto path = llvm::sys::findProgramByName(name))
      return *path;
  return llvm::createStringError(
      "no linker: install lld-22, or put ld.lld on PATH");
}

static llvm::Error writeFile(StringRef path, StringRef bytes) {
  std::error_code code;
  llvm::raw_fd_ostream os(path, code);
  if (!code) {
    os.write(bytes.data(), bytes.size());
    os.close();
    code = os.error();
    os.clear_error();
  }
  if (code)
    return llvm::createStringError("cannot write '" + path +
                                   "': " + code.message());
  return llvm::Error::success();
}

llvm::Error ourc::linkArtifact(llvm::ArrayRef<const ObjectCode *> objects,
                               StringRef path) {
  llvm::Expected<std::string> linker = findLinker();
  if (!linker)
    return linker.takeError();
  llvm::SmallString<128> folder;
  if (std::error_code code =
          llvm::sys::fs::createUniqueDirectory("ourc-link", folder))
    return llvm::createStringError("cannot make a temporary folder: " +
                                   code.message());
  llvm::scope_exit cleanUp([&] { llvm::sys::fs::remove_directories(folder); });
  auto inFolder = [&](const llvm::Twine &name) {
    llvm::SmallString<128> file(folder);
    llvm::sys::path::append(file, name);
    return file.str().str();
  };

  std::vector<std::string> files;
  for (const ObjectCode *object : objects) {
    files.push_back(inFolder(std::to_string(files.size()) + ".o"));
    if (llvm::Error error =
            writeFile(files.back(), StringRef(object->data(), object->size())))
      return error;
  }
  std::string archive = inFolder("libourc_artifact.a"),
              simt = inFolder("libourc_simt.a");
  struct Embedded {
    StringRef path;
    const char *begin, *end;
  };
  for (Embedded embedded :
       {Embedded{archive, ourc_artifact_archive_begin,
                 ourc_artifact_archive_end},
        Embedded{simt, ourc_simt_archive_begin, ourc_simt_archive_end}})
    if (llvm::Error error =
            writeFile(embedded.path,
                      StringRef(embedded.begin, embedded.end - embedded.begin)))
      return error;
  // Only the C ABI is seen from outside; kernels may bear any name.
  std::string exports = inFolder("exports.map");
  if (llvm::Error error = writeFile(
          exports, "{ global: ourc_model_*; ourc_last_error; local: *; };\n"))
    return error;

  std::vector<std::string> arguments = {*linker,
                                        "-shared",
                                        "-o",
                                        path.str(),
                                        "--gc-sections",
                                        "-z",
                                        "now",
                                        "-z",
                                        "noexecstack",
                                        "--no-undefined",
                                        "--version-script=" + exports};
  arguments.insert(arguments.end(), files.begin(), files.end());
  for (const char *argument :
       {"--whole-archive", archive.c_str(), "--no-whole-archive", simt.c_str(),
        "-L/usr/lib/x86_64-linux-gnu", "-L/lib/x86_64-linux-gnu",
        "-L/usr/lib64", "-L/lib64", "--as-needed", "-l:libm.so.6",
        "-l:libc.so.6", "-l:ld-linux-x86-64.so.2"})
    arguments.push_back(argument);
  llvm::SmallVector<StringRef> references(arguments.begin(), arguments.end());
  std::string log = inFolder("log"), message;
  std::optional<StringRef> redirects[] = {std::nullopt, StringRef(log),
                                          StringRef(log)};
  int code = llvm::sys::ExecuteAndWait(*linker, references, std::nullopt,
                                       redirects, /*SecondsToWait=*/0,
                                       /*MemoryLimit=*/0, &message);
  if (code == 0)
    return llvm::Error::success();
  if (auto text = llvm::MemoryBuffer::getFile(log))
    message += (*text)->getBuffer().trim().str();
  return llvm::createStringError("linking '" + path + "' failed: " + message);
}
