//===- ScheduleFile.cpp - Schedules that were chosen before ---------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "strategy/ScheduleFile.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SHA256.h"

using namespace mlir;
using namespace ourc;

std::string ourc::getKernelKey(kernel::FuncOp kernel) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << kernel.getFunctionType() << kernel.getArgAttrsAttr() << '\n';
  OpPrintingFlags flags;
  flags.useLocalScope().printGenericOpForm().assumeVerified();
  for (Operation &op : kernel.getBody().front()) {
    op.print(os, flags);
    os << '\n';
  }
  llvm::SHA256 hash;
  hash.update(text);
  return llvm::toHex(llvm::ArrayRef(hash.final()).take_front(16),
                     /*LowerCase=*/true);
}

llvm::Expected<ScheduleFile> ScheduleFile::read(StringRef path,
                                                MLIRContext *context) {
  auto fail = [&](const Twine &message) {
    return llvm::createStringError("the file of schedules '" + path + "' " +
                                   message);
  };
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer)
    return fail("cannot be read: " + buffer.getError().message());
  llvm::Expected<llvm::json::Value> value =
      llvm::json::parse((*buffer)->getBuffer());
  if (!value)
    return fail("is no JSON: " + llvm::toString(value.takeError()));
  const llvm::json::Object *object = value->getAsObject();
  const llvm::json::Array *entries =
      object ? object->getArray("schedules") : nullptr;
  if (!entries)
    return fail("must be an object with an array \"schedules\"");
  ScheduleFile file;
  for (auto [number, entry] : llvm::enumerate(*entries)) {
    const llvm::json::Object *fields = entry.getAsObject();
    auto get = [&](StringRef name) {
      return fields ? fields->getString(name) : std::nullopt;
    };
    auto kernel = get("kernel"), text = get("schedule");
    std::string where = "has a malformed entry " + std::to_string(number + 1);
    if (auto name = get("name"))
      where += " ('" + name->str() + "')";
    if (!kernel || !text)
      return fail(where + ": it needs the strings \"kernel\" and \"schedule\"");
    std::string why;
    ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
      why += (why.empty() ? ": " : "; ") + diagnostic.str();
      return success();
    });
    auto schedule = dyn_cast_or_null<kernel::ScheduleAttrInterface>(
        parseAttribute(*text, context));
    if (!schedule)
      return fail(where + ": '" + *text + "' is no schedule" + why);
    if (!file.schedules.try_emplace(*kernel, schedule).second)
      return fail(where + ": the kernel " + *kernel + " has one already");
  }
  return file;
}
