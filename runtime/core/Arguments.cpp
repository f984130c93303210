//===- Arguments.cpp - Checks of the tensors of a call --------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/Arguments.h"

#include "runtime/support/DType.h"
#include "runtime/support/Failure.h"

#include <cstdint>

using namespace ourc::runtime;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

const OurcTensorDesc &ourc::runtime::descOf(const OurcProgram &program,
                                            Place place) {
  switch (place.role) {
  case Role::input:
    return program.inputs[place.index];
  case Role::parameter:
    return program.parameters[place.index];
  case Role::result:
    break;
  }
  return program.results[place.index];
}

static const char *roleName(Role role) {
  switch (role) {
  case Role::input:
    return "input";
  case Role::parameter:
    return "parameter";
  case Role::result:
    break;
  }
  return "result";
}

/// The code of an error that a tensor of this role causes.
static OurcStatus statusOf(Role role) {
  return role == Role::parameter ? OURC_ERROR_WEIGHTS : OURC_ERROR_ARGUMENT;
}

void ourc::runtime::printPlace(const OurcProgram &program, Place place,
                               Text &text) {
  const char *name = descOf(program, place).name;
  if (name && *name)
    text.print("%s '%s'", roleName(place.role), name);
  else
    text.print("%s %lld", roleName(place.role),
               static_cast<long long>(place.index));
}

void ourc::runtime::printDims(const OurcProgram &program,
                              const OurcTensorDesc &desc, Text &text) {
  text.append('[');
  for (int32_t i = 0; i < desc.rank; ++i) {
    const OurcDim &dim = desc.dims[i];
    if (i)
      text.append(", ");
    if (dim.symbol >= 0)
      text.append(program.symbols[dim.symbol].name);
    else if (dim.symbol == OURC_DIM_COMPUTED)
      text.append('?');
    else
      text.print("%lld", static_cast<long long>(dim.size));
  }
  text.append(']');
}

static void printSizes(const int64_t *sizes, int32_t rank, Text &text) {
  text.append('[');
  for (int32_t i = 0; i < rank; ++i)
    text.print(i ? ", %lld" : "%lld", static_cast<long long>(sizes[i]));
  text.append(']');
}

namespace {
/// A message about one argument.
class Complaint {
public:
  Complaint(const OurcProgram &program, Place place)
      : program(program), place(place) {
    printPlace(program, place, text);
    text.append(": ");
  }
  /// Begins with a dimension: "dimension 1 ('seq') ".
  Complaint &dim(int32_t index) {
    const OurcDim &dim = descOf(program, place).dims[index];
    text.print("dimension %d ", index);
    if (dim.symbol >= 0)
      text.print("('%s') ", program.symbols[dim.symbol].name);
    return *this;
  }
  int32_t fail() {
    return ourc::runtime::fail(statusOf(place.role), "%s", text.c_str());
  }
  Text text;

private:
  const OurcProgram &program;
  Place place;
};
} // namespace

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

Symbols::Symbols(const OurcProgram &program) : program(program) {
  solved.resize(program.numSymbols);
  sources.resize(program.numSymbols);
}

void Symbols::clear() {
  for (Source &source : sources)
    source.known = false;
}

