//===- Machine.h - One block of the SIMT machine -----------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_RUNTIME_SIMT_MACHINE_H
#define OURC_RUNTIME_SIMT_MACHINE_H

#include "runtime/simt/Clocks.h"
#include "runtime/simt/Fiber.h"
#include "runtime/simt/Shadow.h"
#include "runtime/simt/Simt.h"
#include "runtime/simt/Sync.h"
#include "runtime/simt/Traffic.h"

#include <stdint.h>

namespace ourc::simt {

constexpr unsigned warpSize = 32;
constexpr unsigned maxThreads = 1024;
constexpr unsigned numBarriers = 16;
constexpr int64_t maxSharedBytes = 227 * 1024;
constexpr size_t stackBytes = 64 * 1024;

/// Instructions that the lanes of a mask execute together.
enum class WarpOp : uint8_t {
  Sync,
  Shuffle,
  Vote,
  LoadMatrix,
  StoreMatrix,
  Mma
};

/// One lane's part of such an instruction. `in` and `out` lie on the lane's
/// stack and live while it waits.
struct WarpRequest {
  WarpOp op;
  const char *site;
  uint32_t mask;
  /// Variant (shuffle kind, transposition, element type); equal in all lanes.
  int32_t variant;
  /// Number of matrices; equal in all lanes.
  int32_t count;
  const uint32_t *in;
  uint32_t *out;
  void *address;
};

/// One cp.async that no wait has completed yet.
struct AsyncCopy {
  void *shared;
  const void *global;
  uint32_t bytes, sourceBytes;
  bool endsGroup; ///< committed, and the last of its group
  bool landed;    ///< the bytes are there, though nothing says so
};

enum class ThreadState : uint8_t {
  Ready,
  AtBarrier,
  AtWarpOp,
  AtMBarrier,
  Exited
};

struct Thread {
  FiberContext context;
  uint32_t id;
  ThreadState state;
  const char *site; ///< where it waits
  uint32_t barrier; ///< the barrier at which it waits, or the mbarrier's offset
  uint32_t priority;   ///< lower runs first, in schedules by priority
  WarpRequest request; ///< valid at a warp instruction

  // The queue of asynchronous copies; `groups` counts the committed groups.
  AsyncCopy *copies;
  uint32_t numCopies, copyCapacity, groups, openCopies;
};

/// Lanes that meet at a warp instruction: some have arrived.
struct Meeting {
  uint32_t mask, arrived;
  WarpOp op;
  const char *site;
  int32_t variant, count;
};

/// The lanes of a warp, as masks.
struct Warp {
  uint32_t existing, exited, atBarrier;
  uint32_t numMeetings;
  Meeting meetings[warpSize]; ///< of disjoint lanes
};

struct Barrier {
  uint32_t expected; ///< 0: nobody has arrived
  uint32_t arrived;
  Knowledge passed; ///< by those that arrive and do not wait
};

/// How one block picks among threads that can run.
enum class Schedule : uint8_t { Fifo, Random, ThreadPriority, WarpPriority };
/// When an asynchronous copy becomes visible.
enum class Landing : uint8_t { AtWait, AtIssue, Random };

/// A launch, and what its blocks have in common.
struct Launch {
  const char *name;
  OurcSimtKernelFn kernel;
  void **args;
  const int64_t *grid, *block;
  int64_t sharedBytes;
  const OurcSimtBuffer *buffers;
  int64_t numBuffers;
  uint32_t checks; ///< OurcSimtCheck
  unsigned granuleShift;
  GlobalShadow *global; ///< null: races in global memory are not looked for
  SyncTable *syncs;     ///< of all blocks; null: blocks run at the same time
};

/// Runs blocks of a launch, one after the other.
class Machine {
public:
  explicit Machine(const Launch &launch);
  ~Machine();

  /// Maps stacks and shared memory; false after an error.
  bool allocate();
  /// Runs one block; false after an error, which getError() describes.
  bool run(uint64_t blockIndex, uint64_t seed);
  const char *getError() const { return error; }

  /// The machine that runs on this OS thread.
  static Machine &current();

