//===- Call.cpp - One ATen call on its way to ourc ----------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/AtenToOurc/Call.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace ourc;
using namespace ourc::aten;

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// None is written as `unit` inside lists and where it is given explicitly.
static bool isNone(Attribute attr) { return !attr || isa<UnitAttr>(attr); }

bool Call::has(StringRef name) { return !isNone(op.getArgument(name)); }

Attribute Call::required(StringRef name, bool hasDefault) {
  Attribute attr = op.getArgument(name);
  if (!isNone(attr))
    return attr;
  if (!hasDefault)
    (void)fail("argument '" + name + "' is missing");
  return {};
}

void Call::wrongKind(StringRef name, StringRef expected) {
  (void)fail("argument '" + name + "' must be " + expected);
}

/// What ourc tensors hold; see Ourc_Element.
static bool isSupportedElement(Type type) {
  return type.isF64() || type.isF32() || type.isF16() || type.isBF16() ||
         isa<Float8E4M3FNType, Float8E5M2Type>(type) ||
         type.isSignlessInteger(64) || type.isSignlessInteger(32) ||
         type.isSignlessInteger(16) || type.isSignlessInteger(8) ||
         type.isSignlessInteger(1);
}

Value Call::checkTensor(StringRef name, Value value) {
  auto type =
      value ? dyn_cast<RankedTensorType>(value.getType()) : RankedTensorType();
  if (!type) {
    wrongKind(name, "a tensor");
    return {};
  }
  if (!isSupportedElement(type.getElementType())) {
    std::string text;
    llvm::raw_string_ostream(text) << type.getElementType();
    (void)fail("argument '" + name + "' has element type " + text);
    return {};
  }
  return value;
}

Value Call::tensor(StringRef name) {
  if (!required(name, /*hasDefault=*/false))
    return {};
  return checkTensor(name, op.getValue(name));
}

Value Call::optionalTensor(StringRef name) {
  return has(name) ? tensor(name) : Value();
}

SmallVector<Value> Call::tensors(StringRef name, bool allowNone) {
  Attribute attr = required(name, /*hasDefault=*/false);
  auto list = dyn_cast_if_present<ArrayAttr>(attr);
  if (attr && !list)
    wrongKind(name, "a list of tensors");
  if (!list)
    return {};
  SmallVector<Value> values;
  for (Attribute element : list) {
    bool none = allowNone && isNone(element);
    values.push_back(none ? Value()
                          : checkTensor(name, op.getOperandOf(element)));
  }
  return values;
}

int64_t Call::integer(StringRef name, std::optional<int64_t> absent) {
  Attribute attr = required(name, absent.has_value());
  if (!attr)
    return absent.value_or(0);
  if (auto constant = dyn_cast<IntegerAttr>(attr))
    if (constant.getType().isSignlessInteger(64))
      return constant.getInt();
  if (Value value = op.getOperandOf(attr)) {
    if (std::optional<int64_t> constant = getConstantIntValue(value))
      return *constant;
    wrongKind(name, "a constant: it cannot depend on the sizes of a call");
    return 0;
  }
  wrongKind(name, "an integer");
  return 0;
}

bool Call::flag(StringRef name, std::optional<bool> absent) {
  Attribute attr = required(name, absent.has_value());
  if (!attr)
    return absent.value_or(false);
  auto value = dyn_cast<BoolAttr>(attr);
  if (!value)
    wrongKind(name, "true or false");
  return value && value.getValue();
}

double Call::number(StringRef name, std::optional<double> absent) {
  Attribute attr = required(name, absent.has_value());
  if (!attr)
    return absent.value_or(0);
  if (auto value = dyn_cast<FloatAttr>(attr))
    return value.getValueAsDouble();
  if (auto value = dyn_cast<IntegerAttr>(attr))
    if (value.getType().isSignlessInteger(64))
      return value.getInt();
  wrongKind(name, "a number");
  return 0;
}

StringRef Call::string(StringRef name, StringRef absent) {
  if (!has(name))
    return absent;
  if (auto value = dyn_cast<StringAttr>(op.getArgument(name)))
    return value.getValue();
  wrongKind(name, "a string");
  return absent;
}

Scalar Call::scalar(StringRef name, std::optional<Scalar> absent) {
  Attribute attr = required(name, absent.has_value());
  if (!attr)
    return absent.value_or(Scalar(int64_t(0)));
  if (Value value = op.getOperandOf(attr)) {
    if (std::optional<int64_t> constant = getConstantIntValue(value))
      return *constant;
    if (value.getType().isIndex())
      return value;
  }
  if (auto value = dyn_cast<BoolAttr>(attr))
    return value.getValue();
  if (auto value = dyn_cast<IntegerAttr>(attr))
    if (value.getType().isSignlessInteger(64))
      return value.getInt();
  if (auto value = dyn_cast<FloatAttr>(attr))
    return value.getValueAsDouble();
  wrongKind(name, "a number");
  return int64_t(0);
}

/// A size as it stands in an argument; null for something else.
static OpFoldResult getSizeFrom(CallOp op, Attribute attr) {
  Builder builder(op.getContext());
  if (auto constant = dyn_cast_if_present<IntegerAttr>(attr))
    if (constant.getType().isSignlessInteger(64))
      return builder.getIndexAttr(constant.getInt());
  Value value = op.getOperandOf(attr);
  if (!value || !value.getType().isIndex())
    return {};
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return builder.getIndexAttr(*constant);
  return value;
}

