//===- RuntimeSymbols.h - What generated code may call --------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_COMPILER_RUNTIMESYMBOLS_H
#define OURC_COMPILER_RUNTIMESYMBOLS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace ourc {

/// A function of the runtime by the name that generated code uses.
struct RuntimeSymbol {
  llvm::StringRef name;
  void *address;
};

llvm::ArrayRef<RuntimeSymbol> runtimeSymbols();

} // namespace ourc

#endif // OURC_COMPILER_RUNTIMESYMBOLS_H
