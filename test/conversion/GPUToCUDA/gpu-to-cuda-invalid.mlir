// RUN: ourc-opt %s -ourc-gpu-to-cuda="chip=sm_90 assemble=false" -split-input-file -verify-diagnostics
// RUN: not ourc-opt %s -ourc-gpu-to-cuda="chip=volta" -split-input-file 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not ourc-opt %s --pass-pipeline="builtin.module(ourc-nvvm-to-cuda-pipeline{target=cuda:sm_70})" -split-input-file 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: env OURC_PTXAS=false not ourc-opt %s -ourc-gpu-to-cuda="chip=sm_90" -split-input-file 2>&1 | FileCheck %s --check-prefix=PTXAS
// CHIP: error: 'volta' is no architecture; 'sm_90' would be one
// TARGET: error: 'cuda:sm_70' is no architecture
// PTXAS: error: 'gpu.module' op could not be assembled: 'false' failed for sm_90

module attributes {gpu.container_module} {
  gpu.module @m {
    llvm.func @k() attributes {gpu.kernel, nvvm.kernel} {
      llvm.return
    }
  }
  llvm.func @entry(%ctx: !llvm.ptr, %n: i64) {
    // expected-error @below {{must be in an llvm.func that returns i32, the code of the launch}}
    gpu.launch_func <%ctx : !llvm.ptr> @m::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) : i64
    llvm.return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @m {
    llvm.func @k() attributes {gpu.kernel, nvvm.kernel} {
      llvm.return
    }
  }
  llvm.func @entry(%ctx: !llvm.ptr, %n: i64) -> i32 {
    %zero = llvm.mlir.constant(0 : i32) : i32
    // expected-error @below {{needs the runtime's context: gpu.launch_func <%ctx : !llvm.ptr>}}
    gpu.launch_func @m::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) : i64
    llvm.return %zero : i32
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @m {
    llvm.func @k() attributes {gpu.kernel, nvvm.kernel} {
      llvm.return
    }
  }
  llvm.func @entry(%ctx: !llvm.ptr, %n: i32) -> i32 {
    %zero = llvm.mlir.constant(0 : i32) : i32
    // expected-error @below {{must have sizes of type i64, but has 'i32'}}
    gpu.launch_func <%ctx : !llvm.ptr> @m::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) : i32
    llvm.return %zero : i32
  }
}
