//===- DeviceGraphs.cpp - CUDA graphs of one GPU --------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cuda/Device.h"
#include "runtime/cuda/DeviceScope.h"

#include "runtime/support/Failure.h"

using namespace ourc::cuda;

int32_t Device::isCapturing(Stream stream, bool *captures) {
  *captures = false;
  Scope scope(*this);
  if (scope.status)
    return scope.status;
  int state = 0;
  if (Result code = driver.cuStreamIsCapturing(stream, &state))
    return driver.fail("cuStreamIsCapturing", code,
                       "asking whether the stream is captured");
  *captures = state != 0;
  return OURC_OK;
}

int32_t Device::beginCapture(Stream stream) {
  Scope scope(*this);
  if (scope.status)
    return scope.status;
  if (Result code = driver.cuStreamBeginCapture_v2(stream, captureOfThread))
    return driver.fail("cuStreamBeginCapture", code,
                       "beginning to capture launches");
  return OURC_OK;
}

int32_t Device::endCapture(Stream stream, CapturedGraph *graph) {
  *graph = nullptr;
  Scope scope(*this, /*isRelease=*/true);
  if (scope.status)
    return scope.status;
  if (Result code = driver.cuStreamEndCapture(stream, graph))
    return driver.fail("cuStreamEndCapture", code, "capturing launches");
  return OURC_OK;
}

void Device::destroyCaptured(CapturedGraph graph) {
  Scope scope(*this, /*isRelease=*/true);
  driver.cuGraphDestroy(graph);
}

int32_t Device::instantiateGraph(CapturedGraph graph, GraphExec *exec) {
  *exec = nullptr;
  Scope scope(*this);
  if (scope.status)
    return scope.status;
  if (Result code = driver.cuGraphInstantiateWithFlags(exec, graph, 0)) {
    *exec = nullptr;
    return driver.fail("cuGraphInstantiateWithFlags", code,
                       "making a graph of launches");
  }
  return OURC_OK;
}

int32_t Device::updateGraph(GraphExec exec, CapturedGraph graph,
                            bool *updated) {
  *updated = false;
  Scope scope(*this);
  if (scope.status)
    return scope.status;
  GraphUpdateInfo info = {};
  Result code = driver.cuGraphExecUpdate_v2(exec, graph, &info);
  if (code && code != graphUpdateFailed)
    return driver.fail("cuGraphExecUpdate", code,
                       "giving a graph new arguments");
  *updated = code == 0;
  return OURC_OK;
}

int32_t Device::launchGraph(GraphExec exec, Stream stream) {
  Scope scope(*this);
  if (scope.status)
    return scope.status;
  if (Result code = driver.cuGraphLaunch(exec, stream))
    return driver.fail("cuGraphLaunch", code, "replaying a graph of launches");
  return OURC_OK;
}

void Device::destroyGraph(GraphExec exec) {
  Scope scope(*this, /*isRelease=*/true);
  driver.cuGraphExecDestroy(exec);
}
