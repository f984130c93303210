//===- Shadow.h - Who touched which byte -------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Beside each granule of memory (the smallest access of a kernel) a cell holds
// the last write and two reads since then, by different threads. Of more than
// two unordered readers two are kept, of different warps where possible: a
// write that a barrier does not order is then unordered with one of them.
//
//===----------------------------------------------------------------------===//

#ifndef OURC_RUNTIME_SIMT_SHADOW_H
#define OURC_RUNTIME_SIMT_SHADOW_H

#include "runtime/simt/Clocks.h"
#include "runtime/simt/Simt.h"

namespace ourc::simt {

/// An access: when, and which instruction (see Machine::encodeSite).
struct Mark {
  Epoch epoch;
  int32_t site;
};

/// The same where blocks meet.
struct GlobalMark {
  Epoch epoch;
  int32_t site;
  uint32_t block;
};

template <typename MarkT> struct Cell {
  MarkT write, read, other;
};
using SharedCell = Cell<Mark>;
using GlobalCell = Cell<GlobalMark>;

/// How memory is accessed. Atomic accesses do not race with each other.
enum class Access : uint8_t { Load, Store, Atomic, AtomicLoad, AtomicStore };

inline bool reads(Access a) {
  return a != Access::Store && a != Access::AtomicStore;
}
inline bool writes(Access a) {
  return a != Access::Load && a != Access::AtomicLoad;
}
inline bool isAtomic(Access a) {
  return a != Access::Load && a != Access::Store;
}

enum class Fault : uint8_t {
  None,
  Uninitialised,
  Pending,
  ReadAfterWrite,
  WriteAfterWrite,
  WriteAfterRead
};

/// What a mark's site says of the access, beside where it is.
enum MarkFlags : int32_t { MarkAtomic = 1, MarkAtomicWrite = 2 };
constexpr int markFlagBits = 2;

inline int32_t getMarkFlags(Access access) {
  return !isAtomic(access) ? 0
         : writes(access)  ? MarkAtomic | MarkAtomicWrite
                           : MarkAtomic;
}

/// Records `mine` in `cell`. before(mark) says whether an access happened
/// before `mine`, same(a, b) whether two are of one warp. After a fault
/// `earlier` is the access that it concerns. The last plain write stays when
/// atomic ones follow: those are kept with the reads.
template <typename MarkT, typename BeforeFn, typename SameFn>
inline Fault touch(Cell<MarkT> &cell, const MarkT &mine, Access access,
                   BeforeFn before, SameFn same, MarkT &earlier) {
  // Nothing has changed since this thread's last read.
  if (!writes(access) && cell.read.epoch == mine.epoch &&
      same(cell.read, mine) && !(cell.other.site & MarkAtomicWrite))
    return Fault::None;
  bool atomic = isAtomic(access);
  if (cell.write.epoch) {
    if (isPending(cell.write.epoch)) {
      earlier = cell.write;
      return Fault::Pending;
    }
    if (!(atomic && (cell.write.site & MarkAtomic)) && !before(cell.write)) {
      earlier = cell.write;
      return writes(access) ? Fault::WriteAfterWrite : Fault::ReadAfterWrite;
    }
  }
  const MarkT *since[] = {&cell.read, &cell.other};
  for (const MarkT *mark : since) {
    bool wrote = mark->site & MarkAtomicWrite;
    if (!mark->epoch || !(writes(access) || wrote) ||
        (atomic && (mark->site & MarkAtomic)) || before(*mark))
      continue;
    earlier = *mark;
    return !wrote           ? Fault::WriteAfterRead
           : writes(access) ? Fault::WriteAfterWrite
                            : Fault::ReadAfterWrite;
  }
  if (writes(access) && (!atomic || !cell.write.epoch)) {
    cell.write = mine;
    cell.read = cell.other = MarkT{};
    return Fault::None;
  }
  if (!cell.read.epoch || before(cell.read)) {
    cell.read = mine;
  } else if (!cell.other.epoch || before(cell.other) ||
             same(cell.other, cell.read)) {
    cell.other = cell.read;
    cell.read = mine;
  } else if (same(cell.read, mine)) {
    cell.read = mine;
  }
  return Fault::None;
}

/// The cells of the buffers of one launch, shared by its blocks.
class GlobalShadow {
public:
  ~GlobalShadow();
  /// Buffers that overlap share cells; false: no memory.
  bool allocate(const OurcSimtBuffer *buffers, int64_t count,
                unsigned granuleShift);

  /// The cell of an address; null: in no buffer.
  GlobalCell *find(uintptr_t address);
  uintptr_t alignDown(uintptr_t address) const {
    return address >> granuleShift << granuleShift;
  }

private:
  struct Region {
    uintptr_t begin, end;
    GlobalCell *cells;
  };
  Region *regions = nullptr;
  int64_t numRegions = 0, last = 0;
  unsigned granuleShift = 0;
};

} // namespace ourc::simt

#endif // OURC_RUNTIME_SIMT_SHADOW_H
