//===- Text.h - Text that grows by printf ---------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_RUNTIME_SUPPORT_TEXT_H
#define OURC_RUNTIME_SUPPORT_TEXT_H

#include "runtime/support/Vec.h"

namespace ourc::runtime {

/// A zero-terminated text that grows.
class Text {
public:
  const char *c_str() const { return chars.empty() ? "" : chars.data(); }
  /// Without the terminating zero.
  int64_t size() const { return chars.empty() ? 0 : chars.size() - 1; }
  void clear() { chars.clear(); }
  void append(const char *text, int64_t length);
  void append(const char *text) {
    append(text, static_cast<int64_t>(std::strlen(text)));
  }
  void append(char letter) { append(&letter, 1); }
  __attribute__((format(printf, 2, 3))) void print(const char *format, ...);
  void swap(Text &other) { chars.swap(other.chars); }

private:
  Vec<char> chars;
};

} // namespace ourc::runtime

#endif // OURC_RUNTIME_SUPPORT_TEXT_H
