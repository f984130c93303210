//===- MemoryPlan.cpp - Offsets of buffers in one arena -------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The problem (dynamic storage allocation) is NP-hard. A placement is made from
// an order of the buffers: each takes the best of the gaps that its already
// placed contemporaries leave. Several orders are tried, largest buffers first
// being the best single one on networks; then the best order is improved by
// moving the buffers that reach the arena's end to the front.
//
//===----------------------------------------------------------------------===//

#include "runtime/core/MemoryPlan.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

using namespace ourc::runtime;

namespace {

struct Buffer {
  int64_t bytes; // rounded up to the alignment
  int32_t first, last;
  int64_t index; // of the caller's arrays
  int64_t peak;  // the largest sum of sizes that are alive during its life
  int64_t length() const { return static_cast<int64_t>(last) - first + 1; }
};

/// So that no sum in the search overflows.
constexpr int64_t maxSum = int64_t(1) << 62;

/// How a gap is chosen.
enum class Fit { lowest, tightest };

class Planner {
public:
  Planner(int64_t count) : count(count) {
    // One block for all tables.
    uint64_t room = static_cast<uint64_t>(count ? count : 1);
    block = std::malloc(
        room * (sizeof(Buffer) + 5 * sizeof(int64_t) + 2 * sizeof(Buffer)));
    if (!block)
      return;
    buffers = static_cast<Buffer *>(block);
    scratch = buffers + room;
    placed = scratch + room;
    order = reinterpret_cast<int64_t *>(placed + room);
    bestOrder = order + room;
    offsets = bestOrder + room;
    bestOffsets = offsets + room;
    placedOffset = bestOffsets + room;
  }
  ~Planner() { std::free(block); }
  Planner(const Planner &) = delete;
  Planner &operator=(const Planner &) = delete;
  bool valid() const { return block; }

  int64_t peakLiveness(bool fillBuffers);
  void search(PlanEffort effort, int64_t lowerBound);

  int64_t count;
  Buffer *buffers = nullptr;
  int64_t *bestOffsets = nullptr;
  int64_t bestArena = INT64_MAX;

private:
  int64_t place(Fit fit);
  bool keepIfBest(int64_t arena);
  void improve(int64_t patience, int64_t budget, int64_t goal);
  template <typename Before> void sortOrder(Before before) {
    for (int64_t i = 0; i < count; ++i)
      order[i] = i;
    std::sort(order, order + count, [&](int64_t a, int64_t b) {
      const Buffer &x = buffers[a], &y = buffers[b];
      if (before(x, y))
        return true;
      if (before(y, x))
        return false;
      return a < b;
    });
  }

