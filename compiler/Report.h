//===- Report.h - What a compilation did ----------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_COMPILER_REPORT_H
#define OURC_COMPILER_REPORT_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/JSON.h"

#include <chrono>

namespace ourc {

/// Gathers facts while a compilation runs:
///
///   "target"    the target's name
///   "ops"       how many operations came in
///   "kernels", "sequence", "preparation"   see describeProgram
///   "memory"    of a static program: "sum", "lower_bound", "arena" in bytes
///   "phases"    seconds by name, in order
///   "remarks"   what the passes reported
///   "cache"     "hits" and "misses" in the code cache; null where it is off
class Report {
public:
  /// Adds the time that passed during `work` to a phase.
  template <typename Work> auto time(llvm::StringRef phase, Work &&work) {
    auto start = std::chrono::steady_clock::now();
    llvm::scope_exit done([&, start] {
      std::chrono::duration<double> took =
          std::chrono::steady_clock::now() - start;
      addSeconds(phase, took.count());
    });
    return work();
  }

  /// Counts the operations of the program as it came.
  void countOps(mlir::ModuleOp module);
  /// Takes what a planned program says of its kernels and memory.
  void describePlanned(mlir::ModuleOp module);

  std::string json() const;

  /// What of the report depends on the program alone, and back: false where
  /// `text` is none. Timings are not part of it.
  std::string save() const;
  bool restore(llvm::StringRef text);

  std::string target;
  llvm::json::Array remarks;
  /// What the code cache had, or null.
  llvm::json::Value cache = nullptr;

private:
  /// What depends on the program alone.
  llvm::json::Object describe() const;
  void addSeconds(llvm::StringRef phase, double seconds);

  int64_t numOps = 0;
  llvm::json::Object program;
  llvm::json::Object memory;
  llvm::SmallVector<std::pair<std::string, double>> phases;
};

} // namespace ourc

#endif // OURC_COMPILER_REPORT_H
