//===- program.c - A program such as the compiler makes -------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// x [n, 3] float32, half [n] bfloat16 and count [] int64 (updated in place) ->
// y [n, 3] float32 = exp(x) * w, half again, count + 1.
//
//===----------------------------------------------------------------------===//

#include "runtime/abi/ProgramABI.h"

#include <math.h>

struct Args {
  const float *x, *w;
  float *y;
};

static void task(void *data, int64_t begin, int64_t end) {
  struct Args *args = data;
  for (int64_t i = 3 * begin; i < 3 * end; ++i)
    args->y[i] = expf(args->x[i]) * args->w[i % 3];
}

static int32_t init(OurcContext *ctx, void *const *operands, void *scratch) {
  (void)ctx, (void)scratch;
  for (int i = 0; i < 3; ++i)
    ((float *)operands[1])[i] = ((const float *)operands[0])[i];
  return 0;
}

static int32_t run(OurcContext *ctx, void *const *operands,
                   const int64_t *symbols, void *arena,
                   const int64_t *offsets) {
  (void)arena, (void)offsets;
  struct Args args = {operands[0], operands[4], operands[5]};
  *(float *)ourc_thread_scratch(ctx, 4) = 0;
  ourc_parallel_for(ctx, task, &args, symbols[0], 1);
  for (int64_t i = 0; i < symbols[0]; ++i) {
    ((uint16_t *)operands[6])[i] = ((const uint16_t *)operands[1])[i];
    if (isnan(args.x[3 * i]))
      ourc_report_error(ctx, "x is not a number in row", i);
  }
  ++*(int64_t *)operands[7];
  return 0;
}

static const struct OurcSymbol symbols[] = {{"n", 0, 64, 1}};
static const struct OurcDim n3[] = {{0, 0}, {OURC_DIM_STATIC, 3}};
static const struct OurcTensorDesc inputs[] = {
    {"x", OURC_F32, 2, n3, 0, -1},
    {"half", OURC_BF16, 1, n3, 0, -1},
    {"count", OURC_I64, 0, 0, 0, -1}};
static const struct OurcTensorDesc weights[] = {
    {"w", OURC_F32, 1, n3 + 1, 0, -1}};
static const struct OurcTensorDesc results[] = {
    {"y", OURC_F32, 2, n3, 0, -1},
    {"half_again", OURC_BF16, 1, n3, 0, -1},
    {"count", OURC_I64, 0, 0, 0, 2}};

const struct OurcProgram ourc_program = {
    .abiVersion = OURC_ABI_VERSION,
    .name = "exponential",
    .target = "cpu",
    .numSymbols = 1,
    .numInputs = 3,
    .numParameters = 1,
    .numPrepared = 1,
    .numResults = 3,
    .symbols = symbols,
    .inputs = inputs,
    .parameters = weights,
    .prepared = weights,
    .results = results,
    .init = init,
    .run = run,
    .report = "{\"kernels\": []}",
};
