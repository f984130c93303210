//===- NpyTest.cpp - Tests of .npy files ----------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/io/Npy.h"

#include "runtime/abi/Model.h"
#include "test/runtime/TestTensors.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

using namespace ourc::runtime;
using namespace ourc::test;

namespace {

/// A file as NumPy writes it: `version` 1 to 3, a header, data.
std::string npy(int version, std::string header, const std::string &data) {
  size_t prefix = version == 1 ? 10 : 12;
  while ((prefix + header.size() + 1) % 64)
    header += ' ';
  header += '\n';
  std::string bytes = "\x93NUMPY";
  bytes += static_cast<char>(version);
  bytes += '\0';
  for (size_t i = 0; i < prefix - 8; ++i)
    bytes += static_cast<char>(header.size() >> (8 * i));
  return bytes + header + data;
}

std::string floats(std::vector<float> values) {
  return std::string(reinterpret_cast<char *>(values.data()),
                     values.size() * sizeof(float));
}

int32_t open(NpyArray &array, const std::string &bytes) {
  std::string path = temporaryFile("array.npy");
  writeFile(path, bytes);
  return array.open(path.c_str());
}

void expectError(const std::string &bytes, const std::string &message) {
  NpyArray array;
  EXPECT_EQ(open(array, bytes), OURC_ERROR_ARGUMENT);
  EXPECT_EQ(ourc_last_error(),
            "'" + temporaryFile("array.npy") + "'" + message);
}

TEST(Npy, Versions) {
  for (int version : {1, 2, 3}) {
    NpyArray array;
    ASSERT_EQ(
        open(array,
             npy(version,
                 "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }",
                 floats({1, 2, 3, 4, 5, 6}))),
        OURC_OK)
        << ourc_last_error();
    EXPECT_EQ(array.dtype, OURC_F32);
    ASSERT_EQ(array.rank, 2);
    EXPECT_EQ(array.shape[0], 2);
    EXPECT_EQ(array.shape[1], 3);
    EXPECT_EQ(array.strides[0], 3);
    EXPECT_EQ(array.strides[1], 1);
    EXPECT_EQ(reinterpret_cast<float *>(array.data)[5], 6);
  }
}

TEST(Npy, FortranOrder) {
  NpyArray array;
  ASSERT_EQ(
      open(array,
           npy(1, "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }",
               floats({1, 2, 3, 4, 5, 6}))),
      OURC_OK);
  EXPECT_EQ(array.strides[0], 1);
  EXPECT_EQ(array.strides[1], 2);
}

TEST(Npy, HeadersOfOtherWriters) {
  for (const char *header :
       {"{\"shape\":(6,),\"fortran_order\":False,\"descr\":\"<f4\"}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2L, 3L)}",
        "{'descr':'=f4','fortran_order':False,'shape':(1,6)}"}) {
    NpyArray array;
    EXPECT_EQ(open(array, npy(1, header, floats({1, 2, 3, 4, 5, 6}))), OURC_OK)
        << ourc_last_error();
  }
}

TEST(Npy, ScalarsAndEmptyArrays) {
  NpyArray array;
  ASSERT_EQ(open(array,
                 npy(1, "{'descr': '<f4', 'fortran_order': False, 'shape': ()}",
                     floats({5}))),
            OURC_OK);
  EXPECT_EQ(array.rank, 0);
  ASSERT_EQ(open(array, npy(1,
                            "{'descr': '<f4', 'fortran_order': False, 'shape': "
                            "(3, 0, 4611686018427387904)}",
                            "")),
            OURC_OK)
      << ourc_last_error();
  EXPECT_EQ(array.rank, 3);
}

TEST(Npy, Types) {
  auto typeOf = [](const std::string &descr) {
    NpyArray array;
    int32_t status =
        open(array, npy(1,
                        "{'descr': '" + descr +
                            "', 'fortran_order': False, 'shape': (1,)}",
                        "12345678"));
    return status ? -2 : array.rawTwoBytes ? -1 : array.dtype;
  };
  EXPECT_EQ(typeOf("<f8"), OURC_F64);
  EXPECT_EQ(typeOf("<f4"), OURC_F32);
  EXPECT_EQ(typeOf("<f2"), OURC_F16);
  EXPECT_EQ(typeOf("<i8"), OURC_I64);
  EXPECT_EQ(typeOf("<i4"), OURC_I32);
  EXPECT_EQ(typeOf("<i2"), OURC_I16);
  EXPECT_EQ(typeOf("|i1"), OURC_I8);
  EXPECT_EQ(typeOf("|u1"), OURC_U8);
  EXPECT_EQ(typeOf("|b1"), OURC_BOOL);
  EXPECT_EQ(typeOf("<V2"), -1);
  EXPECT_EQ(typeOf("|V2"), -1);
  EXPECT_EQ(typeOf("<u2"), -1);
  for (const char *descr : {"<c8", "<u4", "|f4", "|S3", "<V4", "", "<", "f4"})
    EXPECT_EQ(typeOf(descr), -2) << descr;
}

TEST(Npy, Errors) {
  expectError("", " is no .npy file");
  expectError("\x93NUMPY\x01", " is no .npy file");
  expectError(std::string("\x93NUMPX\x01\0\x05\0", 10) + "{}   ",
              " is no .npy file");
  std::string good = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}";
  std::string version = npy(1, good, floats({1, 2}));
  version[6] = 9;
  expectError(version, " has version 9 of the .npy format, must be 1, 2 or 3");
  expectError(npy(1, good, "").substr(0, 40), " is cut short");
  expectError(npy(1, good, "1234567"),
              " is cut short: its shape takes 8 bytes, it has 7");
  expectError(npy(1, "{'descr': '>f4', 'fortran_order': False, 'shape': (2,)}",
                  floats({1, 2})),
              " has elements of type '>f4': big-endian, must be little-endian");
  expectError(npy(1, "{'descr': '<c8', 'fortran_order': False, 'shape': (1,)}",
                  floats({1, 2})),
              " has elements of type '<c8': no tensor has them");
  auto malformed = [](const std::string &header, const std::string &what) {
    expectError(npy(1, header, floats({1, 2})), ": malformed header: " + what);
  };
  malformed("[]", "expected a dictionary");
  malformed("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': ()}",
            "a structured type, must be a plain one");
  malformed("{'descr': '<f4', 'fortran_order': 1, 'shape': ()}",
            "expected True or False");
  malformed("{'descr': '<f4', 'fortran_order': False, 'shape': [2]}",
            "expected a tuple as shape");
  malformed("{'descr': '<f4', 'fortran_order': False, 'shape': (-2,)}",
            "expected a size in shape");
  malformed("{'descr': '<f4', 'fortran_order': False, 'shape': "
            "(99999999999999999999,)}",
            "expected a size in shape");
  malformed("{'descr': '<f4', 'fortran_order': False}",
            "descr, fortran_order or shape is missing");
  malformed("{'descr': '<f4', 'what': False}", "an unknown key");
  malformed("{'descr': '<f4' 'shape': ()}", "expected ',' or '}'");
  malformed("{'descr' '<f4'}", "expected ':'");
  malformed("{'descr': '<f4", "a string that is none of ours");
  malformed(good + "x", "text after the dictionary");
  std::string many = "{'descr': '<f4', 'fortran_order': False, 'shape': (";
  for (int i = 0; i < 40; ++i)
    many += "1, ";
  malformed(many + ")}", "too many dimensions");
  expectError(npy(1,
                  "{'descr': '<f4', 'fortran_order': False, 'shape': "
                  "(4611686018427387904, 16)}",
                  floats({1, 2})),
              " is cut short: its shape takes 9223372036854775807 bytes, it "
              "has 8");
}