  // Called on a fibre.
  Thread &thread() { return threads[running]; }
  /// A named barrier, at which the thread waits unless it only arrives.
  void barrier(const char *site, int32_t id, int32_t numThreads, bool waits);
  void warp(const WarpRequest &request);
  void checkShared(const char *site, const void *address, int64_t bytes);
  /// Checks a plain or atomic access before it is made. `root` is the buffer
  /// that the address was computed from, or -1.
  void access(const char *site, const void *address, int64_t bytes, Access kind,
              uint32_t space, uint32_t alignment, int32_t root);
  /// Checks an access to the thread's variable at [base, base + size).
  void accessLocal(const char *site, const void *address, int64_t bytes,
                   uint32_t alignment, const void *base, int64_t size);
  /// Records an access to shared memory and fails where it may not be made.
  void touchShared(uint32_t id, const char *site, const void *address,
                   int64_t bytes, Access access, bool async);
  void checkGlobal(const char *site, const void *address, int64_t bytes,
                   Access access, int32_t root);
  void checkAlignment(const char *site, const void *address,
                      uint32_t alignment);
  /// An atomic access; `order` of OurcSimtOrder.
  void atomic(const char *site, const void *address, int64_t bytes, Access kind,
              uint32_t space, uint32_t alignment, int32_t root, uint32_t order);
  void fence(uint32_t scope);
  /// Gives way to other threads. `waits`: it may be a step of a loop that waits
  /// for them.
  void letOthersRun(bool waits);
  void initMBarrier(const char *site, const void *address, uint32_t count);
  void invalidateMBarrier(const char *site, const void *address);
  /// Returns the phase in which it arrived.
  uint64_t arriveMBarrier(const char *site, const void *address, uint32_t count,
                          uint32_t expectBytes);
  /// Arrives when the thread's asynchronous copies have completed; `counted`:
  /// the mbarrier's count has room for it.
  void arriveWithCopies(const char *site, const void *address, bool counted);
  /// Whether a phase has completed: the one of `state`, or that of a parity.
  bool testMBarrier(const char *site, const void *address, uint64_t state,
                    bool isParity);
  void waitMBarrier(const char *site, const void *address, uint32_t parity);
  void copyAsync(const char *site, const AsyncCopy &copy, int32_t root);
  void commitCopies();
  void waitCopies(int32_t pending);
  /// Reports an error and leaves the fibre for good.
  [[noreturn]] void fail(const char *site, const char *format, ...)
      __attribute__((format(printf, 3, 4)));

  const Launch &launch;
  uint32_t checks;
  Clocks clocks;
  uint32_t grid[3], block[3], blockId[3];
  uint32_t blockIndex = 0;
  uint32_t numThreads;
  char *shared = nullptr;
  int64_t sharedBytes;
  OurcSimtCounters counters = {};

private:
  static void enterThread();
  void initBlock(uint64_t seed);
  uint64_t nextRandom();

  /// The next thread to run, taken out of the ready ones; -1: none.
  int pick();
  void makeReady(uint32_t id);
  /// Suspends the running thread, whose state says why.
  void yield();
  /// The meeting of a warp that the running thread joins or begins; fails where
  /// the lanes of its mask cannot meet at this instruction.
  Meeting &joinMeeting(const WarpRequest &request, uint32_t warp);
  void land(const AsyncCopy &copy);
  /// A wait has completed `copy`: it becomes an ordinary write of the thread.
  void completeCopy(const AsyncCopy &copy);
  void enqueue(const AsyncCopy &copy);
  void reportDeadlock();
  MBarrier &findMBarrier(const char *site, const void *address);
  void completePhase(MBarrier &barrier);
  /// Fails when there is no memory for a checker's notes.
  void need(bool ok);
  void clearSyncs();
  void report(const char *site, const char *text);
  /// An instruction in 32 bits, and back: how far its site is from the first
  /// one met.
  int32_t encodeSite(const char *site, Access access);
  const char *decodeSite(int32_t site) const;
  void describePlace(const void *address, int64_t bytes, int32_t root,
                     char *text, size_t size) const;

  Thread *threads = nullptr;
  uint32_t running = 0, live = 0;
  FiberContext scheduler;
  Barrier barriers[numBarriers];
  Warp warps[maxThreads / warpSize];
  uint32_t ready[maxThreads];
  uint32_t readyHead = 0, readyCount = 0;
  char *stacks = nullptr;
  char *sharedMapping = nullptr;
  size_t sharedMappingBytes = 0;
  Schedule schedule = Schedule::Fifo;
  Landing landing = Landing::AtWait;
  uint64_t randomState = 0;
  bool failed = false;
  char error[1024] = "";

  GlobalShadow *global;
  SharedCell *cells = nullptr; ///< null: nothing that needs them is checked
  size_t cellBytes = 0;
  unsigned granuleShift;
  const char *siteBase = nullptr;

  Traffic traffic;
  SyncTable blockSyncs;
  FenceState *fenceStates = nullptr;
  MBarrier mbarriers[maxMBarriers] = {};
  uint32_t numMBarriers = 0, idleReads = 0;
};

/// Executes a warp instruction for the lanes of `mask`, whose requests are all
/// there. `lanes` is the warp's first thread.
void executeWarpOp(Machine &machine, Thread *lanes, uint32_t mask);

/// Executes mma.sync for the 32 lanes.
void executeMma(Thread *lanes);

} // namespace ourc::simt

#endif // OURC_RUNTIME_SIMT_MACHINE_H
