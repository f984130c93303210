//===- KernelArgument.h - What a kernel gets, from the command line ----===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_TOOLS_OURC_SIMT_KERNELARGUMENT_H
#define OURC_TOOLS_OURC_SIMT_KERNELARGUMENT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <vector>

namespace ourc::tools {

/// A scalar ("i32=7", "f32=0.5") or a buffer ("f32[64]=iota", "f16[8]=1,2,3").
class KernelArgument {
public:
  /// Values of a buffer: `zeros`, `ones`, `iota` (0, 1, 2, …), `random` (whole
  /// numbers from -8 to 8), `poison` (all bits one, the default) or a list.
  static llvm::Expected<KernelArgument> parse(llvm::StringRef text);

  bool isBuffer() const { return buffer; }
  int64_t getElementBytes() const { return bits / 8; }
  int64_t getCount() const { return count; }
  /// Writes the initial values: one scalar, or the whole buffer.
  void fill(char *data) const;
  void print(const char *data, llvm::raw_ostream &os) const;

private:
  void write(char *data, double value) const;

  bool buffer = false, floating = false, bfloat = false;
  unsigned bits = 32;
  int64_t count = 1;
  std::string values;
  std::vector<double> list;
};

} // namespace ourc::tools

#endif // OURC_TOOLS_OURC_SIMT_KERNELARGUMENT_H
