//===- DType.cpp - Element types of the ABI, of DLPack and by name --------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/support/DType.h"

using namespace ourc::runtime;

namespace {
struct Info {
  const char *name;
  const char *safeTensors;
  uint8_t code, bits;
};
// In the order of OurcDType.
constexpr Info infos[numDTypes] = {
    {"float64", "F64", kDLFloat, 64}, {"float32", "F32", kDLFloat, 32},
    {"float16", "F16", kDLFloat, 16}, {"bfloat16", "BF16", kDLBfloat, 16},
    {"int64", "I64", kDLInt, 64},     {"int32", "I32", kDLInt, 32},
    {"int16", "I16", kDLInt, 16},     {"int8", "I8", kDLInt, 8},
    {"uint8", "U8", kDLUInt, 8},      {"bool", "BOOL", kDLBool, 8},
};
} // namespace

const char *ourc::runtime::dtypeName(int32_t dtype) {
  return infos[dtype].name;
}

int64_t ourc::runtime::dtypeBytes(int32_t dtype) {
  return infos[dtype].bits / 8;
}

DLDataType ourc::runtime::toDLPack(int32_t dtype) {
  return {infos[dtype].code, infos[dtype].bits, 1};
}

int32_t ourc::runtime::fromDLPack(DLDataType type) {
  for (int32_t dtype = 0; dtype < numDTypes; ++dtype)
    if (infos[dtype].code == type.code && infos[dtype].bits == type.bits &&
        type.lanes == 1)
      return dtype;
  return -1;
}

void ourc::runtime::printDLPackType(DLDataType type, Text &text) {
  const char *const codes[] = {"int",    "uint",    "float", "handle",
                               "bfloat", "complex", "bool"};
  if (type.code == kDLBool && type.bits == 8)
    text.append("bool");
  else if (type.code < sizeof(codes) / sizeof(*codes))
    text.print("%s%d", codes[type.code], type.bits);
  else
    text.print("DLPack type code %d of %d bits", type.code, type.bits);
  if (type.lanes != 1)
    text.print(" with %d lanes", type.lanes);
}

int32_t ourc::runtime::dtypeFromSafeTensors(const char *name) {
  for (int32_t dtype = 0; dtype < numDTypes; ++dtype)
    if (!std::strcmp(infos[dtype].safeTensors, name))
      return dtype;
  return -1;
}

const char *ourc::runtime::dtypeSafeTensorsName(int32_t dtype) {
  return infos[dtype].safeTensors;
}
