//===- GraphFunctions.cpp - Code of run, init and shapes ------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/GraphToLLVM/GraphFunctions.h"

#include "dialects/kernel/KernelDialect.h"
#include "dialects/ourc/OurcDialect.h"
#include "runtime/abi/Model.h"
#include "transforms/buffer/ProgramFunctions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ourc;

/// The function of the runtime that runs kernels.
static constexpr StringLiteral kLaunchName = "ourc_launch";
/// Those that reach into the memory of a device.
static constexpr StringLiteral kDeviceCopyName = "ourc_device_copy",
                               kDeviceStoreName = "ourc_device_store",
                               kDeviceConstantName = "ourc_device_constant";

namespace {

/// A buffer of the graph: its address and the values (i64) of all dimensions.
struct Buffer {
  Value pointer;
  SmallVector<Value> sizes;
};

/// Writes one function of the program. Buffers are contiguous and row-major:
/// an address and sizes are all there is to know of one.
class GraphEmitter {
public:
  GraphEmitter(ModuleOp module, LLVM::LLVMFuncOp func, Value symbols,
               bool onDevice)
      : module(module), func(func), symbols(symbols), onDevice(onDevice),
        symbolNumbers(programSymbolNumbers(module)),
        b(OpBuilder::atBlockEnd(&func.getBody().front())),
        ptr(LLVM::LLVMPointerType::get(module.getContext())),
        i64(b.getI64Type()), i32(b.getI32Type()) {}

  LogicalResult emitOperands(const ProgramSignature &signature,
                             func::FuncOp source, Value operands);
  void emitArena(const ProgramSignature &signature, Value arena, Value offsets);
  LogicalResult emitBody(Block &body);
  void emitReturn() {
    LLVM::ReturnOp::create(b, func.getLoc(), constant(0, i32));
  }

  LogicalResult emit(Operation *op);
  OpBuilder &builder() { return b; }
  /// A value of the source function as i64.
  Value sizeValue(Value index, Location loc);
  Value element(Type type, Value base, int64_t index, Location loc);

private:
  Value constant(int64_t value, Type type) {
    return LLVM::ConstantOp::create(b, func.getLoc(), type,
                                    b.getIntegerAttr(type, value));
  }
  Value sizeValue(OpFoldResult size, Location loc) {
    if (auto value = dyn_cast<Value>(size))
      return sizeValue(value, loc);
    return constant(*getConstantIntValue(size), i64);
  }
  void setIndex(Value index, Value asI64);
  FailureOr<Value> symbolValue(StringRef name, Location loc);
  LogicalResult emitDestinationSizes(BlockArgument arg, ArrayAttr description,
                                     Buffer &buffer);
  LogicalResult emitLaunch(kernel::LaunchOp launch);
  LogicalResult emitCopy(memref::CopyOp copy);
  LogicalResult emitSubView(memref::SubViewOp op);
  LogicalResult emitGlobal(memref::GetGlobalOp op);
  LogicalResult emitStore(memref::StoreOp op);
  Value slots(int64_t count, Type type, Location loc);
  /// Calls a function of the runtime, with the call's context first.
  Value callRuntime(StringRef name, Type result, ValueRange arguments,
                    Location loc);
  /// Ends the function with `code` where `failed` holds.
  void stopIf(Value failed, Value code, Location loc);
  /// The same where a call returned another code than 0.
  void stopAfter(Value code, Location loc) {
    stopIf(LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::ne, code,
                                constant(0, i32)),
           code, loc);
  }

  ModuleOp module;
  LLVM::LLVMFuncOp func;
  Value symbols;
  /// Whether buffers are in the memory of a device.
  bool onDevice;
  llvm::StringMap<int64_t> symbolNumbers;
  OpBuilder b;
  LLVM::LLVMPointerType ptr;
  IntegerType i64, i32;
  IRMapping indices;
  DenseMap<Value, Buffer> buffers;
  int64_t numLaunches = 0;
  /// Where a failing launch ends the function with its code.
  Block *stop = nullptr;
};

} // namespace

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

