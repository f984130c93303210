//===- OperandReader.cpp - Elements of any tensor in a kernel -------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToCPU/OperandReader.h"

using namespace mlir;
using namespace ourc;

FailureOr<Value> OperandReader::read(OpBuilder &, Location loc, Value,
                                     ArrayRef<LaneIndex>, Value) {
  (void)lanes;
  return abi.getKernel().emitError(
      "computes an operand that is not elementwise "
      "in the result");
}
