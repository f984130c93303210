//===- CodeCache.cpp - Compiled code on disk ------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/CodeCache.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <link.h>

using namespace ourc;
using llvm::StringRef;

// An entry is this, the payload's hash, the payload.
static constexpr llvm::StringLiteral magic = "ourc code 1\n";
static constexpr size_t hashBytes = 32;
// Files of this prefix are what llvm::pruneCache removes.
static constexpr llvm::StringLiteral prefix = "llvmcache-";

static std::string hashOf(llvm::ArrayRef<StringRef> parts) {
  llvm::BLAKE3 hasher;
  for (StringRef part : parts) {
    // With its length, so that parts cannot run into each other.
    char length[8];
    llvm::support::endian::write64le(length, part.size());
    hasher.update(StringRef(length, sizeof(length)));
    hasher.update(part);
  }
  auto hash = hasher.final<hashBytes>();
  return std::string(reinterpret_cast<const char *>(hash.data()), hash.size());
}

//===----------------------------------------------------------------------===//
// What code depends on
//===----------------------------------------------------------------------===//

/// Finds the build id of the object that holds `data`'s address.
static int findBuildId(dl_phdr_info *info, size_t, void *data) {
  auto &id = *static_cast<std::string *>(data);
  auto here = reinterpret_cast<uintptr_t>(&findBuildId);
  bool holds = false;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) &segment = info->dlpi_phdr[i];
    uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
    holds |= segment.p_type == PT_LOAD && here >= begin &&
             here < begin + segment.p_memsz;
  }
  if (!holds)
    return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) &segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_NOTE)
      continue;
    auto *at =
        reinterpret_cast<const char *>(info->dlpi_addr + segment.p_vaddr);
    auto *end = at + segment.p_memsz;
    while (at + sizeof(ElfW(Nhdr)) <= end) {
      auto *note = reinterpret_cast<const ElfW(Nhdr) *>(at);
      const char *name = at + sizeof(*note);
      const char *description = name + llvm::alignTo(note->n_namesz, 4);
      if (note->n_type == NT_GNU_BUILD_ID &&
          StringRef(name, note->n_namesz) == StringRef("GNU\0", 4)) {
        id.assign(description, note->n_descsz);
        return 1;
      }
      at = description + llvm::alignTo(note->n_descsz, 4);
    }
  }
  return 1;
}

std::string ourc::compilerBuildId() {
  std::string id;
  dl_iterate_phdr(findBuildId, &id);
  return id;
}

/// All of a target that the compiler looks at.
static std::string describeMachine(const CompileTarget &target) {
  const cpu::MachineDescription &machine = target.machine;
  std::string text;
  llvm::raw_string_ostream(text)
      << int(target.kind) << ';' << target.name << ';' << machine.cpu << ';'
      << machine.features << ';' << machine.vectorBytes << ';'
      << machine.numVectorRegisters << ';' << machine.l1Bytes << ';'
      << machine.l2Bytes << ';' << machine.parallelForSeconds << ';'
      << machine.multipliesPairs << machine.multipliesTiles << ';'
      << target.assembler;
  return text;
}

/// The folder that is asked for; empty: none.
static std::string chooseFolder(StringRef option) {
  std::string folder = option.str();
  if (folder.empty())
    if (const char *variable = std::getenv("OURC_CACHE_DIR"))
      folder = variable;
  if (folder == "off")
    return "";
  if (!folder.empty())
    return folder;
  llvm::SmallString<128> path;
  if (const char *caches = std::getenv("XDG_CACHE_HOME"); caches && *caches)
    path = caches;
  else if (const char *home = std::getenv("HOME"); home && *home)
    llvm::sys::path::append(path, home, ".cache");
  else
    return "";
  llvm::sys::path::append(path, "ourc", "code");
  return path.str().str();
}

CodeCache::CodeCache(const CompileOptions &options, const CompileTarget &target)
    : folder(chooseFolder(options.cache)) {
  // What is dumped must be made.
  std::string build = compilerBuildId();
  if (build.empty() || !options.dumpKernels.empty())
    folder.clear();
  if (isOn())
    machine = hashOf({build, describeMachine(target)});
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

std::string CodeCache::getKey(StringRef kind, StringRef content) const {
  return llvm::toHex(hashOf({kind, machine, content}).substr(0, 20),
                     /*LowerCase=*/true);
}

std::string CodeCache::pathOf(StringRef key) const {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, prefix + key);
  return path.str().str();
}

std::optional<std::string> CodeCache::load(StringRef key) {
  std::string path = pathOf(key);
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
  if (!file) {
    ++numMisses;
    return std::nullopt;
  }
  StringRef content = (*file)->getBuffer();
  if (content.consume_front(magic) && content.size() >= hashBytes &&
      content.take_front(hashBytes) ==
          hashOf({content.drop_front(hashBytes)})) {
    ++numHits;
    // Pruning goes by the time of the last use, which a file system need not
    // keep.
    if (auto handle = llvm::sys::fs::openNativeFileForReadWrite(
            path, llvm::sys::fs::CD_OpenExisting, llvm::sys::fs::OF_None)) {
      llvm::sys::TimePoint<> now = std::chrono::system_clock::now();
      (void)llvm::sys::fs::setLastAccessAndModificationTime(*handle, now, now);
      (void)llvm::sys::fs::closeFile(*handle);
    } else {
      llvm::consumeError(handle.takeError());
    }
    return content.drop_front(hashBytes).str();
  }
  llvm::errs() << "ourc: warning: the cached code in '" << path
               << "' is damaged and is made again\n";
  (void)llvm::sys::fs::remove(path);
  ++numMisses;
  return std::nullopt;
}

void CodeCache::store(StringRef key, StringRef payload) {
  namespace fs = llvm::sys::fs;
  if (fs::create_directories(folder, /*IgnoreExisting=*/true, fs::owner_all))
    return;
  llvm::SmallString<128> model(folder), temporary;
  llvm::sys::path::append(model, prefix + "new-%%%%%%%%%%%%");
  int descriptor;
  if (fs::createUniqueFile(model, descriptor, temporary, fs::OF_None,
                           fs::owner_read | fs::owner_write))
    return;
  bool written = false;
  {
    llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/true);
    os << magic << hashOf({payload}) << payload;
    os.close();
    written = !os.has_error();
    os.clear_error();
  }
  // A full disk leaves half of it: that must not get the name.
  if (!written || fs::rename(temporary, pathOf(key)))
    (void)fs::remove(temporary);
  else
    stored = true;
}

void CodeCache::prune() {
  if (!stored)
    return;
  llvm::CachePruningPolicy policy;
  uint64_t mebibytes = 1024;
  if (const char *given = std::getenv("OURC_CACHE_MIB"))
    (void)StringRef(given).getAsInteger(10, mebibytes);
  policy.Interval = std::chrono::seconds(0);
  policy.Expiration = std::chrono::seconds(0);
  policy.MaxSizeBytes = mebibytes << 20;
  llvm::pruneCache(folder, policy);
}
