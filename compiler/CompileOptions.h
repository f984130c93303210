//===- CompileOptions.h - What a caller asks of a compilation -------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_COMPILER_COMPILEOPTIONS_H
#define OURC_COMPILER_COMPILEOPTIONS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace ourc {

/// The options of compiler/CAPI.h, with their defaults.
struct CompileOptions {
  std::string target = "cpu:native";
  bool pack = true;
  bool strict = false;
  unsigned threads = 0;
  std::string dumpKernels;
  /// The folder of the code cache, "off", or empty for the default.
  std::string cache;
  /// A file of schedules, or empty.
  std::string schedules;
  /// What locations call the text; not an option of the C ABI.
  std::string source = "input";

  /// The options that what is made depends on, as text.
  std::string getContentKey() const;

  /// Parses a JSON object; empty text gives the defaults. An unknown key or a
  /// value of the wrong type is an error that names the valid ones.
  static llvm::Expected<CompileOptions> parse(llvm::StringRef json);
};

} // namespace ourc

#endif // OURC_COMPILER_COMPILEOPTIONS_H
