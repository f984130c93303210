//===- MappedFile.h - A file in memory ------------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_RUNTIME_IO_MAPPEDFILE_H
#define OURC_RUNTIME_IO_MAPPEDFILE_H

#include <cstdint>

namespace ourc::runtime {

/// A file mapped into memory: nothing is read before it is touched.
class MappedFile {
public:
  MappedFile() = default;
  MappedFile(const MappedFile &) = delete;
  MappedFile &operator=(const MappedFile &) = delete;
  ~MappedFile() { close(); }

  enum class Access {
    read,
    privateWrite ///< writes do not reach the file
  };
  /// `status` is the code of its errors.
  int32_t open(const char *path, Access access, int32_t status);
  void close();
  void swap(MappedFile &other);
  char *data() const { return memory; }
  int64_t size() const { return bytes; }

private:
  char *memory = nullptr;
  int64_t bytes = 0;
};

} // namespace ourc::runtime

#endif // OURC_RUNTIME_IO_MAPPEDFILE_H
