//===- Npy.h - Reading and writing .npy files -----------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_TEST_LIB_NPY_H
#define OURC_TEST_LIB_NPY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace ourc::test {

/// An array in a .npy file: C order, little endian.
struct NpyArray {
  std::string dtype; ///< numpy's `descr`, such as "<f4"
  std::vector<int64_t> shape;
  std::vector<char> data;
};

llvm::Expected<NpyArray> readNpy(llvm::StringRef path);
llvm::Error writeNpy(llvm::StringRef path, llvm::StringRef dtype,
                     llvm::ArrayRef<int64_t> shape, const void *data,
                     size_t bytes);

} // namespace ourc::test

#endif // OURC_TEST_LIB_NPY_H