TEST(Npy, WrittenFilesComeBack) {
  std::string path = temporaryFile("written.npy");
  for (const std::vector<int64_t> &shape : std::vector<std::vector<int64_t>>{
           {}, {7}, {2, 3}, {0, 4}, {1, 1, 5, 2}}) {
    Tensor<int32_t> tensor(shape);
    for (size_t i = 0; i < tensor.values.size(); ++i)
      tensor.values[i] = static_cast<int32_t>(i * i);
    ASSERT_EQ(writeNpy(path.c_str(), OURC_I32,
                       static_cast<int32_t>(shape.size()), shape.data(),
                       tensor.values.data()),
              OURC_OK)
        << ourc_last_error();
    NpyArray array;
    ASSERT_EQ(array.open(path.c_str()), OURC_OK) << ourc_last_error();
    EXPECT_EQ(array.dtype, OURC_I32);
    EXPECT_EQ(std::vector<int64_t>(array.shape, array.shape + array.rank),
              shape);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(array.data) % 64, 0u);
    EXPECT_TRUE(std::equal(tensor.values.begin(), tensor.values.end(),
                           reinterpret_cast<int32_t *>(array.data)));
  }
}

TEST(Npy, Bfloat16IsRaw) {
  std::string path = temporaryFile("bf16.npy");
  int64_t size = 2;
  uint16_t values[] = {0x3f80, 0x4000};
  ASSERT_EQ(writeNpy(path.c_str(), OURC_BF16, 1, &size, values), OURC_OK);
  EXPECT_NE(readFile(path).find("'descr': '<V2'"), std::string::npos);
  NpyArray array;
  ASSERT_EQ(array.open(path.c_str()), OURC_OK);
  EXPECT_TRUE(array.rawTwoBytes);
  EXPECT_EQ(array.dtype, -1);
}

