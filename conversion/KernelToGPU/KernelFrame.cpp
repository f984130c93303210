//===- KernelFrame.cpp - The module, function and entry of one kernel --===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToGPU/KernelFrame.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ourc;
using namespace ourc::gpucodegen;

static constexpr unsigned globalSpace = 1, sharedSpace = 3;
/// What a block may use without asking the driver for more.
static constexpr int64_t maxStaticShared = 48 * 1024;

int64_t SharedMemory::reserve(int64_t size, int64_t alignment) {
  bytes = static_cast<int64_t>(llvm::alignTo(static_cast<uint64_t>(bytes),
                                             static_cast<uint64_t>(alignment)));
  int64_t offset = bytes;
  bytes += size;
  return offset;
}

/// An operation before which values at the top of `block` go.
static Operation *createTopEnd(Block *block, Location loc) {
  OpBuilder builder = OpBuilder::atBlockEnd(block);
  return arith::ConstantIndexOp::create(builder, loc, 0);
}

KernelFrame::KernelFrame(kernel::FuncOp kernel, int64_t numThreads)
    : kernel(kernel), numThreads(numThreads), deviceSizes(nullptr, {}),
      hostSizes(nullptr, {}) {
  Location loc = kernel.getLoc();
  MLIRContext *context = kernel.getContext();
  OpBuilder builder(kernel);
  auto globalPointer = LLVM::LLVMPointerType::get(context, globalSpace);
  auto pointer = LLVM::LLVMPointerType::get(context);
  Type i64 = builder.getI64Type(), index = builder.getIndexType();

  // One argument for each operand, then one for each dynamic size.
  ArrayRef<Type> operandTypes = kernel.getArgumentTypes();
  SmallVector<Type> types(operandTypes.size(), globalPointer);
  // Dimensions with one symbol are one size.
  llvm::DenseMap<Attribute, unsigned> symbols;
  for (auto [i, type] : llvm::enumerate(operandTypes)) {
    auto tensor = cast<RankedTensorType>(type);
    for (int64_t dim = 0; dim < tensor.getRank(); ++dim)
      if (tensor.isDynamicDim(dim)) {
        auto position = static_cast<unsigned>(types.size());
        types.push_back(i64);
        if (auto shape = kernel.getArgAttrOfType<ArrayAttr>(
                static_cast<unsigned>(i), kernel::kShapeAttrName))
          position =
              symbols.try_emplace(shape[static_cast<size_t>(dim)], position)
                  .first->second;
        sizeIndex[{static_cast<unsigned>(i), dim}] = position;
      }
  }

  module = gpu::GPUModuleOp::create(builder, loc,
                                    (kernel.getSymName() + "_gpu").str());
  OpBuilder inModule = OpBuilder::atBlockBegin(module.getBody());
  function = gpu::GPUFuncOp::create(inModule, loc,
                                    (kernel.getSymName() + "_kernel").str(),
                                    builder.getFunctionType(types, {}));
  function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                    builder.getUnitAttr());
  function.setKnownBlockSizeAttr(
      builder.getDenseI32ArrayAttr({static_cast<int32_t>(numThreads), 1, 1}));

  // What checkers know about the buffers behind the arguments.
  SmallVector<Attribute> extents;
  for (auto [i, type] : llvm::enumerate(operandTypes)) {
    auto tensor = cast<RankedTensorType>(type);
    SmallVector<int64_t> extent{
        llvm::divideCeil(tensor.getElementTypeBitWidth(), 8)};
    for (int64_t dim = 0; dim < tensor.getRank(); ++dim)
      extent.push_back(tensor.isDynamicDim(dim)
                           ? -1 - static_cast<int64_t>(sizeIndex.lookup(
                                      {static_cast<unsigned>(i), dim}))
                           : tensor.getDimSize(dim));
    extents.push_back(builder.getDenseI64ArrayAttr(extent));
  }
  function->setAttr("kernel.extents", builder.getArrayAttr(extents));

  auto entryType = builder.getFunctionType({pointer, pointer, pointer},
                                           {builder.getI32Type()});
  entry = func::FuncOp::create(builder, loc, kernel.getSymName(), entryType);
  Block *entryBlock = entry.addEntryBlock();
  OpBuilder host = OpBuilder::atBlockEnd(entryBlock);
  auto load = [&](Value array, Type type, size_t position) -> Value {
    Value address = LLVM::GEPOp::create(
        host, loc, pointer, type, array,
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(position)});
    return LLVM::LoadOp::create(host, loc, type, address);
  };
  for (size_t i = 0; i < operandTypes.size(); ++i)
    hostOperands.push_back(LLVM::AddrSpaceCastOp::create(
        host, loc, globalPointer,
        load(entryBlock->getArgument(1), pointer, i)));
  SmallVector<Value> hostSizeValues;
  for (size_t i = operandTypes.size(); i < types.size(); ++i) {
    Value size = load(entryBlock->getArgument(2), i64, i - operandTypes.size());
    hostOperands.push_back(size);
    hostSizeValues.push_back(
        arith::IndexCastOp::create(host, loc, index, size));
  }

  OpBuilder device = getBodyBuilder();
  SmallVector<Value> deviceSizeValues;
  for (size_t i = operandTypes.size(); i < types.size(); ++i)
    deviceSizeValues.push_back(arith::IndexCastOp::create(
        device, loc, index, function.getArgument(static_cast<unsigned>(i))));

  deviceTop = createTopEnd(&function.getBody().front(), loc);
  hostTop = createTopEnd(entryBlock, loc);
  auto lookUp = [this,
                 numOperands = operandTypes.size()](SmallVector<Value> values) {
    return [this, numOperands, values = std::move(values)](unsigned argument,
                                                           int64_t dim) {
      return values[sizeIndex.lookup({argument, dim}) - numOperands];
    };
  };
  deviceSizes = SizeValues(deviceTop, lookUp(std::move(deviceSizeValues)));
  hostSizes = SizeValues(hostTop, lookUp(std::move(hostSizeValues)));
}

