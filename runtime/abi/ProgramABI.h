//===- ProgramABI.h - What compiled code and the runtime agree on ---------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A compiled program is one constant `OurcProgram`, found under the symbol
// `ourc_program` in an artifact's shared object and in a JIT's symbol table
// alike. The runtime owns everything that changes: weights, prepared weights,
// the arena. This header is plain C: the compiler mirrors it in LLVM dialect
// structs (conversion/GraphToLLVM/ProgramLayout.h), field by field.
//
//===----------------------------------------------------------------------===//

#ifndef OURC_RUNTIME_ABI_PROGRAMABI_H
#define OURC_RUNTIME_ABI_PROGRAMABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define OURC_ABI_VERSION 2

/// The highest rank of a described tensor.
#define OURC_MAX_RANK 32

/// Element types. The values are part of the ABI. A boolean takes one byte.
enum OurcDType {
  OURC_F64 = 0,
  OURC_F32 = 1,
  OURC_F16 = 2,
  OURC_BF16 = 3,
  OURC_I64 = 4,
  OURC_I32 = 5,
  OURC_I16 = 6,
  OURC_I8 = 7,
  OURC_U8 = 8,
  OURC_BOOL = 9
};

/// A symbolic dimension. Its value in a call is taken from the first argument
/// dimension that names it; every other one must agree.
struct OurcSymbol {
  const char *name;
  int64_t min;        ///< inclusive
  int64_t max;        ///< inclusive
  int64_t multipleOf; ///< at least 1
};

/// One dimension of a described tensor: `symbol` < 0: static, `size` holds.
/// Otherwise an index into OurcProgram::symbols.
/// `symbol` == OURC_DIM_COMPUTED (results only): `size` is the index of the
/// value that OurcProgram::shapes writes.
#define OURC_DIM_STATIC (-1)
#define OURC_DIM_COMPUTED (-2)
struct OurcDim {
  int32_t symbol;
  int64_t size;
};

/// A tensor at the program's boundary. `name` is the user's name of it, the
/// weight's key in the .safetensors file for parameters.
struct OurcTensorDesc {
  const char *name;
  int32_t dtype; ///< OurcDType
  int32_t rank;
  const struct OurcDim *dims; ///< `rank` of them
  /// The order of dimensions in memory, outermost first; null: row-major.
  const int32_t *layout;
  /// Results only: the input whose buffer this result overwrites, or -1 (as
  /// everywhere else). Shape, dtype and layout are then that input's.
  int32_t updates;
};

/// An intermediate buffer of the arena. Lifetimes are positions in the list of
/// launches, both inclusive.
struct OurcBufferDesc {
  int32_t firstUse;
  int32_t lastUse;
};

/// Given to generated code in each call; opaque to it. Owned by the runtime,
/// valid during the call.
typedef struct OurcContext OurcContext;

/// The arguments of a kernel.
///   buffers: one data pointer for each operand, inputs first, then results,
///            then the workspace where the kernel has one.
///   sizes:   the dynamic dimensions of all operands, operand by operand,
///            dimension by dimension, in that order.
/// Returns 0, or the first non-zero code of a failing launch.
typedef int32_t (*OurcKernelFn)(OurcContext *ctx, void *const *buffers,
                                const int64_t *sizes);

/// One share of a parallel loop: iterations [begin, end).
typedef void (*OurcTaskFn)(void *args, int64_t begin, int64_t end);

/// What runs a program whose tensors and kernels are on a GPU, and their memory
/// with it; opaque to generated code (runtime/core/DeviceRuntime.h).
struct OurcDeviceRuntime;

/// A program. All arrays are constant and live as long as the code.
struct OurcProgram {
  uint32_t abiVersion; ///< OURC_ABI_VERSION
  uint32_t flags;      ///< 0
  const char *name;
  const char *target; ///< "cpu:x86-64-v4", "simt", "cuda:sm_90", …
  int64_t numSymbols, numInputs, numParameters, numPrepared, numResults;
  const struct OurcSymbol *symbols;
  const struct OurcTensorDesc *inputs;
  const struct OurcTensorDesc *parameters;
  const struct OurcTensorDesc *prepared; ///< static shapes only
  const struct OurcTensorDesc *results;
  int64_t numBuffers;
  const struct OurcBufferDesc *buffers;
  int64_t numComputedDims;

