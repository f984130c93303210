//===- SafeTensorsTest.cpp - Tests of .safetensors files ------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/io/SafeTensors.h"

#include "runtime/abi/Model.h"
#include "test/runtime/TestTensors.h"

#include <gtest/gtest.h>
#include <random>

using namespace ourc::runtime;
using namespace ourc::test;

namespace {

std::string safetensors(const std::string &header, const std::string &data) {
  std::string bytes;
  for (size_t i = 0; i < 8; ++i)
    bytes += static_cast<char>(header.size() >> (8 * i));
  return bytes + header + data;
}

std::string entry(const std::string &name, const std::string &dtype,
                  const std::string &shape, const std::string &offsets) {
  return "\"" + name + "\":{\"dtype\":\"" + dtype + "\",\"shape\":" + shape +
         ",\"data_offsets\":" + offsets + "}";
}

int32_t open(SafeTensors &file, const std::string &bytes) {
  std::string path = temporaryFile("file.safetensors");
  writeFile(path, bytes);
  return file.open(path.c_str());
}

void expectError(const std::string &bytes, const std::string &message) {
  SafeTensors file;
  EXPECT_EQ(open(file, bytes), OURC_ERROR_WEIGHTS);
  EXPECT_EQ(ourc_last_error(),
            "'" + temporaryFile("file.safetensors") + "'" + message);
  EXPECT_EQ(file.size(), 0);
}

TEST(SafeTensors, Reads) {
  SafeTensors file;
  ASSERT_EQ(open(file, safetensors(
                           "{\"__metadata__\":{\"format\":\"pt\"}," +
                               entry("b", "F32", "[2,1]", "[4,12]") + "," +
                               entry("a", "I16", "[2]", "[0,4]") + "," +
                               entry("e", "F64", "[0]", "[4,4]") + "," +
                               entry("x", "F8_E4M3", "[3]", "[12,15]") + "}   ",
                           "abcdefghijklmno")),
            OURC_OK)
      << ourc_last_error();
  ASSERT_EQ(file.size(), 4);
  EXPECT_STREQ(file[0].name, "a");
  const SafeTensor *b = file.find("b");
  ASSERT_NE(b, nullptr);
  EXPECT_EQ(b->dtype, OURC_F32);
  ASSERT_EQ(b->rank, 2);
  EXPECT_EQ(b->shape[0], 2);
  EXPECT_EQ(b->bytes, 8);
  EXPECT_EQ(std::string(b->data, 8), "efghijkl");
  EXPECT_EQ(file.find("x")->dtype, -1);
  EXPECT_STREQ(file.find("x")->dtypeName, "F8_E4M3");
  EXPECT_EQ(file.find("c"), nullptr);
  EXPECT_EQ(file.find(""), nullptr);
}

TEST(SafeTensors, EmptyHeader) {
  SafeTensors file;
  ASSERT_EQ(open(file, safetensors("{}", "")), OURC_OK) << ourc_last_error();
  EXPECT_EQ(file.size(), 0);
  EXPECT_EQ(file.find("a"), nullptr);
}

TEST(SafeTensors, Errors) {
  expectError("", " has 0 bytes, too few for a .safetensors file");
  expectError("1234567", " has 7 bytes, too few for a .safetensors file");
  expectError(std::string("\x10\0\0\0\0\0\0\0{}", 10),
              " is no .safetensors file, or is cut short: a header of 16 bytes "
              "in a file of 10");
  expectError(std::string(8, '\xff') + "{}",
              " is no .safetensors file, or is cut short: a header of "
              "18446744073709551615 bytes in a file of 10");
  expectError(safetensors("[]", ""), ": malformed header: expected an object "
                                     "at byte 0 of the header");
  expectError(safetensors("{\"a\":1}", ""),
              ": malformed header: expected an object at byte 5 of the header");
  expectError(safetensors("{}x", ""), ": malformed header: text after the "
                                      "value at byte 2 of the header");
  auto one = [](const std::string &dtype, const std::string &shape,
                const std::string &offsets) {
    return safetensors("{" + entry("a", dtype, shape, offsets) + "}",
                       "12345678");
  };
  expectError(
      one("F32", "[2]", "[0,9]"),
      ": tensor 'a': its data, bytes 0 to 9, is not inside the file's 8 "
      "bytes of data");
  expectError(
      one("F32", "[2]", "[8,0]"),
      ": tensor 'a': its data, bytes 8 to 0, is not inside the file's 8 "
      "bytes of data");
  expectError(one("F32", "[2]", "[-8,0]"), ": tensor 'a' has no data_offsets");
  expectError(one("F32", "[3]", "[0,8]"),
              ": tensor 'a': its data has 8 bytes, its shape and type F32 take "
              "12");
  expectError(one("F32", "[4611686018427387904,4]", "[0,8]"),
              ": tensor 'a': its data has 8 bytes, its shape and type F32 take "
              "9223372036854775807");
  expectError(one("F32", "[-2]", "[0,8]"), ": tensor 'a': a size of -2");
  expectError(one("F32", "[2]", "[0]"),
              ": tensor 'a': data_offsets must be two numbers");
  expectError(one("F32", "[2]", "[0,8,9]"),
              ": tensor 'a': data_offsets must be two numbers");
  expectError(safetensors("{\"a\":{\"dtype\":\"F32\",\"shape\":[]}}", ""),
              ": tensor 'a' has no data_offsets");
  expectError(safetensors("{\"a\":{\"shape\":[],\"data_offsets\":[0,0]}}", ""),
              ": tensor 'a' has no dtype");
  expectError(
      safetensors("{\"a\":{\"dtype\":\"F32\",\"data_offsets\":[0,0]}}", ""),
      ": tensor 'a' has no shape");
  expectError(safetensors("{" + entry("a", "F32", "[2]", "[0,8]") + "," +
                              entry("b", "F32", "[1]", "[4,8]") + "}",
                          "12345678"),
              ": tensors 'a' and 'b' overlap");
  expectError(safetensors("{" + entry("a", "F32", "[1]", "[0,4]") + "," +
                              entry("a", "F32", "[1]", "[4,8]") + "}",
                          "12345678"),
              ": tensor 'a' is there twice");
  std::string ones = "[1";
  for (int i = 0; i < 40; ++i)
    ones += ",1";
  expectError(one("F32", ones + "]", "[0,4]"),
              ": tensor 'a' has rank 41, must be at most 32");
}

TEST(SafeTensors, WrittenFilesComeBack) {
  std::string path = temporaryFile("written.safetensors");
  float floats[] = {1, 2, 3, 4, 5, 6};
  int64_t two[] = {2, 3}, empty[] = {0};
  uint8_t byte = 9;
  SafeTensorSource tensors[] = {{"w \"x\"", OURC_F32, 2, two, floats},
                                {"none", OURC_I64, 1, empty, nullptr},
                                {"b", OURC_BOOL, 0, nullptr, &byte}};
  ASSERT_EQ(writeSafeTensors(path.c_str(), tensors, 3), OURC_OK)
      << ourc_last_error();
  SafeTensors file;
  ASSERT_EQ(file.open(path.c_str()), OURC_OK) << ourc_last_error();
  ASSERT_EQ(file.size(), 3);
  const SafeTensor *weights = file.find("w \"x\"");
  ASSERT_NE(weights, nullptr);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(weights->data) % 64, 0u);
  EXPECT_EQ(memcmp(weights->data, floats, sizeof(floats)), 0);
  EXPECT_EQ(file.find("b")->data[0], 9);
  EXPECT_EQ(file.find("none")->bytes, 0);
  EXPECT_EQ(writeSafeTensors("/nowhere/x", tensors, 3), OURC_ERROR_WEIGHTS);
}

