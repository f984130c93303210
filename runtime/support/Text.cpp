//===- Text.cpp - Text that grows by printf -------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/support/Text.h"

#include <cstdarg>

using namespace ourc::runtime;

void Text::append(const char *text, int64_t length) {
  int64_t old = size();
  if (old + length + 1 > chars.size())
    chars.reserve(old + length + 1 > 2 * chars.size() ? old + length + 1
                                                      : 2 * chars.size());
  chars.resize(old + length + 1);
  std::memcpy(chars.data() + old, text, static_cast<uint64_t>(length));
  chars[old + length] = 0;
}

void Text::print(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char small[256];
  int length = std::vsnprintf(small, sizeof(small), format, arguments);
  va_end(arguments);
  if (length < 0)
    return;
  if (length < static_cast<int>(sizeof(small)))
    return append(small, length);
  int64_t old = size();
  chars.resize(old + length + 1);
  va_start(arguments, format);
  std::vsnprintf(chars.data() + old, static_cast<uint64_t>(length) + 1, format,
                 arguments);
  va_end(arguments);
}
