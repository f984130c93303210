//===- RandomTensors.h - Tensors to measure a program with ----------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_TOOLS_OURC_TUNE_RANDOMTENSORS_H
#define OURC_TOOLS_OURC_TUNE_RANDOMTENSORS_H

#include "runtime/abi/DLPack.h"
#include "runtime/abi/ProgramABI.h"

#include "llvm/ADT/ArrayRef.h"

#include <memory>
#include <vector>

namespace ourc::tune {

/// Owns tensors: floats between -1 and 1, the same in each process, integers
/// that are zero (an index in any range), and true.
class RandomTensors {
public:
  /// Appends a tensor. Strides are those of the declared layout. False where
  /// there is no memory.
  bool add(const OurcTensorDesc &desc, llvm::ArrayRef<int64_t> shape);

  int64_t size() const { return tensors.size(); }
  DLTensor *operator[](int64_t index) { return &tensors[index]->tensor; }
  /// The addresses of all.
  std::vector<DLTensor *> addresses();

private:
  struct Owned {
    DLTensor tensor = {};
    std::vector<int64_t> shape, strides;
    std::unique_ptr<void, void (*)(void *)> memory{nullptr, std::free};
  };
  std::vector<std::unique_ptr<Owned>> tensors;
};

} // namespace ourc::tune

#endif // OURC_TOOLS_OURC_TUNE_RANDOMTENSORS_H
