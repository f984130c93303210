//===- KernelFunc.cpp - kernel.func, kernel.return, kernel.launch
//-------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/kernel/KernelDialect.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;
using namespace ourc::kernel;

//===----------------------------------------------------------------------===//
// FuncOp
//===----------------------------------------------------------------------===//

void FuncOp::build(OpBuilder &builder, OperationState &state, StringRef name,
                   FunctionType type) {
  state.addAttribute(SymbolTable::getSymbolAttrName(),
                     builder.getStringAttr(name));
  state.addAttribute(getFunctionTypeAttrName(state.name), TypeAttr::get(type));
  Region *body = state.addRegion();
  Block *entry = new Block;
  body->push_back(entry);
  for (Type input : type.getInputs())
    entry->addArgument(input, state.location);
}

ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &result) {
  auto buildType =
      [](Builder &builder, ArrayRef<Type> inputs, ArrayRef<Type> results,
         function_interface_impl::VariadicFlag, std::string &) -> Type {
    return builder.getFunctionType(inputs, results);
  };
  SMLoc loc = parser.getCurrentLocation();
  if (failed(function_interface_impl::parseFunctionOp(
          parser, result, /*allowVariadic=*/false,
          getFunctionTypeAttrName(result.name), buildType,
          getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name))))
    return failure();
  // An attribute of the wrong kind would be dropped without a word.
  return result.name.verifyInherentAttrs(result.attributes, [&] {
    return parser.emitError(loc) << "'" << getOperationName() << "' op ";
  });
}

void FuncOp::print(OpAsmPrinter &p) {
  function_interface_impl::printFunctionOp(
      p, *this, /*isVariadic=*/false, getFunctionTypeAttrName(),
      getArgAttrsAttrName(), getResAttrsAttrName());
}

ReturnOp FuncOp::getReturnOp() {
  return cast<ReturnOp>(getBody().front().getTerminator());
}

bool FuncOp::updatesDestination(unsigned i) {
  auto strip = [](Value value) {
    while (Operation *op = value.getDefiningOp()) {
      if (!isa<tensor::CastOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
              op))
        break;
      value = op->getOperand(0);
    }
    return value;
  };
  auto scatter = strip(getReturnOp().getOperand(i)).getDefiningOp<ScatterOp>();
  return scatter && strip(scatter.getOutput()) == getDestination(i);
}

LogicalResult FuncOp::verify() {
  FunctionType type = getFunctionType();
  unsigned numTail = type.getNumResults() + (getWorkspace() ? 1 : 0);
  if (type.getNumInputs() < numTail)
    return emitOpError("has ") << type.getNumResults() << " results"
                               << (getWorkspace() ? " and a workspace" : "")
                               << ", but only " << type.getNumInputs()
                               << " arguments: each result needs a destination";
  for (auto [i, arg] : llvm::enumerate(type.getInputs())) {
    auto tensor = dyn_cast<RankedTensorType>(arg);
    if (!tensor)
      return emitOpError("argument ")
             << i << " must be a ranked tensor, but is " << arg;
    if (tensor.getElementType().isInteger(1))
      return emitOpError("argument ")
             << i << " has i1 elements: a boolean is i8 in a kernel's buffers";
    Attribute shape = getArgAttr(i, kShapeAttrName);
    if (shape && failed(verifyShapeAttr(shape, tensor, [&, i = i] {
          return emitOpError("argument ") << i << ": ";
        })))
      return failure();
  }
  unsigned first = type.getNumInputs() - numTail;
  for (auto [i, result] : llvm::enumerate(type.getResults()))
    if (type.getInput(first + i) != result)
      return emitOpError("result ")
             << i << " has type " << result << ", but its destination has type "
             << type.getInput(first + i);
  if (getWorkspace()) {
    auto bytes = cast<RankedTensorType>(type.getInputs().back());
    if (bytes.getRank() != 1 || !bytes.getElementType().isInteger(8))
      return emitOpError("workspace must be a one-dimensional i8 tensor");
  }
  return success();
}

