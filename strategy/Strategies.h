//===- Strategies.h - The strategies of a target
//------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_STRATEGY_STRATEGIES_H
#define OURC_STRATEGY_STRATEGIES_H

#include "strategy/Strategy.h"

namespace ourc {

/// The strategies of `target` ("cpu:native", "cpu:x86-64-v3", …), in the order
/// in which they are asked. On an unknown target `error` says what is wrong and
/// what would be right.
llvm::SmallVector<std::unique_ptr<Strategy>>
createStrategies(llvm::StringRef target, std::string &error);

} // namespace ourc

#endif // OURC_STRATEGY_STRATEGIES_H
