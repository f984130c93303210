//===- MappedFile.cpp - A file in memory ----------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/io/MappedFile.h"

#include "runtime/support/Failure.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace ourc::runtime;

int32_t MappedFile::open(const char *path, Access access, int32_t status) {
  close();
  auto failed = [&](const char *what) {
    return fail(static_cast<OurcStatus>(status), "cannot %s '%s': %s", what,
                path, std::strerror(errno));
  };
  int file = ::open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return failed("open");
  struct stat info;
  int32_t result = OURC_OK;
  if (fstat(file, &info) != 0) {
    result = failed("read");
  } else if (!S_ISREG(info.st_mode)) {
    result = fail(static_cast<OurcStatus>(status), "'%s' is not a regular file",
                  path);
  } else if (info.st_size > 0) {
    void *mapped =
        mmap(nullptr, static_cast<uint64_t>(info.st_size),
             access == Access::read ? PROT_READ : PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_NORESERVE, file, 0);
    if (mapped == MAP_FAILED) {
      result = failed("map");
    } else {
      memory = static_cast<char *>(mapped);
      bytes = info.st_size;
    }
  }
  ::close(file);
  return result;
}

void MappedFile::close() {
  if (memory)
    munmap(memory, static_cast<uint64_t>(bytes));
  memory = nullptr;
  bytes = 0;
}

void MappedFile::swap(MappedFile &other) {
  char *otherMemory = other.memory;
  int64_t otherBytes = other.bytes;
  other.memory = memory, other.bytes = bytes;
  memory = otherMemory, bytes = otherBytes;
}
