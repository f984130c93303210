//===- DType.h - Element types of the ABI, of DLPack and by name ----------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_RUNTIME_SUPPORT_DTYPE_H
#define OURC_RUNTIME_SUPPORT_DTYPE_H

#include "runtime/abi/DLPack.h"
#include "runtime/abi/ProgramABI.h"
#include "runtime/support/Text.h"

namespace ourc::runtime {

constexpr int32_t numDTypes = OURC_BOOL + 1;

inline bool isDType(int32_t dtype) { return dtype >= 0 && dtype < numDTypes; }

/// "float32", as messages say it; `dtype` is one.
const char *dtypeName(int32_t dtype);
/// Bytes of an element; `dtype` is one.
int64_t dtypeBytes(int32_t dtype);
DLDataType toDLPack(int32_t dtype);
/// -1: none of ours.
int32_t fromDLPack(DLDataType type);
/// The name of any DLPack type, for messages.
void printDLPackType(DLDataType type, Text &text);
/// The OurcDType with this name in .safetensors files ("F32"), or -1.
int32_t dtypeFromSafeTensors(const char *name);
const char *dtypeSafeTensorsName(int32_t dtype);

} // namespace ourc::runtime

#endif // OURC_RUNTIME_SUPPORT_DTYPE_H
