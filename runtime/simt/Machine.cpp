//===- Machine.cpp - Scheduling the threads of a block -----------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/simt/Machine.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

using namespace ourc::simt;

static thread_local Machine *currentMachine = nullptr;

Machine &Machine::current() { return *currentMachine; }

Machine::Machine(const Launch &launch)
    : launch(launch), checks(launch.checks), sharedBytes(launch.sharedBytes),
      global(launch.global), granuleShift(launch.granuleShift) {
  for (int i = 0; i < 3; ++i) {
    grid[i] = static_cast<uint32_t>(launch.grid[i]);
    block[i] = static_cast<uint32_t>(launch.block[i]);
    blockId[i] = 0;
  }
  numThreads = block[0] * block[1] * block[2];
}

Machine::~Machine() {
  clearSyncs();
  free(fenceStates);
  if (threads) {
    for (uint32_t i = 0; i < numThreads; ++i)
      free(threads[i].copies);
    free(threads);
  }
  if (stacks)
    munmap(stacks, stackBytes * numThreads);
  if (sharedMapping)
    munmap(sharedMapping, sharedMappingBytes);
  if (cells)
    munmap(cells, cellBytes);
}

void Machine::clearSyncs() {
  blockSyncs.clear();
  for (Barrier &b : barriers)
    b.passed.clear();
  for (uint32_t i = 0; i < numMBarriers; ++i) {
    mbarriers[i].arriving.clear();
    mbarriers[i].completed.clear();
  }
  numMBarriers = 0;
  for (uint32_t i = 0; fenceStates && i < numThreads; ++i)
    for (int scope = 0; scope < 2; ++scope) {
      fenceStates[i].read[scope].clear();
      fenceStates[i].released[scope].clear();
    }
}

static char *mapPages(size_t bytes) {
  void *p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return p == MAP_FAILED ? nullptr : static_cast<char *>(p);
}

bool Machine::allocate() {
  constexpr size_t page = 4096;
  threads = static_cast<Thread *>(calloc(numThreads, sizeof(Thread)));
  fenceStates =
      static_cast<FenceState *>(calloc(numThreads, sizeof(FenceState)));
  stacks = mapPages(stackBytes * numThreads);
  // A guard page on both sides of shared memory.
  size_t bytes = (static_cast<size_t>(sharedBytes) + page - 1) / page * page;
  sharedMappingBytes = bytes + 2 * page;
  sharedMapping = mapPages(sharedMappingBytes);
  bool tracks =
      checks & (OURC_SIMT_CHECK_RACES | OURC_SIMT_CHECK_UNINITIALISED);
  if (tracks && sharedBytes) {
    cellBytes = ((static_cast<size_t>(sharedBytes) >> granuleShift) + 1) *
                sizeof(SharedCell);
    cells = reinterpret_cast<SharedCell *>(mapPages(cellBytes));
  }
  if (!threads || !fenceStates || !stacks || !sharedMapping ||
      (cellBytes && !cells) || !clocks.allocate(numThreads)) {
    report(nullptr, "no memory for the threads of a block");
    return false;
  }
  mprotect(sharedMapping, page, PROT_NONE);
  mprotect(sharedMapping + page + bytes, page, PROT_NONE);
  shared = sharedMapping + page;
  // The lowest page of each stack catches an overflow.
  for (uint32_t i = 0; i < numThreads; ++i)
    mprotect(stacks + i * stackBytes, page, PROT_NONE);
  return true;
}

