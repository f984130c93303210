// RUN: ourc-opt %s -ourc-nvvm-to-simt -split-input-file -verify-diagnostics

gpu.module @m {
  // expected-error @+1 {{'llvm.func' op has no body, so the SIMT machine cannot run it}}
  llvm.func @k() attributes {nvvm.kernel}
}

// -----

gpu.module @m {
  llvm.func @k() attributes {nvvm.kernel} {
    // expected-error @+1 {{'nvvm.cluster.arrive' op is not an instruction of the SIMT machine}}
    nvvm.cluster.arrive
    llvm.return
  }
}

// -----

gpu.module @m {
  llvm.func @k(%x: f32) attributes {nvvm.kernel} {
    // expected-error @+1 {{of 'llvm.nvvm.ex2.approx.ftz.f' is not an instruction of the SIMT machine}}
    %0 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    llvm.return
  }
}

// -----

gpu.module @m {
  llvm.func @k(%p: i32) attributes {nvvm.kernel} {
    // expected-error @+1 {{'nvvm.barrier' op with a reduction is not an instruction of the SIMT machine}}
    %0 = nvvm.barrier #nvvm.reduction<popc> %p -> i32
    llvm.return
  }
}

// -----

gpu.module @m {
  llvm.func @k(%a: i32, %c: f32) attributes {nvvm.kernel} {
    // expected-error @+1 {{of this shape and type is not an instruction of the SIMT machine}}
    %0 = nvvm.mma.sync A[%a, %a, %a, %a] B[%a, %a] C[%a, %a, %a, %a] {intOverflowBehavior = #nvvm.mma_int_overflow<satfinite>, multiplicandAPtxType = #nvvm.mma_type<s8>, multiplicandBPtxType = #nvvm.mma_type<s8>, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 32>} : (i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)>
    llvm.return
  }
}

// -----

gpu.module @m {
  // expected-error @+1 {{is a variable outside shared memory}}
  llvm.mlir.global internal @table() {addr_space = 4 : i32} : !llvm.array<4 x f32>
}

// -----

gpu.module @m {
  // expected-error @+1 {{lower it to the LLVM dialect first}}
  gpu.func @k() kernel {
    gpu.return
  }
}

// -----

gpu.module @m {
  llvm.func @k(%x: f32) attributes {nvvm.kernel} {
    // expected-error @+1 {{lower it to the LLVM dialect first}}
    %0 = arith.addf %x, %x : f32
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
  llvm.func @entry() -> i32 {
    %one = llvm.mlir.constant(1 : i64) : i64
    %code = llvm.mlir.constant(0 : i32) : i32
    // expected-error @+1 {{needs the runtime's context}}
    gpu.launch_func @m::@k blocks in (%one, %one, %one) threads in (%one, %one, %one) : i64
    llvm.return %code : i32
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @m {
    llvm.func @k() attributes {gpu.kernel, nvvm.kernel} {
      llvm.return
    }
  }
  llvm.func @entry(%ctx: !llvm.ptr) {
    %one = llvm.mlir.constant(1 : i64) : i64
    // expected-error @+1 {{must be in an llvm.func that returns i32}}
    gpu.launch_func <%ctx : !llvm.ptr> @m::@k blocks in (%one, %one, %one) threads in (%one, %one, %one) : i64
    llvm.return
  }
}
