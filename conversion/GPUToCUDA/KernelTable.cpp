//===- KernelTable.cpp - What the runtime loads of a GPU module -----------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/GPUToCUDA/KernelTable.h"

using namespace mlir;
using namespace ourc;

LLVM::GlobalOp KernelTable::addData(const Twine &name, StringRef bytes) {
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  auto type = LLVM::LLVMArrayType::get(layout.i8, bytes.size());
  return LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true,
                                LLVM::Linkage::Internal, name.str(),
                                builder.getStringAttr(bytes),
                                /*alignment=*/64);
}

LLVM::GlobalOp KernelTable::addStruct(
    const Twine &name, LLVM::LLVMStructType type,
    llvm::function_ref<void(OpBuilder &, SmallVectorImpl<Value> &)> fill) {
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  auto global =
      LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true,
                             LLVM::Linkage::Internal, name.str(), Attribute());
  builder.createBlock(&global.getInitializer());
  SmallVector<Value> fields;
  fill(builder, fields);
  Value value = LLVM::UndefOp::create(builder, loc, type);
  for (auto [i, field] : llvm::enumerate(fields))
    value = LLVM::InsertValueOp::create(builder, loc, value, field,
                                        static_cast<int64_t>(i));
  LLVM::ReturnOp::create(builder, loc, value);
  return global;
}

void KernelTable::addCode(gpu::GPUModuleOp gpuModule, StringRef ptx,
                          StringRef cubin, int32_t architecture) {
  StringRef name = gpuModule.getName();
  loc = gpuModule.getLoc();
  ptxData = addData("ourc_ptx_" + name, (ptx + Twine('\0')).str());
  binaries = LLVM::GlobalOp();
  if (cubin.empty())
    return;
  LLVM::GlobalOp code = addData("ourc_cubin_" + name, cubin);
  binaries = addStruct(
      "ourc_binary_" + name, layout.deviceBinary,
      [&](OpBuilder &builder, SmallVectorImpl<Value> &fields) {
        fields.append(
            {LLVM::ConstantOp::create(builder, loc,
                                      builder.getI32IntegerAttr(architecture)),
             LLVM::AddressOfOp::create(builder, loc, code),
             LLVM::ConstantOp::create(
                 builder, loc,
                 builder.getI64IntegerAttr(
                     static_cast<int64_t>(cubin.size())))});
      });
}

LLVM::GlobalOp KernelTable::addKernel(LLVM::LLVMFuncOp kernel,
                                      LLVM::LLVMFuncOp twin) {
  std::string name = kernel.getSymName().str(), signature;
  for (Type type : kernel.getArgumentTypes())
    signature += isa<LLVM::LLVMPointerType>(type) ? 'p' : 'i';
  LLVM::GlobalOp nameData =
      addData("ourc_name_" + name, (name + Twine('\0')).str());
  LLVM::GlobalOp signatureData =
      addData("ourc_signature_" + name, (signature + Twine('\0')).str());
  return addStruct(
      "ourc_kernel_" + name, layout.deviceKernel,
      [&](OpBuilder &builder, SmallVectorImpl<Value> &fields) {
        Value null = LLVM::ZeroOp::create(builder, loc, layout.ptr);
        auto addressOf = [&](LLVM::GlobalOp global) -> Value {
          return global ? LLVM::AddressOfOp::create(builder, loc, global)
                        : null;
        };
        fields.append(
            {addressOf(nameData), addressOf(signatureData), addressOf(binaries),
             LLVM::ConstantOp::create(
                 builder, loc, builder.getI64IntegerAttr(binaries ? 1 : 0)),
             addressOf(ptxData),
             twin ? Value(LLVM::AddressOfOp::create(builder, loc, twin))
                  : null});
      });
}
