//===- Failure.cpp - The message of the last failed call ------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/support/Failure.h"

#include <cstdarg>
#include <cstdio>
#include <cstring>

using namespace ourc::runtime;

static __thread char lastMessage[2048];

int32_t ourc::runtime::fail(OurcStatus status, const char *format, ...) {
  // Into a buffer of its own first: an argument may be the last message.
  char message[sizeof(lastMessage)];
  va_list arguments;
  va_start(arguments, format);
  int length = std::vsnprintf(message, sizeof(message), format, arguments);
  va_end(arguments);
  if (length < 0)
    std::snprintf(message, sizeof(message), "%s", format);
  else if (length >= static_cast<int>(sizeof(message)))
    std::memcpy(message + sizeof(message) - 4, "...", 4);
  std::memcpy(lastMessage, message, sizeof(message));
  return status;
}

const char *ourc_last_error(void) { return lastMessage; }
