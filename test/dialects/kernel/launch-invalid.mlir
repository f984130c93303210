// RUN: ourc-opt %s -split-input-file -verify-diagnostics

func.func @no_callee(%x: tensor<4xf32>) {
  // expected-error @below {{'kernel.launch' op 'missing' is not a kernel.func}}
  %0 = kernel.launch @missing(%x) outs(%x) : (tensor<4xf32>) outs(tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func private @f()
func.func @callee_kind(%x: tensor<4xf32>) {
  // expected-error @below {{'kernel.launch' op 'f' is not a kernel.func}}
  %0 = kernel.launch @f(%x) outs(%x) : (tensor<4xf32>) outs(tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

kernel.func @k(%out: tensor<4xf32>) -> tensor<4xf32> {
  kernel.return %out : tensor<4xf32>
}
func.func @operand_count(%x: tensor<4xf32>) {
  // expected-error @below {{'kernel.launch' op gives 2 operands to 'k', which takes 1}}
  %0 = kernel.launch @k(%x) outs(%x) : (tensor<4xf32>) outs(tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

kernel.func @k(%x: tensor<4xf32>, %out: tensor<4xf32>) -> tensor<4xf32> {
  kernel.return %out : tensor<4xf32>
}
func.func @operand_type(%x: tensor<4xf32>, %y: tensor<5xf32>) {
  // expected-error @below {{'kernel.launch' op operand 0 has type 'tensor<5xf32>', but 'k' takes 'tensor<4xf32>'}}
  %0 = kernel.launch @k(%y) outs(%x) : (tensor<5xf32>) outs(tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

kernel.func @k(%x: tensor<4xf32>, %out: tensor<4xf32>) -> tensor<4xf32> {
  kernel.return %out : tensor<4xf32>
}
func.func @memref_type(%x: memref<4xf32>, %y: memref<4xf64>) {
  // expected-error @below {{'kernel.launch' op operand 0 has type 'memref<4xf64>', but 'k' takes 'tensor<4xf32>'}}
  kernel.launch @k(%y) outs(%x) : (memref<4xf64>) outs(memref<4xf32>)
  return
}

// -----

kernel.func @k(%x: tensor<4xf32>, %out: tensor<4xf32>) -> tensor<4xf32> {
  kernel.return %out : tensor<4xf32>
}
func.func @input_count(%x: tensor<4xf32>) {
  // expected-error @below {{'kernel.launch' op gives 0 inputs to 'k', which takes 1}}
  %0:2 = kernel.launch @k() outs(%x, %x) : () outs(tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>, tensor<4xf32>
  return
}

// -----

kernel.func @k(%x: tensor<4xf32>, %out: tensor<4xf32>) -> tensor<4xf32> {
  kernel.return %out : tensor<4xf32>
}
func.func @superfluous_workspace(%x: tensor<4xf32>) {
  // expected-error @below {{'kernel.launch' op 'k' takes no workspace}}
  %0 = kernel.launch @k() outs(%x) workspace(%x : tensor<4xf32>) : () outs(tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

kernel.func @k(%out: tensor<4xf32>, %space: tensor<?xi8>) -> tensor<4xf32> attributes {workspace} {
  kernel.return %out : tensor<4xf32>
}
func.func @missing_workspace(%x: tensor<4xf32>, %space: tensor<?xi8>) {
  // expected-error @below {{'kernel.launch' op 'k' needs a workspace}}
  %0 = kernel.launch @k(%space) outs(%x) : (tensor<?xi8>) outs(tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

kernel.func @k(%x: tensor<4xf32>, %out: tensor<4xf32>) -> tensor<4xf32> {
  kernel.return %out : tensor<4xf32>
}
func.func @mixed(%x: tensor<4xf32>, %y: memref<4xf32>) {
  // expected-error @below {{'kernel.launch' op mixes tensor and memref operands}}
  kernel.launch @k(%x) outs(%y) : (tensor<4xf32>) outs(memref<4xf32>)
  return
}

// -----

kernel.func @k(%x: tensor<4xf32>, %out: tensor<4xf32>) -> tensor<4xf32> {
  kernel.return %out : tensor<4xf32>
}
func.func @results_on_memrefs(%y: memref<4xf32>) {
  // expected-error @below {{'kernel.launch' op on memrefs has no results, but gives 1}}
  %0 = kernel.launch @k(%y) outs(%y) : (memref<4xf32>) outs(memref<4xf32>) -> tensor<4xf32>
  return
}

// -----

kernel.func @k(%x: tensor<4xf32>, %out: tensor<4xf32>) -> tensor<4xf32> {
  kernel.return %out : tensor<4xf32>
}
func.func @results(%x: tensor<4xf32>) {
  // expected-error @below {{'kernel.launch' op expected the number of tensor results (0) to be equal to the number of output tensors (1)}}
  kernel.launch @k(%x) outs(%x) : (tensor<4xf32>) outs(tensor<4xf32>)
  return
}

// -----

kernel.func @k(%x: tensor<4xf32>, %out: tensor<4xf32>) -> tensor<4xf32> {
  kernel.return %out : tensor<4xf32>
}
func.func @vectors(%v: vector<4xf32>, %x: tensor<4xf32>) {
  // expected-error @below {{'kernel.launch' op operand #0 must be variadic of ranked tensor of any type values or memref of any type values, but got 'vector<4xf32>'}}
  %0 = kernel.launch @k(%v) outs(%x) : (vector<4xf32>) outs(tensor<4xf32>) -> tensor<4xf32>
  return
}
