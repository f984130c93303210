//===- KernelDialect.cpp - The kernel dialect
//---------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/kernel/KernelDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ourc::kernel;

#include "dialects/kernel/KernelAttrInterfaces.cpp.inc"
#include "dialects/kernel/KernelDialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/kernel/KernelAttrs.cpp.inc"

void KernelDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/kernel/KernelOps.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/kernel/KernelAttrs.cpp.inc"
      >();
}

LogicalResult
ourc::kernel::verifyShapeAttr(Attribute attr, RankedTensorType type,
                              function_ref<InFlightDiagnostic()> emitError) {
  auto shape = dyn_cast<ArrayAttr>(attr);
  if (!shape)
    return emitError() << "'" << kShapeAttrName
                       << "' must be an array with an entry for each dimension";
  if (static_cast<int64_t>(shape.size()) != type.getRank())
    return emitError() << "'" << kShapeAttrName << "' has " << shape.size()
                       << " entries, but the tensor has rank "
                       << type.getRank();
  for (auto [i, entry] : llvm::enumerate(shape)) {
    if (isa<FlatSymbolRefAttr>(entry)) {
      if (!type.isDynamicDim(i))
        return emitError() << "'" << kShapeAttrName << "' names dimension " << i
                           << ", which is static";
      continue;
    }
    auto size = dyn_cast<IntegerAttr>(entry);
    if (!size)
      return emitError() << "'" << kShapeAttrName << "' entry " << i
                         << " must be a symbol or an integer";
    if (type.isDynamicDim(i) || size.getInt() != type.getDimSize(i))
      return emitError() << "'" << kShapeAttrName << "' gives dimension " << i
                         << " the size " << size.getInt()
                         << ", which is not the tensor's";
  }
  return success();
}
