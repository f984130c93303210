//===- RuntimeSymbols.cpp - What generated code may call ------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/RuntimeSymbols.h"

#include "runtime/abi/ProgramABI.h"
#include "runtime/simt/SimtSymbols.h"

#include <vector>

using namespace ourc;

extern "C" const OurcDeviceRuntime ourc_cuda_runtime;

llvm::ArrayRef<RuntimeSymbol> ourc::runtimeSymbols() {
  static const std::vector<RuntimeSymbol> symbols = [] {
    std::vector<RuntimeSymbol> all;
    auto define = [&](const char *name, auto *function) {
      all.push_back({name, reinterpret_cast<void *>(function)});
    };
    define("ourc_launch", &ourc_launch);
    define("ourc_parallel_for", &ourc_parallel_for);
    define("ourc_thread_scratch", &ourc_thread_scratch);
    define("ourc_report_error", &ourc_report_error);
    define("ourc_device_launch", &ourc_device_launch);
    define("ourc_device_copy", &ourc_device_copy);
    define("ourc_device_store", &ourc_device_store);
    define("ourc_device_constant", &ourc_device_constant);
    all.push_back({"ourc_cuda_runtime",
                   const_cast<OurcDeviceRuntime *>(&ourc_cuda_runtime)});
    simt::forEachSymbol(define);
    return all;
  }();
  return symbols;
}
