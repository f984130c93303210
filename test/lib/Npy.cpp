//===- Npy.cpp - Reading and writing .npy files ---------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/Npy.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace ourc::test;

static Error fail(const Twine &message) {
  return createStringError(inconvertibleErrorCode(), message);
}

Expected<NpyArray> ourc::test::readNpy(StringRef path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer =
      MemoryBuffer::getFile(path, /*IsText=*/false);
  if (!buffer)
    return fail(path + ": " + buffer.getError().message());
  StringRef text = (*buffer)->getBuffer();
  if (text.size() < 12 || !text.starts_with("\x93NUMPY"))
    return fail(path + ": not a .npy file");
  size_t lengthBytes = text[6] == 1 ? 2 : 4;
  size_t length = lengthBytes == 2 ? support::endian::read16le(text.data() + 8)
                                   : support::endian::read32le(text.data() + 8);
  if (text.size() < 8 + lengthBytes + length)
    return fail(path + ": truncated header");
  StringRef header = text.substr(8 + lengthBytes, length);
  if (header.contains("'fortran_order': True"))
    return fail(path + ": Fortran order is not supported");

  NpyArray array;
  StringRef descr = header.split("'descr':").second.split('\'').second;
  array.dtype = descr.split('\'').first.str();
  StringRef dims =
      header.split("'shape':").second.split('(').second.split(')').first;
  while (!dims.trim().empty()) {
    auto [head, tail] = dims.split(',');
    int64_t size;
    if (!head.trim().empty()) {
      if (head.trim().getAsInteger(10, size))
        return fail(path + ": bad shape");
      array.shape.push_back(size);
    }
    dims = tail;
  }
  StringRef data = text.drop_front(8 + lengthBytes + length);
  array.data.assign(data.begin(), data.end());
  return array;
}

Error ourc::test::writeNpy(StringRef path, StringRef dtype,
                           ArrayRef<int64_t> shape, const void *data,
                           size_t bytes) {
  std::error_code error;
  raw_fd_ostream out(path, error);
  if (error)
    return fail(path + ": " + error.message());
  std::string header =
      ("{'descr': '" + dtype + "', 'fortran_order': False, 'shape': (").str();
  for (int64_t size : shape)
    header += std::to_string(size) + ",";
  header += "), }";
  header.append(64 - (10 + header.size() + 1) % 64, ' ');
  header += '\n';
  out << StringRef("\x93NUMPY\x01\0", 8);
  out << char(header.size() & 0xff) << char(header.size() >> 8) << header;
  out.write(static_cast<const char *>(data), bytes);
  return Error::success();
}
