//===- DoubleState.cpp - What the driver of the tests knows ---------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DoubleState.h"
#include "DriverDouble.h"

#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace ourc::cuda;
using namespace ourc::cudadouble;

char ourc::cudadouble::primaryContexts[maxDevices];

State &ourc::cudadouble::state() {
  static State all;
  return all;
}

std::vector<void *> &ourc::cudadouble::contextStack() {
  static thread_local std::vector<void *> stack;
  return stack;
}

State::State() {
  if (const char *text = std::getenv("OURC_DOUBLE_ARCHITECTURE"))
    architecture = std::atoi(text);
  if (const char *text = std::getenv("OURC_DOUBLE_DEVICES"))
    devices = std::atoi(text);
  if (const char *text = std::getenv("OURC_DOUBLE_FAIL")) {
    char *end;
    failAt = std::strtoll(text, &end, 10);
    failWith = *end == ':' ? std::atoi(end + 1) : 0;
  }
  if (const char *path = std::getenv("OURC_DOUBLE_LOG"))
    log = std::fopen(path, "w");
}

State::~State() {
  if (!log)
    return;
  std::fprintf(log, "live %lld; misuse: %s\n",
               static_cast<long long>(
                   contexts + streams.size() + modules.size() + pools.size() +
                   graphs.size() + memory.size() + pinned.size()),
               misuse.empty() ? "none" : misuse.c_str());
  std::fclose(log);
}