Value GraphEmitter::sizeValue(Value index, Location loc) {
  Value mapped = indices.lookupOrNull(index);
  assert(mapped && "an index is emitted before its use");
  return UnrealizedConversionCastOp::create(b, loc, i64, mapped).getResult(0);
}

void GraphEmitter::setIndex(Value index, Value asI64) {
  indices.map(index, UnrealizedConversionCastOp::create(b, index.getLoc(),
                                                        b.getIndexType(), asI64)
                         .getResult(0));
}

Value GraphEmitter::element(Type type, Value base, int64_t index,
                            Location loc) {
  return LLVM::GEPOp::create(
      b, loc, ptr, type, base,
      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(index)});
}

FailureOr<Value> GraphEmitter::symbolValue(StringRef name, Location loc) {
  if (!symbols)
    return emitError(loc)
           << "prepares a weight from a size that is known in a call only";
  auto number = symbolNumbers.find(name);
  if (number == symbolNumbers.end())
    return emitError(loc) << "'" << name << "' is not an ourc.symbol";
  return LLVM::LoadOp::create(b, loc, i64,
                              element(i64, symbols, number->second, loc))
      .getResult();
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

LogicalResult GraphEmitter::emitDestinationSizes(BlockArgument arg,
                                                 ArrayAttr description,
                                                 Buffer &buffer) {
  for (Attribute dim : description) {
    if (auto symbol = dyn_cast<FlatSymbolRefAttr>(dim)) {
      if (!symbols) { // @init: no size of a call is known
        buffer.sizes.push_back(Value());
        continue;
      }
      FailureOr<Value> value = symbolValue(symbol.getValue(), arg.getLoc());
      if (failed(value))
        return failure();
      buffer.sizes.push_back(*value);
      continue;
    }
    auto size = cast<IntegerAttr>(dim);
    if (!size.getType().isIndex()) {
      buffer.sizes.push_back(constant(size.getInt(), i64));
      continue;
    }
    // A computed dimension: what @shapes computes, computed here too.
    auto shapes = module.lookupSymbol<func::FuncOp>(kShapesName);
    if (!shapes)
      return emitError(arg.getLoc())
             << "a computed dimension needs '" << kShapesName << "'";
    Block &body = shapes.getBody().front();
    for (Operation &op : body.without_terminator())
      if (op.getNumResults() == 1 && !indices.contains(op.getResult(0)) &&
          failed(emit(&op)))
        return failure();
    Value result = body.getTerminator()->getOperand(size.getInt());
    buffer.sizes.push_back(sizeValue(result, arg.getLoc()));
  }
  return success();
}

LogicalResult GraphEmitter::emitOperands(const ProgramSignature &signature,
                                         func::FuncOp source, Value operands) {
  for (auto [i, arg] : llvm::enumerate(signature.operands())) {
    auto type = cast<MemRefType>(arg.getType());
    Buffer buffer;
    buffer.pointer = LLVM::LoadOp::create(
        b, arg.getLoc(), ptr, element(ptr, operands, i, arg.getLoc()));
    auto shape = source.getArgAttrOfType<ArrayAttr>(arg.getArgNumber(),
                                                    kernel::kShapeAttrName);
    auto destination = source.getArgAttrOfType<ArrayAttr>(arg.getArgNumber(),
                                                          kDestinationAttrName);
    if (ArrayAttr dims = destination ? destination : shape) {
      if (failed(emitDestinationSizes(arg, dims, buffer)))
        return failure();
    } else if (type.hasStaticShape()) {
      for (int64_t size : type.getShape())
        buffer.sizes.push_back(constant(size, i64));
    } else {
      return source.emitError("argument ")
             << arg.getArgNumber()
             << " has dynamic dimensions but no 'ourc.shape'";
    }
    buffers[arg] = buffer;
  }
  return success();
}

void GraphEmitter::emitArena(const ProgramSignature &signature, Value arena,
                             Value offsets) {
  if (signature.arena)
    buffers[signature.arena] = Buffer{arena, {Value()}};
  for (auto [i, arg] : llvm::enumerate(signature.offsets))
    setIndex(arg, LLVM::LoadOp::create(b, arg.getLoc(), i64,
                                       element(i64, offsets, i, arg.getLoc())));
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Stack memory at the function's start, for what is passed to a kernel.
Value GraphEmitter::slots(int64_t count, Type type, Location loc) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&func.getBody().front());
  Value number = constant(std::max<int64_t>(count, 1), i64);
  return LLVM::AllocaOp::create(b, loc, ptr, type, number);
}

