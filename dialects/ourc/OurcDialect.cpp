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

/// Checks `ourc.shape`: one entry for each dimension, a symbol of the module
/// for a dynamic one, the size for a static one.
static LogicalResult verifyShape(Operation *op, unsigned index,
                                 RankedTensorType type, Attribute attr) {
  auto fail = [&]() -> InFlightDiagnostic {
    return op->emitError() << "argument " << index << ": '" << kShapeAttrName
                           << "' ";
  };
  auto shape = dyn_cast<ArrayAttr>(attr);
  if (!shape || static_cast<int64_t>(shape.size()) != type.getRank())
    return fail() << "must have an entry for each of the " << type.getRank()
                  << " dimensions";
  Operation *module = op->getParentWithTrait<OpTrait::SymbolTable>();
  for (auto [i, entry] : llvm::enumerate(shape)) {
    if (auto symbol = dyn_cast<FlatSymbolRefAttr>(entry)) {
      if (!type.isDynamicDim(i))
        return fail() << "names dimension " << i << ", which is static";
      if (!module || !isa_and_present<SymbolOp>(
                         SymbolTable::lookupSymbolIn(module, symbol)))
        return fail() << "names " << symbol << ", which is not an ourc.symbol";
      continue;
    }
    auto size = dyn_cast<IntegerAttr>(entry);
    if (!size)
      return fail() << "entry " << i << " must be a symbol or a size";
    if (type.isDynamicDim(i))
      return fail() << "gives a size to dimension " << i
                    << ", which is dynamic: it needs a symbol";
    if (size.getInt() != type.getDimSize(i))
      return fail() << "gives dimension " << i << " the size " << size.getInt()
                    << ", which is not the type's";
  }
  return success();
}

static LogicalResult verifyLayout(Operation *op, RankedTensorType type,
                                  Attribute attr) {
  auto layout = dyn_cast<DenseI64ArrayAttr>(attr);
  if (!layout || layout.size() != type.getRank() ||
      !isPermutationVector(layout.asArrayRef()))
    return op->emitError() << "'" << kLayoutAttrName
                           << "' must be a permutation (array<i64: …>) of the "
                           << type.getRank() << " dimensions";
  return success();
}

LogicalResult OurcDialect::verifyRegionArgAttribute(Operation *op, unsigned,
                                                    unsigned index,
                                                    NamedAttribute attr) {
  auto func = dyn_cast<FunctionOpInterface>(op);
  if (!func)
    return op->emitError() << "'" << attr.getName().getValue()
                           << "' belongs on a function's arguments";
  auto type = dyn_cast<RankedTensorType>(func.getArgumentTypes()[index]);
  StringRef name = attr.getName().getValue();
  if (name == kNameAttrName || name == kParameterAttrName) {
    if (!isa<StringAttr>(attr.getValue()))
      return op->emitError() << "'" << name << "' must be a string";
    return success();
  }
  if (name == kFrozenAttrName || name == kUnsignedAttrName) {
    if (!isa<UnitAttr>(attr.getValue()))
      return op->emitError() << "'" << name << "' takes no value";
    if (name == kFrozenAttrName && !func.getArgAttr(index, kParameterAttrName))
      return op->emitError() << "argument " << index << ": '" << name
                             << "' belongs on a parameter";
    return success();
  }
  if (name != kShapeAttrName && name != kLayoutAttrName)
    return op->emitError() << "argument " << index << ": unknown attribute '"
                           << name << "'";
  // Other dialects' functions (a kernel's, a bufferised one's) check their own.
  if (!type || op->getDialect()->getNamespace() != "func")
    return success();
  return name == kShapeAttrName ? verifyShape(op, index, type, attr.getValue())
                                : verifyLayout(op, type, attr.getValue());
}
