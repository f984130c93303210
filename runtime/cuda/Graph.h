//===- Graph.h - The launches of a call as one CUDA graph -----------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_RUNTIME_CUDA_GRAPH_H
#define OURC_RUNTIME_CUDA_GRAPH_H

#include "runtime/cuda/Device.h"
#include "runtime/support/Text.h"

namespace ourc::cuda {

/// Captures a model's launches, and replays them for calls with the same
/// addresses and sizes. Another call updates the graph, or makes a new one
/// where the driver cannot.
class Graph {
public:
  bool isOn() const { return on; }
  void turn(bool toOn) { on = toOn; }
  /// Lets go of all that was made on `device`.
  void close(Device &device);

  /// Whether the graph is that of a call with these values.
  bool matches(const runtime::Vec<uint64_t> &wanted) const;
  int32_t replay(Device &device, Stream stream);

  /// Captures what `launches` puts into the stream that it is given, for calls
  /// with the values `key`. Where the driver refuses, `isReady` is false, the
  /// status is OURC_OK and the reason is in the description.
  template <typename Launches>
  int32_t capture(Device &device, const runtime::Vec<uint64_t> &key,
                  Launches launches, bool &isReady) {
    isReady = false;
    if (int32_t status = begin(device))
      return status;
    int32_t status = launches(stream);
    return end(device, key, status, isReady);
  }
  /// Records why a call was not captured.
  void refuse(const char *reason);
  void describe(runtime::Text &text) const;

private:
  int32_t begin(Device &device);
  int32_t end(Device &device, const runtime::Vec<uint64_t> &key, int32_t status,
              bool &isReady);

  bool on = false;
  Stream stream = nullptr; ///< what is captured
  GraphExec exec = nullptr;
  runtime::Vec<uint64_t> key;
  int64_t captures = 0, updates = 0, replays = 0, refusals = 0;
  char reason[256] = "";
};

} // namespace ourc::cuda

#endif // OURC_RUNTIME_CUDA_GRAPH_H
