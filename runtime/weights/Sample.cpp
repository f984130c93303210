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

uint64_t ourc_sample_checksum(const void *const *buffers, const int64_t *bytes,
                              int64_t count, int64_t samples) {
  constexpr int64_t wordBytes = sizeof(uint64_t);
  if (samples < 2)
    samples = 2;
  uint64_t state = 0x243F6A8885A308D3ull;
  for (int64_t i = 0; i < count; ++i) {
    const char *data = static_cast<const char *>(buffers[i]);
    state = mix(state, static_cast<uint64_t>(bytes[i]));
    int64_t words = (bytes[i] + wordBytes - 1) / wordBytes;
    int64_t taken = words < samples ? words : samples;
    for (int64_t k = 0; k < taken; ++k) {
      // Exact at both ends; no product overflows for buffers below 2^57 bytes
      // and the sample counts in use.
      int64_t index = taken == 1 ? 0 : k * (words - 1) / (taken - 1);
      int64_t offset = index * wordBytes;
      uint64_t word = 0;
      int64_t left = bytes[i] - offset;
      std::memcpy(&word, data + offset, left < wordBytes ? left : wordBytes);
      state = mix(state, word);
    }
  }
  return state;
}
