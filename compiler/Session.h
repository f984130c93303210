//===- Session.h - One compilation from text to code ----------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_COMPILER_SESSION_H
#define OURC_COMPILER_SESSION_H

#include "compiler/CodeCache.h"
#include "compiler/CompileOptions.h"
#include "compiler/JIT.h"
#include "compiler/KernelCompiler.h"
#include "compiler/Report.h"

#include "mlir/IR/BuiltinOps.h"

namespace ourc {

/// The code of one program. Made by one call of `compile`; holds no IR.
class Session {
public:
  /// Compiles a module given as text or bytecode. On failure the error lists
  /// all that is wrong with it.
  static llvm::Expected<std::unique_ptr<Session>>
  compile(llvm::StringRef text, const CompileOptions &options);

  /// Loads the code into this process, at the first call.
  llvm::Expected<const OurcProgram *> load();

  /// Writes the program as a shared object.
  llvm::Error write(llvm::StringRef path);

  /// The report as a JSON object.
  std::string report() const { return reporter.json(); }

private:
  explicit Session(CompileTarget target) : target(std::move(target)) {}

  llvm::Error run(llvm::StringRef text, const CompileOptions &options,
                  CodeCache &cache, const mlir::DialectRegistry &registry);
  void reportCache(const CodeCache &cache);
  /// The same from the code of an earlier compilation of the same text.
  bool takeCached(llvm::StringRef entry);
  std::string makeEntry() const;
  llvm::SmallVector<const ObjectCode *> objects() const;

  CompileTarget target;
  Report reporter;
  ObjectCode graph;
  std::vector<KernelJob> kernels;
  std::unique_ptr<LoadedProgram> loaded;
};

} // namespace ourc

#endif // OURC_COMPILER_SESSION_H