  void *block = nullptr;
  Buffer *scratch = nullptr, *placed = nullptr;
  int64_t *order = nullptr, *bestOrder = nullptr, *offsets = nullptr,
          *placedOffset = nullptr;
  int64_t work = 0; // steps of the inner loop so far
};

/// The largest sum of sizes alive at one position. With `fillBuffers` also the
/// peak that each buffer takes part in.
int64_t Planner::peakLiveness(bool fillBuffers) {
  // Sweep over the starts in order; the buffers that have ended leave.
  std::copy(buffers, buffers + count, scratch);
  std::copy(buffers, buffers + count, placed);
  std::sort(scratch, scratch + count,
            [](const Buffer &a, const Buffer &b) { return a.first < b.first; });
  std::sort(placed, placed + count,
            [](const Buffer &a, const Buffer &b) { return a.last < b.last; });
  int64_t alive = 0, peak = 0, ended = 0;
  for (int64_t i = 0; i < count; ++i) {
    while (placed[ended].last < scratch[i].first)
      alive -= placed[ended++].bytes;
    alive += scratch[i].bytes;
    peak = std::max(peak, alive);
    scratch[i].peak = alive; // at its start, once all that start there are in
  }
  if (!fillBuffers)
    return peak;
  // Positions where several start: all have the sum of the last of them.
  for (int64_t i = count - 2; i >= 0; --i)
    if (scratch[i].first == scratch[i + 1].first)
      scratch[i].peak = scratch[i + 1].peak;
  // The liveness that a buffer sees is largest where some buffer starts.
  for (int64_t i = 0; i < count; ++i) {
    Buffer &buffer = buffers[i];
    const Buffer *from = std::lower_bound(
        scratch, scratch + count, buffer.first,
        [](const Buffer &a, int32_t position) { return a.first < position; });
    buffer.peak = 0;
    for (; from != scratch + count && from->first <= buffer.last; ++from)
      buffer.peak = std::max(buffer.peak, from->peak);
  }
  return peak;
}

/// Places all buffers in `order`; returns the arena's size.
int64_t Planner::place(Fit fit) {
  // `placed` and `placedOffset` hold what is placed, by increasing offset.
  int64_t numPlaced = 0, arena = 0;
  for (int64_t turn = 0; turn < count; ++turn) {
    const Buffer &buffer = buffers[order[turn]];
    int64_t offset = -1, smallestGap = INT64_MAX, end = 0;
    for (int64_t i = 0; i < numPlaced; ++i) {
      const Buffer &other = placed[i];
      if (other.last < buffer.first || buffer.last < other.first)
        continue;
      int64_t gap = placedOffset[i] - end;
      if (gap >= buffer.bytes && gap < smallestGap) {
        smallestGap = gap;
        offset = end;
        if (fit == Fit::lowest)
          break;
      }
      end = std::max(end, placedOffset[i] + other.bytes);
    }
    work += numPlaced + 1;
    if (offset < 0)
      offset = end;
    offsets[order[turn]] = offset;
    arena = std::max(arena, offset + buffer.bytes);

    int64_t at =
        std::upper_bound(placedOffset, placedOffset + numPlaced, offset) -
        placedOffset;
    std::memmove(static_cast<void *>(placed + at + 1), placed + at,
                 static_cast<uint64_t>(numPlaced - at) * sizeof(Buffer));
    std::memmove(placedOffset + at + 1, placedOffset + at,
                 static_cast<uint64_t>(numPlaced - at) * sizeof(int64_t));
    placed[at] = buffer;
    placedOffset[at] = offset;
    ++numPlaced;
  }
  return arena;
}

/// Keeps the placement of `order`, which takes `arena` bytes, if it is the best
/// so far.
bool Planner::keepIfBest(int64_t arena) {
  if (arena >= bestArena)
    return false;
  bestArena = arena;
  std::copy(order, order + count, bestOrder);
  std::copy(offsets, offsets + count, bestOffsets);
  return true;
}

/// A walk from the best order: a buffer that reaches the arena's end moves to
/// an earlier place of the order, whether or not that is better, since the next
/// move starts from the new bottleneck. From far away it returns to the best.
/// Ends at `goal`, after `patience` moves without a gain, or after `budget`
/// steps of placement.
void Planner::improve(int64_t patience, int64_t budget, int64_t goal) {
  int64_t idle = 0;
  budget += work;
  // A generator of its own: the same arguments give the same plan.
  uint64_t state = 1;
  auto random = [&](int64_t below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<int64_t>((state >> 33) % static_cast<uint64_t>(below));
  };
  int64_t arena = 0;
  for (; bestArena > goal && idle < patience && work < budget; ++idle) {
    if (idle % 12 == 0) {
      std::copy(bestOrder, bestOrder + count, order);
      std::copy(bestOffsets, bestOffsets + count, offsets);
      arena = bestArena;
    }
    int64_t from = 0, seen = 0;
    for (int64_t i = 0; i < count; ++i)
      if (offsets[order[i]] + buffers[order[i]].bytes == arena &&
          random(++seen) == 0)
        from = i;
    if (from == 0) // the first of the order ends the arena: move any other
      from = random(count);
    int64_t to = idle % 2 ? random(from + 1) : 0;
    std::rotate(order + to, order + from, order + from + 1);
    arena = place(idle % 3 == 2 ? Fit::lowest : Fit::tightest);
    if (keepIfBest(arena))
      idle = -1;
  }
}

void Planner::search(PlanEffort effort, int64_t lowerBound) {
  bool quick = effort == PlanEffort::quick;
  int64_t goal = quick ? lowerBound + lowerBound / 20 : lowerBound;
  auto larger = [](const Buffer &a, const Buffer &b) {
    return a.bytes != b.bytes ? a.bytes > b.bytes : a.length() > b.length();
  };
  auto busier = [&](const Buffer &a, const Buffer &b) {
    return a.peak != b.peak ? a.peak > b.peak : larger(a, b);
  };
  auto broader = [&](const Buffer &a, const Buffer &b) {
    double x = static_cast<double>(a.bytes) * static_cast<double>(a.length());
    double y = static_cast<double>(b.bytes) * static_cast<double>(b.length());
    return x > y;
  };
  auto longer = [&](const Buffer &a, const Buffer &b) {
    return a.length() != b.length() ? a.length() > b.length() : larger(a, b);
  };
  auto earlier = [&](const Buffer &a, const Buffer &b) {
    return a.first != b.first ? a.first < b.first : larger(a, b);
  };
  auto reached = [&](auto before) {
    sortOrder(before);
    keepIfBest(place(Fit::tightest));
    if (bestArena > goal)
      keepIfBest(place(Fit::lowest));
    return bestArena <= goal;
  };
  if (reached(larger) || reached(busier) || reached(broader) ||
      reached(longer) || reached(earlier))
    return;
  if (quick)
    improve(/*patience=*/60, /*budget=*/2'000'000, goal);
  // What is more than a tenth too large is worth the long search to both.
  if (quick)
    goal = lowerBound + lowerBound / 10;
  if (bestArena > goal)
    improve(/*patience=*/1000, /*budget=*/100'000'000, goal);
}

} // namespace

PlanStatus ourc::runtime::planMemory(const OurcBufferDesc *lifetimes,
                                     const int64_t *bytes, int64_t count,
                                     PlanEffort effort, int64_t *offsets,
                                     MemoryPlan &plan) {
  plan = {0, 0, 0};
  Planner planner(count);
  if (!planner.valid())
    return PlanStatus::noMemory;
  int64_t kept = 0;
  for (int64_t i = 0; i < count; ++i) {
    if (bytes[i] < 0 || lifetimes[i].firstUse > lifetimes[i].lastUse)
      return PlanStatus::malformed;
    offsets[i] = 0;
    if (__builtin_add_overflow(plan.sumOfBuffers, bytes[i],
                               &plan.sumOfBuffers) ||
        plan.sumOfBuffers > maxSum - arenaAlignment * (i + 1))
      return PlanStatus::tooLarge;
    if (bytes[i])
      planner.buffers[kept++] = {bytes[i], lifetimes[i].firstUse,
                                 lifetimes[i].lastUse, i, 0};
  }
  planner.count = kept;
  if (!kept)
    return PlanStatus::ok;
  plan.lowerBound = planner.peakLiveness(/*fillBuffers=*/false);
  for (int64_t i = 0; i < kept; ++i)
    planner.buffers[i].bytes =
        (planner.buffers[i].bytes + arenaAlignment - 1) & -arenaAlignment;
  planner.search(effort, planner.peakLiveness(/*fillBuffers=*/true));
  plan.arenaBytes = planner.bestArena;
  for (int64_t i = 0; i < kept; ++i)
    offsets[planner.buffers[i].index] = planner.bestOffsets[i];
  return PlanStatus::ok;
}
