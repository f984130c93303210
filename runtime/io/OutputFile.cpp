//===- OutputFile.cpp - A file that is written from start to end ----------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/io/OutputFile.h"

#include "runtime/support/Failure.h"

#include <cerrno>
#include <sys/stat.h>
#include <unistd.h>

using namespace ourc::runtime;

OutputFile::~OutputFile() {
  if (file)
    discard();
}

void OutputFile::discard() {
  std::fclose(file);
  file = nullptr;
  // Never a device or a pipe.
  struct stat info;
  if (stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode))
    ::unlink(path.c_str());
}

int32_t OutputFile::open(const char *wanted, int32_t code) {
  status = code;
  error = 0;
  path.clear();
  path.append(wanted);
  file = std::fopen(wanted, "wb");
  if (!file)
    return fail(static_cast<OurcStatus>(status), "cannot write '%s': %s",
                wanted, std::strerror(errno));
  return OURC_OK;
}

void OutputFile::write(const void *data, int64_t bytes) {
  uint64_t wanted = static_cast<uint64_t>(bytes);
  if (!error && wanted && std::fwrite(data, 1, wanted, file) != wanted)
    error = errno ? errno : EIO;
}

int32_t OutputFile::close() {
  if (std::fflush(file) != 0 && !error)
    error = errno ? errno : EIO;
  if (!error) {
    bool closed = std::fclose(file) == 0;
    file = nullptr;
    if (closed)
      return OURC_OK;
    error = errno ? errno : EIO;
  } else {
    discard();
  }
  return fail(static_cast<OurcStatus>(status), "cannot write '%s': %s",
              path.c_str(), std::strerror(error));
}
