//===- OurcDialect.cpp - The ourc dialect
//-------------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/ourc/OurcDialect.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ourc;

#include "dialects/ourc/OurcDialect.cpp.inc"
#include "dialects/ourc/OurcEnums.cpp.inc"
#include "dialects/ourc/OurcInterfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/ourc/OurcAttrs.cpp.inc"

void OurcDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/ourc/OurcOps.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/ourc/OurcAttrs.cpp.inc"
      >();
}

Operation *OurcDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                            Type type, Location loc) {
  if (auto elements = dyn_cast<ElementsAttr>(value))
    if (elements.getType() == type && isa<RankedTensorType>(type))
      return ConstantOp::create(builder, loc, type, elements);
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

//===----------------------------------------------------------------------===//
// Attributes of arguments and results
//===----------------------------------------------------------------------===//

namespace {
/// An attribute of the dialect on a function's argument or result.
struct BoundaryAttr {
  FunctionOpInterface func;
  /// "argument" or "result".
  StringRef place;
  unsigned index;
  /// The argument's or result's type.
  Type type;
  NamedAttribute attr;

  StringRef getName() const { return attr.getName().getValue(); }
  InFlightDiagnostic fail() const {
    return func->emitError()
           << place << " " << index << ": '" << getName() << "' ";
  }
};
} // namespace

/// `ourc.shape`: one entry for each dimension, a symbol of the module for a
/// dynamic one, the size for a static one.
static LogicalResult verifyShape(const BoundaryAttr &place,
                                 RankedTensorType type) {
  auto shape = dyn_cast<ArrayAttr>(place.attr.getValue());
  if (!shape || static_cast<int64_t>(shape.size()) != type.getRank())
    return place.fail() << "must have an entry for each of the "
                        << type.getRank() << " dimensions";
  Operation *module = place.func->getParentWithTrait<OpTrait::SymbolTable>();
  for (auto [i, entry] : llvm::enumerate(shape)) {
    if (auto symbol = dyn_cast<FlatSymbolRefAttr>(entry)) {
      if (!type.isDynamicDim(i))
        return place.fail() << "names dimension " << i << ", which is static";
      if (!module || !isa_and_present<SymbolOp>(
                         SymbolTable::lookupSymbolIn(module, symbol)))
        return place.fail()
               << "names " << symbol << ", which is not an ourc.symbol";
      continue;
    }
    auto size = dyn_cast<IntegerAttr>(entry);
    if (!size || !size.getType().isSignlessInteger(64))
      return place.fail() << "entry " << i << " must be a symbol or a size";
    if (type.isDynamicDim(i))
      return place.fail() << "gives a size to dimension " << i
                          << ", which is dynamic: it needs a symbol";
    if (size.getInt() != type.getDimSize(i))
      return place.fail() << "gives dimension " << i << " the size "
                          << size.getInt() << ", which is not the type's";
  }
  return success();
}

/// `ourc.layout`, `ourc.user_dims`: the dimensions from the outermost to the
/// innermost in memory.
static LogicalResult verifyLayout(const BoundaryAttr &place,
                                  RankedTensorType type) {
  auto layout = dyn_cast<DenseI64ArrayAttr>(place.attr.getValue());
  if (!layout || layout.size() != type.getRank() ||
      !isPermutationVector(layout.asArrayRef()))
    return place.fail() << "must be a permutation (array<i64: …>) of the "
                        << type.getRank() << " dimensions";
  return success();
}

/// `ourc.updates`: an argument of the result's type that no other result
/// updates.
static LogicalResult verifyUpdates(const BoundaryAttr &place) {
  auto updated = dyn_cast<IntegerAttr>(place.attr.getValue());
  if (!updated || !updated.getType().isSignlessInteger(64))
    return place.fail() << "must be the number of an argument (i64)";
  FunctionOpInterface func = place.func;
  int64_t argument = updated.getInt();
  if (argument < 0 || argument >= func.getNumArguments())
    return place.fail() << "is " << argument << ", but the function has "
                        << func.getNumArguments() << " arguments";
  if (func.getArgumentTypes()[argument] != place.type)
    return place.fail() << "is " << argument
                        << ", but that argument has the type "
                        << func.getArgumentTypes()[argument]
                        << " and the result " << place.type;
  for (unsigned other = 0; other < place.index; ++other)
    if (func.getResultAttr(other, kUpdatesAttrName) == updated)
      return place.fail() << "is " << argument << ", which result " << other
                          << " updates already";
  return success();
}

/// The attributes that arguments and results share; nothing for others.
static std::optional<LogicalResult> verifyCommon(const BoundaryAttr &place) {
  StringRef name = place.getName();
  Attribute value = place.attr.getValue();
  if (name == kNameAttrName) {
    if (!isa<StringAttr>(value))
      return place.fail() << "must be a string";
    return success();
  }
  // Functions of other dialects (a kernel's) check the rest themselves, and
  // bufferised ones have been checked.
  auto type = dyn_cast<RankedTensorType>(place.type);
  bool isChecked = place.func->getDialect()->getNamespace() == "func" &&
                   !isa<BaseMemRefType>(place.type);
  if (name == kUnsignedAttrName) {
    if (!isa<UnitAttr>(value))
      return place.fail() << "takes no value";
    if (isChecked && (!type || !type.getElementType().isInteger() ||
                      type.getElementType().isInteger(1)))
      return place.fail() << "belongs on a tensor of integers, not on "
                          << place.type;
    return success();
  }
  if (name == kLayoutAttrName || name == kUserDimsAttrName ||
      name == kShapeAttrName) {
    if (!isChecked)
      return success();
    if (!type)
      return place.fail() << "belongs on a tensor, not on " << place.type;
    if (name != kShapeAttrName)
      return verifyLayout(place, type);
  }
  return std::nullopt;
}

LogicalResult OurcDialect::verifyRegionArgAttribute(Operation *op, unsigned,
                                                    unsigned index,
                                                    NamedAttribute attr) {
  auto func = dyn_cast<FunctionOpInterface>(op);
  if (!func)
    return op->emitError() << "'" << attr.getName().getValue()
                           << "' belongs on a function's arguments";
  BoundaryAttr place{func, "argument", index, func.getArgumentTypes()[index],
                     attr};
  if (std::optional<LogicalResult> result = verifyCommon(place))
    return *result;
  StringRef name = place.getName();
  if (name == kShapeAttrName)
    return verifyShape(place, cast<RankedTensorType>(place.type));
  if (name == kParameterAttrName) {
    if (!isa<StringAttr>(attr.getValue()))
      return place.fail() << "must be a string";
    return success();
  }
  if (name == kFrozenAttrName) {
    if (!isa<UnitAttr>(attr.getValue()))
      return place.fail() << "takes no value";
    if (!func.getArgAttr(index, kParameterAttrName))
      return place.fail() << "belongs on a parameter";
    return success();
  }
  return place.fail() << "is not an attribute of arguments";
}

LogicalResult OurcDialect::verifyRegionResultAttribute(Operation *op, unsigned,
                                                       unsigned index,
                                                       NamedAttribute attr) {
  auto func = dyn_cast<FunctionOpInterface>(op);
  if (!func)
    return op->emitError() << "'" << attr.getName().getValue()
                           << "' belongs on a function's results";
  BoundaryAttr place{func, "result", index, func.getResultTypes()[index], attr};
  if (place.getName() == kUpdatesAttrName)
    return verifyUpdates(place);
  if (place.getName() != kShapeAttrName)
    if (std::optional<LogicalResult> result = verifyCommon(place))
      return *result;
  return place.fail() << "is not an attribute of results";
}
