//===- Block.h - Aligned memory for tensors -------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_RUNTIME_CORE_BLOCK_H
#define OURC_RUNTIME_CORE_BLOCK_H

#include <cstdint>

namespace ourc::runtime {

/// Memory that is 64-byte aligned.
class Block {
public:
  Block() = default;
  Block(const Block &) = delete;
  Block &operator=(const Block &) = delete;
  ~Block() { release(); }

  char *data() const { return static_cast<char *>(memory); }
  int64_t size() const { return bytes; }
  void release();
  void swap(Block &other);

  /// Makes the block at least `wanted` bytes long; its contents are lost when
  /// it grows. Counts one allocation in `allocations` if it had to. False, and
  /// the block is empty, when there is no memory.
  [[nodiscard]] bool ensure(int64_t wanted, int64_t &allocations);

private:
  void *memory = nullptr;
  int64_t bytes = 0;
};

} // namespace ourc::runtime

#endif // OURC_RUNTIME_CORE_BLOCK_H
