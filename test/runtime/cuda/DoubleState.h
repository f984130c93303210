//===- DoubleState.h - What the driver of the tests knows -----------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_TEST_RUNTIME_CUDA_DOUBLESTATE_H
#define OURC_TEST_RUNTIME_CUDA_DOUBLESTATE_H

#include "runtime/cuda/Device.h"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace ourc::cudadouble {

using cuda::Address;
using cuda::Result;

constexpr Result invalidValue = 1, invalidContext = 201, invalidHandle = 400,
                 notFound = 500, launchFailed = 719, captureUnsupported = 900;
constexpr int maxDevices = 8;

struct LoadedCode {
  uint64_t hash;
};
struct Twin {
  OurcTwinFn function;
  std::string signature;
};
struct Kernel {
  OurcTwinFn twin;
  std::string name, signature;
  uint32_t sharedLimit = 48 * 1024;
};
struct Node {
  std::string name;
  std::function<Result()> run;
};
struct GraphState {
  std::vector<Node> nodes;
};
struct StreamState {
  GraphState *graph = nullptr; ///< while it is captured
};
struct Call {
  std::string name;
  void *stream;
};

/// Everything that the double knows. One lock for all of it.
struct State {
  State();
  ~State();
  std::recursive_mutex mutex;
  int architecture = 90, devices = 1;
  std::vector<Call> calls;
  int64_t failAt = -1;
  int failWith = 0;
  std::string misuse;
  std::map<std::pair<uint64_t, std::string>, Twin> twins;
  int contexts = 0;
  std::set<void *> streams, modules, pools, graphs;
  std::vector<std::unique_ptr<Kernel>> kernels;
  std::map<Address, size_t> memory;
  std::map<char *, size_t> pinned;
  int numUnlocked = 0;
  FILE *log = nullptr;
};
State &state();
extern char primaryContexts[maxDevices];
std::vector<void *> &contextStack();

const char *errorName(Result code);
/// Records a call; its result where one was ordered.
Result begin(const char *name, bool needsContext, void *stream);
void misuse(const std::string &what);
int64_t countLive();

bool isStream(void *stream);
bool isCaptured(void *stream);
bool isAnyCaptured();
/// Does it now, or puts it into the graph of the stream that is captured.
Result put(void *stream, const std::string &name, std::function<Result()> run);
Kernel *findKernel(void *function);
Result destroyGraph(void *graph);

/// Whether [address, address + bytes) lies in one allocation.
bool isMemory(Address address, size_t bytes);
/// 0: no memory.
Address allocate(size_t bytes);
void release(Address address);
/// GPU memory can be touched while one lives.
struct Unlocked {
  Unlocked();
  ~Unlocked();
};

/// The bytes of a cubin, or of a text that ends with a zero.
size_t codeBytes(const char *code);
/// Of a cubin or of PTX; 0: it is none.
int cubinArchitecture(const char *code);
int ptxArchitecture(const char *code);

} // namespace ourc::cudadouble

#endif // OURC_TEST_RUNTIME_CUDA_DOUBLESTATE_H
