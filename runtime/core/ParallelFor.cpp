//===- ParallelFor.cpp - Loops over the process's OpenMP threads ----------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime speaks GCC's OpenMP interface, which libgomp, LLVM's libomp and
// Intel's libiomp5 all export: GOMP_parallel(function, data, threads, flags).
//
//===----------------------------------------------------------------------===//

#include "runtime/core/ParallelFor.h"

#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <time.h>

using namespace ourc::runtime;

namespace {

struct OpenMP {
  void (*parallel)(void (*)(void *), void *, unsigned, unsigned);
  int (*maxThreads)();
  int (*threadNum)();
  int (*numThreads)();
  int (*inParallel)();
  char path[512];
};

OpenMP openMP; // parallel is null when there is none
pthread_once_t openMPOnce = PTHREAD_ONCE_INIT;

/// Takes the runtime that `handle` and its dependencies resolve to.
bool take(void *handle) {
  OpenMP found = {};
  auto resolve = [&](auto &function, const char *name) {
    void *symbol = dlsym(handle, name);
    std::memcpy(&function, &symbol, sizeof(symbol));
    return symbol != nullptr;
  };
  if (!resolve(found.parallel, "GOMP_parallel") ||
      !resolve(found.maxThreads, "omp_get_max_threads") ||
      !resolve(found.threadNum, "omp_get_thread_num") ||
      !resolve(found.numThreads, "omp_get_num_threads") ||
      !resolve(found.inParallel, "omp_in_parallel"))
    return false;
  Dl_info info;
  void *symbol;
  std::memcpy(&symbol, &found.parallel, sizeof(symbol));
  std::snprintf(found.path, sizeof(found.path), "%s",
                dladdr(symbol, &info) && info.dli_fname ? info.dli_fname
                                                        : "(unknown)");
  openMP = found;
  return true;
}

struct Wanted {
  const char *const *prefixes; // of file names; ends with null
  char path[512];              // the first match
};

int matchLoadedLibrary(dl_phdr_info *info, size_t, void *data) {
  auto *wanted = static_cast<Wanted *>(data);
  const char *name = info->dlpi_name ? info->dlpi_name : "";
  const char *slash = std::strrchr(name, '/');
  const char *file = slash ? slash + 1 : name;
  for (const char *const *prefix = wanted->prefixes; *prefix; ++prefix)
    if (!std::strncmp(file, *prefix, std::strlen(*prefix)) &&
        std::strlen(name) < sizeof(wanted->path)) {
      std::strcpy(wanted->path, name);
      return 1;
    }
  return 0;
}

/// The runtime that a loaded library of such a name is or uses.
bool takeLoaded(const char *const *prefixes) {
  Wanted wanted = {prefixes, ""};
  if (!dl_iterate_phdr(matchLoadedLibrary, &wanted))
    return false;
  void *handle = dlopen(wanted.path, RTLD_LAZY | RTLD_NOLOAD);
  if (!handle)
    return false;
  bool taken = take(handle);
  // What was taken must stay, so its handle does too.
  if (!taken)
    dlclose(handle);
  return taken;
}

void findOpenMP() {
  // What the global scope resolves to is what everyone else calls.
  if (take(RTLD_DEFAULT))
    return;
  // PyTorch's, should there be several; then any.
  const char *const torch[] = {"libtorch_cpu.so", nullptr};
  const char *const known[] = {"libgomp", "libomp.so", "libiomp5", "libomp-",
                               nullptr};
  if (takeLoaded(torch) || takeLoaded(known))
    return;
  const char *const systems[] = {"libgomp.so.1", "libomp.so.5", "libiomp5.so"};
  for (const char *name : systems)
    if (void *handle = dlopen(name, RTLD_LAZY | RTLD_LOCAL)) {
      if (take(handle))
        return;
      dlclose(handle);
    }
}

const OpenMP &theOpenMP() {
  pthread_once(&openMPOnce, findOpenMP);
  return openMP;
}

struct Loop {
  OurcTaskFn task;
  void *args;
  int64_t n;
  int64_t shares;
};

void runShare(void *data) {
  auto *loop = static_cast<Loop *>(data);
  // The team may be smaller than was expected, or larger than is needed.
  int64_t team = openMP.numThreads(), self = openMP.threadNum();
  if (team > loop->shares)
    team = loop->shares;
  if (self >= team)
    return;
  int64_t share = loop->n / team, rest = loop->n % team;
  int64_t begin = self * share + (self < rest ? self : rest);
  int64_t end = begin + share + (self < rest);
  if (begin < end)
    loop->task(loop->args, begin, end);
}

/// Threads that meet, so that all run at the same time, and say where.
struct Meeting {
  static constexpr int32_t room = 256;
  int32_t arrived;
  int32_t cores[room];
};

void meet(void *data) {
  auto *meeting = static_cast<Meeting *>(data);
  int32_t self = __atomic_fetch_add(&meeting->arrived, 1, __ATOMIC_ACQ_REL);
  // Long enough for the scheduler to bring in one that shares this core.
  timespec start, time;
  clock_gettime(CLOCK_MONOTONIC, &start);
  int64_t waited = 0;
  while (__atomic_load_n(&meeting->arrived, __ATOMIC_ACQUIRE) <
             openMP.numThreads() &&
         waited < 20'000'000) {
    clock_gettime(CLOCK_MONOTONIC, &time);
    waited = (time.tv_sec - start.tv_sec) * int64_t(1'000'000'000) +
             time.tv_nsec - start.tv_nsec;
  }
  if (self < Meeting::room)
    meeting->cores[self] = sched_getcpu();
}

} // namespace

int ourc::runtime::threadsSharingACore() {
  const OpenMP &omp = theOpenMP();
  if (!omp.parallel || omp.inParallel() || omp.maxThreads() <= 1)
    return 0;
  // Once may be chance, on the way from one core to another.
  int fewest = Meeting::room;
  for (int turn = 0; turn < 3 && fewest; ++turn) {
    Meeting meeting = {};
    omp.parallel(meet, &meeting, 0, 0);
    int32_t team =
        meeting.arrived < Meeting::room ? meeting.arrived : Meeting::room;
    int sharing = 0;
    for (int32_t i = 0; i < team; ++i) {
      bool shares = false;
      for (int32_t j = 0; j < team; ++j)
        shares |= i != j && meeting.cores[i] == meeting.cores[j];
      sharing += shares;
    }
    if (sharing < fewest)
      fewest = sharing;
  }
  return fewest;
}

ThreadsInfo ourc::runtime::threadsInfo() {
  const OpenMP &omp = theOpenMP();
  if (!omp.parallel)
    return {nullptr, 1};
  return {omp.path, omp.maxThreads()};
}

void ourc_parallel_for(OurcContext *ctx, OurcTaskFn task, void *args, int64_t n,
                       int64_t grain) {
  if (n <= 0)
    return;
  if (n <= grain)
    return task(args, 0, n);
  const OpenMP &omp = theOpenMP();
  // Inside a parallel region of anyone: the threads are taken.
  if (!omp.parallel || omp.inParallel())
    return task(args, 0, n);
  int64_t shares = n / (grain > 0 ? grain : 1);
  if (shares <= 1 || omp.maxThreads() <= 1)
    return task(args, 0, n);
  // Always the whole team: libgomp ends threads that a smaller team leaves out
  // and has to create them again for the next.
  Loop loop = {task, args, n, shares};
  omp.parallel(runShare, &loop, 0, 0);
}
