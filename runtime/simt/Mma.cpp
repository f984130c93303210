//===- Mma.cpp - mma.sync ----------------------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fragment layouts are those of the PTX manual's section "Warp Level Matrix
// Multiply-Accumulate Instructions", one table for each shape and type.
//
//===----------------------------------------------------------------------===//

#include "runtime/simt/HalfFloat.h"
#include "runtime/simt/Machine.h"
#include "runtime/simt/SimtOps.h"

#include <immintrin.h>
#include <string.h>

using namespace ourc::simt;

namespace {

enum class Element : uint8_t { F16, BF16, TF32, S8, U8, F64 };

/// A form of the instruction.
struct Form {
  Element element;
  uint8_t m, k;
  bool half; ///< accumulators of f16
};

const Form forms[] = {
    {Element::F16, 16, 16, false}, {Element::BF16, 16, 16, false},
    {Element::F16, 16, 8, false},  {Element::BF16, 16, 8, false},
    {Element::TF32, 16, 4, false}, {Element::TF32, 16, 8, false},
    {Element::F16, 16, 16, true},  {Element::F16, 16, 8, true},
    {Element::S8, 16, 32, false},  {Element::U8, 16, 32, false},
    {Element::S8, 16, 16, false},  {Element::U8, 16, 16, false},
    {Element::F64, 8, 4, false},
};

unsigned getBits(Element e) {
  switch (e) {
  case Element::S8:
  case Element::U8:
    return 8;
  case Element::F16:
  case Element::BF16:
    return 16;
  case Element::TF32:
    return 32;
  case Element::F64:
    return 64;
  }
  return 0;
}

/// Element i of a fragment.
double unpack(const uint32_t *words, unsigned i, Element e) {
  switch (e) {
  case Element::F16:
    return static_cast<double>(
        halfToFloat(static_cast<uint16_t>(words[i / 2] >> 16 * (i % 2))));
  case Element::BF16:
    return static_cast<double>(
        bfloatToFloat(static_cast<uint16_t>(words[i / 2] >> 16 * (i % 2))));
  case Element::TF32: // the lower 13 bits are ignored
    return static_cast<double>(bitsToFloat(words[i] & 0xffffe000u));
  case Element::S8:
    return static_cast<int8_t>(words[i / 4] >> 8 * (i % 4));
  case Element::U8:
    return static_cast<uint8_t>(words[i / 4] >> 8 * (i % 4));
  case Element::F64:
    double value;
    memcpy(&value, words + 2 * i, sizeof(value));
    return value;
  }
  return 0;
}

/// A fragment holds runs of consecutive k: with g = lane / 4 and t = lane % 4,
/// `run` elements from run * t on, then the same 4 * run further. In A each
/// of these is there for row g, then for row g + 8.
struct Layout {
  unsigned run, rows, runs;

  explicit Layout(const Form &form) {
    unsigned bits = getBits(form.element);
    run = bits >= 32 ? 1 : 32 / bits;
    rows = form.m / 8u;
    runs = form.k / (4 * run);
  }
};

/// The words of a row of 16 elements of 16 bits, two a word: a lane's registers
/// hold whole words.
struct HalfRows {
  uint32_t a[16][8], b[8][8]; // b by columns
};

/// m16n8k16 of f16 or bf16 into f32, which most kernels execute. The same
/// numbers as the general form, with the vectors that every supported machine
/// has.
__attribute__((target("avx2,fma,f16c"))) void multiplyHalves(Thread *lanes,
                                                             bool bfloat) {
  alignas(32) HalfRows rows;
  for (uint32_t lane = 0; lane < warpSize; ++lane) {
    const uint32_t *r = lanes[lane].request.in;
    uint32_t g = lane / 4, t = lane % 4;
    rows.a[g][t] = r[0];
    rows.a[g + 8][t] = r[1];
    rows.a[g][t + 4] = r[2];
    rows.a[g + 8][t + 4] = r[3];
    rows.b[g][t] = r[4];
    rows.b[g][t + 4] = r[5];
  }
  alignas(32) float a[16][16], bColumns[8][16];
  auto widen = [bfloat](const uint32_t *words,
                        float *out) __attribute__((target("avx2,fma,f16c"))) {
    for (int half = 0; half < 2; ++half) {
      __m128i packed =
          _mm_load_si128(reinterpret_cast<const __m128i *>(words + 4 * half));
      __m256 wide = bfloat ? _mm256_castsi256_ps(_mm256_slli_epi32(
                                 _mm256_cvtepu16_epi32(packed), 16))
                           : _mm256_cvtph_ps(packed);
      _mm256_store_ps(out + 8 * half, wide);
    }
  };
  for (int i = 0; i < 16; ++i)
    widen(rows.a[i], a[i]);
  for (int i = 0; i < 8; ++i)
    widen(rows.b[i], bColumns[i]);
  alignas(32) double b[16][8];
  for (int k = 0; k < 16; ++k)
    for (int n = 0; n < 8; ++n)
      b[k][n] = static_cast<double>(bColumns[n][k]);
  alignas(32) double d[16][8];
  for (int m = 0; m < 16; m += 4) {
    __m256d sums[4][2];
    for (int i = 0; i < 4; ++i)
      sums[i][0] = sums[i][1] = _mm256_setzero_pd();
    for (int k = 0; k < 16; ++k) {
      __m256d low = _mm256_load_pd(&b[k][0]), high = _mm256_load_pd(&b[k][4]);
      for (int i = 0; i < 4; ++i) {
        __m256d x = _mm256_set1_pd(static_cast<double>(a[m + i][k]));
        sums[i][0] = _mm256_fmadd_pd(x, low, sums[i][0]);
        sums[i][1] = _mm256_fmadd_pd(x, high, sums[i][1]);
      }
    }
    for (int i = 0; i < 4; ++i) {
      _mm256_store_pd(&d[m + i][0], sums[i][0]);
      _mm256_store_pd(&d[m + i][4], sums[i][1]);
    }
  }
  for (uint32_t lane = 0; lane < warpSize; ++lane) {
    const WarpRequest &request = lanes[lane].request;
    const uint32_t *c = request.in + 6;
    uint32_t g = lane / 4, t = 2 * (lane % 4);
    for (uint32_t i = 0; i < 4; ++i)
      request.out[i] = floatToBits(
          static_cast<float>(d[g + 8 * (i / 2)][t + i % 2] +
                             static_cast<double>(bitsToFloat(c[i]))));
  }
}

} // namespace

