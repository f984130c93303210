//===- RuntimeSymbols.cpp - What generated code may call ------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/RuntimeSymbols.h"

#include "runtime/abi/ProgramABI.h"

using namespace ourc;

llvm::ArrayRef<RuntimeSymbol> ourc::runtimeSymbols() {
  static const RuntimeSymbol symbols[] = {
      {"ourc_parallel_for", reinterpret_cast<void *>(&ourc_parallel_for)},
      {"ourc_thread_scratch", reinterpret_cast<void *>(&ourc_thread_scratch)},
      {"ourc_report_error", reinterpret_cast<void *>(&ourc_report_error)},
  };
  return symbols;
}