OpBuilder KernelFrame::getBodyBuilder() {
  return OpBuilder::atBlockEnd(&function.getBody().front());
}

OpBuilder KernelFrame::getEntryBuilder() {
  return OpBuilder::atBlockEnd(&entry.getBody().front());
}

Value KernelFrame::getPointer(BlockArgument argument) {
  return function.getArgument(argument.getArgNumber());
}

Value KernelFrame::areOperandsAligned() {
  Location loc = getLoc();
  OpBuilder top(deviceTop);
  Type i64 = top.getI64Type();
  Value any;
  for (BlockArgument argument : kernel.getArguments()) {
    Value address =
        LLVM::PtrToIntOp::create(top, loc, i64, getPointer(argument));
    any = any ? arith::OrIOp::create(top, loc, any, address) : address;
  }
  Value low = arith::AndIOp::create(
      top, loc, any, arith::ConstantIntOp::create(top, loc, i64, 15));
  return arith::CmpIOp::create(top, loc, arith::CmpIPredicate::eq, low,
                               arith::ConstantIntOp::create(top, loc, i64, 0));
}

Value KernelFrame::getTable(DenseElementsAttr elements) {
  Value &address = tables[elements];
  if (address)
    return address;
  // A boolean is a byte in memory.
  if (elements.getElementType().isInteger(1))
    elements =
        elements.mapValues(IntegerType::get(kernel.getContext(), 8),
                           [](const APInt &value) { return value.zext(8); });
  int64_t size = elements.getNumElements();
  elements = elements.reshape(
      RankedTensorType::get({size}, elements.getElementType()));
  std::string name = "table" + std::to_string(tables.size() - 1);
  OpBuilder inModule = OpBuilder::atBlockBegin(module.getBody());
  LLVM::GlobalOp::create(inModule, getLoc(),
                         LLVM::LLVMArrayType::get(elements.getElementType(),
                                                  static_cast<unsigned>(size)),
                         /*isConstant=*/true, LLVM::Linkage::Internal, name,
                         elements,
                         /*alignment=*/16, globalSpace);
  OpBuilder top = OpBuilder::atBlockBegin(deviceTop->getBlock());
  return address = LLVM::AddressOfOp::create(
             top, getLoc(),
             LLVM::LLVMPointerType::get(kernel.getContext(), globalSpace),
             name);
}