void ourc::simt::executeMma(Thread *lanes) {
  int32_t variant = lanes[0].request.variant;
  if (variant == OURC_SIMT_MMA_M16N8K16_F16_F32 ||
      variant == OURC_SIMT_MMA_M16N8K16_BF16_F32)
    return multiplyHalves(lanes, variant == OURC_SIMT_MMA_M16N8K16_BF16_F32);
  const Form &form = forms[lanes[0].request.variant];
  Layout layout(form);
  unsigned bits = getBits(form.element), k = form.k;
  unsigned aWords = layout.rows * layout.runs * layout.run * bits / 32;
  unsigned bWords = layout.runs * layout.run * bits / 32;
  double a[16][32], b[8][32]; // b by columns
  for (uint32_t lane = 0; lane < warpSize; ++lane) {
    const uint32_t *words = lanes[lane].request.in;
    uint32_t g = lane / 4, t = lane % 4;
    for (unsigned part = 0; part < layout.runs; ++part)
      for (unsigned i = 0; i < layout.run; ++i) {
        unsigned column = 4 * layout.run * part + layout.run * t + i;
        for (unsigned row = 0; row < layout.rows; ++row)
          a[g + 8 * row][column] = unpack(
              words, (part * layout.rows + row) * layout.run + i, form.element);
        b[g][column] =
            unpack(words + aWords, part * layout.run + i, form.element);
      }
  }
  // Lane 4 g + t holds columns 2 t and 2 t + 1 of rows g and g + 8.
  for (uint32_t lane = 0; lane < warpSize; ++lane) {
    const WarpRequest &request = lanes[lane].request;
    const uint32_t *c = request.in + aWords + bWords;
    uint32_t g = lane / 4, t = 2 * (lane % 4);
    for (unsigned i = 0; i < 2 * layout.rows; ++i) {
      const double *row = a[g + 8 * (i / 2)], *column = b[t + i % 2];
      if (form.element == Element::F64) {
        double sum;
        memcpy(&sum, c + 2 * i, sizeof(sum));
        for (unsigned j = 0; j < k; ++j)
          sum = __builtin_fma(row[j], column[j], sum);
        memcpy(request.out + 2 * i, &sum, sizeof(sum));
        continue;
      }
      // Tensor cores do not round products: they are exact in double.
      double sum = 0;
      for (unsigned j = 0; j < k; ++j)
        sum += row[j] * column[j];
      if (form.element == Element::S8 || form.element == Element::U8) {
        // Wraps around, as integers do.
        request.out[i] =
            c[i] + static_cast<uint32_t>(static_cast<int32_t>(sum));
      } else if (form.half) {
        auto start = static_cast<uint16_t>(c[i / 2] >> 16 * (i % 2));
        uint32_t result =
            doubleToHalf(sum + static_cast<double>(halfToFloat(start)));
        if (i % 2)
          request.out[i / 2] |= result << 16;
        else
          request.out[i / 2] = result;
      } else {
        request.out[i] = floatToBits(
            static_cast<float>(sum + static_cast<double>(bitsToFloat(c[i]))));
      }
    }
  }
}
