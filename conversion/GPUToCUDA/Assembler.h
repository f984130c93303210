//===- Assembler.h - PTX to machine code ----------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_GPUTOCUDA_ASSEMBLER_H
#define OURC_CONVERSION_GPUTOCUDA_ASSEMBLER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace ourc {

/// NVIDIA's assembler, a program of its own.
class Assembler {
public:
  /// The one that OURC_PTXAS names ("none": none), else the first on PATH, in
  /// $CUDA_HOME/bin or in /usr/local/cuda/bin.
  static Assembler find();

  bool exists() const { return !path.empty(); }
  llvm::StringRef getPath() const { return path; }
  /// What is made with it depends on this: where the program is, its size and
  /// when it was changed. Empty: there is none.
  std::string getIdentity() const;

  /// The cubin of `ptx` for `chip` ("sm_90"); an error carries ptxas's words.
  llvm::Expected<std::string> assemble(llvm::StringRef ptx,
                                       llvm::StringRef chip) const;

private:
  std::string path;
};

} // namespace ourc

#endif // OURC_CONVERSION_GPUTOCUDA_ASSEMBLER_H
