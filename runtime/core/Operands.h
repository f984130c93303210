//===- Operands.h - From a caller's tensors to data pointers --------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_RUNTIME_CORE_OPERANDS_H
#define OURC_RUNTIME_CORE_OPERANDS_H

#include "runtime/core/Arguments.h"
#include "runtime/core/Block.h"

namespace ourc::runtime {

/// Makes data pointers of tensors: the caller's own memory where it is dense in
/// the order that the program wants, a copy in the staging block otherwise.
class Operands {
public:
  Operands(const OurcProgram &program, int64_t &allocations)
      : program(program), allocations(allocations) {}

  /// Begins a call.
  void clear() { reads.clear(); }
  /// A (checked) tensor that is read. Its pointer goes to `*slot` at finish().
  void read(Place place, const DLTensor &tensor, void **slot);
  /// Copies what has to be copied.
  int32_t finish();

private:
  struct Read {
    Place place;
    DLTensor tensor;
    void **slot;
  };
  const OurcProgram &program;
  int64_t &allocations;
  Vec<Read> reads; // those that are copied
  Block staging;
};

/// Bytes that a call reads or writes, to find results that overlap.
struct Extent {
  const char *begin, *end;
  Place place;
};

/// Two places whose memory overlaps, one of them among the `numWritten` first
/// of `extents`: an error that names both.
int32_t checkOverlaps(const OurcProgram &program, const Vec<Extent> &extents,
                      int64_t numWritten);

} // namespace ourc::runtime

#endif // OURC_RUNTIME_CORE_OPERANDS_H
