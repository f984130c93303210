//===- Describe.h - A model in JSON ---------------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_RUNTIME_CORE_DESCRIBE_H
#define OURC_RUNTIME_CORE_DESCRIBE_H

#include "runtime/abi/Model.h"
#include "runtime/support/Text.h"

namespace ourc::runtime {

/// Appends the JSON object of ourc_model_describe:
///   {"name", "target", "abi_version",
///    "symbols":    [{"name", "min", "max", "multiple_of"}],
///    "inputs":     [{"name", "dtype", "shape", "layout"?}],
///    "parameters", "prepared": likewise,
///    "results":    likewise, and "updates"? (the index of an input),
///    "memory":     {"arena_bytes", "sum_of_buffers", "lower_bound",
///                   "prepared_bytes", "allocations", "buffers"},
///    "threads":    {"library" (a path or null), "max", "sharing_a_core"},
///    "graphs":     of a GPU's model, as `graphs` has it: {"on", "captures",
///                  "updates", "replays", "refusals", "reason"}
///    "report":     the compiler's, or null}
/// An entry of a shape is a number, the name of a symbol, or null where the
/// program computes it. "layout" is there unless it is row-major.
void describe(const OurcProgram &program, const OurcMemoryStats &memory,
              Text &text, const char *graphs = nullptr);

} // namespace ourc::runtime

#endif // OURC_RUNTIME_CORE_DESCRIBE_H
