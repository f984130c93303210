//===- SafeTensors.h - Weights in a .safetensors file ---------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The format: eight bytes with the length of the header, the header (a JSON
// object from names to {dtype, shape, data_offsets}), the data.
//
//===----------------------------------------------------------------------===//

#ifndef OURC_RUNTIME_IO_SAFETENSORS_H
#define OURC_RUNTIME_IO_SAFETENSORS_H

#include "runtime/io/MappedFile.h"
#include "runtime/support/Text.h"

namespace ourc::runtime {

struct SafeTensor {
  const char *name;
  const char *dtypeName; ///< as the file says it: "F32"
  int32_t dtype;         ///< OurcDType, -1 where we have none
  int32_t rank;
  const int64_t *shape;
  const char *data; ///< in the mapped file; any alignment
  int64_t bytes;
};

/// A mapped file. Opening checks all of the header, so that every tensor's data
/// lies inside the file, does not overlap another's and has the size that its
/// shape and type say.
class SafeTensors {
public:
  int32_t open(const char *path);
  int64_t size() const { return tensors.size(); }
  /// In the order of names.
  const SafeTensor &operator[](int64_t index) const { return tensors[index]; }
  /// Null: there is none of this name.
  const SafeTensor *find(const char *name) const;
  void swap(SafeTensors &other);

private:
  int32_t parse(const char *path);

  MappedFile file;
  Text names;         // and type names, zero-terminated
  Vec<int64_t> sizes; // all shapes
  Vec<SafeTensor> tensors;
};

/// A tensor to write; its data is dense and row-major.
struct SafeTensorSource {
  const char *name;
  int32_t dtype; ///< OurcDType
  int32_t rank;
  const int64_t *shape;
  const void *data;
};
int32_t writeSafeTensors(const char *path, const SafeTensorSource *tensors,
                         int64_t count);

} // namespace ourc::runtime

#endif // OURC_RUNTIME_IO_SAFETENSORS_H
