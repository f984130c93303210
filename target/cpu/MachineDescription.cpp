//===- MachineDescription.cpp - What code generation knows of a CPU -------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "target/cpu/MachineDescription.h"
#include "runtime/support/TileRegisters.h"
#include "target/cpu/PairRate.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/X86TargetParser.h"
#include <algorithm>
#include <cstdlib>
#include <unistd.h>

using namespace llvm;
using namespace ourc::cpu;

/// The size of a data cache in bytes; `otherwise` where the system is silent.
static int64_t readCacheSize(int name, int64_t otherwise) {
  long size = sysconf(name);
  return size > 0 ? size : otherwise;
}

namespace {
/// What `ourc-tune machine` has measured on machines of a kind.
struct KnownMachine {
  StringLiteral cpu;
  double parallelForSeconds;
};
} // namespace

static constexpr KnownMachine knownMachines[] = {
    {"znver5", 4.5e-7},
};

static void takeKnown(MachineDescription &machine) {
  for (const KnownMachine &known : knownMachines)
    if (known.cpu == machine.cpu)
      machine.parallelForSeconds = known.parallelForSeconds;
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
    // Of a machine that is not at hand the least that makers build is assumed.
    // Half-rate instructions measure a little less or more than 1.
    machine.multipliesPairs =
        features.lookup("avx512bf16") && (!native || getPairRate() > 0.8);
    machine.multipliesTiles =
        features.lookup("amx-tile") && features.lookup("amx-bf16") &&
        (!native || ourc::runtime::requestTileRegisters());
  }
  if (!native)
    return machine;
  machine.l1Bytes = readCacheSize(_SC_LEVEL1_DCACHE_SIZE, machine.l1Bytes);
  machine.l2Bytes = readCacheSize(_SC_LEVEL2_CACHE_SIZE, machine.l2Bytes);
  takeKnown(machine);
  const char *file = std::getenv("OURC_MACHINE");
  if (file && *file && !readMachineFile(file, machine, error))
    return std::nullopt;
  return machine;
}

int64_t MachineDescription::getElementGrain() const {
  double elements = std::clamp(4e9 * parallelForSeconds, 1024.0, 1048576.0);
  return int64_t(1) << llvm::Log2_64(static_cast<uint64_t>(elements) * 3 / 2);
}

bool ourc::cpu::readMachineFile(StringRef path, MachineDescription &machine,
                                std::string &error) {
  auto fail = [&](const Twine &why) {
    error = ("the machine description '" + path + "' " + why).str();
    return false;
  };
  auto file = MemoryBuffer::getFile(path);
  if (!file)
    return fail("cannot be read: " + file.getError().message());
  Expected<json::Value> value = json::parse((*file)->getBuffer());
  if (!value)
    return fail("is not JSON: " + toString(value.takeError()));
  const json::Object *object = value->getAsObject();
  if (!object)
    return fail("must be a JSON object, as `ourc-tune machine` writes it");
  std::optional<StringRef> cpu = object->getString("cpu");
  if (!cpu || *cpu != machine.cpu)
    return fail("is of the CPU '" + cpu.value_or("?") + "', not of '" +
                machine.cpu + "': run `ourc-tune machine` here");
  auto take = [&](StringRef key, double least, double most, auto &field) {
    const json::Value *given = object->get(key);
    if (!given)
      return true;
    std::optional<double> number = given->getAsNumber();
    if (!number || !(*number >= least && *number <= most))
      return fail("has no sensible number for '" + key + "'");
    field = static_cast<std::decay_t<decltype(field)>>(*number);
    return true;
  };
  return take("l1_bytes", 4096, 1 << 30, machine.l1Bytes) &&
         take("l2_bytes", 4096, 1 << 30, machine.l2Bytes) &&
         take("parallel_for_seconds", 0, 1, machine.parallelForSeconds);
}
