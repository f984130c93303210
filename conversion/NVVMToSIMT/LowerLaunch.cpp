//===- LowerLaunch.cpp - A launch on the SIMT machine ------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/NVVMToSIMT/SimtRuntime.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;
using namespace ourc::simt;

/// Stores `values` one after the other in `stride`-byte slots of a new array on
/// the stack, and returns its address.
static Value storeArray(OpBuilder &builder, OpBuilder &entry, Location loc,
                        ValueRange values, int64_t stride) {
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Value bytes = LLVM::ConstantOp::create(
      entry, loc,
      entry.getI64IntegerAttr(
          std::max<int64_t>(1, static_cast<int64_t>(values.size()) * stride)));
  Value array = LLVM::AllocaOp::create(entry, loc, pointer, entry.getI8Type(),
                                       bytes, /*alignment=*/16);
  for (auto [i, value] : llvm::enumerate(values)) {
    Value slot = LLVM::GEPOp::create(
        builder, loc, pointer, builder.getI8Type(), array,
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(i * stride)});
    LLVM::StoreOp::create(builder, loc, value, slot);
  }
  return array;
}

/// The bytes of the buffer behind an argument, -1 where they are not known.
static Value emitExtent(OpBuilder &builder, Location loc, Attribute extents,
                        ValueRange arguments) {
  auto i64 = [&](int64_t value) -> Value {
    return LLVM::ConstantOp::create(builder, loc,
                                    builder.getI64IntegerAttr(value));
  };
  auto sizes = dyn_cast_if_present<DenseI64ArrayAttr>(extents);
  if (!sizes || sizes.empty())
    return i64(-1);
  int64_t known = 1;
  SmallVector<Value> factors;
  for (int64_t size : sizes.asArrayRef()) {
    auto position = static_cast<size_t>(-1 - size);
    if (size >= 0)
      known *= size;
    else if (position < arguments.size() &&
             arguments[position].getType() == builder.getI64Type())
      factors.push_back(arguments[position]);
    else
      return i64(-1);
  }
  Value bytes = i64(known);
  for (Value factor : factors)
    bytes = LLVM::MulOp::create(builder, loc, bytes, factor);
  return bytes;
}

/// An array of OurcSimtBuffer for the arguments and the tables of a launch.
static Value emitBuffers(OpBuilder &builder, OpBuilder &entry,
                         gpu::LaunchFuncOp launch, const KernelInfo &kernel,
                         ArrayRef<LLVM::GlobalOp> tables,
                         RuntimeCalls &runtime) {
  Location loc = launch.getLoc();
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  SmallVector<Value> fields;
  auto name = [&](StringRef what, size_t number) {
    std::string text = (what + Twine(number)).str();
    std::string symbol = "ourc_simt_" + text;
    std::replace(symbol.begin(), symbol.end(), ' ', '_');
    return runtime.getString(builder, loc, symbol, text);
  };
  auto arguments = launch.getKernelOperands();
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    bool isPointer = isa<LLVM::LLVMPointerType>(argument.getType());
    fields.push_back(isPointer
                         ? argument
                         : Value(LLVM::ZeroOp::create(builder, loc, pointer)));
    fields.push_back(
        emitExtent(builder, loc,
                   isPointer && kernel.extents && i < kernel.extents.size()
                       ? kernel.extents[i]
                       : Attribute(),
                   arguments));
    fields.push_back(name("argument ", i));
  }
  for (auto [i, table] : llvm::enumerate(tables)) {
    LLVM::GlobalOp global = table;
    fields.push_back(
        LLVM::AddressOfOp::create(builder, loc, pointer, global.getSymName()));
    fields.push_back(
        LLVM::ConstantOp::create(builder, loc,
                                 builder.getI64IntegerAttr(static_cast<int64_t>(
                                     DataLayout::closest(launch)
                                         .getTypeSize(global.getGlobalType())
                                         .getFixedValue()))));
    fields.push_back(name("table ", i));
  }
  return storeArray(builder, entry, loc, fields, 8);
}

