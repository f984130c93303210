//===- Npy.h - Arrays in .npy files ---------------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// NumPy's format, versions 1 to 3: a magic string, a header that is the text of
// a Python dictionary, the data. NumPy has no bfloat16: such an array is one of
// two-byte items without a meaning ('V2', as the ml_dtypes package writes them)
// or of uint16 ('u2'); NpyArray::rawTwoBytes marks both.
//
//===----------------------------------------------------------------------===//

#ifndef OURC_RUNTIME_IO_NPY_H
#define OURC_RUNTIME_IO_NPY_H

#include "runtime/abi/ProgramABI.h"
#include "runtime/io/MappedFile.h"

namespace ourc::runtime {

/// A mapped array. Its memory may be written to; the file does not change.
class NpyArray {
public:
  int32_t open(const char *path);

  int32_t dtype = -1; ///< OurcDType; -1: none of ours, see `rawTwoBytes`
  bool rawTwoBytes = false;
  int32_t rank = 0;
  int64_t shape[OURC_MAX_RANK];
  int64_t strides[OURC_MAX_RANK]; ///< in elements
  char *data = nullptr;           ///< any alignment
  char descr[32];                 ///< the type as the file says it: "<f4"

private:
  int32_t parse(const char *path);
  MappedFile file;
};

/// Writes dense row-major data; bfloat16 becomes 'V2'.
int32_t writeNpy(const char *path, int32_t dtype, int32_t rank,
                 const int64_t *shape, const void *data);

} // namespace ourc::runtime

#endif // OURC_RUNTIME_IO_NPY_H
