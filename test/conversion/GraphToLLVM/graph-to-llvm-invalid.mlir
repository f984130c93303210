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

// -----

// expected-error@+1 {{argument 0: 'kernel.destination' must be an array with an entry for each dimension}}
func.func @main(%x: memref<4xf32> {kernel.destination = []}) {
  return
}

// -----

// expected-error@+1 {{argument 0: 'kernel.destination' entry 0 must be a symbol or a size, but is "four"}}
func.func @main(%x: memref<4xf32> {kernel.destination = ["four"]}) {
  return
}

// -----

// expected-error@+1 {{argument 0: 'kernel.destination' entry 0 is 5, but the dimension has 4}}
func.func @main(%x: memref<4xf32> {kernel.destination = [5]}) {
  return
}

// -----

// expected-error@+1 {{argument 0: 'kernel.destination' entry 0 names result 0 of '@shapes', which has 0}}
func.func @main(%x: memref<?xf32> {kernel.destination = [0 : index]}) {
  return
}

// -----

// expected-error@+1 {{argument 0: 'kernel.lifetime' must be array<i64: first, last> on an index}}
func.func @main(%x: index {kernel.lifetime = 3 : i64}) {
  return
}

// -----

// expected-error@+1 {{'s' is not an ourc.symbol}}
func.func @main(%x: memref<?xf32> {kernel.destination = [@s]}) {
  return
}

// -----

// A weight's preparation is done once, for every size of the inputs.
ourc.symbol @s {min = 1 : i64, max = 64 : i64}
kernel.func @k(%x: tensor<?xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  kernel.return %y : tensor<4xf32>
}
func.func @main(%p: memref<4xf32> {kernel.prepared = 0 : i64}) {
  return
}
func.func @init(%w: memref<?xf32> {ourc.parameter = "w", ourc.shape = [@s]},
                %p: memref<4xf32> {kernel.destination = [4]}) {
  // expected-error@+1 {{prepares a weight from a size that is known in a call only}}
  kernel.launch @k(%w) outs(%p) : (memref<?xf32>) outs(memref<4xf32>)
  return
}
