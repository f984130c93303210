//===- Sample.cpp - Noticing that weights have changed --------------- -===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/weights/Sample.h"

#include <cstring>

/// Mixes a word into the checksum: an odd multiplier makes each step
/// invertible, so two states never meet by one differing word.
static uint64_t mix(uint64_t state, uint64_t word) {
  state = (state ^ word) * 0x9E3779B97F4A7C15ull;
  return state ^ (state >> 29);
}

namespace {
constexpr int64_t wordBytes = sizeof(uint64_t);

/// The words that are taken of a buffer: word k is number
/// k * (words - 1) / (taken - 1), found without a division for each.
class Positions {
public:
  Positions(int64_t bytes, int64_t samples) {
    int64_t words = (bytes + wordBytes - 1) / wordBytes;
    taken = words < samples ? words : samples;
    if (taken < 2)
      return;
    parts = taken - 1;
    step = (words - 1) / parts;
    rest = (words - 1) % parts;
  }

  int64_t count() const { return taken; }
  /// The offset of the word, in bytes.
  int64_t operator*() const { return index * wordBytes; }
  void operator++() {
    index += step;
    remainder += rest;
    if (remainder >= parts) {
      remainder -= parts;
      ++index;
    }
  }

private:
  int64_t taken = 0, parts = 1, step = 0, rest = 0;
  int64_t index = 0, remainder = 0;
};
} // namespace

uint64_t ourc_sample_checksum(const void *const *buffers, const int64_t *bytes,
                              int64_t count, int64_t samples) {
  if (samples < 2)
    samples = 2;
  uint64_t state = 0x243F6A8885A308D3ull;
  for (int64_t i = 0; i < count; ++i) {
    // Weights are rarely in a cache: the next buffer's words come meanwhile.
    if (i + 1 < count) {
      const char *next = static_cast<const char *>(buffers[i + 1]);
      Positions position(bytes[i + 1], samples);
      for (int64_t k = 0; k < position.count(); ++k, ++position)
        __builtin_prefetch(next + *position);
    }
    const char *data = static_cast<const char *>(buffers[i]);
    state = mix(state, static_cast<uint64_t>(bytes[i]));
    Positions position(bytes[i], samples);
    for (int64_t k = 0; k < position.count(); ++k, ++position) {
      uint64_t word = 0;
      int64_t left = bytes[i] - *position;
      std::memcpy(&word, data + *position, left < wordBytes ? left : wordBytes);
      state = mix(state, word);
    }
  }
  return state;
}