/// splitmix64
uint64_t Machine::nextRandom() {
  uint64_t z = randomState += 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

void Machine::initBlock(uint64_t seed) {
  randomState = seed;
  schedule =
      seed ? static_cast<Schedule>(1 + nextRandom() % 3) : Schedule::Fifo;
  landing = seed ? static_cast<Landing>(nextRandom() % 3) : Landing::AtWait;
  clearSyncs();
  idleReads = 0;
  for (Barrier &b : barriers)
    b = {};
  // All ones is NaN in every floating-point type.
  memset(shared, 0xff, static_cast<size_t>(sharedBytes));
  if (cells)
    memset(static_cast<void *>(cells), 0, cellBytes);
  clocks.reset(blockIndex);
  readyHead = readyCount = 0;
  live = numThreads;
  failed = false;
  for (uint32_t i = 0; i < maxThreads / warpSize; ++i) {
    uint32_t first = i * warpSize;
    uint32_t lanes = numThreads > first ? numThreads - first : 0;
    warps[i].existing = lanes >= warpSize ? 0xffffffffu : (1u << lanes) - 1;
    warps[i].exited = warps[i].atBarrier = warps[i].numMeetings = 0;
  }
  uint32_t warpPriority = 0, laneFlip = 0;
  for (uint32_t i = 0; i < numThreads; ++i) {
    Thread &t = threads[i];
    AsyncCopy *copies = t.copies;
    uint32_t capacity = t.copyCapacity;
    memset(static_cast<void *>(&t), 0, sizeof(t));
    t.copies = copies;
    t.copyCapacity = capacity;
    t.id = i;
    if (i % warpSize == 0) {
      warpPriority = static_cast<uint32_t>(nextRandom()) & ~(warpSize - 1);
      laneFlip = static_cast<uint32_t>(nextRandom()) % warpSize;
    }
    t.priority = schedule == Schedule::WarpPriority
                     ? warpPriority + (i % warpSize ^ laneFlip)
                     : static_cast<uint32_t>(nextRandom());
    initFiber(t.context, stacks + i * stackBytes, stackBytes, enterThread);
    makeReady(i);
  }
}

bool Machine::run(uint64_t index, uint64_t seed) {
  Machine *outer = currentMachine;
  currentMachine = this;
  blockIndex = static_cast<uint32_t>(index);
  blockId[0] = blockIndex % grid[0];
  blockId[1] = blockIndex / grid[0] % grid[1];
  blockId[2] = blockIndex / grid[0] / grid[1];
  initBlock(seed ? seed + index * 0x9e3779b97f4a7c15ull : 0);
  ++counters.blocks;
  running = static_cast<uint32_t>(pick());
  switchFiber(scheduler, threads[running].context);
  // Back here: all threads have exited, none can run, or one has failed.
  if (!failed && live)
    reportDeadlock();
  if (checks & OURC_SIMT_COUNT_TRAFFIC)
    traffic.finishBlock(counters);
  currentMachine = outer;
  return !failed && !live;
}

void Machine::enterThread() {
  Machine &machine = current();
  machine.launch.kernel(machine.launch.args);
  machine.thread().state = ThreadState::Exited;
  machine.warps[machine.running / warpSize].exited |=
      1u << machine.running % warpSize;
  --machine.live;
  machine.yield();
  __builtin_unreachable();
}

void Machine::makeReady(uint32_t id) {
  threads[id].state = ThreadState::Ready;
  ready[(readyHead + readyCount++) % maxThreads] = id;
}

int Machine::pick() {
  if (!readyCount)
    return -1;
  uint32_t position = 0;
  if (schedule == Schedule::Random) {
    position = static_cast<uint32_t>(nextRandom() % readyCount);
  } else if (schedule != Schedule::Fifo) {
    for (uint32_t i = 1; i < readyCount; ++i)
      if (threads[ready[(readyHead + i) % maxThreads]].priority <
          threads[ready[(readyHead + position) % maxThreads]].priority)
        position = i;
  }
  uint32_t slot = (readyHead + position) % maxThreads;
  uint32_t id = ready[slot];
  ready[slot] = ready[readyHead];
  readyHead = (readyHead + 1) % maxThreads;
  --readyCount;
  return static_cast<int>(id);
}

void Machine::yield() {
  FiberContext &from = thread().context;
  int next = pick();
  ++counters.switches;
  if (next < 0) {
    switchFiber(from, scheduler);
    return;
  }
  if (static_cast<uint32_t>(next) == running)
    return;
  running = static_cast<uint32_t>(next);
  switchFiber(from, threads[next].context);
}

void Machine::barrier(const char *site, int32_t id, int32_t count, bool waits) {
  if (id < 0 || id >= static_cast<int32_t>(numBarriers))
    fail(site, "barrier %d does not exist: there are 16", id);
  if (count < 0 || count % static_cast<int32_t>(warpSize) != 0)
    fail(site, "a barrier of %d threads: not a multiple of the warp size",
         count);
  idleReads = 0;
  uint32_t expected = count ? static_cast<uint32_t>(count) : numThreads;
  Barrier &b = barriers[id];
  if (b.expected && b.expected != expected)
    fail(site, "barrier %d expects %u threads here and %u elsewhere", id,
         expected, b.expected);
  b.expected = expected;

  // The instruction is aligned: the lanes of a warp must meet at the same one.
  Thread &self = thread();
  uint32_t first = self.id / warpSize * warpSize;
  for (uint32_t i = first; i < first + warpSize && i < numThreads; ++i) {
    const Thread &other = threads[i];
    if (other.state == ThreadState::AtBarrier && other.site != site)
      fail(site, "divergent barrier: thread %u of the same warp waits at %s", i,
           other.site);
  }

  bool racing = checks & OURC_SIMT_CHECK_RACES;
  if (!waits && racing)
    need(clocks.release(running, b.passed));
  if (++b.arrived < expected) {
    if (!waits)
      return;
    self.state = ThreadState::AtBarrier;
    warps[self.id / warpSize].atBarrier |= 1u << self.id % warpSize;
    self.site = site;
    self.barrier = static_cast<uint32_t>(id);
    yield();
    return;
  }
  b.expected = b.arrived = 0;
  ++counters.barriers;
  uint32_t met[maxThreads], numMet = 0;
  if (waits)
    met[numMet++] = running;
  for (uint32_t i = 0; i < numThreads; ++i)
    if (threads[i].state == ThreadState::AtBarrier &&
        threads[i].barrier == static_cast<uint32_t>(id)) {
      met[numMet++] = i;
      warps[i / warpSize].atBarrier &= ~(1u << i % warpSize);
      makeReady(i);
    }
  if (!racing)
    return;
  if (numMet)
    clocks.meet(met, numMet);
  if (b.passed.count)
    for (uint32_t i = 0; i < numMet; ++i)
      need(clocks.acquire(met[i], b.passed));
  b.passed.clear();
}

Meeting &Machine::joinMeeting(const WarpRequest &request, uint32_t index) {
  Warp &warp = warps[index];
  uint32_t self = running % warpSize;
  if (!(request.mask >> self & 1))
    fail(request.site, "lane %u executes it, but its mask is 0x%08x", self,
         request.mask);
  if (uint32_t missing = request.mask & (warp.exited | ~warp.existing))
    fail(request.site,
         "mask 0x%08x names lane %d, which has exited or does not exist",
         request.mask, __builtin_ctz(missing));
  const Thread *lanes = threads + index * warpSize;
  if (uint32_t away = request.mask & warp.atBarrier)
    fail(request.site, "lane %d of its mask waits at %s", __builtin_ctz(away),
         lanes[__builtin_ctz(away)].site);
  bool aligned = request.op == WarpOp::LoadMatrix ||
                 request.op == WarpOp::StoreMatrix || request.op == WarpOp::Mma;
  for (uint32_t i = 0; i < warp.numMeetings; ++i) {
    Meeting &meeting = warp.meetings[i];
    uint32_t waiting = meeting.arrived & request.mask;
    if (!waiting)
      continue;
    if (meeting.op == request.op && meeting.mask == request.mask &&
        meeting.variant == request.variant && meeting.count == request.count &&
        (!aligned || meeting.site == request.site))
      return meeting;
    uint32_t lane = static_cast<uint32_t>(__builtin_ctz(waiting));
    fail(request.site, "lane %u of its mask waits at %s", lane,
         lanes[lane].site);
  }
  Meeting &meeting = warp.meetings[warp.numMeetings++];
  meeting = {request.mask, 0, request.op, request.site, request.variant,
             request.count};
  return meeting;
}

void Machine::warp(const WarpRequest &request) {
  uint32_t index = running / warpSize;
  Thread &self = thread();
  Meeting &meeting = joinMeeting(request, index);
  self.request = request;
  self.state = ThreadState::AtWarpOp;
  self.site = request.site;
  meeting.arrived |= 1u << running % warpSize;
  if (meeting.arrived != meeting.mask) {
    yield();
    return;
  }
  // The last to arrive executes for all and goes on.
  Warp &warp = warps[index];
  meeting = warp.meetings[--warp.numMeetings];
  Thread *lanes = threads + index * warpSize;
  ++counters.warpInstructions;
  executeWarpOp(*this, lanes, request.mask);
  // Of the instructions of a warp only this one orders memory.
  if (request.op == WarpOp::Sync && (checks & OURC_SIMT_CHECK_RACES)) {
    uint32_t met[warpSize], numMet = 0;
    for (uint32_t lane = 0; lane < warpSize; ++lane)
      if (request.mask >> lane & 1)
        met[numMet++] = lanes[lane].id;
    clocks.meet(met, numMet);
  }
  for (uint32_t rest = request.mask; rest; rest &= rest - 1) {
    Thread &lane = lanes[__builtin_ctz(rest)];
    if (&lane != &self)
      makeReady(lane.id);
  }
  self.state = ThreadState::Ready;
}

void Machine::checkShared(const char *site, const void *address,
                          int64_t bytes) {
  int64_t offset = static_cast<const char *>(address) - shared;
  if (offset < 0 || bytes > sharedBytes - offset)
    fail(site, "%ld bytes at offset %ld of %ld bytes of shared memory",
         static_cast<long>(bytes), static_cast<long>(offset),
         static_cast<long>(sharedBytes));
}

void Machine::reportDeadlock() {
  unsigned exited = numThreads - live;
  for (uint32_t i = 0; i < numThreads; ++i) {
    const Thread &t = threads[i];
    if (t.state == ThreadState::Exited)
      continue;
    char text[320];
    if (t.state == ThreadState::AtMBarrier) {
      const MBarrier *barrier = mbarriers;
      while (barrier->offset != t.barrier)
        ++barrier;
      snprintf(text, sizeof(text),
               "deadlock: thread %u waits for phase %llu of the mbarrier at "
               "offset %u, which waits for %u of %u arrivals and %lld bytes; "
               "%u threads have exited",
               i, static_cast<unsigned long long>(barrier->phase),
               barrier->offset, barrier->pending, barrier->expected,
               static_cast<long long>(barrier->bytes), exited);
    } else if (t.state == ThreadState::AtBarrier)
      snprintf(text, sizeof(text),
               "deadlock: thread %u waits at barrier %u, where %u of %u "
               "threads have arrived; %u threads have exited",
               i, t.barrier, barriers[t.barrier].arrived,
               barriers[t.barrier].expected, exited);
    else
      snprintf(text, sizeof(text),
               "deadlock: thread %u waits for the lanes of mask 0x%08x; %u "
               "threads have exited",
               i, t.request.mask, exited);
    report(t.site, text);
    return;
  }
}

void Machine::report(const char *site, const char *text) {
  snprintf(error, sizeof(error), "kernel '%s', block (%u, %u, %u)%s%s: %s",
           launch.name, blockId[0], blockId[1], blockId[2], site ? ", " : "",
           site ? site : "", text);
}

void Machine::fail(const char *site, const char *format, ...) {
  char text[640];
  int used = snprintf(text, sizeof(text), "thread %u: ", running);
  va_list list;
  va_start(list, format);
  vsnprintf(text + used, sizeof(text) - static_cast<size_t>(used), format,
            list);
  va_end(list);
  report(site, text);
  failed = true;
  switchFiber(thread().context, scheduler);
  __builtin_unreachable();
}
