//===- Json.cpp - A small JSON reader -------------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/io/Json.h"

using namespace ourc::runtime;

bool JsonReader::fail(const char *what) {
  if (!message) {
    message = what;
    offset = at - start;
  }
  at = end;
  return false;
}

void JsonReader::skipBlanks() {
  while (at != end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r'))
    ++at;
}

char JsonReader::peek() {
  skipBlanks();
  return at == end ? 0 : *at;
}

//===----------------------------------------------------------------------===//
// Objects and arrays
//===----------------------------------------------------------------------===//

bool JsonReader::open(char bracket) {
  if (failed())
    return false;
  if (peek() != bracket)
    return fail(bracket == '{' ? "expected an object" : "expected an array");
  if (depth == maxDepth)
    return fail("nested too deeply");
  ++at;
  ++depth;
  first = true;
  return true;
}

/// Moves to the next entry; false at the closing bracket.
bool JsonReader::next(char closing) {
  if (failed())
    return false;
  bool isFirst = first;
  first = false;
  char letter = peek();
  if (letter == closing) {
    ++at;
    --depth;
    return false;
  }
  if (isFirst)
    return true;
  if (letter != ',')
    return fail(closing == '}' ? "expected ',' or '}'" : "expected ',' or ']'");
  ++at;
  return true;
}

bool JsonReader::beginObject() { return open('{'); }
bool JsonReader::beginArray() { return open('['); }
bool JsonReader::nextElement() { return next(']'); }

bool JsonReader::nextKey(Text &key) {
  if (!next('}'))
    return false;
  if (peek() != '"')
    return fail("expected a key in quotes");
  if (!readString(key))
    return false;
  if (peek() != ':')
    return fail("expected ':'");
  ++at;
  return true;
}

//===----------------------------------------------------------------------===//
// Strings
//===----------------------------------------------------------------------===//

bool JsonReader::readHex(uint32_t &unit) {
  unit = 0;
  if (end - at < 4)
    return fail("expected four hexadecimal digits");
  for (int i = 0; i < 4; ++i, ++at) {
    char digit = *at;
    unit *= 16;
    if (digit >= '0' && digit <= '9')
      unit += static_cast<uint32_t>(digit - '0');
    else if (digit >= 'a' && digit <= 'f')
      unit += static_cast<uint32_t>(digit - 'a' + 10);
    else if (digit >= 'A' && digit <= 'F')
      unit += static_cast<uint32_t>(digit - 'A' + 10);
    else
      return fail("expected four hexadecimal digits");
  }
  return true;
}

/// After the backslash.
bool JsonReader::readEscape(Text &value) {
  if (at == end)
    return fail("the string does not end");
  const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
  char letter = *at;
  if (letter != 'u') {
    const char *found = letter ? std::strchr(letters, letter) : nullptr;
    if (!found)
      return fail("unknown escape");
    ++at;
    value.append(meanings[found - letters]);
    return true;
  }
  ++at;
  uint32_t point, low;
  if (!readHex(point))
    return false;
  if (point >= 0xd800 && point < 0xdc00) {
    if (end - at < 2 || at[0] != '\\' || at[1] != 'u')
      return fail("half of a surrogate pair");
    at += 2;
    if (!readHex(low))
      return false;
    if (low < 0xdc00 || low > 0xdfff)
      return fail("half of a surrogate pair");
    point = 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00);
  } else if (point >= 0xdc00 && point < 0xe000) {
    return fail("half of a surrogate pair");
  }
  if (point == 0)
    return fail("a zero byte in a string");
  auto byte = [&](uint32_t bits) { value.append(static_cast<char>(bits)); };
  if (point < 0x80) {
    byte(point);
  } else if (point < 0x800) {
    byte(0xc0 | point >> 6), byte(0x80 | (point & 63));
  } else if (point < 0x10000) {
    byte(0xe0 | point >> 12), byte(0x80 | (point >> 6 & 63));
    byte(0x80 | (point & 63));
  } else {
    byte(0xf0 | point >> 18), byte(0x80 | (point >> 12 & 63));
    byte(0x80 | (point >> 6 & 63)), byte(0x80 | (point & 63));
  }
  return true;
}

