//===- driver-faults.cpp - What each failing call of the driver leads to --===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a model on the driver of the tests again and again, each time with
// another call that fails, and prints the table of docs/design.
//
//===----------------------------------------------------------------------===//

#include "ModelCall.h"

#include <cstdio>
#include <functional>
#include <map>

using namespace ourc::test;

namespace {

/// The life of a model. Returns the message of the first error, or "".
std::string live() {
  GPUModel made;
  int32_t status = made.create();
  std::string message;
  auto step = [&](const std::function<int32_t()> &action) {
    if (status)
      return;
    status = action();
    if (status)
      message = ourc_last_error();
  };
  CPUTensors host(33);
  GPUTensors first(33), second(20);
  // Tensors of the CPU; then a graph is refused, captured, replayed, updated.
  step([&] { return host.run(made.model); });
  step([&] { return ourc_model_use_graphs(made.model, 1); });
  for (GPUTensors *tensors : {&first, &first, &first, &second})
    step([&] { return tensors->run(made.model); });
  if (!status && !(host.areRight() && first.areRight() && second.areRight()))
    message = "THE RESULTS ARE WRONG";
  return message;
}

} // namespace

int main() {
  fake().reset();
  if (std::string message = live(); !message.empty()) {
    std::fprintf(stderr, "driver-faults: without a fault: %s\n",
                 message.c_str());
    return 1;
  }
  int64_t calls = fake().numCalls();
  std::printf(
      "# What a failing call of the driver leads to\n\n"
      "Made by `bazel run //test/runtime/cuda:driver-faults`; a test compares. "
      "A model is made, run on tensors of the CPU and\nof the GPU, captured, "
      "replayed and updated as a graph, and destroyed: %lld calls of the "
      "driver. Each fails once\nfor want of memory (2) and once because "
      "earlier "
      "work failed (719). Where the message is empty, the call lets go\nof "
      "something: it did, and only the error of earlier work is told by it, "
      "which the next call tells again; or it is made\nagain, or done without. "
      "Equal rows are counted. `left` is what lives on when the model is gone."
      "\n\n| call | fault | times | message | left |\n"
      "| --- | --- | --- | --- | --- |\n",
      static_cast<long long>(calls));
  // In the order of the calls' first faults.
  std::vector<std::string> rows;
  std::map<std::string, int> counts;
  int64_t left = 0, silentlyWrong = 0;
  for (int64_t at = 0; at < calls; ++at)
    for (int code : {2, 719}) {
      fake().reset();
      fake().failAt(at, code);
      std::string message = live();
      std::string name = fake().call(at);
      left += fake().numLive() != 0;
      silentlyWrong += message == "THE RESULTS ARE WRONG";
      std::string misuse = fake().misuse();
      if (!misuse.empty())
        message += " MISUSE: " + misuse;
      std::string row = "| `" + name.substr(0, name.find("_v2")) + "` | " +
                        std::to_string(code) + " | ";
      std::string rest =
          " | " + message + " | " + std::to_string(fake().numLive()) + " |";
      if (!counts[row + rest]++)
        rows.push_back(row + "%" + rest);
    }
  for (const std::string &row : rows) {
    size_t mark = row.find('%');
    std::string key = row.substr(0, mark) + row.substr(mark + 1);
    std::printf("%s%d%s\n", row.substr(0, mark).c_str(), counts[key],
                row.substr(mark + 1).c_str());
  }
  if (left || silentlyWrong)
    std::fprintf(stderr,
                 "driver-faults: %lld left something behind, %lld gave "
                 "wrong results\n",
                 static_cast<long long>(left),
                 static_cast<long long>(silentlyWrong));
  return left || silentlyWrong;
}
