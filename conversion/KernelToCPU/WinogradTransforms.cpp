//===- WinogradTransforms.cpp - The transforms of F(2x2, 3x3) -------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToCPU/WinogradEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace ourc;

static Value plus(CodeBuilder &code, Value lhs, Value rhs) {
  return arith::AddFOp::create(code.builder, code.loc, lhs, rhs);
}

static Value minus(CodeBuilder &code, Value lhs, Value rhs) {
  return arith::SubFOp::create(code.builder, code.loc, lhs, rhs);
}

/// B^T d for four inputs in a line.
static std::array<Value, 4> transformLine(CodeBuilder &code,
                                          std::array<Value, 4> d) {
  return {minus(code, d[0], d[2]), plus(code, d[1], d[2]),
          minus(code, d[2], d[1]), minus(code, d[1], d[3])};
}

/// A^T m for four sums in a line.
static std::array<Value, 2> restoreLine(CodeBuilder &code,
                                        std::array<Value, 4> m) {
  return {plus(code, plus(code, m[0], m[1]), m[2]),
          minus(code, minus(code, m[1], m[2]), m[3])};
}

void ourc::emitWinogradInput(
    CodeBuilder &code, function_ref<Value(int64_t, int64_t)> load,
    function_ref<void(int64_t, int64_t, Value)> store) {
  std::array<Value, 4> lines[4]; // by column
  for (int64_t c = 0; c < 4; ++c)
    lines[c] =
        transformLine(code, {load(0, c), load(1, c), load(2, c), load(3, c)});
  for (int64_t r = 0; r < 4; ++r) {
    auto row = transformLine(
        code, {lines[0][r], lines[1][r], lines[2][r], lines[3][r]});
    for (int64_t c = 0; c < 4; ++c)
      store(r, c, row[c]);
  }
}

SmallVector<Value, 4>
ourc::emitWinogradOutput(CodeBuilder &code,
                         function_ref<Value(int64_t, int64_t)> load) {
  std::array<Value, 2> lines[4]; // by column
  for (int64_t c = 0; c < 4; ++c)
    lines[c] =
        restoreLine(code, {load(0, c), load(1, c), load(2, c), load(3, c)});
  SmallVector<Value, 4> results;
  for (int64_t r = 0; r < 2; ++r)
    for (Value value : restoreLine(
             code, {lines[0][r], lines[1][r], lines[2][r], lines[3][r]}))
      results.push_back(value);
  return results;
}