  /// Writes the computed dimensions of results (numComputedDims values) and
  /// the byte sizes of arena buffers (numBuffers values). Null when there are
  /// neither.
  void (*shapes)(const int64_t *symbols, int64_t *computedDims,
                 int64_t *bufferBytes);
  /// Prepares weights: operands = parameters, then prepared buffers. Its
  /// intermediates live in `scratch`: initScratchBytes bytes, 64-aligned.
  /// Null when numPrepared is 0.
  int32_t (*init)(OurcContext *ctx, void *const *operands, void *scratch);
  int64_t initScratchBytes;
  /// Runs the program: operands = inputs, parameters, prepared, results.
  /// `offsets` holds the byte offset of each arena buffer, multiples of 64.
  int32_t (*run)(OurcContext *ctx, void *const *operands,
                 const int64_t *symbols, void *arena, const int64_t *offsets);

  /// Free text in JSON for tools: kernels with their user lines, strategies and
  /// schedules. Never read to run the program. May be null.
  const char *report;

  /// Null where kernels run on the CPU and all operands are its memory. With a
  /// device, operands, arena and scratch of `run` and `init` are its addresses.
  const struct OurcDeviceRuntime *device;
};

// What generated code may call; resolved by the JIT or by the linker.

/// Runs a kernel and returns its code. `launch` is its position among the
/// launches of OurcProgram::run from 0 on; of those of OurcProgram::init it is
/// -1, -2, …. Those who watch a model's launches are told of it.
int32_t ourc_launch(OurcContext *ctx, OurcKernelFn kernel, void *const *buffers,
                    const int64_t *sizes, int64_t launch);

/// Runs task(args, begin, end) over [0, n) in shares of at least `grain`
/// iterations on the process's OpenMP threads; in the caller's thread when n
/// is not above `grain`. Returns when all is done.
void ourc_parallel_for(OurcContext *ctx, OurcTaskFn task, void *args, int64_t n,
                       int64_t grain);

/// Scratch memory of the calling thread, 64-aligned, at least `bytes` long,
/// valid until the thread's next call of this function. Never null: on
/// exhaustion the process ends with a message.
void *ourc_thread_scratch(OurcContext *ctx, int64_t bytes);

/// Records an error of generated code: an index out of bounds, say. The first
/// message of a call wins; run() then returns OURC_ERROR_RUNTIME. Thread-safe.
void ourc_report_error(OurcContext *ctx, const char *message, int64_t value);

// What generated code of a program with a device may call. Each returns 0, or a
// code after the error was recorded in the call.

/// Machine code for GPUs of one architecture: 80 runs on 8.0 to 8.9.
struct OurcDeviceBinary {
  int32_t architecture;
  const void *data;
  int64_t bytes;
};

/// A kernel as the SIMT machine plays it, with the arguments of its launch.
/// Returns 0, or another code after it said what was wrong.
typedef int32_t (*OurcTwinFn)(void *const *args, const int64_t *grid,
                              const int64_t *block, int64_t sharedBytes);

/// One kernel of a GPU module.
struct OurcDeviceKernel {
  const char *name;
  /// A letter for each argument: 'p', an address of the device; 'i', any other
  /// value of 8 bytes or less.
  const char *signature;
  const struct OurcDeviceBinary *binaries;
  int64_t numBinaries;
  /// What the driver compiles where no binary fits; null: nothing.
  const char *ptx;
  /// For drivers that play kernels, which know it by its code; null: none.
  OurcTwinFn twin;
};

/// Launches a kernel on the call's stream. `args` are the addresses of its
/// arguments, `sharedBytes` is dynamic shared memory.
int32_t ourc_device_launch(OurcContext *ctx,
                           const struct OurcDeviceKernel *kernel, void **args,
                           const int64_t *grid, const int64_t *block,
                           int64_t sharedBytes);

/// Copies between buffers of the device, in the order of launches.
int32_t ourc_device_copy(OurcContext *ctx, void *to, const void *from,
                         int64_t bytes);

/// Writes a value of the host, of at most 8 bytes, into a buffer of the device.
int32_t ourc_device_store(OurcContext *ctx, void *to, int64_t value,
                          int64_t bytes);

/// The device's copy of constant data of the program; null after an error.
void *ourc_device_constant(OurcContext *ctx, const void *data, int64_t bytes);

#ifdef __cplusplus
}
#endif

#endif // OURC_RUNTIME_ABI_PROGRAMABI_H