TEST(Npy, FilesThatCannotBeOpenedOrWritten) {
  NpyArray array;
  EXPECT_EQ(array.open("/nowhere/x.npy"), OURC_ERROR_ARGUMENT);
  EXPECT_STREQ(ourc_last_error(),
               "cannot open '/nowhere/x.npy': No such file or directory");
  EXPECT_EQ(array.open("/tmp"), OURC_ERROR_ARGUMENT);
  EXPECT_STREQ(ourc_last_error(), "'/tmp' is not a regular file");
  EXPECT_EQ(writeNpy("/nowhere/x.npy", OURC_F32, 0, nullptr, "1234"),
            OURC_ERROR_ARGUMENT);
  EXPECT_STREQ(ourc_last_error(),
               "cannot write '/nowhere/x.npy': No such file or directory");
  // A full disk; the device is not removed.
  EXPECT_EQ(writeNpy("/dev/full", OURC_F32, 0, nullptr, "1234"),
            OURC_ERROR_ARGUMENT);
  EXPECT_STREQ(ourc_last_error(),
               "cannot write '/dev/full': No space left on device");
  EXPECT_EQ(writeNpy("/dev/full", OURC_F32, 0, nullptr, "1234"),
            OURC_ERROR_ARGUMENT);
}

TEST(Npy, MutationsNeverCrash) {
  const std::string seed =
      npy(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }",
          floats({1, 2, 3, 4, 5, 6}));
  std::mt19937_64 random(3);
  const char bytes[] = "{}()[]'\",: 0129LTrueFalse<>|=fiubV\x93\xff\n";
  int good = 0, bad = 0;
  for (int turn = 0; turn < 3000; ++turn) {
    std::string text = seed;
    for (uint64_t edits = 1 + random() % 3; edits; --edits) {
      size_t at = random() % std::min<size_t>(text.size(), 75);
      if (random() % 3 == 0)
        text[at] = static_cast<char>(random());
      else if (random() % 2)
        text[at] = bytes[random() % sizeof(bytes)];
      else
        text.erase(at, 1 + random() % 10);
    }
    NpyArray array;
    if (open(array, text)) {
      ++bad;
      continue;
    }
    ++good;
    // All that the shape says is there.
    ASSERT_LE(array.rank, OURC_MAX_RANK);
    int64_t bytes = array.rawTwoBytes ? 2 : 0;
    if (array.dtype >= 0)
      bytes = array.dtype == OURC_F32 ? 4 : 1;
    for (int32_t i = 0; i < array.rank; ++i)
      bytes *= array.shape[i];
    volatile char sum = 0;
    for (int64_t i = 0; i < bytes; ++i)
      sum = static_cast<char>(sum + array.data[i]);
  }
  EXPECT_GT(good, 10);
  EXPECT_GT(bad, 1000);
}

} // namespace
