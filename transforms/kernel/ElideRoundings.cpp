//===- ElideRoundings.cpp - Leave out roundings within a body -------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/kernel/ElidableRounding.h"
#include "transforms/kernel/Passes.h"

#define DEBUG_TYPE "ourc-elide-roundings"

namespace ourc {
#define GEN_PASS_DEF_ELIDEROUNDINGS
#include "transforms/kernel/Passes.h.inc"
} // namespace ourc

using namespace mlir;
using namespace ourc;

namespace {
struct ElideRoundingsPass : ourc::impl::ElideRoundingsBase<ElideRoundingsPass> {
  using ElideRoundingsBase::ElideRoundingsBase;

  void runOnOperation() override {
    SmallVector<arith::TruncFOp> roundings;
    getOperation().walk([&](arith::TruncFOp rounding) {
      if (isElidableRounding(rounding) && !rounding->use_empty())
        roundings.push_back(rounding);
    });
    for (arith::TruncFOp rounding : roundings) {
      Value exact = rounding.getIn();
      // One reader of the rounded value beside one of the exact value would see
      // another number: a softmax whose sum does not fit its numerators.
      if (!llvm::all_of(rounding->getUsers(), [&](Operation *user) {
            return isa<arith::ExtFOp>(user) &&
                   user->getResult(0).getType() == exact.getType();
          }))
        continue;
      for (Operation *user : llvm::make_early_inc_range(rounding->getUsers())) {
        user->getResult(0).replaceAllUsesWith(exact);
        user->erase();
      }
      rounding.erase();
      ++numElided;
    }
  }
};
} // namespace
