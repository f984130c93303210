//===- DoubleAccess.h - The driver of the tests, from a test --------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_TEST_RUNTIME_CUDA_DOUBLEACCESS_H
#define OURC_TEST_RUNTIME_CUDA_DOUBLEACCESS_H

#include "DriverDouble.h"

#include "runtime/cuda/Device.h"

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>

namespace ourc::test {

inline const char *doublePath() { return std::getenv("OURC_CUDA_DRIVER"); }

/// The double's own functions.
struct Double {
  void *library = dlopen(doublePath(), RTLD_NOW);
  template <typename Fn> Fn *get(const char *name) {
    return reinterpret_cast<Fn *>(dlsym(library, name));
  }
  void reset(int architecture = 90) {
    get<decltype(ourc_double_reset)>("ourc_double_reset")(architecture);
  }
  void addTwin(const char *code, const char *name, OurcTwinFn twin) {
    get<decltype(ourc_driver_offer_twin)>("ourc_driver_offer_twin")(
        cuda::hashContent(code, std::strlen(code)), name, "pp", twin);
  }
  void failAt(int64_t call, int code) {
    get<decltype(ourc_double_fail_at)>("ourc_double_fail_at")(call, code);
  }
  int64_t numCalls() {
    return get<decltype(ourc_double_num_calls)>("ourc_double_num_calls")();
  }
  std::string call(int64_t index) {
    return get<decltype(ourc_double_call)>("ourc_double_call")(index);
  }
  int64_t countCalls(const std::string &name) {
    int64_t count = 0;
    for (int64_t i = 0; i < numCalls(); ++i)
      count += call(i) == name;
    return count;
  }
  void *stream(int64_t index) {
    return get<decltype(ourc_double_call_stream)>("ourc_double_call_stream")(
        index);
  }
  uint64_t allocate(uint64_t bytes) {
    return get<decltype(ourc_double_allocate)>("ourc_double_allocate")(bytes);
  }
  void release(uint64_t address) {
    get<decltype(ourc_double_release)>("ourc_double_release")(address);
  }
  void peek(void *to, uint64_t from, uint64_t bytes) {
    get<decltype(ourc_double_peek)>("ourc_double_peek")(to, from, bytes);
  }
  void poke(uint64_t to, const void *from, uint64_t bytes) {
    get<decltype(ourc_double_poke)>("ourc_double_poke")(to, from, bytes);
  }
  int64_t numLive() {
    return get<decltype(ourc_double_num_live)>("ourc_double_num_live")();
  }
  std::string misuse() {
    const char *text =
        get<decltype(ourc_double_misuse)>("ourc_double_misuse")();
    return text ? text : "";
  }
};
inline Double &fake() {
  static Double *all = new Double;
  return *all;
}

} // namespace ourc::test

#endif // OURC_TEST_RUNTIME_CUDA_DOUBLEACCESS_H
