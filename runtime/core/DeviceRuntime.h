//===- DeviceRuntime.h - What a model asks of a device --------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A model whose program has a device leaves to it where tensors and
// intermediate results live, and when launches run. What is declared here is
// all that runtime/core knows of GPUs.

#ifndef OURC_RUNTIME_CORE_DEVICERUNTIME_H
#define OURC_RUNTIME_CORE_DEVICERUNTIME_H

#include "runtime/abi/Model.h"
#include "runtime/support/Text.h"

namespace ourc::runtime {

/// A tensor of a call: dense memory.
struct DeviceOperand {
  void *address;
  int64_t bytes;
  bool onDevice;  ///< `address` is the device's; otherwise the CPU's
  bool isWritten; ///< by the call; otherwise read
  /// The operand whose memory this one is (a result that updates an input), or
  /// -1.
  int64_t sameAs;
};

/// One call of `run`. Prepared weights are not among the operands: the device
/// has them.
struct DeviceCall {
  void *stream; ///< the caller's
  DeviceOperand *inputs;
  DeviceOperand *results;
  const int64_t *symbols;
  int64_t arenaBytes;
  const int64_t *offsets;
  bool isWatched; ///< launches are timed: each is waited for
};

} // namespace ourc::runtime

/// Functions return OURC_OK, or a status after runtime::fail. One thread at a
/// time is in those of one state.
struct OurcDeviceRuntime {
  /// The state of one model. Opens no driver yet.
  int32_t (*create)(const OurcProgram *program, int64_t *allocations,
                    void **state);
  void (*destroy)(void *state);
  /// The GPU that the model's tensors are on; before the first call of
  /// `bind`, `prepare` or `run` it is chosen, later it must be the same one.
  int32_t (*choose)(void *state, int32_t ordinal);
  /// The parameters, until bound again. Those in CPU memory are copied when
  /// they are needed first, and must be valid until then.
  int32_t (*bind)(void *state, const ourc::runtime::DeviceOperand *parameters,
                  int64_t count);
  /// Runs `init`; offsets: of prepared weights in a block of `bytes` bytes.
  int32_t (*prepare)(void *state, OurcContext *context, const int64_t *offsets,
                     int64_t bytes);
  int32_t (*run)(void *state, OurcContext *context,
                 const ourc::runtime::DeviceCall *call);
  void (*useGraphs)(void *state, bool on);
  /// Prints a JSON object: what became of graphs.
  void (*describe)(void *state, ourc::runtime::Text *text);
};

#endif // OURC_RUNTIME_CORE_DEVICERUNTIME_H
