//===- JsonTest.cpp - Tests of the JSON reader ----------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/io/Json.h"

#include <gtest/gtest.h>
#include <random>
#include <string>

using namespace ourc::runtime;

namespace {

/// The error of reading one value and the end, or "".
std::string errorOf(const std::string &text) {
  JsonReader json(text.data(), static_cast<int64_t>(text.size()));
  json.skipValue();
  json.expectEnd();
  return json.failed() ? json.error() : "";
}

TEST(Json, Valid) {
  for (const char *text :
       {"{}", "[]", "\"\"", "0", "-0", "12", "-1.5e+10", "1E5", "0.25", "true",
        "false", "null", " { \"a\" : [ 1 , 2 , { } ] , \"b\" : null }\t\r\n",
        "[[[[]]], {}]", "\"\\u00e4\\n\\\"\\ud83d\\ude00\""})
    EXPECT_EQ(errorOf(text), "") << text;
}

TEST(Json, Invalid) {
  for (const char *text : {"",
                           " ",
                           "{",
                           "[",
                           "\"",
                           "{\"a\"}",
                           "{\"a\":}",
                           "{\"a\":1,}",
                           "{,}",
                           "[1,]",
                           "[,1]",
                           "[1 2]",
                           "{\"a\":1 \"b\":2}",
                           "{1:2}",
                           "01",
                           "-",
                           "1.",
                           "1e",
                           "+1",
                           ".5",
                           "tru",
                           "nul",
                           "True",
                           "NaN",
                           "\"\\x\"",
                           "\"\\u12\"",
                           "\"\\u12g4\"",
                           "\"\\ud800\"",
                           "\"\\ud800\\u0041\"",
                           "\"\\udc00\"",
                           "\"\\u0000\"",
                           "\"a\nb\"",
                           "{}{}",
                           "[]]",
                           "1 2",
                           "}",
                           "]",
                           ","})
    EXPECT_NE(errorOf(text), "") << text;
}

TEST(Json, Pulls) {
  std::string text = R"( {"name": "a\u0062c", "sizes": [3, -40], "x": [{}]} )";
  JsonReader json(text.data(), static_cast<int64_t>(text.size()));
  Text key, value;
  ASSERT_TRUE(json.beginObject());
  ASSERT_TRUE(json.nextKey(key));
  EXPECT_STREQ(key.c_str(), "name");
  ASSERT_TRUE(json.readString(value));
  EXPECT_STREQ(value.c_str(), "abc");
  ASSERT_TRUE(json.nextKey(key));
  EXPECT_STREQ(key.c_str(), "sizes");
  ASSERT_TRUE(json.beginArray());
  int64_t number;
  ASSERT_TRUE(json.nextElement());
  ASSERT_TRUE(json.readInteger(number));
  EXPECT_EQ(number, 3);
  ASSERT_TRUE(json.nextElement());
  ASSERT_TRUE(json.readInteger(number));
  EXPECT_EQ(number, -40);
  EXPECT_FALSE(json.nextElement());
  ASSERT_TRUE(json.nextKey(key));
  ASSERT_TRUE(json.skipValue());
  EXPECT_FALSE(json.nextKey(key));
  EXPECT_TRUE(json.expectEnd());
  EXPECT_FALSE(json.failed()) << json.error();
}

TEST(Json, Escapes) {
  std::string text = R"("\"\\\/\b\f\n\r\t\u0041\u00e9\u20ac\ud83d\ude00")";
  JsonReader json(text.data(), static_cast<int64_t>(text.size()));
  Text value;
  ASSERT_TRUE(json.readString(value));
  EXPECT_STREQ(value.c_str(), "\"\\/\b\f\n\r\tA\xc3\xa9\xe2\x82\xac"
                              "\xf0\x9f\x98\x80");
}

TEST(Json, Integers) {
  auto read = [](const std::string &text, int64_t &value) {
    JsonReader json(text.data(), static_cast<int64_t>(text.size()));
    return json.readInteger(value);
  };
  int64_t value;
  EXPECT_TRUE(read("9223372036854775807", value));
  EXPECT_EQ(value, INT64_MAX);
  EXPECT_TRUE(read("-9223372036854775808", value));
  EXPECT_EQ(value, INT64_MIN);
  for (const char *text : {"9223372036854775808", "-9223372036854775809", "1.0",
                           "1e2", "-", "x", "", "00", "\"1\""})
    EXPECT_FALSE(read(text, value)) << text;
}

TEST(Json, DeepNestingIsRefused) {
  std::string deep(JsonReader::maxDepth, '['),
      closed(JsonReader::maxDepth, ']');
  EXPECT_EQ(errorOf(deep + closed), "");
  EXPECT_EQ(errorOf("[" + deep + closed + "]"), "nested too deeply");
  EXPECT_EQ(errorOf(std::string(1000000, '[')), "nested too deeply");
}

TEST(Json, ErrorsHaveAnOffset) {
  std::string text = "[1, x]";
  JsonReader json(text.data(), static_cast<int64_t>(text.size()));
  EXPECT_FALSE(json.skipValue());
  EXPECT_STREQ(json.error(), "expected a value");
  EXPECT_EQ(json.errorOffset(), 4);
}

TEST(Json, StringsComeBack) {
  Text out;
  printJsonString("a\"b\\c\nd\x01\xc3\xa9", out);
  JsonReader json(out.c_str(), out.size());
  Text value;
  ASSERT_TRUE(json.readString(value));
  EXPECT_STREQ(value.c_str(), "a\"b\\c\nd\x01\xc3\xa9");
}

TEST(Json, MutationsNeverCrash) {
  const std::string seed =
      R"({"a":{"dtype":"F32","shape":[1,23],"data_offsets":[0,92]},"__metadata__":{"k":"v\u00e9\ud83d\ude00"},"n":[-1.5e3,true,false,null]})";
  std::mt19937_64 random(7);
  const char bytes[] = "{}[]\",:\\u0019-+.eE tfn\x80\xff\n";
  int valid = 0;
  for (int turn = 0; turn < 20000; ++turn) {
    std::string text = seed;
    for (uint64_t edits = 1 + random() % 4; edits; --edits) {
      size_t at = random() % text.size();
      switch (random() % 4) {
      case 0:
        text[at] = bytes[random() % sizeof(bytes)];
        break;
      case 1:
        text.erase(at, 1 + random() % 5);
        break;
      case 2:
        text.insert(at, 1, bytes[random() % sizeof(bytes)]);
        break;
      default:
        text.insert(at, text.substr(random() % text.size(), random() % 20));
      }
      if (text.empty())
        text = "x";
    }
    // Out of an exact allocation, so that reading past its end is seen.
    std::vector<char> exact(text.begin(), text.end());
    JsonReader json(exact.data(), static_cast<int64_t>(exact.size()));
    valid += json.skipValue() && json.expectEnd();
    if (json.failed()) {
      ASSERT_LE(json.errorOffset(), static_cast<int64_t>(text.size()));
    }
  }
  EXPECT_GT(valid, 100);
  EXPECT_LT(valid, 19000);
}

} // namespace