LogicalResult GraphEmitter::emitLaunch(kernel::LaunchOp launch) {
  Location loc = launch.getLoc();
  SmallVector<Value> sizes;
  Value pointers = slots(launch->getNumOperands(), ptr, loc);
  for (auto [i, operand] : llvm::enumerate(launch->getOperands())) {
    Buffer &buffer = buffers[operand];
    LLVM::StoreOp::create(b, loc, buffer.pointer,
                          element(ptr, pointers, i, loc));
    auto type = cast<MemRefType>(operand.getType());
    auto callee = SymbolTable::lookupNearestSymbolFrom<kernel::FuncOp>(
        launch, launch.getCalleeAttr());
    // The kernel's own types say which sizes are passed: its operand may be
    // less static than ours.
    auto wanted = callee ? cast<ShapedType>(callee.getArgumentTypes()[i])
                         : cast<ShapedType>(type);
    for (int64_t d = 0; d < wanted.getRank(); ++d)
      if (wanted.isDynamicDim(d)) {
        if (!buffer.sizes[d])
          return launch.emitError(
              "prepares a weight from a size that is known in a call only");
        sizes.push_back(buffer.sizes[d]);
      }
  }
  Value sizeArray = slots(sizes.size(), i64, loc);
  for (auto [i, size] : llvm::enumerate(sizes))
    LLVM::StoreOp::create(b, loc, size, element(i64, sizeArray, i, loc));

  Value kernel = LLVM::AddressOfOp::create(b, loc, ptr,
                                           kernelEntryName(launch.getCallee()));
  int64_t number = numLaunches++;
  if (!symbols) // @init counts down: see ourc_launch
    number = -1 - number;
  Value code =
      LLVM::CallOp::create(b, loc, TypeRange{i32}, kLaunchName,
                           ValueRange{func.getArgument(0), kernel, pointers,
                                      sizeArray, constant(number, i64)})
          .getResult();
  stopAfter(code, loc);
  return success();
}

void GraphEmitter::stopIf(Value failed, Value code, Location loc) {
  Region &body = func.getBody();
  auto *next = new Block;
  body.getBlocks().insertAfter(b.getInsertionBlock()->getIterator(), next);
  if (!stop) {
    stop = new Block;
    body.push_back(stop);
    Value returned = stop->addArgument(i32, loc);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(stop);
    LLVM::ReturnOp::create(b, loc, returned);
  }
  LLVM::CondBrOp::create(b, loc, failed, stop, ValueRange{code}, next,
                         ValueRange());
  b.setInsertionPointToEnd(next);
}

Value GraphEmitter::callRuntime(StringRef name, Type result,
                                ValueRange arguments, Location loc) {
  SmallVector<Value> all{func.getArgument(0)};
  llvm::append_range(all, arguments);
  if (!module.lookupSymbol(name)) {
    OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
    LLVM::LLVMFuncOp::create(
        top, module.getLoc(), name,
        LLVM::LLVMFunctionType::get(
            result, llvm::to_vector(ValueRange(all).getTypes())));
  }
  return LLVM::CallOp::create(b, loc, TypeRange{result}, name, all).getResult();
}

/// Whether a buffer's elements follow each other in row-major order.
static bool isContiguous(MemRefType type) {
  return type.getLayout().isIdentity() || [&] {
    SmallVector<int64_t> strides;
    int64_t offset;
    if (failed(type.getStridesAndOffset(strides, offset)))
      return false;
    int64_t expected = 1;
    for (int64_t d = type.getRank() - 1; d >= 0; --d) {
      if (type.getDimSize(d) != 1 && strides[d] != expected)
        return false;
      if (type.isDynamicDim(d) || ShapedType::isDynamic(expected))
        expected = ShapedType::kDynamic;
      else
        expected *= type.getDimSize(d);
    }
    return true;
  }();
}

