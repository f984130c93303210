//===- Graph.cpp - The launches of a call as one CUDA graph ---------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cuda/Graph.h"

#include "runtime/abi/Model.h"
#include "runtime/io/Json.h"

using namespace ourc::cuda;
using ourc::runtime::Vec;

void Graph::close(Device &device) {
  if (exec)
    device.destroyGraph(exec);
  if (stream)
    device.destroyStream(stream);
  exec = nullptr;
  stream = nullptr;
  key.clear();
}

bool Graph::matches(const Vec<uint64_t> &wanted) const {
  if (!exec || key.size() != wanted.size())
    return false;
  for (int64_t i = 0; i < key.size(); ++i)
    if (key[i] != wanted[i])
      return false;
  return true;
}

int32_t Graph::replay(Device &device, Stream onStream) {
  if (int32_t status = device.launchGraph(exec, onStream))
    return status;
  ++replays;
  return OURC_OK;
}

int32_t Graph::begin(Device &device) {
  if (!stream)
    if (int32_t status = device.createStream(&stream))
      return status;
  return device.beginCapture(stream);
}

int32_t Graph::end(Device &device, const Vec<uint64_t> &wanted, int32_t status,
                   bool &isReady) {
  CapturedGraph captured = nullptr;
  // Also after an error: the stream must leave its capture.
  int32_t ended = device.endCapture(stream, &captured);
  if (status || ended) {
    if (captured)
      device.destroyCaptured(captured);
    return status ? status : ended;
  }
  bool isUpdated = false;
  int32_t made = OURC_OK;
  if (exec) {
    made = device.updateGraph(exec, captured, &isUpdated);
    if (!made && isUpdated)
      ++updates;
  }
  if (!made && !isUpdated) {
    if (exec)
      device.destroyGraph(exec);
    exec = nullptr;
    made = device.instantiateGraph(captured, &exec);
    if (!made)
      ++captures;
  }
  device.destroyCaptured(captured);
  key.clear();
  if (made)
    return made;
  for (uint64_t value : wanted)
    key.push(value);
  isReady = true;
  return OURC_OK;
}

void Graph::refuse(const char *why) {
  ++refusals;
  std::snprintf(reason, sizeof(reason), "%s", why);
}

void Graph::describe(runtime::Text &text) const {
  text.print("{\"on\": %s, \"captures\": %lld, \"updates\": %lld, "
             "\"replays\": %lld, \"refusals\": %lld, \"reason\": ",
             on ? "true" : "false", static_cast<long long>(captures),
             static_cast<long long>(updates), static_cast<long long>(replays),
             static_cast<long long>(refusals));
  if (*reason)
    runtime::printJsonString(reason, text);
  else
    text.append("null");
  text.append('}');
}
