//===- Diagnostics.cpp - Diagnostics as text for a caller -----------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Diagnostics.h"

#include "mlir/IR/Location.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace ourc;

std::string ourc::locationText(Location loc) {
  std::string text;
  loc->walk([&](Location part) {
    auto at = dyn_cast<FileLineColLoc>(part);
    if (!at)
      return WalkResult::advance();
    llvm::raw_string_ostream os(text);
    os << at.getFilename().getValue() << ":" << at.getLine();
    if (at.getColumn() != 0)
      os << ":" << at.getColumn();
    return WalkResult::interrupt();
  });
  return text;
}

/// An error that fills the screen helps nobody.
static constexpr unsigned maxErrors = 100;

DiagnosticCollector::DiagnosticCollector(MLIRContext &context)
    : handler(&context, [this](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
          return success();
        if (numErrors++ >= maxErrors)
          return success();
        llvm::raw_string_ostream os(errors);
        auto print = [&](Diagnostic &part, StringRef kind) {
          if (!errors.empty())
            os << "\n";
          std::string at = locationText(part.getLocation());
          if (!at.empty())
            os << at << ": ";
          os << kind << part;
        };
        print(diagnostic, "error: ");
        // Where an op was changed on its way says nothing to a user; notes that
        // name another place do.
        for (Diagnostic &note : diagnostic.getNotes()) {
          std::string text = note.str();
          if (!StringRef(text).starts_with("see current operation"))
            print(note, "note: ");
        }
        return success();
      }) {}

std::string DiagnosticCollector::errorText(StringRef otherwise) const {
  if (errors.empty())
    return otherwise.str();
  if (numErrors <= maxErrors)
    return errors;
  return errors + "\nand " + std::to_string(numErrors - maxErrors) +
         " more errors";
}

namespace {

/// Turns remarks into JSON objects.
class JSONRemarks : public remark::detail::MLIRRemarkStreamerBase {
public:
  explicit JSONRemarks(llvm::json::Array &remarks) : remarks(remarks) {}

  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    std::string message;
    for (const auto &arg : remark.getArgs()) {
      // Pieces of one sentence follow each other; a reason stands apart.
      if (!message.empty() && arg.key != "Remark")
        message += " ";
      message += arg.val;
    }
    remarks.push_back(
        llvm::json::Object{{"kind", remark.getRemarkTypeString().str()},
                           {"pass", remark.getCombinedCategoryName().str()},
                           {"name", remark.getRemarkName().str()},
                           {"location", locationText(remark.getLocation())},
                           {"message", llvm::json::fixUTF8(message)}});
  }

private:
  llvm::json::Array &remarks;
};

} // namespace

void ourc::collectRemarks(MLIRContext &context, llvm::json::Array &remarks) {
  // Every kind has its own filter; without one it is off.
  remark::RemarkCategories all;
  all.passed = all.missed = all.analysis = all.failed = "ourc-.*";
  (void)remark::enableOptimizationRemarks(
      context, std::make_unique<JSONRemarks>(remarks),
      std::make_unique<remark::RemarkEmittingPolicyAll>(), all);
}
