//===- MachineDescription.cpp - What code generation knows of a CPU -------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "target/cpu/MachineDescription.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/X86TargetParser.h"
#include <unistd.h>

using namespace llvm;
using namespace ourc::cpu;

/// The size of a data cache in bytes; `otherwise` where the system is silent.
static int64_t readCacheSize(int name, int64_t otherwise) {
  long size = sysconf(name);
  return size > 0 ? size : otherwise;
}

std::optional<MachineDescription>
MachineDescription::parse(StringRef spec, std::string &error) {
  StringRef cpuName = spec;
  if (!cpuName.consume_front("cpu:") || cpuName.empty()) {
    error = ("target '" + spec +
             "' is not a CPU: expected cpu:native or cpu:<name>, for instance "
             "cpu:x86-64-v3")
                .str();
    return std::nullopt;
  }
  MachineDescription machine;
  machine.name = spec.str();
  bool native = cpuName == "native";
  if (native)
    cpuName = sys::getHostCPUName();
  machine.cpu = cpuName.str();
  SmallVector<StringRef> known;
  X86::fillValidCPUArchList(known, /*Only64Bit=*/true);
  if (!is_contained(known, cpuName)) {
    error = ("target '" + spec + "' names an unknown x86-64 CPU '" + cpuName +
             "': expected native, x86-64-v3, x86-64-v4 or another name that "
             "clang -march takes")
                .str();
    return std::nullopt;
  }

  // A virtual machine may hide features that its CPU's name implies, so the
  // host's own list decides for native.
  StringMap<bool> features;
  if (native) {
    features = sys::getHostCPUFeatures();
  } else {
    SmallVector<StringRef> implied;
    X86::getFeaturesForCPU(cpuName, implied, /*NeedPlus=*/false);
    for (StringRef feature : implied)
      features[feature] = true;
  }
  SmallVector<std::string> list;
  for (const auto &feature : features)
    list.push_back((Twine(feature.second ? "+" : "-") + feature.first()).str());
  llvm::sort(list);
  machine.features = llvm::join(list, ",");

  if (!features.lookup("avx2") || !features.lookup("fma")) {
    error = ("target '" + spec +
             "' has no AVX2 and FMA; generated code needs x86-64-v3 or better")
                .str();
    return std::nullopt;
  }
  // Each of them implies AVX512F, which the list of a named CPU leaves out.
  if (features.lookup("avx512bw") && features.lookup("avx512dq") &&
      features.lookup("avx512vl")) {
    machine.vectorBytes = 64;
    machine.numVectorRegisters = 32;
  }
  if (native) {
    machine.l1Bytes = readCacheSize(_SC_LEVEL1_DCACHE_SIZE, machine.l1Bytes);
    machine.l2Bytes = readCacheSize(_SC_LEVEL2_CACHE_SIZE, machine.l2Bytes);
  }
  return machine;
}
