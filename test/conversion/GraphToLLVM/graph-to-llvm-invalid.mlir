// RUN: ourc-opt %s --ourc-graph-to-llvm --split-input-file --verify-diagnostics

// expected-error@+1 {{has no function '@main': a program is a function of that name}}
module {
}

// -----

// expected-error@+1 {{argument 0 has type 'tensor<4xf32>'; a planned program's arguments are memrefs and offsets (run ourc-plan-memory first)}}
func.func @main(%x: tensor<4xf32>) {
  return
}

// -----

// expected-error@+1 {{argument 0 has dynamic dimensions but no 'ourc.shape'}}
func.func @main(%x: memref<?xf32>) {
  return
}

// -----

// expected-error@+1 {{'complex<f32>' cannot be passed to or from a program}}
func.func @main(%x: memref<4xcomplex<f32>>) {
  return
}

// -----

func.func @main(%x: memref<4xf32>) {
  // expected-error@+1 {{cannot stand in a graph that only launches kernels}}
  %a = memref.alloc() : memref<4xf32>
  return
}
