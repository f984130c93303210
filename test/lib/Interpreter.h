//===- Interpreter.h - What a kernel means, computed in f64 ---------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_TEST_LIB_INTERPRETER_H
#define OURC_TEST_LIB_INTERPRETER_H

#include "dialects/kernel/KernelDialect.h"
#include "llvm/Support/Error.h"
#include <vector>

namespace ourc::test {

/// A scalar: `f` where its type is a float, else `i`, sign-extended.
struct Scalar {
  double f = 0;
  int64_t i = 0;
};

/// A tensor of scalars, row-major.
struct Tensor {
  mlir::Type element;
  std::vector<int64_t> shape;
  std::vector<Scalar> data;

  Tensor() = default;
  Tensor(mlir::Type element, llvm::ArrayRef<int64_t> shape);
  int64_t getLinearIndex(llvm::ArrayRef<int64_t> index) const;

  /// Elements as they lie in memory.
  static Tensor fromMemory(mlir::Type element, llvm::ArrayRef<int64_t> shape,
                           const void *data);
  void toMemory(void *data) const;
};

/// The results of `kernel` on `arguments`, floats computed in f64 whatever
/// their type. Shares nothing with the emitters.
llvm::Expected<std::vector<Tensor>>
interpretKernel(kernel::FuncOp kernel, llvm::ArrayRef<Tensor> arguments);

} // namespace ourc::test

#endif // OURC_TEST_LIB_INTERPRETER_H