TEST(SafeTensors, MutationsNeverCrash) {
  const std::string seed =
      safetensors("{\"__metadata__\":{\"format\":\"pt\"}," +
                      entry("layer.0.weight", "F32", "[2,1]", "[4,12]") + "," +
                      entry("layer.0.bias", "I16", "[2]", "[0,4]") + "," +
                      entry("e", "F64", "[0]", "[4,4]") + "}",
                  "abcdefghijkl");
  std::mt19937_64 random(5);
  const char bytes[] = "{}[]\",:\\u0019-.e FI8\xff\n";
  int good = 0, bad = 0;
  for (int turn = 0; turn < 3000; ++turn) {
    std::string text = seed;
    for (uint64_t edits = 1 + random() % 3; edits; --edits) {
      size_t at = random() % text.size();
      switch (random() % 4) {
      case 0:
        text[at] = static_cast<char>(random());
        break;
      case 1:
        text[at] = bytes[random() % sizeof(bytes)];
        break;
      case 2:
        text.erase(at, 1 + random() % 10);
        break;
      default:
        text.insert(at, text.substr(random() % text.size(), random() % 30));
      }
      if (text.empty())
        text = "x";
    }
    // The header's length is kept right in most cases, to get further.
    if (random() % 4 && text.size() > 20) {
      size_t length = text.size() - 20;
      for (size_t i = 0; i < 8; ++i)
        text[i] = static_cast<char>(length >> (8 * i));
    }
    SafeTensors file;
    if (open(file, text)) {
      ++bad;
      continue;
    }
    ++good;
    volatile char sum = 0;
    for (int64_t i = 0; i < file.size(); ++i) {
      ASSERT_EQ(file.find(file[i].name), &file[i]);
      for (int64_t b = 0; b < file[i].bytes; ++b)
        sum = static_cast<char>(sum + file[i].data[b]);
    }
  }
  EXPECT_GT(good, 10);
  EXPECT_GT(bad, 1000);
}

} // namespace
