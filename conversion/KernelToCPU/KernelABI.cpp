//===- KernelABI.cpp - The functions that a kernel becomes ----------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToCPU/KernelABI.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace ourc;

static LLVM::LLVMPointerType getPointerType(MLIRContext *context) {
  return LLVM::LLVMPointerType::get(context);
}

KernelABI::KernelABI(kernel::FuncOp kernel)
    : kernel(kernel), module(kernel->getParentOfType<ModuleOp>()) {
  MLIRContext *context = kernel.getContext();
  Location loc = kernel.getLoc();
  OpBuilder builder(kernel);
  Type pointer = getPointerType(context);
  // The kernel still owns the name; the pass gives it to the entry.
  entry =
      func::FuncOp::create(builder, loc, (kernel.getSymName() + ".entry").str(),
                           builder.getFunctionType({pointer, pointer, pointer},
                                                   {builder.getI32Type()}));
  Block *block = entry.addEntryBlock();
  builder.setInsertionPointToStart(block);
  topEnd =
      arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0));
}

OpBuilder KernelABI::getTopBuilder() { return OpBuilder(topEnd); }

OpBuilder KernelABI::getBodyBuilder() {
  return OpBuilder::atBlockEnd(&entry.getBody().front());
}

LogicalResult KernelABI::finish() {
  OpBuilder builder = getBodyBuilder();
  func::ReturnOp::create(builder, getLoc(), topEnd->getResults());
  return failure(anyError);
}

//===----------------------------------------------------------------------===//
// Constants, addresses, sizes
//===----------------------------------------------------------------------===//

Value KernelABI::getConstant(TypedAttr value) {
  Value &constant = constants[value];
  if (!constant) {
    OpBuilder builder = getTopBuilder();
    constant = arith::ConstantOp::create(builder, getLoc(), value);
  }
  return constant;
}

Value KernelABI::getConstant(int64_t value) {
  return getConstant(Builder(getLoc().getContext()).getI64IntegerAttr(value));
}

Value KernelABI::emitAddress(OpBuilder &builder, Location loc, Value pointer,
                             Value elements, Type type) {
  APInt constant;
  if (matchPattern(elements, m_ConstantInt(&constant)))
    return emitAddress(builder, loc, pointer, constant.getSExtValue(), type);
  return LLVM::GEPOp::create(builder, loc, pointer.getType(), type, pointer,
                             ArrayRef<LLVM::GEPArg>{elements},
                             LLVM::GEPNoWrapFlags::inbounds);
}

Value KernelABI::emitAddress(OpBuilder &builder, Location loc, Value pointer,
                             int64_t elements, Type type) {
  if (elements == 0)
    return pointer;
  // A GEP's constant index has 32 bits.
  LLVM::GEPArg index = static_cast<int32_t>(elements);
  if (!llvm::isInt<32>(elements))
    index =
        arith::ConstantIntOp::create(builder, loc, elements, 64).getResult();
  return LLVM::GEPOp::create(builder, loc, pointer.getType(), type, pointer,
                             ArrayRef<LLVM::GEPArg>{index},
                             LLVM::GEPNoWrapFlags::inbounds);
}

Value KernelABI::getPointer(BlockArgument argument) {
  Value &pointer = pointers[argument];
  if (!pointer) {
    OpBuilder builder = getTopBuilder();
    Type type = getPointerType(builder.getContext());
    Value slot = emitAddress(builder, getLoc(), entry.getArgument(1),
                             int64_t(argument.getArgNumber()), type);
    pointer = LLVM::LoadOp::create(builder, getLoc(), type, slot);
  }
  return pointer;
}

Value KernelABI::getWorkspace() {
  assert(kernel.getWorkspace() && "the kernel has no workspace");
  return getPointer(kernel.getBody().front().getArguments().back());
}

