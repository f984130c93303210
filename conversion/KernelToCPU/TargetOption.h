//===- TargetOption.h - The machine of a pass's option --------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_KERNELTOCPU_TARGETOPTION_H
#define OURC_CONVERSION_KERNELTOCPU_TARGETOPTION_H

#include "target/cpu/MachineDescription.h"

#include "mlir/IR/Operation.h"

namespace ourc {

/// The machine that `target` names; an error at `op` where it names none.
inline llvm::FailureOr<cpu::MachineDescription>
parseTargetOption(mlir::Operation *op, llvm::StringRef target) {
  std::string error;
  std::optional<cpu::MachineDescription> machine =
      cpu::MachineDescription::parse(target, error);
  if (!machine)
    return op->emitError(error);
  return *machine;
}

} // namespace ourc

#endif // OURC_CONVERSION_KERNELTOCPU_TARGETOPTION_H