const char *ourc::cudadouble::errorName(Result code) {
  static const struct {
    Result code;
    const char *name;
  } names[] = {{invalidValue, "CUDA_ERROR_INVALID_VALUE"},
               {outOfMemory, "CUDA_ERROR_OUT_OF_MEMORY"},
               {100, "CUDA_ERROR_NO_DEVICE"},
               {invalidImage, "CUDA_ERROR_INVALID_IMAGE"},
               {invalidContext, "CUDA_ERROR_INVALID_CONTEXT"},
               {noBinaryForGPU, "CUDA_ERROR_NO_BINARY_FOR_GPU"},
               {unsupportedPTX, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"},
               {invalidHandle, "CUDA_ERROR_INVALID_HANDLE"},
               {notFound, "CUDA_ERROR_NOT_FOUND"},
               {launchFailed, "CUDA_ERROR_LAUNCH_FAILED"},
               {captureUnsupported, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED"},
               {graphUpdateFailed, "CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE"}};
  for (const auto &known : names)
    if (known.code == code)
      return known.name;
  return nullptr;
}

Result ourc::cudadouble::begin(const char *name, bool needsContext,
                               void *stream) {
  State &s = state();
  s.calls.push_back({name, stream});
  Result ordered = s.failAt >= 0 && s.failAt-- == 0 ? s.failWith : 0;
  if (s.log) {
    std::fprintf(s.log, "%s%s\n", name, ordered ? " fails" : "");
    std::fflush(s.log);
  }
  if (ordered)
    return ordered;
  return needsContext && contextStack().empty() ? invalidContext : 0;
}

void ourc::cudadouble::misuse(const std::string &what) {
  if (state().misuse.empty())
    state().misuse = what;
}

int64_t ourc::cudadouble::countLive() {
  State &s = state();
  return s.contexts + static_cast<int64_t>(s.streams.size() + s.modules.size() +
                                           s.pools.size() + s.graphs.size() +
                                           s.memory.size() + s.pinned.size());
}

bool ourc::cudadouble::isStream(void *stream) {
  return !stream || state().streams.count(stream);
}

bool ourc::cudadouble::isCaptured(void *stream) {
  return stream && isStream(stream) &&
         static_cast<StreamState *>(stream)->graph;
}

bool ourc::cudadouble::isAnyCaptured() {
  for (void *stream : state().streams)
    if (isCaptured(stream))
      return true;
  return false;
}

Result ourc::cudadouble::put(void *stream, const std::string &name,
                             std::function<Result()> run) {
  if (!isCaptured(stream))
    return run();
  static_cast<StreamState *>(stream)->graph->nodes.push_back(
      {name, std::move(run)});
  return 0;
}

Kernel *ourc::cudadouble::findKernel(void *function) {
  for (auto &kernel : state().kernels)
    if (kernel.get() == function)
      return kernel.get();
  return nullptr;
}

Result ourc::cudadouble::destroyGraph(void *graph) {
  if (!state().graphs.erase(graph))
    return invalidHandle;
  delete static_cast<GraphState *>(graph);
  return 0;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static size_t pages(size_t bytes) {
  auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

bool ourc::cudadouble::isMemory(Address address, size_t bytes) {
  auto it = state().memory.upper_bound(address);
  if (it == state().memory.begin())
    return false;
  --it;
  return address - it->first + bytes <= it->second;
}

Address ourc::cudadouble::allocate(size_t bytes) {
  void *memory = mmap(nullptr, pages(bytes), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return 0;
  std::memset(memory, 0xff, bytes);
  if (!state().numUnlocked)
    mprotect(memory, pages(bytes), PROT_NONE);
  auto address = reinterpret_cast<Address>(memory);
  state().memory[address] = bytes;
  return address;
}

void ourc::cudadouble::release(Address address) {
  munmap(reinterpret_cast<void *>(address), pages(state().memory[address]));
  state().memory.erase(address);
}

static void protectAll(int protection) {
  for (auto [address, bytes] : state().memory)
    mprotect(reinterpret_cast<void *>(address), pages(bytes), protection);
}

Unlocked::Unlocked() {
  if (!state().numUnlocked++)
    protectAll(PROT_READ | PROT_WRITE);
}
Unlocked::~Unlocked() {
  if (!--state().numUnlocked)
    protectAll(PROT_NONE);
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

size_t ourc::cudadouble::codeBytes(const char *code) {
  if (std::memcmp(code, ELFMAG, SELFMAG) != 0)
    return std::strlen(code);
  Elf64_Ehdr header;
  std::memcpy(&header, code, sizeof(header));
  size_t end = sizeof(header);
  auto reach = [&](size_t to) { end = to > end ? to : end; };
  reach(header.e_phoff + size_t(header.e_phnum) * header.e_phentsize);
  reach(header.e_shoff + size_t(header.e_shnum) * header.e_shentsize);
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section;
    std::memcpy(&section, code + header.e_shoff + i * header.e_shentsize,
                sizeof(section));
    if (section.sh_type != SHT_NOBITS)
      reach(section.sh_offset + section.sh_size);
  }
  return end;
}

/// ".target sm_90", ...: the number after `before`; 0: there is none.
static int numberAfter(const char *text, const char *before) {
  const char *found = std::strstr(text, before);
  return found ? std::atoi(found + std::strlen(before)) : 0;
}

int ourc::cudadouble::cubinArchitecture(const char *code) {
  if (std::memcmp(code, ELFMAG, SELFMAG) != 0)
    return 0;
  Elf64_Ehdr header;
  std::memcpy(&header, code, sizeof(header));
  // The architecture is in the second byte of the flags, or in the first one of
  // older formats.
  auto flags = header.e_flags;
  int second = (flags >> 8) & 0xff, first = flags & 0xff;
  return second >= 50 && second <= 130 ? second : first;
}

int ourc::cudadouble::ptxArchitecture(const char *code) {
  return std::memcmp(code, ELFMAG, SELFMAG) == 0
             ? 0
             : numberAfter(code, ".target sm_");
}

//===----------------------------------------------------------------------===//
// What tests call
//===----------------------------------------------------------------------===//

void ourc_double_reset(int architecture) {
  State &s = state();
  s.architecture = architecture;
  s.calls.clear();
  s.failAt = -1;
  s.misuse.clear();
  s.twins.clear();
  // What a failed release left behind is not the next test's.
  s.contexts = 0;
  for (void *stream : s.streams)
    delete static_cast<StreamState *>(stream);
  for (void *module : s.modules)
    delete static_cast<LoadedCode *>(module);
  for (void *graph : s.graphs)
    delete static_cast<GraphState *>(graph);
  for (void *pool : s.pools)
    std::free(pool);
  for (auto &block : s.pinned)
    std::free(block.first);
  s.streams.clear();
  s.modules.clear();
  s.graphs.clear();
  s.pools.clear();
  s.pinned.clear();
  s.kernels.clear();
  while (!s.memory.empty())
    release(s.memory.begin()->first);
  contextStack().clear();
}
void ourc_driver_offer_twin(uint64_t hash, const char *name,
                            const char *signature, OurcTwinFn twin) {
  std::lock_guard<std::recursive_mutex> lock(state().mutex);
  state().twins[{hash, name}] = {twin, signature};
}
void ourc_double_fail_at(int64_t call, int code) {
  state().failAt = call;
  state().failWith = code;
}
int64_t ourc_double_num_calls() {
  return static_cast<int64_t>(state().calls.size());
}
const char *ourc_double_call(int64_t index) {
  return state().calls[static_cast<size_t>(index)].name.c_str();
}
void *ourc_double_call_stream(int64_t index) {
  return state().calls[static_cast<size_t>(index)].stream;
}
int64_t ourc_double_num_live() { return countLive(); }
const char *ourc_double_misuse() {
  return state().misuse.empty() ? nullptr : state().misuse.c_str();
}
void ourc_double_peek(void *to, uint64_t from, uint64_t bytes) {
  std::lock_guard<std::recursive_mutex> lock(state().mutex);
  Unlocked open;
  std::memcpy(to, reinterpret_cast<void *>(from), bytes);
}
void ourc_double_poke(uint64_t to, const void *from, uint64_t bytes) {
  std::lock_guard<std::recursive_mutex> lock(state().mutex);
  Unlocked open;
  std::memcpy(reinterpret_cast<void *>(to), from, bytes);
}
uint64_t ourc_double_allocate(uint64_t bytes) {
  std::lock_guard<std::recursive_mutex> lock(state().mutex);
  return allocate(bytes);
}
void ourc_double_release(uint64_t address) {
  std::lock_guard<std::recursive_mutex> lock(state().mutex);
  release(address);
}
