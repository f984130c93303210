//===- Clocks.h - What happened before what in a block -----------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Vector clocks. A thread's clock counts the points at which others may learn
// of what it did; its view holds, for every thread, the clock up to which it
// has learned. A barrier of the whole block gives all threads one view, so a
// view of one's own exists only between weaker synchronisations.
//
//===----------------------------------------------------------------------===//

#ifndef OURC_RUNTIME_SIMT_CLOCKS_H
#define OURC_RUNTIME_SIMT_CLOCKS_H

#include <stddef.h>
#include <stdint.h>

namespace ourc::simt {

/// An access in time: the thread in the high bits, its clock in the low ones.
/// 0 is no access: clocks begin at 1.
using Epoch = uint32_t;
constexpr unsigned clockBits = 22;
constexpr uint32_t clockMask = (1u << clockBits) - 1;
/// The clock of a write that the asynchronous copies of a thread have not
/// finished: nobody has learned of it, not even that thread.
constexpr uint32_t pendingClock = clockMask;

inline uint32_t epochThread(Epoch e) { return e >> clockBits; }
inline bool isPending(Epoch e) { return (e & clockMask) == pendingClock; }

/// The clocks of other blocks' threads that somebody learned of.
struct Foreign {
  uint32_t block;
  uint32_t *clocks;
};

/// What a synchronisation object passes on: clocks of threads of some blocks.
struct Knowledge {
  Foreign *entries = nullptr;
  uint32_t count = 0, capacity = 0;

  uint32_t *find(uint32_t block) const;
  /// Takes the larger of `clocks` and what is known of `block`; false: no
  /// memory.
  bool join(uint32_t block, const uint32_t *clocks, uint32_t numThreads);
  bool join(const Knowledge &other, uint32_t numThreads);
  void clear();
};

class Clocks {
public:
  ~Clocks();
  bool allocate(uint32_t numThreads);
  /// Starts a block: nothing has happened.
  void reset(uint32_t block);

  Epoch now(uint32_t thread) const { return thread << clockBits | own[thread]; }
  Epoch pending(uint32_t thread) const {
    return thread << clockBits | pendingClock;
  }
  /// Whether `e` happened before what `thread` does next.
  bool happenedBefore(Epoch e, uint32_t thread) const {
    uint32_t other = e >> clockBits;
    return other == thread ? !isPending(e)
                           : (e & clockMask) <= view(thread)[other];
  }
  /// The same for an access of another block.
  bool happenedBefore(uint32_t otherBlock, Epoch e, uint32_t thread) const;

  /// All threads of the block learn of each other.
  void meetAll();
  /// The threads `ids` learn of each other; false: no memory.
  void meet(const uint32_t *ids, uint32_t count);

  /// Adds what `thread` knows and did to `to`, and starts its next clock.
  bool release(uint32_t thread, Knowledge &to);
  /// `thread` learns what `from` holds.
  bool acquire(uint32_t thread, const Knowledge &from);

  /// True once a clock has run out of bits.
  bool exhausted() const { return overflow; }

private:
  const uint32_t *view(uint32_t thread) const {
    return hasView[thread] ? views + size_t(thread) * numThreads : floor;
  }
  uint32_t *ownView(uint32_t thread);
  void tick(uint32_t thread);

  uint32_t numThreads = 0, block = 0;
  uint32_t *own = nullptr, *floor = nullptr, *joined = nullptr;
  uint32_t *views = nullptr;
  bool *hasView = nullptr;
  bool overflow = false;
  /// What each thread knows of other blocks.
  Knowledge *foreign = nullptr;
};

} // namespace ourc::simt

#endif // OURC_RUNTIME_SIMT_CLOCKS_H