Value KernelABI::getDim(Value tensor, int64_t dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return getConstant(type.getDimSize(dim));
  if (auto it = dims.find({tensor, dim}); it != dims.end())
    return it->second;

  Value size;
  if (auto argument = dyn_cast<BlockArgument>(tensor)) {
    // The first dimension of the same name speaks for all of them.
    auto shape = kernel.getArgAttrOfType<ArrayAttr>(argument.getArgNumber(),
                                                    kernel::kShapeAttrName);
    Attribute name = shape ? shape[dim] : Attribute();
    int64_t slot = 0;
    bool found = false;
    for (BlockArgument other : kernel.getBody().front().getArguments()) {
      auto otherType = cast<RankedTensorType>(other.getType());
      auto otherShape = kernel.getArgAttrOfType<ArrayAttr>(
          other.getArgNumber(), kernel::kShapeAttrName);
      for (int64_t d = 0; d < otherType.getRank() && !found; ++d) {
        if (!otherType.isDynamicDim(d))
          continue;
        bool same = other == argument && d == dim;
        if (!same && name && otherShape && otherShape[d] == name) {
          size = getDim(other, d);
          same = true;
        }
        found = same;
        slot += same ? 0 : 1;
      }
      if (found)
        break;
    }
    if (!size) {
      OpBuilder builder = getTopBuilder();
      Value address = emitAddress(builder, getLoc(), entry.getArgument(2), slot,
                                  builder.getI64Type());
      size = LLVM::LoadOp::create(builder, getLoc(), builder.getI64Type(),
                                  address);
    }
  } else {
    auto result = cast<OpResult>(tensor);
    Operation *op = result.getOwner();
    OpBuilder inKernel(op);
    inKernel.setInsertionPointAfter(op);
    FailureOr<OpFoldResult> reified = failure();
    if (auto dps = dyn_cast<DestinationStyleOpInterface>(op)) {
      size = getDim(dps.getTiedOpOperand(result)->get(), dim);
    } else if (isa<ReifyRankedShapedTypeOpInterface>(op)) {
      reified = reifyDimOfResult(inKernel, op, result.getResultNumber(), dim);
      size = succeeded(reified) ? getIndex(*reified) : Value();
    }
    if (!size) {
      op->emitError("the size of dimension ")
          << dim << " of this result is not known in a kernel";
      anyError = true;
      size = getConstant(0);
    }
  }
  return dims[{tensor, dim}] = size;
}

Value KernelABI::getIndex(OpFoldResult index) {
  if (auto attr = dyn_cast<Attribute>(index))
    return getConstant(cast<IntegerAttr>(attr).getInt());
  return evaluate(cast<Value>(index));
}

Value KernelABI::evaluate(Value scalar) {
  if (auto it = scalars.find(scalar); it != scalars.end())
    return it->second;
  OpBuilder builder = getTopBuilder();
  Operation *op = scalar.getDefiningOp();
  APInt constant;
  Value result;
  if (matchPattern(scalar, m_ConstantInt(&constant))) {
    result =
        scalar.getType().isIndex()
            ? getConstant(constant.getSExtValue())
            : getConstant(builder.getIntegerAttr(scalar.getType(), constant));
  } else if (auto dim = dyn_cast_if_present<tensor::DimOp>(op);
             dim && dim.getConstantIndex()) {
    result = getDim(dim.getSource(), *dim.getConstantIndex());
  } else if (auto apply = dyn_cast_if_present<affine::AffineApplyOp>(op)) {
    SmallVector<Value> operands;
    for (Value operand : apply.getMapOperands()) {
      Value wide = evaluate(operand);
      operands.push_back(arith::IndexCastOp::create(
          builder, getLoc(), builder.getIndexType(), wide));
    }
    AffineMap map = apply.getAffineMap();
    ValueRange all(operands);
    Value expanded = affine::expandAffineExpr(
        builder, getLoc(), map.getResult(0), all.take_front(map.getNumDims()),
        all.drop_front(map.getNumDims()));
    result = arith::IndexCastOp::create(builder, getLoc(), builder.getI64Type(),
                                        expanded);
  } else if (op && isa<arith::ArithDialect>(op->getDialect()) &&
             op->getNumResults() == 1) {
    OperationState state(getLoc(), op->getName());
    state.propertiesAttr = op->getPropertiesAsAttribute();
    for (Value operand : op->getOperands())
      state.operands.push_back(evaluate(operand));
    Type type = scalar.getType();
    Type wide = type.isIndex() ? builder.getI64Type() : type;
    if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op) &&
        state.operands[0].getType() == wide) {
      result = state.operands[0];
    } else if (isa<arith::IndexCastOp>(op)) {
      // An index is an i64 here: a cast between integers.
      result = wide.getIntOrFloatBitWidth() >
                       state.operands[0].getType().getIntOrFloatBitWidth()
                   ? arith::ExtSIOp::create(builder, getLoc(), wide,
                                            state.operands[0])
                         .getResult()
                   : arith::TruncIOp::create(builder, getLoc(), wide,
                                             state.operands[0])
                         .getResult();
    } else {
      state.addTypes(wide);
      result = builder.create(state)->getResult(0);
    }
  } else {
    emitError(scalar.getLoc())
        << "this value is not computed from sizes and constants in a way that "
           "a kernel's entry can repeat";
    anyError = true;
    Type type =
        scalar.getType().isIndex() ? builder.getI64Type() : scalar.getType();
    result = getConstant(builder.getIntegerAttr(type, 0));
  }
  return scalars[scalar] = result;
}

