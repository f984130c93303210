//===- CodeCache.h - Compiled code on disk --------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_COMPILER_CODECACHE_H
#define OURC_COMPILER_CODECACHE_H

#include "compiler/CompileOptions.h"
#include "compiler/CompileTarget.h"

#include <atomic>
#include <optional>

namespace ourc {

/// Code that earlier compilations made, in a folder that any number of
/// processes share. An entry is found by what it was made of: a hash of the
/// content, the machine and this compiler's own build. Entries are written
/// beside and renamed into place, and carry a checksum; one that is damaged is
/// removed with a warning and made again. Nothing here fails a compilation.
/// Any thread may call.
class CodeCache {
public:
  /// The folder is that of the options, of the environment (OURC_CACHE_DIR), or
  /// ~/.cache/ourc/code; "off" there, or a compiler that does not know its own
  /// build, means none.
  CodeCache(const CompileOptions &options, const CompileTarget &target);

  bool isOn() const { return !folder.empty(); }

  /// The name of the entry for something of this kind.
  std::string getKey(llvm::StringRef kind, llvm::StringRef content) const;
  std::optional<std::string> load(llvm::StringRef key);
  void store(llvm::StringRef key, llvm::StringRef payload);

  /// Removes the entries that were not used for longest, beyond the size limit
  /// (OURC_CACHE_MIB, 1024 by default), if something was stored.
  void prune();

  int64_t getNumHits() const { return numHits; }
  int64_t getNumMisses() const { return numMisses; }

private:
  std::string pathOf(llvm::StringRef key) const;

  std::string folder;
  /// What the code depends on besides its content.
  std::string machine;
  std::atomic<int64_t> numHits = 0, numMisses = 0;
  std::atomic<bool> stored = false;
};

/// The identity of the object file that this code is in: equal for equal
/// builds. Empty where the linker wrote none.
std::string compilerBuildId();

} // namespace ourc

#endif // OURC_COMPILER_CODECACHE_H
