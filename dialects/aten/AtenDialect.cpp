//===- AtenDialect.cpp - The aten dialect
//-------------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/aten/AtenDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ourc::aten;

#include "dialects/aten/AtenDialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/aten/AtenAttrs.cpp.inc"

void AtenDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/aten/AtenOps.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/aten/AtenAttrs.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// CallOp
//===----------------------------------------------------------------------===//

/// argument := %operand | attribute | `[` (argument (`,` argument)*)? `]`
/// Operands are collected in the order of their first mention.
static ParseResult
parseArgument(OpAsmParser &parser,
              SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands,
              Attribute &argument) {
  OpAsmParser::UnresolvedOperand operand;
  OptionalParseResult parsed = parser.parseOptionalOperand(operand);
  if (parsed.has_value()) {
    if (failed(*parsed))
      return failure();
    auto same = [&](const OpAsmParser::UnresolvedOperand &other) {
      return other.name == operand.name && other.number == operand.number;
    };
    auto *it = llvm::find_if(operands, same);
    unsigned index = it - operands.begin();
    if (it == operands.end())
      operands.push_back(operand);
    argument = OperandAttr::get(parser.getContext(), index);
    return success();
  }
  if (succeeded(parser.parseOptionalLSquare())) {
    SmallVector<Attribute> list;
    if (failed(parser.parseOptionalRSquare())) {
      auto parseElement = [&] {
        return parseArgument(parser, operands, list.emplace_back());
      };
      if (failed(parser.parseCommaSeparatedList(parseElement)) ||
          failed(parser.parseRSquare()))
        return failure();
    }
    argument = ArrayAttr::get(parser.getContext(), list);
    return success();
  }
  return parser.parseAttribute(argument);
}

ParseResult CallOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr callee;
  if (failed(parser.parseAttribute(callee)))
    return failure();
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  NamedAttrList arguments;
  auto parseNamed = [&]() -> ParseResult {
    std::string name;
    SMLoc loc = parser.getCurrentLocation();
    Attribute argument;
    if (failed(parser.parseKeywordOrString(&name)) ||
        failed(parser.parseEqual()) ||
        failed(parseArgument(parser, operands, argument)))
      return failure();
    if (arguments.get(name))
      return parser.emitError(loc, "argument '") << name << "' is given twice";
    arguments.append(name, argument);
    return success();
  };
  SMLoc loc = parser.getCurrentLocation();
  FunctionType type;
  if (failed(parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren,
                                            parseNamed)) ||
      failed(parser.parseOptionalAttrDict(result.attributes)) ||
      failed(parser.parseColonType(type)) ||
      failed(parser.resolveOperands(operands, type.getInputs(), loc,
                                    result.operands)))
    return failure();
  result.addAttribute(getCalleeAttrName(result.name), callee);
  result.addAttribute(getArgumentsAttrName(result.name),
                      arguments.getDictionary(parser.getContext()));
  result.addTypes(type.getResults());
  return success();
}

static void printArgument(OpAsmPrinter &p, CallOp op, Attribute argument) {
  if (Value operand = op.getOperandOf(argument)) {
    p << operand;
    return;
  }
  if (auto list = dyn_cast<ArrayAttr>(argument)) {
    p << "[";
    llvm::interleaveComma(
        list, p, [&](Attribute element) { printArgument(p, op, element); });
    p << "]";
    return;
  }
  auto integer = dyn_cast<IntegerAttr>(argument);
  if (integer && integer.getType().isInteger(64)) {
    p << integer.getInt();
    return;
  }
  p << argument;
}

void CallOp::print(OpAsmPrinter &p) {
  p << " ";
  p.printAttributeWithoutType(getCalleeAttr());
  p << "(";
  llvm::interleaveComma(getArguments(), p, [&](NamedAttribute argument) {
    p.printKeywordOrString(argument.getName());
    p << " = ";
    printArgument(p, *this, argument.getValue());
  });
  p << ")";
  p.printOptionalAttrDict((*this)->getAttrs(), {"callee", "arguments"});
  p << " : ";
  // Operands in the order in which the text mentions them.
  SmallVector<Type> types;
  SmallVector<bool> seen(getNumOperands(), false);
  AttrTypeWalker walker;
  walker.addWalk([&](OperandAttr attr) {
    if (attr.getIndex() >= seen.size() || seen[attr.getIndex()])
      return;
    seen[attr.getIndex()] = true;
    types.push_back(getOperand(attr.getIndex()).getType());
  });
  for (NamedAttribute argument : getArguments())
    walker.walk(argument.getValue());
  p.printFunctionalType(types, getResultTypes());
}

Value CallOp::getOperandOf(Attribute attr) {
  auto operand = dyn_cast_if_present<OperandAttr>(attr);
  if (!operand || operand.getIndex() >= getNumOperands())
    return {};
  return getOperand(operand.getIndex());
}

LogicalResult CallOp::verify() {
  SmallVector<bool> named(getNumOperands(), false);
  bool inRange = true;
  auto mark = [&](auto &&self, Attribute argument) -> void {
    if (auto list = dyn_cast<ArrayAttr>(argument))
      for (Attribute element : list)
        self(self, element);
    if (auto operand = dyn_cast<OperandAttr>(argument)) {
      if (operand.getIndex() < named.size())
        named[operand.getIndex()] = true;
      else
        inRange = false;
    }
  };
  for (NamedAttribute argument : getArguments())
    mark(mark, argument.getValue());
  if (!inRange)
    return emitOpError("names an operand that it does not have");
  for (auto [i, used] : llvm::enumerate(named))
    if (!used)
      return emitOpError("operand ") << i << " has no argument name";
  return success();
}

#define GET_OP_CLASSES
#include "dialects/aten/AtenOps.cpp.inc"