LogicalResult ourc::simt::lowerLaunch(Operation *op, RuntimeCalls &runtime,
                                      const KernelInfo &kernel,
                                      ArrayRef<LLVM::GlobalOp> tables,
                                      const SharedLayout &layout) {
  LLVM::LLVMFuncOp thunk = kernel.thunk;
  auto launch = cast<gpu::LaunchFuncOp>(op);
  auto function = launch->getParentOfType<LLVM::LLVMFuncOp>();
  Type i32 = IntegerType::get(op->getContext(), 32);
  if (!function || function.getFunctionType().getReturnType() != i32)
    return launch.emitOpError(
        "must be in an llvm.func that returns i32, the code of the launch");
  if (launch.hasClusterSize() || launch.getAsyncToken() ||
      !launch.getAsyncDependencies().empty())
    return launch.emitOpError(
        "with clusters or tokens cannot run on the SIMT machine");
  Value context = launch.getAsyncObject();
  if (!context || !isa<LLVM::LLVMPointerType>(context.getType()))
    return launch.emitOpError(
        "needs the runtime's context: gpu.launch_func <%ctx : !llvm.ptr> …");

  Location loc = launch.getLoc();
  OpBuilder builder(launch);
  OpBuilder entry = OpBuilder::atBlockBegin(&function.getBody().front());
  gpu::KernelDim3 grid = launch.getGridSizeOperandValues();
  gpu::KernelDim3 block = launch.getBlockSizeOperandValues();
  Type i64 = builder.getI64Type();
  for (Value size : {grid.x, block.x})
    if (size.getType() != i64)
      return launch.emitOpError("must have sizes of type i64, but has ")
             << size.getType();

  // Every argument in a slot of 16 bytes, then the addresses of the slots.
  auto pointer = LLVM::LLVMPointerType::get(op->getContext());
  Value slots = storeArray(builder, entry, loc, launch.getKernelOperands(), 16);
  SmallVector<Value> addresses;
  for (unsigned i = 0; i < launch.getNumKernelOperands(); ++i)
    addresses.push_back(LLVM::GEPOp::create(
        builder, loc, pointer, builder.getI8Type(), slots,
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(16 * i)}));
  Value arguments = storeArray(builder, entry, loc, addresses, 8);
  Value gridSizes =
      storeArray(builder, entry, loc, {grid.x, grid.y, grid.z}, 8);
  Value blockSizes =
      storeArray(builder, entry, loc, {block.x, block.y, block.z}, 8);

  Value shared = LLVM::ConstantOp::create(
      builder, loc, builder.getI64IntegerAttr(layout.staticBytes));
  if (Value dynamic = launch.getDynamicSharedMemorySize()) {
    dynamic = LLVM::ZExtOp::create(builder, loc, i64, dynamic);
    shared = LLVM::AddOp::create(builder, loc, shared, dynamic);
  }
  StringRef kernelName = launch.getKernelName().getValue();
  Value name = runtime.getString(
      builder, loc, ("ourc_simt_name_" + kernelName).str(), kernelName);
  Value address =
      LLVM::AddressOfOp::create(builder, loc, pointer, thunk.getSymName());
  Value buffers = emitBuffers(builder, entry, launch, kernel, tables, runtime);
  Value numBuffers = LLVM::ConstantOp::create(
      builder, loc,
      builder.getI64IntegerAttr(
          static_cast<int64_t>(launch.getNumKernelOperands() + tables.size())));
  Value code =
      runtime.call(builder, loc, "ourc_simt_launch", i32,
                   {context, name, address, arguments, gridSizes, blockSizes,
                    shared, buffers, numBuffers,
                    RuntimeCalls::constant(
                        builder, loc, static_cast<int32_t>(kernel.granule))});

  // Return at once when the launch failed.
  Block *before = launch->getBlock();
  Block *after = before->splitBlock(launch);
  Block *failed = builder.createBlock(after);
  LLVM::ReturnOp::create(builder, loc, code);
  builder.setInsertionPointToEnd(before);
  Value zero = RuntimeCalls::constant(builder, loc, 0);
  Value bad =
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, code, zero);
  LLVM::CondBrOp::create(builder, loc, bad, failed, after);
  launch.erase();
  return success();
}