Value KernelABI::getStride(Value tensor, int64_t dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  int64_t factor = 1;
  Value stride;
  OpBuilder builder = getTopBuilder();
  for (int64_t d = type.getRank() - 1; d > dim; --d) {
    if (!type.isDynamicDim(d)) {
      factor *= type.getDimSize(d);
      continue;
    }
    Value size = getDim(tensor, d);
    builder = getTopBuilder();
    stride =
        stride ? arith::MulIOp::create(builder, getLoc(), stride, size) : size;
  }
  if (!stride)
    return getConstant(factor);
  if (factor == 1)
    return stride;
  Value scale = getConstant(factor);
  builder = getTopBuilder();
  return arith::MulIOp::create(builder, getLoc(), stride, scale);
}

//===----------------------------------------------------------------------===//
// The runtime
//===----------------------------------------------------------------------===//

func::FuncOp KernelABI::declare(StringRef name, FunctionType type) {
  if (auto function = module.lookupSymbol<func::FuncOp>(name))
    return function;
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  auto function = func::FuncOp::create(builder, getLoc(), name, type);
  function.setPrivate();
  return function;
}

Value KernelABI::getGlobal(StringRef name, Type type, Attribute value) {
  Value &address = globals[value];
  if (address)
    return address;
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  auto global = LLVM::GlobalOp::create(
      builder, getLoc(), type, /*isConstant=*/true, LLVM::Linkage::Private,
      (kernel.getSymName() + "." + name + Twine(globals.size())).str(), value,
      /*alignment=*/64);
  OpBuilder top = getTopBuilder();
  address = LLVM::AddressOfOp::create(top, getLoc(), global);
  return address;
}

Value KernelABI::getTable(DenseElementsAttr elements) {
  Type type = LLVM::LLVMArrayType::get(elements.getElementType(),
                                       elements.getNumElements());
  return getGlobal("table", type, elements);
}

void KernelABI::emitReportError(OpBuilder &builder, StringRef message,
                                Value value) {
  Type pointer = getPointerType(builder.getContext());
  func::FuncOp function = declare(
      "ourc_report_error",
      builder.getFunctionType({pointer, pointer, builder.getI64Type()}, {}));
  std::string text = message.str();
  text.push_back('\0');
  Type type = LLVM::LLVMArrayType::get(builder.getI8Type(), text.size());
  Value address =
      getGlobal("message", type, StringAttr::get(builder.getContext(), text));
  func::CallOp::create(builder, getLoc(), function,
                       ValueRange{getContext(), address, value});
}

