//===- DropSync.h - Removing one synchronisation -----------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_TEST_LIB_DROPSYNC_H
#define OURC_TEST_LIB_DROPSYNC_H

#include "mlir/Pass/Pass.h"

namespace ourc::test {

/// A pass that removes one barrier, wait or commit from GPU modules in NVVM:
/// number `index` in the order of the text. It fails, with the number of them,
/// when there is none of this number.
std::unique_ptr<mlir::Pass> createDropSyncPass(int index);

} // namespace ourc::test

#endif // OURC_TEST_LIB_DROPSYNC_H
