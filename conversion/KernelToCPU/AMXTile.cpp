//===- AMXTile.cpp - Products of tiles of bf16 in AMX registers -----------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToCPU/AMXTile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace ourc;

static Value size(CodeBuilder &code, int64_t value) {
  return arith::ConstantOp::create(code.builder, code.loc,
                                   code.builder.getI16IntegerAttr(value));
}

static Value call(CodeBuilder &code, StringRef name, ValueRange operands) {
  Type tile = LLVM::LLVMX86AMXType::get(code.builder.getContext());
  return LLVM::CallIntrinsicOp::create(code.builder, code.loc, tile,
                                       code.builder.getStringAttr(name),
                                       operands)
      .getResult(0);
}

Value amx::zero(CodeBuilder &code, int64_t rows) {
  return call(code, amx::kZeroName,
              {size(code, rows), size(code, amx::kRowBytes)});
}

Value amx::load(CodeBuilder &code, int64_t rows, Value pointer, Value stride) {
  return call(code, amx::kLoadName,
              {size(code, rows), size(code, amx::kRowBytes), pointer, stride});
}

Value amx::multiply(CodeBuilder &code, int64_t rows, Value sums, Value a,
                    Value b) {
  return call(code, amx::kMultiplyName,
              {size(code, rows), size(code, amx::kRowBytes),
               size(code, amx::kRowBytes), sums, a, b});
}

void amx::store(CodeBuilder &code, int64_t rows, Value pointer, Value stride,
                Value sums) {
  LLVM::CallIntrinsicOp::create(
      code.builder, code.loc, code.builder.getStringAttr(amx::kStoreName),
      ValueRange{size(code, rows), size(code, amx::kRowBytes), pointer, stride,
                 sums});
}