Value KernelABI::emitThreadScratch(OpBuilder &builder, Value bytes) {
  Type pointer = getPointerType(builder.getContext());
  func::FuncOp function = declare(
      "ourc_thread_scratch",
      builder.getFunctionType({pointer, builder.getI64Type()}, {pointer}));
  return func::CallOp::create(builder, getLoc(), function,
                              ValueRange{getContext(), bytes})
      .getResult(0);
}

void KernelABI::emitParallelFor(
    OpBuilder &builder, Value n, Value grain,
    function_ref<void(OpBuilder &, Value begin, Value end)> body) {
  Type pointer = getPointerType(builder.getContext());
  Type i64 = builder.getI64Type();
  OpBuilder atEntry(entry);
  auto task = func::FuncOp::create(
      atEntry, getLoc(),
      (kernel.getSymName() + ".task" + Twine(numTasks++)).str(),
      builder.getFunctionType({pointer, i64, i64}, {}));
  task.setPrivate();
  Block *block = task.addEntryBlock();
  OpBuilder inTask = OpBuilder::atBlockBegin(block);
  body(inTask, task.getArgument(1), task.getArgument(2));
  OpBuilder atEnd = OpBuilder::atBlockEnd(block);
  func::ReturnOp::create(atEnd, getLoc());

  Value captures = capture(builder, task);
  func::FuncOp run = declare(
      "ourc_parallel_for",
      builder.getFunctionType({pointer, pointer, pointer, i64, i64}, {}));
  Value function = func::ConstantOp::create(
      builder, getLoc(), task.getFunctionType(), task.getSymName());
  Value address =
      UnrealizedConversionCastOp::create(builder, getLoc(), pointer, function)
          .getResult(0);
  func::CallOp::create(builder, getLoc(), run,
                       ValueRange{getContext(), address, captures, n, grain});
}

Value KernelABI::capture(OpBuilder &builder, func::FuncOp task) {
  Location loc = getLoc();
  Type pointer = getPointerType(builder.getContext());
  // The entry is no ancestor of the task: what it defines is merely elsewhere.
  llvm::SetVector<Value> used;
  task.walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (!task.getBody().isAncestor(operand.getParentRegion()))
        used.insert(operand);
  });
  OpBuilder inTask = OpBuilder::atBlockBegin(&task.getBody().front());

  SmallVector<Value> captured;
  for (Value value : used) {
    Operation *op = value.getDefiningOp();
    if (!op || !op->hasTrait<OpTrait::ConstantLike>()) {
      captured.push_back(value);
      continue;
    }
    Value copy = inTask.clone(*op)->getResult(0);
    replaceAllUsesInRegionWith(value, copy, task.getBody());
  }
  if (captured.empty())
    return LLVM::ZeroOp::create(builder, loc, pointer);

  SmallVector<Type> types;
  for (Value value : captured)
    types.push_back(value.getType());
  Type record = LLVM::LLVMStructType::getLiteral(builder.getContext(), types);
  // At the top of the entry, so that a launch in a loop takes no more stack.
  OpBuilder top = getTopBuilder();
  Value one = arith::ConstantIntOp::create(top, loc, 1, 64);
  Value args = LLVM::AllocaOp::create(top, loc, pointer, record, one, 64);
  for (auto [i, value] : llvm::enumerate(captured)) {
    Value slot = LLVM::GEPOp::create(
        builder, loc, pointer, record, args,
        SmallVector<LLVM::GEPArg>{0, static_cast<int32_t>(i)});
    LLVM::StoreOp::create(builder, loc, value, slot);
    Value source = LLVM::GEPOp::create(
        inTask, loc, pointer, record, task.getArgument(0),
        SmallVector<LLVM::GEPArg>{0, static_cast<int32_t>(i)});
    Value copy = LLVM::LoadOp::create(inTask, loc, value.getType(), source);
    replaceAllUsesInRegionWith(value, copy, task.getBody());
  }
  return args;
}