bool JsonReader::readString(Text &value) {
  if (failed())
    return false;
  value.clear();
  first = false;
  if (peek() != '"')
    return fail("expected a string");
  ++at;
  for (;;) {
    const char *plain = at;
    while (at != end && *at != '"' && *at != '\\' &&
           static_cast<unsigned char>(*at) >= 0x20)
      ++at;
    value.append(plain, at - plain);
    if (at == end)
      return fail("the string does not end");
    if (*at == '"') {
      ++at;
      return true;
    }
    if (*at != '\\')
      return fail("a control character in a string");
    ++at;
    if (!readEscape(value))
      return false;
  }
}

//===----------------------------------------------------------------------===//
// Other values
//===----------------------------------------------------------------------===//

static bool isDigit(char letter) { return letter >= '0' && letter <= '9'; }

bool JsonReader::readInteger(int64_t &value) {
  if (failed())
    return false;
  first = false;
  peek();
  const char *begin = at;
  bool negative = at != end && *at == '-';
  if (negative)
    ++at;
  if (at == end || !isDigit(*at))
    return fail("expected a number");
  if (*at == '0' && end - at > 1 && isDigit(at[1]))
    return fail("a number with a leading zero");
  value = 0;
  for (; at != end && isDigit(*at); ++at) {
    int64_t digit = *at - '0';
    if (__builtin_mul_overflow(value, 10, &value) ||
        __builtin_add_overflow(value, negative ? -digit : digit, &value)) {
      at = begin;
      return fail("a number beyond 64 bits");
    }
  }
  if (at != end && (*at == '.' || *at == 'e' || *at == 'E')) {
    at = begin;
    return fail("expected an integer");
  }
  return true;
}

bool JsonReader::skipNumber() {
  auto digits = [&] {
    if (at == end || !isDigit(*at))
      return fail("expected a value");
    while (at != end && isDigit(*at))
      ++at;
    return true;
  };
  if (at != end && *at == '-')
    ++at;
  if (end - at > 1 && *at == '0' && isDigit(at[1]))
    return fail("a number with a leading zero");
  if (!digits())
    return false;
  if (at != end && *at == '.') {
    ++at;
    if (!digits())
      return false;
  }
  if (at != end && (*at == 'e' || *at == 'E')) {
    ++at;
    if (at != end && (*at == '+' || *at == '-'))
      ++at;
    return digits();
  }
  return true;
}

bool JsonReader::literal(const char *word) {
  int64_t length = static_cast<int64_t>(std::strlen(word));
  if (end - at < length ||
      std::memcmp(at, word, static_cast<uint64_t>(length)) != 0)
    return fail("expected a value");
  at += length;
  return true;
}

bool JsonReader::skipValue() {
  if (failed())
    return false;
  Text text;
  switch (peek()) {
  case '{':
    if (!beginObject())
      return false;
    while (nextKey(text))
      if (!skipValue())
        return false;
    break;
  case '[':
    if (!beginArray())
      return false;
    while (nextElement())
      if (!skipValue())
        return false;
    break;
  case '"':
    return readString(text);
  case 't':
    first = false;
    return literal("true");
  case 'f':
    first = false;
    return literal("false");
  case 'n':
    first = false;
    return literal("null");
  default:
    first = false;
    return skipNumber();
  }
  return !failed();
}

bool JsonReader::expectEnd() {
  if (failed())
    return false;
  skipBlanks();
  return at == end || fail("text after the value");
}

void ourc::runtime::printJsonString(const char *text, Text &out) {
  out.append('"');
  for (; *text; ++text) {
    unsigned char letter = static_cast<unsigned char>(*text);
    if (letter == '"' || letter == '\\')
      out.append('\\'), out.append(*text);
    else if (letter < 0x20)
      out.print("\\u%04x", letter);
    else
      out.append(*text);
  }
  out.append('"');
}
