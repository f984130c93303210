//===- Diagnostics.h - Diagnostics as text for a caller -------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_COMPILER_DIAGNOSTICS_H
#define OURC_COMPILER_DIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/JSON.h"

namespace ourc {

/// Collects a context's errors, each on a line of its own that begins with the
/// user's file and line, and its remarks.
class DiagnosticCollector {
public:
  explicit DiagnosticCollector(mlir::MLIRContext &context);

  bool hasErrors() const { return !errors.empty(); }
  /// All errors, or `otherwise` when a failure said nothing.
  std::string errorText(llvm::StringRef otherwise) const;

private:
  mlir::ScopedDiagnosticHandler handler;
  std::string errors;
  unsigned numErrors = 0;
};

/// "file:line:column" of the first file location within `loc`, or empty.
std::string locationText(mlir::Location loc);

/// Collects optimisation remarks of `context` into `remarks`: objects with
/// "kind", "pass", "location" and "message".
void collectRemarks(mlir::MLIRContext &context, llvm::json::Array &remarks);

} // namespace ourc

#endif // OURC_COMPILER_DIAGNOSTICS_H