static int64_t elementBytes(MemRefType type) {
  return llvm::divideCeil(type.getElementTypeBitWidth(), 8);
}

LogicalResult GraphEmitter::emitCopy(memref::CopyOp copy) {
  auto type = cast<MemRefType>(copy.getTarget().getType());
  if (!isContiguous(type) ||
      !isContiguous(cast<MemRefType>(copy.getSource().getType())))
    return copy.emitError("copies a buffer that is not contiguous; such a copy "
                          "must be a kernel");
  Value bytes = constant(elementBytes(type), i64);
  Buffer &target = buffers[copy.getTarget()];
  for (Value size : target.sizes)
    bytes = LLVM::MulOp::create(b, copy.getLoc(), bytes, size);
  Value source = buffers[copy.getSource()].pointer;
  if (onDevice)
    stopAfter(callRuntime(kDeviceCopyName, i32, {target.pointer, source, bytes},
                          copy.getLoc()),
              copy.getLoc());
  else
    LLVM::MemcpyOp::create(b, copy.getLoc(), target.pointer, source, bytes,
                           /*isVolatile=*/false);
  return success();
}

LogicalResult GraphEmitter::emitSubView(memref::SubViewOp op) {
  if (!isContiguous(op.getType()))
    return op.emitError("is a view that is not contiguous; such a slice must "
                        "be read by a kernel");
  // The offset in elements: row-major strides of the source.
  Location loc = op.getLoc();
  Buffer &source = buffers[op.getSource()];
  if (!llvm::all_of(source.sizes, [](Value size) { return !!size; }))
    return op.emitError("needs a size that is known in a call only");
  Value offset = constant(0, i64), stride = constant(1, i64);
  SmallVector<OpFoldResult> offsets = op.getMixedOffsets();
  for (int64_t d = offsets.size() - 1; d >= 0; --d) {
    Value part =
        LLVM::MulOp::create(b, loc, sizeValue(offsets[d], loc), stride);
    offset = LLVM::AddOp::create(b, loc, offset, part);
    stride = LLVM::MulOp::create(b, loc, stride, source.sizes[d]);
  }
  Value bytes = LLVM::MulOp::create(b, loc, offset,
                                    constant(elementBytes(op.getType()), i64));
  Buffer buffer;
  buffer.pointer = LLVM::GEPOp::create(b, loc, ptr, b.getI8Type(),
                                       source.pointer, ValueRange{bytes});
  llvm::SmallBitVector dropped = op.getDroppedDims();
  for (auto [i, size] : llvm::enumerate(op.getMixedSizes()))
    if (!dropped.test(i))
      buffer.sizes.push_back(sizeValue(size, loc));
  buffers[op.getResult()] = buffer;
  return success();
}

LogicalResult GraphEmitter::emitGlobal(memref::GetGlobalOp op) {
  auto global = module.lookupSymbol<memref::GlobalOp>(op.getName());
  auto lowered = module.lookupSymbol<LLVM::GlobalOp>(op.getName());
  if (!global && !lowered)
    return op.emitError("has no data");
  Buffer buffer;
  buffer.pointer = LLVM::AddressOfOp::create(b, op.getLoc(), ptr, op.getName());
  for (int64_t size : op.getType().getShape())
    buffer.sizes.push_back(constant(size, i64));
  if (onDevice) {
    Location loc = op.getLoc();
    int64_t bytes = elementBytes(op.getType()) * op.getType().getNumElements();
    buffer.pointer = callRuntime(kDeviceConstantName, ptr,
                                 {buffer.pointer, constant(bytes, i64)}, loc);
    Value null = LLVM::ZeroOp::create(b, loc, ptr);
    stopIf(LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::eq, buffer.pointer,
                                null),
           constant(OURC_ERROR_RUNTIME, i32), loc);
  }
  buffers[op.getResult()] = buffer;
  return success();
}

