//===- TestProgram.cpp - A program for a GPU, without a compiler ----------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestProgram.h"

#include "runtime/core/DeviceRuntime.h"

extern "C" const OurcDeviceRuntime ourc_cuda_runtime;

namespace {

constexpr int64_t most = 64;

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

template <typename T> T take(void *const *arguments, int i) {
  return *static_cast<T *>(arguments[i]);
}

/// out[i] = 2 * in[i]
int32_t playTwice(void *const *arguments, const int64_t *, const int64_t *,
                  int64_t) {
  auto *in = take<float *>(arguments, 0);
  auto *out = take<float *>(arguments, 1);
  for (int64_t i = 0; i < take<int64_t>(arguments, 2); ++i)
    out[i] = 2 * in[i];
  return 0;
}

/// out[i] = a[i] + b[i]
int32_t playAdd(void *const *arguments, const int64_t *, const int64_t *,
                int64_t) {
  auto *a = take<float *>(arguments, 0), *b = take<float *>(arguments, 1);
  auto *out = take<float *>(arguments, 2);
  for (int64_t i = 0; i < take<int64_t>(arguments, 3); ++i)
    out[i] = a[i] + b[i];
  return 0;
}

const char twiceCode[] = "cubin twice", addCode[] = "cubin add";
const OurcDeviceBinary twiceBinary = {90, twiceCode, sizeof(twiceCode) - 1};
const OurcDeviceBinary addBinary = {90, addCode, sizeof(addCode) - 1};
const OurcDeviceKernel twice = {"twice", "ppi",       &twiceBinary,
                                1,       "ptx twice", playTwice};
const OurcDeviceKernel add = {"add", "pppi", &addBinary, 1, "ptx add", playAdd};

int32_t launch(OurcContext *ctx, const OurcDeviceKernel &kernel, int operands,
               void *const *buffers, int64_t count, int64_t shared) {
  void *slots[4], *addresses[4];
  for (int i = 0; i < operands; ++i) {
    slots[i] = buffers[i];
    addresses[i] = &slots[i];
  }
  addresses[operands] = &count;
  int64_t grid[] = {(count + 31) / 32, 1, 1}, block[] = {32, 1, 1};
  return ourc_device_launch(ctx, &kernel, addresses, grid, block, shared);
}
int32_t twiceEntry(OurcContext *ctx, void *const *buffers,
                   const int64_t *sizes) {
  return launch(ctx, twice, 2, buffers, sizes[0], 100 * 1024);
}
int32_t addEntry(OurcContext *ctx, void *const *buffers, const int64_t *sizes) {
  return launch(ctx, add, 3, buffers, sizes[0], 0);
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

const float table[] = {5, 6};

void shapes(const int64_t *symbols, int64_t *, int64_t *bufferBytes) {
  bufferBytes[0] = 4 * symbols[0];
}

int32_t init(OurcContext *ctx, void *const *operands, void *) {
  return ourc_launch(ctx, twiceEntry, operands, &most, -1);
}

/// Operands: x, w, 2 * w, sum, copy, table, count.
int32_t run(OurcContext *ctx, void *const *operands, const int64_t *symbols,
            void *arena, const int64_t *offsets) {
  void *doubled = static_cast<char *>(arena) + offsets[0];
  void *first[] = {operands[0], doubled};
  if (int32_t code = ourc_launch(ctx, twiceEntry, first, symbols, 0))
    return code;
  void *second[] = {doubled, operands[2], operands[3]};
  if (int32_t code = ourc_launch(ctx, addEntry, second, symbols, 1))
    return code;
  if (int32_t code =
          ourc_device_copy(ctx, operands[4], operands[0], 4 * symbols[0]))
    return code;
  void *constant = ourc_device_constant(ctx, table, sizeof(table));
  if (!constant)
    return 4;
  if (int32_t code =
          ourc_device_copy(ctx, operands[5], constant, sizeof(table)))
    return code;
  return ourc_device_store(ctx, operands[6], symbols[0], 8);
}

const OurcSymbol symbols[] = {{"n", 1, most, 1}};
const OurcDim ofN[] = {{0, 0}}, ofMost[] = {{OURC_DIM_STATIC, most}},
              ofTwo[] = {{OURC_DIM_STATIC, 2}};
const OurcTensorDesc inputs[] = {{"x", OURC_F32, 1, ofN, nullptr, -1}};
const OurcTensorDesc parameters[] = {{"w", OURC_F32, 1, ofMost, nullptr, -1}};
const OurcTensorDesc prepared[] = {{"", OURC_F32, 1, ofMost, nullptr, -1}};
const OurcTensorDesc results[] = {{"sum", OURC_F32, 1, ofN, nullptr, -1},
                                  {"copy", OURC_F32, 1, ofN, nullptr, -1},
                                  {"table", OURC_F32, 1, ofTwo, nullptr, -1},
                                  {"count", OURC_I64, 0, nullptr, nullptr, -1}};
const OurcBufferDesc buffers[] = {{0, 1}};

} // namespace

const OurcProgram *ourc::test::makeGPUProgram() {
  static OurcProgram program = {};
  program.abiVersion = OURC_ABI_VERSION;
  program.name = "test";
  program.target = "cuda:sm_90";
  program.numSymbols = program.numInputs = program.numParameters = 1;
  program.numPrepared = program.numBuffers = 1;
  program.numResults = 4;
  program.symbols = symbols;
  program.inputs = inputs;
  program.parameters = parameters;
  program.prepared = prepared;
  program.results = results;
  program.buffers = buffers;
  program.shapes = shapes;
  program.init = init;
  program.initScratchBytes = 64;
  program.run = run;
  program.device = &ourc_cuda_runtime;
  return &program;
}
