//===- CAPI.h - The compiler's flat C ABI ---------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What libourc.so exports besides runtime/abi/Model.h and
// runtime/weights/Sample.h: text goes in, a runnable model or a shared object
// comes out. Plain C, so that every language with a foreign function interface
// can compile. A compilation may be used by one thread at a time; different
// ones do not share state.
//
//===----------------------------------------------------------------------===//

#ifndef OURC_COMPILER_CAPI_H
#define OURC_COMPILER_CAPI_H

#include "runtime/abi/Model.h"
#include "runtime/weights/Sample.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// One compiled module: its code, its model once asked for, and its report.
typedef struct OurcCompilation OurcCompilation;

/// Compiles a module given as MLIR text (`length` bytes, no terminator needed)
/// in any stage from which the pipeline can start. `options` is a JSON object
/// or null for the defaults; an unknown key or a value of the wrong type is an
/// error that names the valid ones:
///
///   "target"        "cpu:native", "cpu:x86-64-v3", "cpu:x86-64-v4", "simt",
///                   "cuda:sm_80", "cuda:sm_89", "cuda:sm_90", "cuda:sm_100"
///   "pack"          bool, true: weights may be copied into packed layouts
///   "strict"        bool, false: no algorithm that changes results by more
///                   than the order of additions (Winograd's convolution), and
///                   f16 and bf16 rounded after each operation
///   "threads"       int, 0: how many kernels are compiled at once; 0 asks the
///                   system
///   "dump_kernels"  a folder for each kernel's IR and assembly
///   "cache"         the folder of the code cache, or "off"; by default that of
///                   OURC_CACHE_DIR, else ~/.cache/ourc/code
///
/// Returns 0 and the compilation in `*compilation`, or an error code with the
/// message in ourc_compile_error(). Every op that is not supported is named
/// in that one message, with its location.
int32_t ourc_compile(const char *mlir, size_t length, const char *options,
                     OurcCompilation **compilation);

/// The compilation's model, code loaded into this process. Made by the first
/// call and the same one in every later call. Owned by the compilation: it
/// must not be destroyed with ourc_model_destroy() and is gone with the
/// compilation.
int32_t ourc_compilation_model(OurcCompilation *compilation, OurcModel **model);

/// Writes the program as a shared object that exports the artifact's part of
/// runtime/abi/Model.h. Weights are not written: parameters are bound by name
/// from a .safetensors file when the artifact is loaded.
int32_t ourc_compilation_write(OurcCompilation *compilation, const char *path);

/// A JSON object owned by the compilation: "kernels" (name, strategy,
/// schedule, locations, cost), "sequence" and "preparation" (the launches of a
/// call, and of what prepares weights), "phases" (seconds by name), "remarks"
/// and "memory".
const char *ourc_compilation_report(OurcCompilation *compilation);

/// What this machine does at most on the threads that loops use, measured in a
/// fraction of a second: operations a second (see runtime/measure/Peaks.h) and
/// bytes a second read from memory.
struct OurcMachinePeaks {
  int64_t threads;
  double flops;
  double flops16;
  double bandwidth;
};
int32_t ourc_machine_peaks(struct OurcMachinePeaks *peaks);

/// The message of the calling thread's last failed call of a function of this
/// header; never null.
const char *ourc_compile_error(void);

/// Frees the compilation with its model. Null is allowed.
void ourc_compilation_destroy(OurcCompilation *compilation);

#ifdef __cplusplus
}
#endif

#endif // OURC_COMPILER_CAPI_H
