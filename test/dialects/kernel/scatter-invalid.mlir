// RUN: ourc-opt %s -split-input-file -verify-diagnostics

func.func @axes(%u: tensor<2xf32>, %i: tensor<2xi64>, %x: tensor<4x8xf32>) {
  // expected-error @below {{needs one index tensor for each axis, at least one}}
  %0 = kernel.scatter updates(%u : tensor<2xf32>) at(%i : tensor<2xi64>) outs(%x : tensor<4x8xf32>) axes = [0, 1] {
  ^bb0(%old: f32, %new: f32):
    kernel.yield %new : f32
  } -> tensor<4x8xf32>
  return
}

// -----

func.func @axis_twice(%u: tensor<2x4xf32>, %i: tensor<2xi64>, %x: tensor<4x8xf32>) {
  // expected-error @below {{axes must be unique and in range for rank 2}}
  %0 = kernel.scatter updates(%u : tensor<2x4xf32>) at(%i, %i : tensor<2xi64>, tensor<2xi64>) outs(%x : tensor<4x8xf32>) axes = [1, 1] {
  ^bb0(%old: f32, %new: f32):
    kernel.yield %new : f32
  } -> tensor<4x8xf32>
  return
}

// -----

func.func @index_elements(%u: tensor<2x4xf32>, %i: tensor<2xf32>, %x: tensor<4x8xf32>) {
  // expected-error @below {{indices must be i32 or i64, but are 'f32'}}
  %0 = kernel.scatter updates(%u : tensor<2x4xf32>) at(%i : tensor<2xf32>) outs(%x : tensor<4x8xf32>) axes = [1] {
  ^bb0(%old: f32, %new: f32):
    kernel.yield %new : f32
  } -> tensor<4x8xf32>
  return
}

// -----

func.func @index_types(%u: tensor<2xf32>, %i: tensor<2xi64>, %j: tensor<2xi32>, %x: tensor<4x8xf32>) {
  // expected-error @below {{index tensors must have one type, but are 'tensor<2xi64>' and 'tensor<2xi32>'}}
  %0 = kernel.scatter updates(%u : tensor<2xf32>) at(%i, %j : tensor<2xi64>, tensor<2xi32>) outs(%x : tensor<4x8xf32>) axes = [0, 1] {
  ^bb0(%old: f32, %new: f32):
    kernel.yield %new : f32
  } -> tensor<4x8xf32>
  return
}

// -----

func.func @updates(%u: tensor<4x2xf32>, %i: tensor<2xi64>, %x: tensor<4x8xf32>) {
  // expected-error @below {{updates must be 'tensor<2x4xf32>', but are 'tensor<4x2xf32>'}}
  %0 = kernel.scatter updates(%u : tensor<4x2xf32>) at(%i : tensor<2xi64>) outs(%x : tensor<4x8xf32>) axes = [1] {
  ^bb0(%old: f32, %new: f32):
    kernel.yield %new : f32
  } -> tensor<4x8xf32>
  return
}

// -----

func.func @result(%u: tensor<2x4xf32>, %i: tensor<2xi64>, %x: tensor<4x8xf32>) {
  // expected-error @below {{result must have the destination's type}}
  %0 = kernel.scatter updates(%u : tensor<2x4xf32>) at(%i : tensor<2xi64>) outs(%x : tensor<4x8xf32>) axes = [1] {
  ^bb0(%old: f32, %new: f32):
    kernel.yield %new : f32
  } -> tensor<4x?xf32>
  return
}

// -----

func.func @region(%u: tensor<2x4xf32>, %i: tensor<2xi64>, %x: tensor<4x8xf32>) {
  // expected-error @below {{region 'combine' takes f32, but must take f32, f32}}
  %0 = kernel.scatter updates(%u : tensor<2x4xf32>) at(%i : tensor<2xi64>) outs(%x : tensor<4x8xf32>) axes = [1] {
  ^bb0(%new: f32):
    kernel.yield %new : f32
  } -> tensor<4x8xf32>
  return
}