LogicalResult GraphEmitter::emitStore(memref::StoreOp op) {
  if (!op.getIndices().empty())
    return op.emitError(
        "stores into a tensor; the graph only launches kernels");
  Value value = indices.lookupOrNull(op.getValue());
  if (!value)
    return op.emitError("stores a value that is not a size");
  Value target = buffers[op.getMemref()].pointer;
  if (!onDevice) {
    LLVM::StoreOp::create(b, op.getLoc(), value, target);
    return success();
  }
  auto type = cast<MemRefType>(op.getMemref().getType());
  if (!type.getElementType().isInteger(64) && !type.getElementType().isIndex())
    return op.emitError("stores a value that is not a size");
  if (value.getType() != i64)
    value = sizeValue(op.getValue(), op.getLoc());
  stopAfter(callRuntime(kDeviceStoreName, i32,
                        {target, value, constant(elementBytes(type), i64)},
                        op.getLoc()),
            op.getLoc());
  return success();
}

LogicalResult GraphEmitter::emit(Operation *op) {
  Location loc = op->getLoc();
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](kernel::LaunchOp launch) { return emitLaunch(launch); })
      .Case([&](memref::CopyOp copy) { return emitCopy(copy); })
      .Case([&](memref::SubViewOp view) { return emitSubView(view); })
      .Case([&](memref::GetGlobalOp global) { return emitGlobal(global); })
      .Case([&](memref::StoreOp store) { return emitStore(store); })
      .Case([&](memref::ViewOp view) {
        Buffer buffer;
        buffer.pointer = LLVM::GEPOp::create(
            b, loc, ptr, b.getI8Type(), buffers[view.getSource()].pointer,
            ValueRange{sizeValue(view.getByteShift(), loc)});
        auto dynamic = view.getSizes().begin();
        for (int64_t size : view.getType().getShape())
          buffer.sizes.push_back(ShapedType::isDynamic(size)
                                     ? sizeValue(*dynamic++, loc)
                                     : constant(size, i64));
        buffers[view.getResult()] = buffer;
        return success();
      })
      .Case([&](memref::ExpandShapeOp expand) {
        Buffer buffer{buffers[expand.getSrc()].pointer, {}};
        for (OpFoldResult size : expand.getMixedOutputShape())
          buffer.sizes.push_back(sizeValue(size, loc));
        buffers[expand.getResult()] = buffer;
        return success();
      })
      .Case([&](memref::CollapseShapeOp collapse) {
        Buffer source = buffers[collapse.getSrc()];
        Buffer buffer{source.pointer, {}};
        for (const ReassociationIndices &group :
             collapse.getReassociationIndices()) {
          Value size = constant(1, i64);
          for (int64_t i : group)
            size = size && source.sizes[i]
                       ? LLVM::MulOp::create(b, loc, size, source.sizes[i])
                             .getResult()
                       : Value();
          buffer.sizes.push_back(size);
        }
        buffers[collapse.getResult()] = buffer;
        return success();
      })
      .Case([&](memref::CastOp cast) {
        buffers[cast.getResult()] = Buffer(buffers[cast.getSource()]);
        return success();
      })
      .Case([&](memref::DimOp dim) -> LogicalResult {
        std::optional<int64_t> index = dim.getConstantIndex();
        if (!index)
          return dim.emitError("asks for a dimension that is not constant");
        Value size = buffers[dim.getSource()].sizes[*index];
        if (!size)
          return dim.emitError("asks for a size that is known in a call only");
        setIndex(dim.getResult(), size);
        return success();
      })
      .Case([&](DimOp dim) -> LogicalResult {
        FailureOr<Value> value = symbolValue(dim.getSymbol(), loc);
        if (failed(value))
          return failure();
        setIndex(dim.getResult(), *value);
        return success();
      })
      .Default([&](Operation *other) -> LogicalResult {
        if (!isa<arith::ArithDialect>(other->getDialect()) ||
            llvm::any_of(other->getResultTypes(), llvm::IsaPred<ShapedType>))
          return other->emitError(
              "cannot stand in a graph that only launches kernels");
        b.clone(*other, indices);
        return success();
      });
}

