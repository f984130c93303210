//===- Driver.h - NVIDIA's driver, opened when it is needed ------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What this file declares of the driver API is what the runtime calls. Nothing
// of CUDA is needed to build, and no driver to load a program.
//
//===----------------------------------------------------------------------===//

#ifndef OURC_RUNTIME_CUDA_DRIVER_H
#define OURC_RUNTIME_CUDA_DRIVER_H

#include "runtime/abi/ProgramABI.h"

#include <stddef.h>
#include <stdint.h>

namespace ourc::cuda {

using Result = int; ///< CUresult; 0: success
using DeviceOrdinal = int;
using Address = uint64_t; ///< CUdeviceptr
using Context = struct CUctx_st *;
using Stream = struct CUstream_st *;
using Module = struct CUmod_st *;
using Function = struct CUfunc_st *;
using MemoryPool = struct CUmemPoolHandle_st *;
using CapturedGraph = struct CUgraph_st *;
using GraphExec = struct CUgraphExec_st *;

/// CUmemPoolProps
struct PoolProperties {
  int allocationType; ///< pinnedAllocation
  int handleTypes;    ///< 0
  int locationType;   ///< onDevice
  int locationId;
  void *securityAttributes;
  size_t maxBytes; ///< 0: what the system has
  unsigned short usage;
  unsigned char reserved[54];
};
static_assert(sizeof(PoolProperties) == 88, "as in cuda.h");
/// CUgraphExecUpdateResultInfo
struct GraphUpdateInfo {
  int result;
  void *errorNode, *errorFromNode;
};

// CUresult values that are told apart.
constexpr Result outOfMemory = 2, noBinaryForGPU = 209, invalidImage = 200,
                 unsupportedPTX = 222, graphUpdateFailed = 910;
// CUdevice_attribute
constexpr int computeCapabilityMajor = 75, computeCapabilityMinor = 76,
              maxSharedPerBlockOptin = 97;
// CUfunction_attribute
constexpr int maxDynamicShared = 8;
// CUjit_option
constexpr int jitErrorLog = 5, jitErrorLogBytes = 6;
constexpr unsigned nonBlockingStream = 1;
// CUmemAllocationType, CUmemLocationType, CUmemPool_attribute
constexpr int pinnedAllocation = 1, onDevice = 1, poolReleaseThreshold = 4;
/// CUstreamCaptureMode: calls of other threads are none of this capture's.
constexpr int captureOfThread = 1;

/// Calls X(name, parameters) for each function; all return a CUresult.
#define OURC_CUDA_FUNCTIONS(X)                                                 \
  X(cuInit, (unsigned))                                                        \
  X(cuGetErrorName, (Result, const char **))                                   \
  X(cuGetErrorString, (Result, const char **))                                 \
  X(cuDeviceGetCount, (int *))                                                 \
  X(cuDeviceGet, (DeviceOrdinal *, int))                                       \
  X(cuDeviceGetAttribute, (int *, int, DeviceOrdinal))                         \
  X(cuDevicePrimaryCtxRetain, (Context *, DeviceOrdinal))                      \
  X(cuDevicePrimaryCtxRelease_v2, (DeviceOrdinal))                             \
  X(cuCtxPushCurrent_v2, (Context))                                            \
  X(cuCtxPopCurrent_v2, (Context *))                                           \
  X(cuStreamCreate, (Stream *, unsigned))                                      \
  X(cuStreamDestroy_v2, (Stream))                                              \
  X(cuStreamSynchronize, (Stream))                                             \
  X(cuCtxSynchronize, ())                                                      \
  X(cuMemPoolCreate, (MemoryPool *, const PoolProperties *))                   \
  X(cuMemPoolDestroy, (MemoryPool))                                            \
  X(cuMemPoolSetAttribute, (MemoryPool, int, void *))                          \
  X(cuMemAllocFromPoolAsync, (Address *, size_t, MemoryPool, Stream))          \
  X(cuMemFreeAsync, (Address, Stream))                                         \
  X(cuMemcpyHtoDAsync_v2, (Address, const void *, size_t, Stream))             \
  X(cuMemcpyDtoHAsync_v2, (void *, Address, size_t, Stream))                   \
  X(cuMemcpyDtoDAsync_v2, (Address, Address, size_t, Stream))                  \
  X(cuMemsetD32Async, (Address, unsigned, size_t, Stream))                     \
  X(cuMemHostAlloc, (void **, size_t, unsigned))                               \
  X(cuMemFreeHost, (void *))                                                   \
  X(cuStreamIsCapturing, (Stream, int *))                                      \
  X(cuStreamBeginCapture_v2, (Stream, int))                                    \
  X(cuStreamEndCapture, (Stream, CapturedGraph *))                             \
  X(cuGraphInstantiateWithFlags,                                               \
    (GraphExec *, CapturedGraph, unsigned long long))                          \
  X(cuGraphExecUpdate_v2, (GraphExec, CapturedGraph, GraphUpdateInfo *))       \
  X(cuGraphLaunch, (GraphExec, Stream))                                        \
  X(cuGraphExecDestroy, (GraphExec))                                           \
  X(cuGraphDestroy, (CapturedGraph))                                           \
  X(cuModuleLoadDataEx, (Module *, const void *, unsigned, int *, void **))    \
  X(cuModuleUnload, (Module))                                                  \
  X(cuModuleGetFunction, (Function *, Module, const char *))                   \
  X(cuFuncSetAttribute, (Function, int, int))                                  \
  X(cuLaunchKernel, (Function, unsigned, unsigned, unsigned, unsigned,         \
                     unsigned, unsigned, unsigned, Stream, void **, void **))

/// The driver's functions.
struct Driver {
#define OURC_CUDA_MEMBER(name, parameters) Result(*name) parameters;
  OURC_CUDA_FUNCTIONS(OURC_CUDA_MEMBER)
#undef OURC_CUDA_MEMBER

  /// Not the driver's: one that plays kernels takes their twins here, each with
  /// the hash (hashContent) of the code that it will be given. Null: it runs
  /// them.
  void (*ourc_driver_offer_twin)(uint64_t hash, const char *name,
                                 const char *signature, OurcTwinFn twin);

  /// Opens the library at `path` and initialises it; null: libcuda.so.1, or
  /// what the environment's OURC_CUDA_DRIVER names. Returns OURC_OK or fails.
  int32_t open(const char *path);
  void close();

  /// Says that `function` failed with `code` while it did `what`. Returns the
  /// status.
  __attribute__((format(printf, 4, 5))) int32_t fail(const char *function,
                                                     Result code,
                                                     const char *what,
                                                     ...) const;

private:
  void *library;
};

} // namespace ourc::cuda

#endif // OURC_RUNTIME_CUDA_DRIVER_H
