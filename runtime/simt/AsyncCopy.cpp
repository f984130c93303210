//===- AsyncCopy.cpp - cp.async and its groups -------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/simt/Machine.h"

#include <stdlib.h>
#include <string.h>

using namespace ourc::simt;

void Machine::land(const AsyncCopy &copy) {
  if (copy.sourceBytes) // else the source may be null
    memcpy(copy.shared, copy.global, copy.sourceBytes);
  memset(static_cast<char *>(copy.shared) + copy.sourceBytes, 0,
         copy.bytes - copy.sourceBytes);
}

void Machine::enqueue(const AsyncCopy &copy) {
  Thread &t = thread();
  if (t.numCopies == t.copyCapacity) {
    uint32_t capacity = t.copyCapacity ? 2 * t.copyCapacity : 32;
    auto *grown = static_cast<AsyncCopy *>(
        realloc(t.copies, capacity * sizeof(AsyncCopy)));
    if (!grown)
      fail(nullptr, "no memory for asynchronous copies");
    t.copies = grown;
    t.copyCapacity = capacity;
  }
  t.copies[t.numCopies++] = copy;
}

void Machine::copyAsync(const char *site, const AsyncCopy &copy, int32_t root) {
  if (copy.bytes != 4 && copy.bytes != 8 && copy.bytes != 16)
    fail(site, "cp.async of %u bytes: 4, 8 and 16 exist", copy.bytes);
  if (copy.sourceBytes > copy.bytes)
    fail(site, "cp.async reads %u of %u bytes", copy.sourceBytes, copy.bytes);
  checkShared(site, copy.shared, copy.bytes);
  if (reinterpret_cast<uintptr_t>(copy.shared) % copy.bytes ||
      (copy.sourceBytes &&
       reinterpret_cast<uintptr_t>(copy.global) % copy.bytes))
    fail(site, "cp.async of %u bytes between addresses that are not aligned",
         copy.bytes);
  counters.asyncCopyBytes += copy.bytes;
  if (copy.sourceBytes && checks)
    checkGlobal(site, copy.global, copy.sourceBytes, Access::Load, root);
  if (checks & OURC_SIMT_COUNT_TRAFFIC) {
    if (copy.sourceBytes)
      need(traffic.add(running, site, copy.global, copy.sourceBytes, false));
    // A site of its own: the same instruction's other side.
    need(traffic.add(running, site + 1, copy.shared, copy.bytes, true));
  }
  touchShared(running, site, copy.shared, copy.bytes, Access::Store,
              /*async=*/true);
  AsyncCopy queued = copy;
  if (landing == Landing::AtIssue ||
      (landing == Landing::Random && (nextRandom() & 1))) {
    land(copy);
    queued.landed = true;
  }
  enqueue(queued);
  ++thread().openCopies;
}

void Machine::commitCopies() {
  Thread &t = thread();
  // An empty group counts as a group too: it becomes an entry of no bytes.
  if (!t.openCopies)
    enqueue({shared, shared, 0, 0, false, true});
  t.copies[t.numCopies - 1].endsGroup = true;
  t.openCopies = 0;
  ++t.groups;
}

void Machine::waitCopies(int32_t pending) {
  Thread &t = thread();
  uint32_t done = 0;
  while (t.groups > static_cast<uint32_t>(pending < 0 ? 0 : pending)) {
    if (!t.copies[done].landed)
      land(t.copies[done]);
    completeCopy(t.copies[done]);
    if (t.copies[done++].endsGroup)
      --t.groups;
  }
  t.numCopies -= done;
  memmove(t.copies, t.copies + done, t.numCopies * sizeof(AsyncCopy));
}