LogicalResult GraphEmitter::emitBody(Block &body) {
  for (Operation &op : body.without_terminator())
    if (failed(emit(&op)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

std::string ourc::kernelEntryName(StringRef kernel) {
  return ("kernel_" + kernel).str();
}

static LLVM::LLVMFuncOp createFunction(ModuleOp module, StringRef name,
                                       Location loc, Type result,
                                       unsigned numArguments) {
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  SmallVector<Type> arguments(numArguments,
                              LLVM::LLVMPointerType::get(b.getContext()));
  auto func = LLVM::LLVMFuncOp::create(
      b, loc, name, LLVM::LLVMFunctionType::get(result, arguments),
      LLVM::Linkage::Internal);
  func.addEntryBlock(b);
  return func;
}

/// Declares what runs kernels; see ProgramABI.h.
static void declareLaunch(ModuleOp module) {
  if (module.lookupSymbol(kLaunchName))
    return;
  OpBuilder b = OpBuilder::atBlockBegin(module.getBody());
  auto ptr = LLVM::LLVMPointerType::get(b.getContext());
  LLVM::LLVMFuncOp::create(
      b, module.getLoc(), kLaunchName,
      LLVM::LLVMFunctionType::get(b.getI32Type(),
                                  {ptr, ptr, ptr, ptr, b.getI64Type()}));
}

FailureOr<LLVM::LLVMFuncOp> ourc::emitRun(ModuleOp module, func::FuncOp main,
                                          const ProgramSignature &signature,
                                          bool onDevice) {
  declareLaunch(module);
  auto func = createFunction(module, "ourc_run", main.getLoc(),
                             IntegerType::get(module.getContext(), 32),
                             /*ctx, operands,
symbols, arena, offsets*/ 5);
  GraphEmitter emitter(module, func, func.getArgument(2), onDevice);
  if (failed(emitter.emitOperands(signature, main, func.getArgument(1))))
    return failure();
  emitter.emitArena(signature, func.getArgument(3), func.getArgument(4));
  if (failed(emitter.emitBody(main.getBody().front())))
    return failure();
  emitter.emitReturn();
  return func;
}

FailureOr<LLVM::LLVMFuncOp> ourc::emitInit(ModuleOp module, func::FuncOp init,
                                           const ProgramSignature &signature,
                                           bool onDevice) {
  declareLaunch(module);
  auto func = createFunction(module, "ourc_init", init.getLoc(),
                             IntegerType::get(module.getContext(), 32),
                             /*ctx, operands,
scratch*/ 3);
  GraphEmitter emitter(module, func, Value(), onDevice);
  if (failed(emitter.emitOperands(signature, init, func.getArgument(1))))
    return failure();
  emitter.emitArena(signature, func.getArgument(2), Value());
  if (failed(emitter.emitBody(init.getBody().front())))
    return failure();
  emitter.emitReturn();
  return func;
}

FailureOr<LLVM::LLVMFuncOp> ourc::emitShapes(ModuleOp module,
                                             func::FuncOp shapes,
                                             unsigned numComputedDims) {
  auto func = createFunction(module, "ourc_shapes", shapes.getLoc(),
                             LLVM::LLVMVoidType::get(module.getContext()),
                             /*symbols, computedDims, bufferBytes*/ 3);
  GraphEmitter emitter(module, func, func.getArgument(0), /*onDevice=*/false);
  Block &body = shapes.getBody().front();
  if (failed(emitter.emitBody(body)))
    return failure();
  OpBuilder &b = emitter.builder();
  Location loc = shapes.getLoc();
  for (auto [i, size] : llvm::enumerate(body.getTerminator()->getOperands())) {
    bool computed = i < numComputedDims;
    Value base = func.getArgument(computed ? 1 : 2);
    Value slot = emitter.element(b.getI64Type(), base,
                                 computed ? i : i - numComputedDims, loc);
    LLVM::StoreOp::create(b, loc, emitter.sizeValue(size, loc), slot);
  }
  LLVM::ReturnOp::create(b, loc, ValueRange());
  return func;
}
