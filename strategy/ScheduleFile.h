//===- ScheduleFile.h - Schedules that were chosen before -----------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A file of schedules is JSON:
//
//   {"schedules": [{"kernel": "5c0e…", "name": "linear_gelu",
//                   "schedule": "#kernel.cpu_contraction<mr = 8, …>"}, …]}
//
// `kernel` is the key of a kernel's content, so an entry holds in every program
// that has the same kernel; `name` is for readers.
//
//===----------------------------------------------------------------------===//

#ifndef OURC_STRATEGY_SCHEDULEFILE_H
#define OURC_STRATEGY_SCHEDULEFILE_H

#include "dialects/kernel/KernelDialect.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

namespace ourc {

/// 32 hexadecimal digits that follow from what `kernel` computes: its types and
/// operations, not its name, locations or schedule.
std::string getKernelKey(kernel::FuncOp kernel);

class ScheduleFile {
public:
  /// Reads a file. The error says which entry is malformed and how.
  static llvm::Expected<ScheduleFile> read(llvm::StringRef path,
                                           mlir::MLIRContext *context);

  /// The schedule of the kernel with this key, or null.
  kernel::ScheduleAttrInterface lookup(llvm::StringRef key) const {
    return schedules.lookup(key);
  }
  bool empty() const { return schedules.empty(); }

private:
  llvm::StringMap<kernel::ScheduleAttrInterface> schedules;
};

} // namespace ourc

#endif // OURC_STRATEGY_SCHEDULEFILE_H
