//===- Lowering.h - From operator names to lowerings --------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_ATENTOOURC_LOWERING_H
#define OURC_CONVERSION_ATENTOOURC_LOWERING_H

#include "conversion/AtenToOurc/Call.h"

#include "llvm/ADT/StringMap.h"

namespace ourc::aten {

/// Builds ourc ops before a call and sets its results. A result that is used
/// must be set.
using LoweringFn = llvm::LogicalResult (*)(Call &call);

/// What an operator does with the sign of 8-bit integers, which types do not
/// show. Only operators that never look at it may see unsigned ones.
enum class Signs {
  Signed,  ///< reads integers as signed
  Moved,   ///< only moves elements: results are unsigned as the operand is
  Handled, ///< asks Call::isUnsigned
};

struct Lowering {
  LoweringFn lower;
  Signs signs;
};

/// Lowerings by the operator's name with its overload (`add.Tensor`).
class LoweringTable {
public:
  void add(llvm::StringRef callee, LoweringFn lower,
           Signs signs = Signs::Signed) {
    bool inserted =
        lowerings.try_emplace(callee, Lowering{lower, signs}).second;
    assert(inserted && "an operator has one lowering");
    (void)inserted;
  }
  void add(std::initializer_list<llvm::StringRef> callees, LoweringFn lower,
           Signs signs = Signs::Signed) {
    for (llvm::StringRef callee : callees)
      add(callee, lower, signs);
  }
  const Lowering *find(llvm::StringRef callee) const {
    auto found = lowerings.find(callee);
    return found == lowerings.end() ? nullptr : &found->second;
  }

private:
  llvm::StringMap<Lowering> lowerings;
};

// What families share.

/// Positions as i64 or i32. A boolean mask is a failure: how many positions it
/// has depends on data.
mlir::Value readIndex(Call &call, mlir::Value index);
/// Positions counted from the end where they are negative.
mlir::Value wrapIndex(Call &call, mlir::Value index, mlir::OpFoldResult size);
/// `x` with the positions of one dimension in reverse.
mlir::Value reverse(Call &call, mlir::Value x, int64_t dim);
/// A convolution with `transposed` set.
llvm::LogicalResult lowerTransposedConvolution(Call &call);

// One function a family, each in the file of its name.
void populateActivation(LoweringTable &table);
void populateAttention(LoweringTable &table);
void populateContraction(LoweringTable &table);
void populateConvolution(LoweringTable &table);
void populateElementwise(LoweringTable &table);
void populateFactory(LoweringTable &table);
void populateIndexedUpdate(LoweringTable &table);
void populateIndexing(LoweringTable &table);
void populateLogic(LoweringTable &table);
void populateNormalization(LoweringTable &table);
void populateOrder(LoweringTable &table);
void populatePooling(LoweringTable &table);
void populateReduction(LoweringTable &table);
void populateScan(LoweringTable &table);
void populateScatter(LoweringTable &table);
void populateShape(LoweringTable &table);
void populateStrided(LoweringTable &table);

} // namespace ourc::aten

#endif // OURC_CONVERSION_ATENTOOURC_LOWERING_H
