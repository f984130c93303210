// RUN: ourc-opt -ourc-kernel-to-cpu -split-input-file -verify-diagnostics %s

kernel.func @branch(%x: tensor<4xf32>, %out: tensor<4xf32>) -> tensor<4xf32>
    attributes {schedule = #kernel.cpu_pointwise<lanes = 16, grain = 1>} {
  %r = linalg.generic {
    indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
    ins(%x : tensor<4xf32>) outs(%out : tensor<4xf32>) {
  ^bb0(%v: f32, %u: f32):
    %zero = arith.constant 0.0 : f32
    %c = arith.cmpf ogt, %v, %zero : f32
    // expected-error @below {{this operation has no elementwise meaning in a kernel}}
    %y = scf.if %c -> f32 {
      scf.yield %v : f32
    } else {
      scf.yield %zero : f32
    }
    linalg.yield %y : f32
  } -> tensor<4xf32>
  kernel.return %r : tensor<4xf32>
}

// -----

kernel.func @generate(%out: tensor<4xf32>) -> tensor<4xf32>
    attributes {schedule = #kernel.cpu_pointwise<lanes = 16, grain = 1>} {
  // expected-error @below {{elements of this result cannot be computed in this kernel}}
  %r = tensor.generate {
  ^bb0(%i: index):
    %zero = arith.constant 0.0 : f32
    tensor.yield %zero : f32
  } : tensor<4xf32>
  kernel.return %r : tensor<4xf32>
}

// -----

kernel.func @diagonal(%x: tensor<4xf32>, %out: tensor<4x4xf32>) -> tensor<4x4xf32>
    attributes {schedule = #kernel.cpu_pointwise<lanes = 16, grain = 1>} {
  // expected-error @below {{result 0 is not written by a permutation of the loops, so a kernel cannot read it}}
  %r = linalg.generic {
    indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i, i)>], iterator_types = ["parallel"]}
    ins(%x : tensor<4xf32>) outs(%out : tensor<4x4xf32>) {
  ^bb0(%v: f32, %u: f32):
    linalg.yield %v : f32
  } -> tensor<4x4xf32>
  kernel.return %r : tensor<4x4xf32>
}

// -----

kernel.func @insert(%x: tensor<2xf32>, %y: tensor<8xf32>, %out: tensor<8xf32>) -> tensor<8xf32>
    attributes {schedule = #kernel.cpu_pointwise<lanes = 16, grain = 1>} {
  // expected-error @below {{only slices of unit stride and full rank can be inserted in a kernel}}
  %r = tensor.insert_slice %x into %y[0] [2] [3] : tensor<2xf32> into tensor<8xf32>
  kernel.return %r : tensor<8xf32>
}

// -----

// expected-error @below {{'kernel.func' op has a schedule with parts, which need a workspace}}
kernel.func @parts_without_workspace(%x: tensor<64xf32>, %out: tensor<f32>) -> tensor<f32>
    attributes {schedule = #kernel.cpu_row<lanes = 16, unroll = 4, grain = 1, parts = 8>} {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
    ins(%x : tensor<64xf32>) outs(%out : tensor<f32>) {
  ^bb0(%v: f32, %s: f32):
    %y = arith.addf %s, %v : f32
    linalg.yield %y : f32
  } -> tensor<f32>
  kernel.return %r : tensor<f32>
}

// -----

// expected-error @below {{'kernel.func' op has a workspace of 64 bytes, but the parts of its schedule need 72}}
kernel.func @small_workspace(%x: tensor<64xf32>, %out: tensor<f32>, %space: tensor<64xi8>) -> tensor<f32>
    attributes {schedule = #kernel.cpu_row<lanes = 16, unroll = 4, grain = 1, parts = 8>, workspace} {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
    ins(%x : tensor<64xf32>) outs(%out : tensor<f32>) {
  ^bb0(%v: f32, %s: f32):
    %y = arith.addf %s, %v : f32
    linalg.yield %y : f32
  } -> tensor<f32>
  kernel.return %r : tensor<f32>
}

// -----

kernel.func @parts_in_order(%x: tensor<64xf32>, %out: tensor<f32>, %space: tensor<72xi8>) -> tensor<f32>
    attributes {schedule = #kernel.cpu_row<lanes = 16, unroll = 4, grain = 1, parts = 8>, workspace} {
  // expected-error @below {{cannot be reduced in parts}}
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
    ins(%x : tensor<64xf32>) outs(%out : tensor<f32>) {
  ^bb0(%v: f32, %s: f32):
    %y = arith.subf %v, %s : f32
    linalg.yield %y : f32
  } -> tensor<f32>
  kernel.return %r : tensor<f32>
}
