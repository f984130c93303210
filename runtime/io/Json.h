//===- Json.h - A small JSON reader ---------------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads JSON (RFC 8259) from memory by pulling: the caller asks for what should
// come next. It keeps nothing and has no tree. It exists because an artifact
// reads the header of a .safetensors file and must not contain LLVM; everything
// in the compiler uses LLVM's JSON library.
//
//===----------------------------------------------------------------------===//

#ifndef OURC_RUNTIME_IO_JSON_H
#define OURC_RUNTIME_IO_JSON_H

#include "runtime/support/Text.h"

namespace ourc::runtime {

/// A cursor in a JSON text. After the first error every call fails and error()
/// tells it.
class JsonReader {
public:
  JsonReader(const char *text, int64_t length)
      : start(text), at(text), end(text + length) {}

  /// Is the next value an object, an array, a string, a number?
  char peek();

  /// '{', then nextKey until it is false (the end of the object, or an error),
  /// with one value read or skipped after each.
  bool beginObject();
  bool nextKey(Text &key);
  /// '[', then nextElement until it is false, with one value after each.
  bool beginArray();
  bool nextElement();

  bool readString(Text &value);
  /// A number without fraction and exponent that fits.
  bool readInteger(int64_t &value);
  /// Any value; nesting beyond `maxDepth` is an error.
  bool skipValue();
  /// Nothing but blanks follows.
  bool expectEnd();

  bool failed() const { return message != nullptr; }
  /// What was wrong, and at which byte.
  const char *error() const { return message; }
  int64_t errorOffset() const { return offset; }

  static constexpr int32_t maxDepth = 64;

private:
  bool fail(const char *what);
  void skipBlanks();
  bool literal(const char *word);
  bool skipNumber();
  bool readEscape(Text &value);
  bool readHex(uint32_t &unit);
  bool open(char bracket);
  bool next(char closing);

  const char *start, *at, *end;
  const char *message = nullptr;
  int64_t offset = 0;
  int32_t depth = 0;
  bool first = false; // just after an opening bracket
};

/// Appends `text` as a JSON string with its quotes; bytes that are no UTF-8
/// stay as they are.
void printJsonString(const char *text, Text &out);

} // namespace ourc::runtime

#endif // OURC_RUNTIME_IO_JSON_H