int32_t Symbols::solve(Place place, const int64_t *shape) {
  const OurcTensorDesc &desc = descOf(program, place);
  for (int32_t i = 0; i < desc.rank; ++i) {
    int32_t symbol = desc.dims[i].symbol;
    if (symbol < 0)
      continue;
    Source &source = sources[symbol];
    if (!source.known) {
      source = {place, i, true};
      solved[symbol] = shape[i];
    } else if (solved[symbol] != shape[i]) {
      Complaint complaint(program, place);
      complaint.dim(i).text.print("is %lld, must be %lld as dimension %d of ",
                                  static_cast<long long>(shape[i]),
                                  static_cast<long long>(solved[symbol]),
                                  source.dim);
      printPlace(program, source.place, complaint.text);
      return complaint.fail();
    }
  }
  return OURC_OK;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

int32_t ourc::runtime::checkCount(const OurcProgram &program, Role role,
                                  int64_t count) {
  int64_t expected = role == Role::input       ? program.numInputs
                     : role == Role::parameter ? program.numParameters
                                               : program.numResults;
  if (count == expected)
    return OURC_OK;
  Text names;
  for (int64_t i = 0; i < expected && i < 16; ++i) {
    names.append(i ? ", " : ": ");
    printPlace(program, {role, i}, names);
  }
  if (expected > 16)
    names.append(", ...");
  return fail(statusOf(role), "got %lld %ss, the model has %lld%s",
              static_cast<long long>(count), roleName(role),
              static_cast<long long>(expected), names.c_str());
}

static bool checkSymbolBounds(const OurcSymbol &symbol, int64_t size,
                              Text &text) {
  auto number = [](int64_t value) { return static_cast<long long>(value); };
  if (size < symbol.min)
    text.print("is %lld, below its minimum %lld", number(size),
               number(symbol.min));
  else if (size > symbol.max)
    text.print("is %lld, above its maximum %lld", number(size),
               number(symbol.max));
  else if (size % symbol.multipleOf)
    text.print("is %lld, must be a multiple of %lld", number(size),
               number(symbol.multipleOf));
  else
    return true;
  return false;
}

/// Are all offsets of a tensor with elements 63-bit numbers of bytes?
static bool stridesFit(const DLTensor &tensor) {
  int64_t reach = tensor.dtype.bits / 8;
  for (int32_t i = 0; tensor.strides && i < tensor.ndim; ++i) {
    int64_t bytes;
    if (tensor.shape[i] == 1)
      continue;
    // Half of the range: so are differences of two offsets.
    if (tensor.strides[i] == INT64_MIN ||
        __builtin_mul_overflow(tensor.strides[i] < 0 ? -tensor.strides[i]
                                                     : tensor.strides[i],
                               tensor.shape[i], &bytes) ||
        __builtin_mul_overflow(bytes, tensor.dtype.bits / 8, &bytes) ||
        __builtin_add_overflow(reach, bytes, &reach) || reach > INT64_MAX / 2)
      return false;
  }
  return true;
}

int32_t ourc::runtime::checkTensor(const OurcProgram &program, Place place,
                                   const DLTensor *tensor, bool needData) {
  const OurcTensorDesc &desc = descOf(program, place);
  Complaint complaint(program, place);
  Text &text = complaint.text;
  if (!tensor) {
    text.print("is null, must be a %s tensor of shape ", dtypeName(desc.dtype));
    printDims(program, desc, text);
    return complaint.fail();
  }
  if (tensor->device.device_type != kDLCPU &&
      tensor->device.device_type != kDLCUDAHost &&
      tensor->device.device_type != kDLROCMHost &&
      !(program.device && isOnDevice(*tensor))) {
    text.print(program.device ? "is on %s%d, must be in CPU memory or on a "
                                "CUDA device"
                              : "is on %s%d, must be in CPU memory",
               tensor->device.device_type == kDLCUDA
                   ? "CUDA device "
                   : "a device of DLPack type ",
               tensor->device.device_type == kDLCUDA
                   ? tensor->device.device_id
                   : static_cast<int32_t>(tensor->device.device_type));
    return complaint.fail();
  }
  if (fromDLPack(tensor->dtype) != desc.dtype) {
    text.append("is ");
    printDLPackType(tensor->dtype, text);
    text.print(", must be %s", dtypeName(desc.dtype));
    return complaint.fail();
  }
  if (tensor->ndim != desc.rank) {
    text.print("has rank %d", tensor->ndim);
    if (tensor->ndim > 0 && tensor->ndim <= OURC_MAX_RANK && tensor->shape) {
      text.append(" (shape ");
      printSizes(tensor->shape, tensor->ndim, text);
      text.append(')');
    }
    text.print(", must have rank %d: ", desc.rank);
    printDims(program, desc, text);
    return complaint.fail();
  }
  if (desc.rank && !tensor->shape) {
    text.append("its shape is null, must be ");
    printDims(program, desc, text);
    return complaint.fail();
  }
  int64_t elements = 1, bytes = 0;
  bool overflow = false, empty = false;
  for (int32_t i = 0; i < desc.rank; ++i) {
    const OurcDim &dim = desc.dims[i];
    int64_t size = tensor->shape[i];
    if (size < 0) {
      complaint.dim(i).text.print("is %lld, must not be negative",
                                  static_cast<long long>(size));
      return complaint.fail();
    }
    if (dim.symbol == OURC_DIM_STATIC && size != dim.size) {
      complaint.dim(i).text.print("is %lld, must be %lld",
                                  static_cast<long long>(size),
                                  static_cast<long long>(dim.size));
      return complaint.fail();
    }
    if (dim.symbol >= 0) {
      Text bounds;
      if (!checkSymbolBounds(program.symbols[dim.symbol], size, bounds)) {
        complaint.dim(i).text.append(bounds.c_str());
        return complaint.fail();
      }
    }
    empty |= size == 0;
    overflow |= __builtin_mul_overflow(elements, size, &elements);
  }
  overflow |= __builtin_mul_overflow(elements, dtypeBytes(desc.dtype), &bytes);
  if (overflow && !empty) {
    text.append("its shape ");
    printSizes(tensor->shape, tensor->ndim, text);
    text.append(" has more than 2^63 bytes");
    return complaint.fail();
  }
  if (!empty && !stridesFit(*tensor)) {
    text.append("its strides ");
    printSizes(tensor->strides, tensor->ndim, text);
    text.append(" reach beyond 2^63 bytes");
    return complaint.fail();
  }
  if (needData && !empty && !tensor->data) {
    text.append("its data is null, but the tensor is not empty: its shape is ");
    printSizes(tensor->shape, tensor->ndim, text);
    return complaint.fail();
  }
  return OURC_OK;
}

int32_t ourc::runtime::checkShape(const OurcProgram &program, Place place,
                                  const DLTensor &tensor,
                                  const int64_t *shape) {
  for (int32_t i = 0; i < tensor.ndim; ++i) {
    if (tensor.shape[i] == shape[i])
      continue;
    Complaint complaint(program, place);
    complaint.dim(i).text.print("is %lld, must be %lld: the shape is ",
                                static_cast<long long>(tensor.shape[i]),
                                static_cast<long long>(shape[i]));
    printSizes(shape, tensor.ndim, complaint.text);
    return complaint.fail();
  }
  return OURC_OK;
}

/// The strides of a dense tensor that has elements.
static void denseStrides(const DLTensor &tensor, const int32_t *order,
                         int64_t *strides) {
  int64_t stride = 1;
  for (int32_t i = tensor.ndim - 1; i >= 0; --i) {
    int32_t dim = order ? order[i] : i;
    strides[dim] = stride;
    stride *= tensor.shape[dim];
  }
}

static bool isEmpty(const DLTensor &tensor) {
  for (int32_t i = 0; i < tensor.ndim; ++i)
    if (tensor.shape[i] == 0)
      return true;
  return false;
}

static bool isAligned(const DLTensor &tensor) {
  uintptr_t address = reinterpret_cast<uintptr_t>(dataOf(tensor));
  return address % (tensor.dtype.bits / 8) == 0;
}

/// Do the strides of all dimensions that are walked say a dense tensor?
static bool hasDenseStrides(const DLTensor &tensor, const int32_t *order) {
  if (!tensor.strides && !order)
    return true;
  int64_t wanted[OURC_MAX_RANK], rowMajor[OURC_MAX_RANK];
  const int64_t *strides = tensor.strides;
  if (!strides) {
    denseStrides(tensor, nullptr, rowMajor);
    strides = rowMajor;
  }
  denseStrides(tensor, order, wanted);
  for (int32_t i = 0; i < tensor.ndim; ++i)
    if (tensor.shape[i] != 1 && strides[i] != wanted[i])
      return false;
  return true;
}

bool ourc::runtime::isDense(const DLTensor &tensor, const int32_t *order) {
  return isEmpty(tensor) ||
         (hasDenseStrides(tensor, order) && isAligned(tensor));
}

int32_t ourc::runtime::checkDense(const OurcProgram &program, Place place,
                                  const DLTensor &tensor, const char *why) {
  const OurcTensorDesc &desc = descOf(program, place);
  if (isDense(tensor, desc.layout))
    return OURC_OK;
  Complaint complaint(program, place);
  Text &text = complaint.text;
  if (hasDenseStrides(tensor, desc.layout)) {
    text.print("its data is at address %p, must be aligned to %d bytes",
               static_cast<void *>(dataOf(tensor)), tensor.dtype.bits / 8);
  } else {
    int64_t wanted[OURC_MAX_RANK];
    denseStrides(tensor, desc.layout, wanted);
    text.append("its strides are ");
    if (tensor.strides)
      printSizes(tensor.strides, tensor.ndim, text);
    else
      text.append("those of a row-major tensor");
    text.append(", must be ");
    printSizes(wanted, tensor.ndim, text);
  }
  text.print(": %s", why);
  return complaint.fail();
}

int64_t ourc::runtime::bytesOf(const DLTensor &tensor) {
  if (isEmpty(tensor))
    return 0;
  int64_t bytes = tensor.dtype.bits / 8;
  for (int32_t i = 0; i < tensor.ndim; ++i)
    bytes *= tensor.shape[i];
  return bytes;
}
