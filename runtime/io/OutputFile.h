//===- OutputFile.h - A file that is written from start to end ------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_RUNTIME_IO_OUTPUTFILE_H
#define OURC_RUNTIME_IO_OUTPUTFILE_H

#include "runtime/support/Text.h"

namespace ourc::runtime {

/// A file to write. Errors of write() are told by close(); a file that is not
/// closed without an error is removed.
class OutputFile {
public:
  OutputFile() = default;
  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;
  ~OutputFile();

  /// `status` is the code of its errors.
  int32_t open(const char *path, int32_t status);
  void write(const void *data, int64_t bytes);
  int32_t close();

private:
  void discard();

  Text path;
  std::FILE *file = nullptr;
  int32_t status = 0;
  int error = 0; // errno of the first failure
};

} // namespace ourc::runtime

#endif // OURC_RUNTIME_IO_OUTPUTFILE_H
