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

} // namespace ourc::simt

#endif // OURC_RUNTIME_SIMT_HALFFLOAT_H
