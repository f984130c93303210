//===- HalfFloat.h - 16-bit floating-point numbers as float ------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_RUNTIME_SIMT_HALFFLOAT_H
#define OURC_RUNTIME_SIMT_HALFFLOAT_H

#include <stdint.h>

namespace ourc::simt {

inline float bitsToFloat(uint32_t bits) {
  float value;
  __builtin_memcpy(&value, &bits, sizeof(value));
  return value;
}

inline float bfloatToFloat(uint16_t bits) {
  return bitsToFloat(static_cast<uint32_t>(bits) << 16);
}

/// Exact for every value; needs neither F16C nor a support library.
inline float halfToFloat(uint16_t bits) {
  uint32_t magnitude = static_cast<uint32_t>(bits & 0x7fff) << 13;
  uint32_t sign = static_cast<uint32_t>(bits & 0x8000) << 16;
  // Infinities and NaNs keep their payload.
  if (magnitude >= 0x0f800000)
    return bitsToFloat(sign | magnitude | 0x70000000);
  // Moves the exponent from bias 15 to 127; subnormals become normal.
  float value = bitsToFloat(magnitude) * 0x1p112f;
  return sign ? -value : value;
}

inline uint32_t floatToBits(float value) {
  uint32_t bits;
  __builtin_memcpy(&bits, &value, sizeof(bits));
  return bits;
}

/// Rounds to nearest even, once.
inline uint16_t doubleToHalf(double value) {
  uint64_t bits;
  __builtin_memcpy(&bits, &value, sizeof(bits));
  auto sign = static_cast<uint16_t>(bits >> 48 & 0x8000);
  uint64_t magnitude = bits & 0x7fffffffffffffffull;
  if (magnitude > 0x7ff0000000000000ull)
    return static_cast<uint16_t>(sign | 0x7e00); // NaN
  auto exponent = static_cast<int>(magnitude >> 52) - 1023;
  if (exponent >= 16)
    return static_cast<uint16_t>(sign | 0x7c00);
  if (exponent < -25)
    return sign;
  uint64_t significand = (magnitude & 0xfffffffffffffull) | 1ull << 52;
  // Subnormal numbers keep fewer bits.
  int dropped = exponent < -14 ? 42 + (-14 - exponent) : 42;
  uint64_t kept = significand >> dropped;
  uint64_t rest = significand & ((1ull << dropped) - 1);
  uint64_t half = 1ull << (dropped - 1);
  kept += rest > half || (rest == half && (kept & 1));
  // The carry of rounding moves into the exponent by itself.
  if (exponent < -14)
    return static_cast<uint16_t>(sign | kept);
  return static_cast<uint16_t>(
      sign | (static_cast<uint64_t>(exponent + 14) * 1024 + kept));
}

} // namespace ourc::simt

#endif // OURC_RUNTIME_SIMT_HALFFLOAT_H
