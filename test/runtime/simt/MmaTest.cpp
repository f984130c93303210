//===- MmaTest.cpp - Every form of mma.sync ----------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The place of element i of each fragment is written here as the PTX manual
// writes it, form by form: groupID = laneid >> 2, tig = laneid % 4.
//
//===----------------------------------------------------------------------===//

#include "SimtHarness.h"

#include <cmath>
#include <cstring>

namespace {

enum class Type { F16, BF16, TF32, S8, U8, F64 };

struct Place {
  int row, column;
};

struct Form {
  const char *name;
  int32_t form;
  Type type;
  int m, k, numA, numB, numC;
  bool half;
  Place (*a)(int g, int tig, int i);
  Place (*b)(int g, int tig, int i);
};

Place accumulator(int g, int tig, int i) {
  return {i < 2 ? g : g + 8, tig * 2 + (i & 1)};
}

// 16-bit elements: m16n8k16, then m16n8k8.
Place a16x16(int g, int tig, int i) {
  return {(i < 2) || (i >= 4 && i < 6) ? g : g + 8,
          tig * 2 + (i & 1) + (i < 4 ? 0 : 8)};
}
Place b16x16(int g, int tig, int i) {
  return {tig * 2 + (i & 1) + (i < 2 ? 0 : 8), g};
}
Place a16x8(int g, int tig, int i) {
  return {i < 2 ? g : g + 8, tig * 2 + (i & 1)};
}
Place b16x8(int g, int tig, int i) { return {tig * 2 + i, g}; }
// tf32: m16n8k4, then m16n8k8.
Place aTf4(int g, int tig, int i) { return {i == 0 ? g : g + 8, tig}; }
Place bTf4(int g, int tig, int) { return {tig, g}; }
Place aTf8(int g, int tig, int i) {
  return {i == 0 || i == 2 ? g : g + 8, i < 2 ? tig : tig + 4};
}
Place bTf8(int g, int tig, int i) { return {i == 0 ? tig : tig + 4, g}; }
// 8-bit integers: m16n8k16, then m16n8k32.
Place a8x16(int g, int tig, int i) {
  return {i < 4 ? g : g + 8, tig * 4 + (i & 3)};
}
Place b8x16(int g, int tig, int i) { return {tig * 4 + i, g}; }
Place a8x32(int g, int tig, int i) {
  return {i < 4 || (i >= 8 && i < 12) ? g : g + 8,
          tig * 4 + (i & 3) + (i < 8 ? 0 : 16)};
}
Place b8x32(int g, int tig, int i) {
  return {tig * 4 + (i & 3) + (i < 4 ? 0 : 16), g};
}
// f64: m8n8k4.
Place a64(int g, int tig, int) { return {g, tig}; }
Place b64(int g, int tig, int) { return {tig, g}; }

const Form forms[] = {
    {"m16n8k16.f16", OURC_SIMT_MMA_M16N8K16_F16_F32, Type::F16, 16, 16, 8, 4, 4,
     false, a16x16, b16x16},
    {"m16n8k16.bf16", OURC_SIMT_MMA_M16N8K16_BF16_F32, Type::BF16, 16, 16, 8, 4,
     4, false, a16x16, b16x16},
    {"m16n8k8.f16", OURC_SIMT_MMA_M16N8K8_F16_F32, Type::F16, 16, 8, 4, 2, 4,
     false, a16x8, b16x8},
    {"m16n8k8.bf16", OURC_SIMT_MMA_M16N8K8_BF16_F32, Type::BF16, 16, 8, 4, 2, 4,
     false, a16x8, b16x8},
    {"m16n8k4.tf32", OURC_SIMT_MMA_M16N8K4_TF32_F32, Type::TF32, 16, 4, 2, 1, 4,
     false, aTf4, bTf4},
    {"m16n8k8.tf32", OURC_SIMT_MMA_M16N8K8_TF32_F32, Type::TF32, 16, 8, 4, 2, 4,
     false, aTf8, bTf8},
    {"m16n8k16.f16.f16", OURC_SIMT_MMA_M16N8K16_F16_F16, Type::F16, 16, 16, 8,
     4, 4, true, a16x16, b16x16},
    {"m16n8k8.f16.f16", OURC_SIMT_MMA_M16N8K8_F16_F16, Type::F16, 16, 8, 4, 2,
     4, true, a16x8, b16x8},
    {"m16n8k32.s8", OURC_SIMT_MMA_M16N8K32_S8_S32, Type::S8, 16, 32, 16, 8, 4,
     false, a8x32, b8x32},
    {"m16n8k32.u8", OURC_SIMT_MMA_M16N8K32_U8_S32, Type::U8, 16, 32, 16, 8, 4,
     false, a8x32, b8x32},
    {"m16n8k16.s8", OURC_SIMT_MMA_M16N8K16_S8_S32, Type::S8, 16, 16, 8, 4, 4,
     false, a8x16, b8x16},
    {"m16n8k16.u8", OURC_SIMT_MMA_M16N8K16_U8_S32, Type::U8, 16, 16, 8, 4, 4,
     false, a8x16, b8x16},
    {"m8n8k4.f64", OURC_SIMT_MMA_M8N8K4_F64_F64, Type::F64, 8, 4, 1, 1, 2,
     false, a64, b64},
};

int bytesOf(Type type) {
  switch (type) {
  case Type::S8:
  case Type::U8:
    return 1;
  case Type::F16:
  case Type::BF16:
    return 2;
  case Type::TF32:
    return 4;
  case Type::F64:
    return 8;
  }
  return 0;
}

/// A small number as the bits of an element; whole numbers up to 31 are exact
/// in every type.
uint64_t encode(Type type, double value) {
  auto narrow = static_cast<float>(value);
  uint32_t bits;
  std::memcpy(&bits, &narrow, 4);
  switch (type) {
  case Type::S8:
  case Type::U8:
    return static_cast<uint8_t>(static_cast<int>(value));
  case Type::BF16:
    return bits >> 16;
  case Type::F16:
    return value == 0 ? bits >> 16
                      : ((bits >> 16 & 0x8000) |
                         ((bits >> 13 & 0x3ffff) - (112u << 10)));
  case Type::TF32:
    return bits;
  case Type::F64:
    uint64_t wide;
    std::memcpy(&wide, &value, 8);
    return wide;
  }
  return 0;
}

double decodeHalf(uint16_t bits) {
  int exponent = bits >> 10 & 31, fraction = bits & 1023;
  double magnitude = exponent ? std::ldexp(1024 + fraction, exponent - 25)
                              : std::ldexp(fraction, -24);
  return bits & 0x8000 ? -magnitude : magnitude;
}

class MmaForm : public testing::TestWithParam<Form> {};

TEST_P(MmaForm, IsTheProductOfItsFragments) {
  const Form &f = GetParam();
  unsigned state = 7;
  auto next = [&] {
    state = state * 1664525 + 1013904223;
    int value = static_cast<int>(state >> 24) % 17;
    return static_cast<double>(f.type == Type::U8 ? value : value - 8);
  };
  double a[16][32], b[32][8], c[16][8];
  for (auto &row : a)
    for (double &x : row)
      x = next();
  for (auto &row : b)
    for (double &x : row)
      x = next();
  for (auto &row : c)
    for (double &x : row)
      x = next();
  run({}, [&] {
    int lane = ourc_simt_laneid(), g = lane >> 2, tig = lane % 4;
    alignas(8) unsigned char registers[64] = {};
    int size = bytesOf(f.type), offset = 0;
    auto put = [&](Type type, double value) {
      uint64_t bits = encode(type, value);
      std::memcpy(registers + offset, &bits,
                  static_cast<size_t>(bytesOf(type)));
      offset += bytesOf(type);
    };
    for (int i = 0; i < f.numA; ++i) {
      Place p = f.a(g, tig, i);
      put(f.type, a[p.row][p.column]);
    }
    for (int i = 0; i < f.numB; ++i) {
      Place p = f.b(g, tig, i);
      put(f.type, b[p.row][p.column]);
    }
    for (int i = 0; i < f.numC; ++i) {
      Place p = accumulator(g, tig, i);
      double value = c[p.row][p.column];
      if (size == 1) {
        auto whole = static_cast<int32_t>(value);
        std::memcpy(registers + offset, &whole, 4);
        offset += 4;
      } else {
        put(f.half ? Type::F16 : size == 8 ? Type::F64 : Type::TF32, value);
      }
    }
    ourc_simt_mma("m", f.form, reinterpret_cast<uint32_t *>(registers));
    for (int i = 0; i < f.numC; ++i) {
      Place p = accumulator(g, tig, i);
      double wanted = c[p.row][p.column], got;
      for (int k = 0; k < f.k; ++k)
        wanted += a[p.row][k] * b[k][p.column];
      if (f.half) {
        uint16_t bits;
        std::memcpy(&bits, registers + 2 * i, 2);
        got = decodeHalf(bits);
      } else if (size == 8) {
        std::memcpy(&got, registers + 8 * i, 8);
      } else if (size == 1) {
        int32_t whole;
        std::memcpy(&whole, registers + 4 * i, 4);
        got = whole;
      } else {
        float narrow;
        std::memcpy(&narrow, registers + 4 * i, 4);
        got = static_cast<double>(narrow);
      }
      EXPECT_EQ(got, wanted) << "lane " << lane << ", element " << i;
    }
  });
}

INSTANTIATE_TEST_SUITE_P(All, MmaForm, testing::ValuesIn(forms),
                         [](const testing::TestParamInfo<Form> &info) {
                           std::string name = info.param.name;
                           for (char &c : name)
                             c = c == '.' ? '_' : c;
                           return name;
                         });

/// One product alone: a(0, 0) * b(0, 0) + c(0, 0).
uint32_t single(int32_t form, uint32_t a, uint32_t b, uint32_t c, int aWords,
                int bWords) {
  uint32_t result = 0;
  run({}, [&] {
    uint32_t registers[16] = {};
    if (ourc_simt_laneid() == 0) {
      registers[0] = a;
      registers[aWords] = b;
      registers[aWords + bWords] = c;
    }
    ourc_simt_mma("m", form, registers);
    if (ourc_simt_laneid() == 0)
      result = registers[0];
  });
  return result;
}

TEST(MmaRounding, Tf32IgnoresTheLower13Bits) {
  // (1 + 2^-11) * 1: the bit below tf32's last is not read.
  uint32_t one = 0x3f800000, more = one | 0x1000;
  EXPECT_EQ(single(OURC_SIMT_MMA_M16N8K8_TF32_F32, more, one, 0, 4, 2), one);
}

TEST(MmaRounding, HalfAccumulatorsRoundToNearestEven) {
  int32_t form = OURC_SIMT_MMA_M16N8K16_F16_F16;
  // 2048 + 1 lies between 2048 and 2050; 2050 + 1 between 2050 and 2052.
  EXPECT_EQ(single(form, 0x3c00, 0x3c00, 0x6800, 4, 2) & 0xffff, 0x6800u);
  EXPECT_EQ(single(form, 0x3c00, 0x3c00, 0x6801, 4, 2) & 0xffff, 0x6802u);
  // 65504 + 65504 is too large; 2^-24 + 2^-24 is denormal.
  EXPECT_EQ(single(form, 0x7bff, 0x3c00, 0x7bff, 4, 2) & 0xffff, 0x7c00u);
  EXPECT_EQ(single(form, 0x0001, 0x3c00, 0x0001, 4, 2) & 0xffff, 0x0002u);
}

TEST(MmaRounding, IntegersWrapAround) {
  int32_t form = OURC_SIMT_MMA_M16N8K32_S8_S32;
  EXPECT_EQ(single(form, 1, 1, 0x7fffffff, 4, 2), 0x80000000u);
  EXPECT_EQ(single(form, 0xff, 0x7f, 0, 4, 2),
            static_cast<uint32_t>(-127)); // signed
  EXPECT_EQ(single(OURC_SIMT_MMA_M16N8K32_U8_S32, 0xff, 0xff, 0, 4, 2),
            255u * 255u);
}

} // namespace
