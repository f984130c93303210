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
// Any number of threads may call; calls of one model take turns.
//
//===----------------------------------------------------------------------===//

#ifndef OURC_RUNTIME_ABI_MODEL_H
#define OURC_RUNTIME_ABI_MODEL_H

#include "runtime/abi/DLPack.h"
#include "runtime/abi/ProgramABI.h"

#if defined(__GNUC__)
#define OURC_EXPORT __attribute__((visibility("default")))
#else
#define OURC_EXPORT
#endif

#ifdef __cplusplus
extern "C" {
#endif

enum OurcStatus {
  OURC_OK = 0,
  OURC_ERROR_ARGUMENT = 1, ///< a count, rank, shape, type, device, null pointer
  OURC_ERROR_WEIGHTS = 2,  ///< a missing, malformed or mismatched weight
  OURC_ERROR_MEMORY = 3,   ///< no memory, or sizes beyond 2^63 bytes
  OURC_ERROR_RUNTIME = 4,  ///< reported by generated code
  OURC_ERROR_VERSION = 5   ///< another ABI version, or a malformed program
};

typedef struct OurcModel OurcModel;

/// Creates a model over `program`, which must outlive it. Parameters are not
/// bound yet.
OURC_EXPORT int32_t ourc_model_create_from_program(
    const struct OurcProgram *program, OurcModel **model);
/// Artifacts export this one: a model over their own program. Weights are
/// mapped from the .safetensors file at `weightsPath`, bound and prepared.
/// Null: the model has no weights, or they are bound later.
OURC_EXPORT int32_t ourc_model_create(const char *weightsPath,
                                      OurcModel **model);
/// Artifacts export this one: the program of the shared object.
OURC_EXPORT const struct OurcProgram *ourc_model_program(void);
/// Null is allowed. No call of the model may be in progress.
OURC_EXPORT void ourc_model_destroy(OurcModel *model);

/// A JSON description of symbols, inputs, parameters, prepared weights,
/// results, memory of the last call and the compiler's report. Owned by the
/// model, valid until the next call of this function; null after an error.
OURC_EXPORT const char *ourc_model_describe(OurcModel *model);

/// Binds parameters (borrowed: data must stay valid until rebound), in program
/// order. Marks prepared weights stale. A parameter that is not contiguous in
/// its layout is copied anew for each call that reads it.
OURC_EXPORT int32_t ourc_model_bind(OurcModel *model,
                                    const DLTensor *const *parameters,
                                    int64_t count);
/// Binds parameters from a .safetensors file, by name. The model keeps the file
/// mapped. Marks prepared weights stale.
OURC_EXPORT int32_t ourc_model_bind_file(OurcModel *model, const char *path);
/// Runs @init on the bound parameters if prepared weights are stale.
OURC_EXPORT int32_t ourc_model_prepare(OurcModel *model);

/// Runs the model on the caller's buffers. results[i] must have the exact
/// shape; use ourc_model_result_shapes first. Prepares weights when stale.
/// Inputs that are not contiguous in their layout are copied into memory of the
/// model; such results are refused. Results must not overlap inputs,
/// parameters or each other, but one with `updates` is that input's buffer:
/// results[i] is then null or a tensor over the same memory.
OURC_EXPORT int32_t ourc_model_run(OurcModel *model,
                                   const DLTensor *const *inputs,
                                   int64_t numInputs, DLTensor *const *results,
                                   int64_t numResults);

// Programs for GPUs. Tensors may be in the memory of the GPU or of the CPU,
// each as the caller likes; those in the GPU's memory must be dense, and all on
// one GPU. Parameters in CPU memory are copied to the GPU when they are bound.

/// As ourc_model_run; the work is put in order into the caller's CUDA stream (a
/// CUstream or cudaStream_t; null: the default one), of the context that is the
/// GPU's primary one. Returns when the work is in the stream; when it is done
/// where a tensor is in CPU memory. A program without a GPU refuses a stream.
OURC_EXPORT int32_t ourc_model_run_on_stream(OurcModel *model, void *stream,
                                             const DLTensor *const *inputs,
                                             int64_t numInputs,
                                             DLTensor *const *results,
                                             int64_t numResults);
/// From now on launches of a call are captured as one CUDA graph (`on` != 0),
/// which later calls with the same addresses and sizes replay and others
/// update; the memory of intermediate results is then kept between calls. The
/// description's "graphs" says what was done, and what prevented it.
OURC_EXPORT int32_t ourc_model_use_graphs(OurcModel *model, int32_t on);

/// Writes the shape of every result for these inputs, one after the other.
/// `shapes` has room for the sum of all ranks. The data of `inputs` is not
/// read and may be null.
OURC_EXPORT int32_t ourc_model_result_shapes(OurcModel *model,
                                             const DLTensor *const *inputs,
                                             int64_t numInputs,
                                             int64_t *shapes);

struct OurcMemoryStats {
  int64_t arenaBytes;    ///< of the last call
  int64_t sumOfBuffers;  ///< what separate buffers would take
  int64_t lowerBound;    ///< peak liveness
  int64_t preparedBytes; ///< packed weights
  int64_t allocations;   ///< since creation, by the runtime
};
OURC_EXPORT int32_t ourc_model_memory(OurcModel *model,
                                      struct OurcMemoryStats *stats);

// Watching launches: by default nobody does, and a launch costs a call.

/// When a launch ran, in nanoseconds of CLOCK_MONOTONIC. `launch` is its
/// position among the launches of a call ("sequence" of the report), or
/// -1 - its position among those that prepare weights ("preparation").
struct OurcLaunchTime {
  int64_t launch;
  int64_t begin;
  int64_t end;
};
/// From now on the times of each call's launches are kept (`on` != 0), or not.
OURC_EXPORT int32_t ourc_model_time_launches(OurcModel *model, int32_t on);
/// Those of the last call, in their order; with the launches that prepared
/// weights, where it did that. Owned by the model, valid until its next call.
OURC_EXPORT int32_t ourc_model_launch_times(OurcModel *model,
                                            const struct OurcLaunchTime **times,
                                            int64_t *count);
/// Called in the calling thread before (`ended` = 0) and after (1) a launch.
typedef void (*OurcLaunchObserver)(void *data, int64_t launch, int32_t ended);
/// Calls `observer` for each launch from now on; null: nobody. It must not call
/// the model.
OURC_EXPORT int32_t ourc_model_observe(OurcModel *model,
                                       OurcLaunchObserver observer, void *data);

/// The message of the calling thread's last failed call; never null.
OURC_EXPORT const char *ourc_last_error(void);

#ifdef __cplusplus
}
#endif

#endif // OURC_RUNTIME_ABI_MODEL_H