LogicalResult FuncOp::verifyRegions() {
  if (getBody().empty())
    return emitOpError("must have a body");
  if (!isa<ReturnOp>(getBody().front().back()))
    return emitOpError("must end in kernel.return");
  return success();
}

//===----------------------------------------------------------------------===//
// ReturnOp
//===----------------------------------------------------------------------===//

LogicalResult ReturnOp::verify() {
  auto func = cast<FuncOp>((*this)->getParentOp());
  if (TypeRange(func.getResultTypes()) != TypeRange(getOperandTypes()))
    return emitOpError("returns ")
           << TypeRange(getOperandTypes()) << ", but the kernel's results are "
           << func.getResultTypes();
  return success();
}

//===----------------------------------------------------------------------===//
// LaunchOp
//===----------------------------------------------------------------------===//

/// `(` (type (`,` type)*)? `)`
static ParseResult parseTypesInParens(OpAsmParser &parser,
                                      SmallVectorImpl<Type> &types) {
  return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, [&] {
    return parser.parseType(types.emplace_back());
  });
}

static void printTypesInParens(OpAsmPrinter &p, Operation *, TypeRange types) {
  p << "(" << types << ")";
}

LogicalResult LaunchOp::verify() {
  bool anyTensor = false, anyMemRef = false;
  for (Type type : getOperandTypes()) {
    anyTensor |= isa<TensorType>(type);
    anyMemRef |= isa<BaseMemRefType>(type);
  }
  if (anyTensor && anyMemRef)
    return emitOpError("mixes tensor and memref operands");
  if (anyMemRef && getNumResults() != 0)
    return emitOpError("on memrefs has no results, but gives ")
           << getNumResults();
  return success();
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto callee = symbols.lookupNearestSymbolFrom<FuncOp>(*this, getCalleeAttr());
  if (!callee)
    return emitOpError("'") << getCallee() << "' is not a kernel.func";
  FunctionType type = callee.getFunctionType();
  if (type.getNumInputs() != getNumOperands())
    return emitOpError("gives ")
           << getNumOperands() << " operands to '" << getCallee()
           << "', which takes " << type.getNumInputs();
  if (callee.getWorkspace() != static_cast<bool>(getWorkspace()))
    return emitOpError("'") << getCallee() << "' "
                            << (callee.getWorkspace() ? "needs a workspace"
                                                      : "takes no workspace");
  if (callee.getNumInputs() != getInputs().size())
    return emitOpError("gives ")
           << getInputs().size() << " inputs to '" << getCallee()
           << "', which takes " << callee.getNumInputs();
  for (auto [i, given, wanted] :
       llvm::enumerate(getOperandTypes(), type.getInputs())) {
    auto g = cast<ShapedType>(given), w = cast<ShapedType>(wanted);
    bool onTensors = isa<TensorType>(given);
    if (onTensors ? given != wanted
                  : (g.getElementType() != w.getElementType() ||
                     failed(verifyCompatibleShape(g.getShape(), w.getShape()))))
      return emitOpError("operand ") << i << " has type " << given << ", but '"
                                     << getCallee() << "' takes " << wanted;
  }
  return success();
}

void LaunchOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &operand : getOperation()->getOpOperands()) {
    if (!isa<BaseMemRefType>(operand.get().getType()))
      continue;
    bool input = operand.getOperandNumber() < getInputs().size();
    if (input)
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
    else
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
  }
}

LogicalResult LaunchOp::reifyResultShapes(OpBuilder &builder,
                                          ReifiedRankedShapedTypeDims &shapes) {
  for (Value output : getOutputs())
    shapes.push_back(tensor::getMixedSizes(builder, getLoc(), output));
  return success();
}

#define GET_OP_CLASSES
#include "dialects/kernel/KernelOps.cpp.inc"
