//===- Arguments.h - Checks of the tensors of a call ----------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A call's tensors are checked against the program's descriptions, and the
// values of its symbols are taken from their shapes. Every message names the
// argument and, where it is about one, the dimension, and says what would be
// right. The program has passed checkProgram.
//
//===----------------------------------------------------------------------===//

#ifndef OURC_RUNTIME_CORE_ARGUMENTS_H
#define OURC_RUNTIME_CORE_ARGUMENTS_H

#include "runtime/abi/Model.h"
#include "runtime/support/Text.h"

namespace ourc::runtime {

enum class Role { input, parameter, result };

/// Where a tensor stands in the program's boundary.
struct Place {
  Role role;
  int64_t index;
};

const OurcTensorDesc &descOf(const OurcProgram &program, Place place);
/// "input 'x'", "result 0": how messages begin.
void printPlace(const OurcProgram &program, Place place, Text &text);
/// "[batch, 384]"; a computed dimension is "?".
void printDims(const OurcProgram &program, const OurcTensorDesc &desc,
               Text &text);

/// The values of symbols in one call, and where each was first seen.
class Symbols {
public:
  explicit Symbols(const OurcProgram &program);
  void clear();
  const int64_t *values() const { return solved.data(); }

  /// Takes the dimensions of a checked tensor; an error when a symbol that has
  /// a value gets another one.
  int32_t solve(Place place, const int64_t *shape);

private:
  struct Source {
    Place place;
    int32_t dim;
    bool known;
  };
  const OurcProgram &program;
  Vec<int64_t> solved;
  Vec<Source> sources;
};

/// Is `count` the number of tensors of this role?
int32_t checkCount(const OurcProgram &program, Role role, int64_t count);

/// Checks type, device, rank and every dimension on its own: its size where it
/// is static, the bounds of its symbol otherwise. `needData`: null data of a
/// tensor that has elements is an error, too.
int32_t checkTensor(const OurcProgram &program, Place place,
                    const DLTensor *tensor, bool needData);

/// Does the (checked) tensor have this shape?
int32_t checkShape(const OurcProgram &program, Place place,
                   const DLTensor &tensor, const int64_t *shape);

/// Is the (checked) tensor in memory as its description says? An error
/// otherwise, which says `why` it has to be.
int32_t checkDense(const OurcProgram &program, Place place,
                   const DLTensor &tensor, const char *why);

/// The same without a message: dense in the order of dimensions `order` (null:
/// row-major), and aligned for its element type.
bool isDense(const DLTensor &tensor, const int32_t *order);

/// Whether the tensor is in a GPU's memory.
inline bool isOnDevice(const DLTensor &tensor) {
  return tensor.device.device_type == kDLCUDA;
}

/// The bytes of a (checked) tensor's elements.
int64_t bytesOf(const DLTensor &tensor);
inline char *dataOf(const DLTensor &tensor) {
  return static_cast<char *>(tensor.data) + tensor.byte_offset;
}

} // namespace ourc::runtime

#endif // OURC_RUNTIME_CORE_ARGUMENTS_H
