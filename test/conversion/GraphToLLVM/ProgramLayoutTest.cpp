//===- ProgramLayoutTest.cpp - LLVM's structs against the C header --------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/GraphToLLVM/ProgramLayout.h"

#include "runtime/abi/ProgramABI.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Target/LLVMIR/TypeToLLVM.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/LLVMContext.h"
#include "gtest/gtest.h"
#include <cstddef>

using namespace mlir;

namespace {

class ProgramLayoutTest : public ::testing::Test {
protected:
  ProgramLayoutTest() { context.loadDialect<LLVM::LLVMDialect>(); }

  /// The offsets of all fields, then the struct's size, on x86-64.
  std::vector<size_t> offsetsOf(LLVM::LLVMStructType type) {
    llvm::LLVMContext llvmContext;
    LLVM::TypeToLLVMIRTranslator translator(llvmContext);
    auto *structType =
        llvm::cast<llvm::StructType>(translator.translateType(type));
    llvm::DataLayout layout("e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-"
                            "i128:128-f80:128-n8:16:32:64-S128");
    const llvm::StructLayout *fields = layout.getStructLayout(structType);
    std::vector<size_t> offsets;
    for (unsigned i = 0; i < structType->getNumElements(); ++i)
      offsets.push_back(fields->getElementOffset(i).getFixedValue());
    offsets.push_back(fields->getSizeInBytes().getFixedValue());
    return offsets;
  }

  MLIRContext context;
};

TEST_F(ProgramLayoutTest, Symbol) {
  EXPECT_EQ(offsetsOf(ourc::ProgramLayout(&context).symbol),
            (std::vector<size_t>{
                offsetof(OurcSymbol, name), offsetof(OurcSymbol, min),
                offsetof(OurcSymbol, max), offsetof(OurcSymbol, multipleOf),
                sizeof(OurcSymbol)}));
}

TEST_F(ProgramLayoutTest, Dim) {
  EXPECT_EQ(offsetsOf(ourc::ProgramLayout(&context).dim),
            (std::vector<size_t>{offsetof(OurcDim, symbol),
                                 offsetof(OurcDim, size), sizeof(OurcDim)}));
}

TEST_F(ProgramLayoutTest, TensorDesc) {
  EXPECT_EQ(offsetsOf(ourc::ProgramLayout(&context).tensorDesc),
            (std::vector<size_t>{
                offsetof(OurcTensorDesc, name), offsetof(OurcTensorDesc, dtype),
                offsetof(OurcTensorDesc, rank), offsetof(OurcTensorDesc, dims),
                offsetof(OurcTensorDesc, layout),
                offsetof(OurcTensorDesc, updates), sizeof(OurcTensorDesc)}));
}

TEST_F(ProgramLayoutTest, BufferDesc) {
  EXPECT_EQ(offsetsOf(ourc::ProgramLayout(&context).bufferDesc),
            (std::vector<size_t>{offsetof(OurcBufferDesc, firstUse),
                                 offsetof(OurcBufferDesc, lastUse),
                                 sizeof(OurcBufferDesc)}));
}

TEST_F(ProgramLayoutTest, Program) {
  EXPECT_EQ(offsetsOf(ourc::ProgramLayout(&context).program),
            (std::vector<size_t>{offsetof(OurcProgram, abiVersion),
                                 offsetof(OurcProgram, flags),
                                 offsetof(OurcProgram, name),
                                 offsetof(OurcProgram, target),
                                 offsetof(OurcProgram, numSymbols),
                                 offsetof(OurcProgram, numInputs),
                                 offsetof(OurcProgram, numParameters),
                                 offsetof(OurcProgram, numPrepared),
                                 offsetof(OurcProgram, numResults),
                                 offsetof(OurcProgram, symbols),
                                 offsetof(OurcProgram, inputs),
                                 offsetof(OurcProgram, parameters),
                                 offsetof(OurcProgram, prepared),
                                 offsetof(OurcProgram, results),
                                 offsetof(OurcProgram, numBuffers),
                                 offsetof(OurcProgram, buffers),
                                 offsetof(OurcProgram, numComputedDims),
                                 offsetof(OurcProgram, shapes),
                                 offsetof(OurcProgram, init),
                                 offsetof(OurcProgram, initScratchBytes),
                                 offsetof(OurcProgram, run),
                                 offsetof(OurcProgram, report),
                                 offsetof(OurcProgram, device),
                                 sizeof(OurcProgram)}));
}

TEST_F(ProgramLayoutTest, DeviceKernel) {
  EXPECT_EQ(offsetsOf(ourc::ProgramLayout(&context).deviceBinary),
            (std::vector<size_t>{offsetof(OurcDeviceBinary, architecture),
                                 offsetof(OurcDeviceBinary, data),
                                 offsetof(OurcDeviceBinary, bytes),
                                 sizeof(OurcDeviceBinary)}));
  EXPECT_EQ(offsetsOf(ourc::ProgramLayout(&context).deviceKernel),
            (std::vector<size_t>{offsetof(OurcDeviceKernel, name),
                                 offsetof(OurcDeviceKernel, signature),
                                 offsetof(OurcDeviceKernel, binaries),
                                 offsetof(OurcDeviceKernel, numBinaries),
                                 offsetof(OurcDeviceKernel, ptx),
                                 offsetof(OurcDeviceKernel, twin),
                                 sizeof(OurcDeviceKernel)}));
}

} // namespace