OpFoldResult Call::size(StringRef name, std::optional<int64_t> absent) {
  Attribute attr = required(name, absent.has_value());
  if (!attr)
    return math.constant(absent.value_or(0));
  if (OpFoldResult size = getSizeFrom(op, attr))
    return size;
  wrongKind(name, "an integer or a size");
  return math.constant(0);
}

SmallVector<OpFoldResult> Call::sizes(StringRef name) {
  Attribute attr = required(name, /*hasDefault=*/false);
  auto list = dyn_cast_if_present<ArrayAttr>(attr);
  SmallVector<OpFoldResult> sizes;
  if (attr && !list)
    wrongKind(name, "a list of sizes");
  if (!list)
    return sizes;
  for (Attribute element : list) {
    OpFoldResult size = getSizeFrom(op, element);
    if (!size) {
      wrongKind(name, "a list of integers and sizes");
      return {};
    }
    sizes.push_back(size);
  }
  return sizes;
}

SmallVector<int64_t>
Call::integers(StringRef name, int64_t count,
               std::optional<SmallVector<int64_t>> absent) {
  Attribute attr = required(name, absent.has_value());
  SmallVector<int64_t> values(std::max<int64_t>(count, 0), 0);
  if (!attr) {
    if (absent)
      values = *absent;
  } else {
    auto list = dyn_cast<ArrayAttr>(attr);
    SmallVector<Attribute> elements(list ? list.getValue()
                                         : ArrayRef<Attribute>(attr));
    if (list && elements.empty() && absent)
      return *absent;
    values.clear();
    for (Attribute element : elements) {
      OpFoldResult size = getSizeFrom(op, element);
      std::optional<int64_t> value =
          size ? getConstantIntValue(size) : std::nullopt;
      if (!value) {
        wrongKind(name, "a list of constants");
        return SmallVector<int64_t>(std::max<int64_t>(count, 0), 0);
      }
      values.push_back(*value);
    }
  }
  if (values.size() == 1 && count > 1)
    values.assign(count, values.front());
  if (static_cast<int64_t>(values.size()) != count) {
    (void)fail("argument '" + name + "' has " + Twine(values.size()) +
               " entries, but " + Twine(count) + " are needed");
    values.assign(std::max<int64_t>(count, 0), 0);
  }
  return values;
}

/// `dim` in [0, rank), a scalar counting as rank 1; nothing when out of range.
static std::optional<int64_t> normalizeDim(int64_t dim, int64_t rank) {
  rank = std::max<int64_t>(rank, 1);
  if (dim < -rank || dim >= rank)
    return std::nullopt;
  return dim < 0 ? dim + rank : dim;
}

int64_t Call::dim(StringRef name, int64_t rank, std::optional<int64_t> absent) {
  int64_t value = integer(name, absent);
  std::optional<int64_t> dim = normalizeDim(value, rank);
  if (!dim)
    (void)fail("argument '" + name + "' is " + Twine(value) +
               ", which is out of range for rank " + Twine(rank));
  return dim.value_or(0);
}

SmallVector<int64_t> Call::dims(StringRef name, int64_t rank) {
  SmallVector<Attribute> elements;
  if (has(name)) {
    Attribute attr = op.getArgument(name);
    auto list = dyn_cast<ArrayAttr>(attr);
    elements = SmallVector<Attribute>(list ? list.getValue()
                                           : ArrayRef<Attribute>(attr));
  }
  SmallVector<int64_t> dims;
  if (elements.empty())
    for (int64_t dim = 0; dim < rank; ++dim)
      dims.push_back(dim);
  for (Attribute element : elements) {
    auto value = dyn_cast<IntegerAttr>(element);
    if (!value || !value.getType().isSignlessInteger(64)) {
      wrongKind(name, "a list of dimensions");
      return {};
    }
    std::optional<int64_t> dim = normalizeDim(value.getInt(), rank);
    if (!dim) {
      (void)fail("argument '" + name + "' holds " + Twine(value.getInt()) +
                 ", which is out of range for rank " + Twine(rank));
      return {};
    }
    if (rank == 0)
      continue;
    if (llvm::is_contained(dims, *dim)) {
      (void)fail("argument '" + name + "' names dimension " + Twine(*dim) +
                 " twice");
      return {};
    }
    dims.push_back(*dim);
  }
  llvm::sort(dims);
  return dims;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

RankedTensorType Call::resultType(unsigned index) {
  RankedTensorType type;
  if (index < op->getNumResults())
    type = dyn_cast<RankedTensorType>(op->getResult(index).getType());
  if (!type || !isSupportedElement(type.getElementType())) {
    (void)fail("result " + Twine(index) +
               " must be a tensor of a supported element type");
    return {};
  }
  return type;
}

Type Call::resultElement(unsigned index) {
  RankedTensorType type = resultType(index);
  return type ? type.getElementType() : Type();
}

bool Call::isUsed(unsigned index) {
  return index < op->getNumResults() && !op->getResult(index).use_empty();
}

LogicalResult Call::set(unsigned index, Value value) {
  if (failed() || !value)
    return fail("the result could not be computed");
  if (index >= results.size())
    return fail("the call must have a result " + Twine(index));
  Type declared = op->getResult(index).getType();
  if (value.getType() != declared) {
    auto from = dyn_cast<RankedTensorType>(value.getType());
    auto to = dyn_cast<RankedTensorType>(declared);
    if (!from || !to || from.getElementType() != to.getElementType() ||
        mlir::failed(verifyCompatibleShape(from, to))) {
      std::string text;
      llvm::raw_string_ostream stream(text);
      stream << "result " << index << " is " << value.getType()
             << ", but the call declares " << declared;
      return fail(text);
    }
    value = refine(value, to);
  }
  results[index] = value;
  return success(!failed());
}
