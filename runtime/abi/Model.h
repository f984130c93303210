//===- Model.h - The C ABI of a compiled model ----------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an artifact (model.so) exports and what the Python face calls. Tensors
// are DLPack's DLTensor (https://dmlc.github.io/dlpack): data, shape, strides,
// byte_offset are honoured. Every function checks its arguments and returns a
// code; ourc_last_error() has the message of the calling thread's last error.
//
//===----------------------------------------------------------------------===//

#ifndef OURC_RUNTIME_ABI_MODEL_H
#define OURC_RUNTIME_ABI_MODEL_H

#include "runtime/abi/DLPack.h"
#include "runtime/abi/ProgramABI.h"

#ifdef __cplusplus
extern "C" {
#endif

enum OurcStatus {
  OURC_OK = 0,
  OURC_ERROR_ARGUMENT = 1, ///< a count, rank, shape, type, device, null pointer
  OURC_ERROR_WEIGHTS = 2,  ///< a missing, malformed or mismatched weight
  OURC_ERROR_MEMORY = 3,
  OURC_ERROR_RUNTIME = 4, ///< reported by generated code
  OURC_ERROR_VERSION = 5
};

typedef struct OurcModel OurcModel;

/// Creates a model over `program`, which must outlive it. Parameters are not
/// bound yet.
int32_t ourc_model_create_from_program(const struct OurcProgram *program,
                                       OurcModel **model);
/// Artifacts export this one: a model over their own program, weights mapped
/// from the .safetensors file at `weightsPath` (null: model has no weights).
int32_t ourc_model_create(const char *weightsPath, OurcModel **model);
/// Artifacts export this one: the program of the shared object.
const struct OurcProgram *ourc_model_program(void);
void ourc_model_destroy(OurcModel *model);

/// A JSON description of symbols, inputs, parameters, results, memory and the
/// compiler's report. Owned by the model.
const char *ourc_model_describe(OurcModel *model);

/// Binds parameters (borrowed: data must stay valid until rebound), in program
/// order. Marks prepared weights stale.
int32_t ourc_model_bind(OurcModel *model, const DLTensor *const *parameters,
                        int64_t count);
/// Runs @init on the bound parameters if prepared weights are stale.
int32_t ourc_model_prepare(OurcModel *model);

/// Runs the model on the caller's buffers. results[i] must have the exact
/// shape; use ourc_model_result_shapes first. Prepares weights when stale.
/// Non-contiguous inputs are copied to the arena; non-contiguous results are
/// refused. Any number of threads may call; calls of one model take turns.
int32_t ourc_model_run(OurcModel *model, const DLTensor *const *inputs,
                       int64_t numInputs, DLTensor *const *results,
                       int64_t numResults);

/// Writes the shape of every result for these inputs, one after the other.
/// `shapes` has room for the sum of all ranks.
int32_t ourc_model_result_shapes(OurcModel *model,
                                 const DLTensor *const *inputs,
                                 int64_t numInputs, int64_t *shapes);

struct OurcMemoryStats {
  int64_t arenaBytes;    ///< of the last call
  int64_t sumOfBuffers;  ///< what separate buffers would take
  int64_t lowerBound;    ///< peak liveness
  int64_t preparedBytes; ///< packed weights
  int64_t allocations;   ///< since creation, by the runtime
};
int32_t ourc_model_memory(OurcModel *model, struct OurcMemoryStats *stats);

/// The message of the calling thread's last failed call; never null.
const char *ourc_last_error(void);

#ifdef __cplusplus
}
#endif

#endif // OURC_RUNTIME_ABI_MODEL_H