Value KernelFrame::getThreadId() {
  if (!threadId) {
    OpBuilder top = OpBuilder::atBlockBegin(deviceTop->getBlock());
    threadId = gpu::ThreadIdOp::create(top, getLoc(), gpu::Dimension::x);
  }
  return threadId;
}

Value KernelFrame::getBlockId(gpu::Dimension dimension) {
  Value &id = blockIds[static_cast<size_t>(dimension)];
  if (!id) {
    OpBuilder top = OpBuilder::atBlockBegin(deviceTop->getBlock());
    id = gpu::BlockIdOp::create(top, getLoc(), dimension);
  }
  return id;
}

Value KernelFrame::getSharedBase() {
  if (!sharedBase) {
    OpBuilder top = OpBuilder::atBlockBegin(deviceTop->getBlock());
    sharedBase = LLVM::AddressOfOp::create(
        top, getLoc(),
        LLVM::LLVMPointerType::get(kernel.getContext(), sharedSpace), "shared");
  }
  return sharedBase;
}

void KernelFrame::finish(std::array<Value, 3> grid) {
  Location loc = getLoc();
  OpBuilder device = getBodyBuilder();
  gpu::ReturnOp::create(device, loc);

  // Up to 48 KB a variable of static size, above that the dynamic array.
  int64_t bytes = shared.getBytes();
  bool dynamic = bytes > maxStaticShared;
  if (sharedBase) {
    OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
    auto type = LLVM::LLVMArrayType::get(
        top.getI8Type(), static_cast<unsigned>(dynamic ? 0 : bytes));
    LLVM::GlobalOp::create(
        top, loc, type, /*isConstant=*/false,
        dynamic ? LLVM::Linkage::External : LLVM::Linkage::Internal, "shared",
        Attribute(), /*alignment=*/1024, sharedSpace);
  }

  OpBuilder host = OpBuilder::atBlockEnd(hostTop->getBlock());
  Type i64 = host.getI64Type();
  auto toI64 = [&](Value value) -> Value {
    return arith::IndexCastOp::create(host, loc, i64, value);
  };
  Value one = arith::ConstantIntOp::create(host, loc, i64, 1);
  Value threads = arith::ConstantIntOp::create(host, loc, i64, numThreads);
  Value zero = arith::ConstantIntOp::create(host, loc, i64, 0);
  gpu::KernelDim3 gridSize{toI64(grid[0]), toI64(grid[1]), toI64(grid[2])};
  Value code = arith::ConstantIntOp::create(host, loc, host.getI32Type(), 0);
  Value numBlocks = arith::MulIOp::create(
      host, loc, gridSize.x,
      arith::MulIOp::create(host, loc, gridSize.y, gridSize.z));
  Value some = arith::CmpIOp::create(host, loc, arith::CmpIPredicate::ne,
                                     numBlocks, zero);
  Block *current = host.getInsertionBlock();
  Block *launch = host.createBlock(&entry.getBody());
  Block *done = host.createBlock(&entry.getBody());
  func::ReturnOp::create(host, loc, code);
  host.setInsertionPointToEnd(current);
  cf::CondBranchOp::create(host, loc, some, launch, done);
  host.setInsertionPointToEnd(launch);
  Value dynamicBytes = dynamic ? Value(arith::ConstantIntOp::create(
                                     host, loc, host.getI32Type(), bytes))
                               : Value();
  auto symbol = SymbolRefAttr::get(
      module.getNameAttr(), {FlatSymbolRefAttr::get(function.getNameAttr())});
  gpu::LaunchFuncOp::create(
      host, loc, symbol, gridSize, gpu::KernelDim3{threads, one, one},
      dynamicBytes, hostOperands, entry.getBody().front().getArgument(0));
  cf::BranchOp::create(host, loc, done);
}
