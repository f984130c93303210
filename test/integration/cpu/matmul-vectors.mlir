// Products with vectors: no rows, no columns, or neither; and channels that are
// the batch (depthwise convolution).

// RUN: kernel-run --check "--dims=N=0,1,7,40;K=0,1,20" \
// RUN:   '--schedule=#kernel.cpu_contraction<mr = 4, nr = 32, kb = 0, lanes = 16, splitN = true>' %s
// RUN: kernel-run --check "--dims=N=0,1,7,40;K=0,1,20" --num-threads=3 --target=cpu:x86-64-v3 \
// RUN:   '--schedule=#kernel.cpu_contraction<mr = 6, nr = 16, kb = 0, lanes = 8, splitN = false>' %s
// RUN: kernel-run --check "--dims=N=7;K=20" --assign %s

kernel.func @dot(%a: tensor<?xf32> {ourc.shape = [@K]}, %b: tensor<?xf32> {ourc.shape = [@K]},
    %out: tensor<f32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<f32>) -> tensor<f32>
  %0 = linalg.dot ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%init : tensor<f32>) -> tensor<f32>
  kernel.return %0 : tensor<f32>
}

kernel.func @matrix_vector(%a: tensor<?x?xf32> {ourc.shape = [@N, @K]},
    %b: tensor<?xf32> {ourc.shape = [@K]}, %out: tensor<?xf32> {ourc.shape = [@N]}) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<?xf32>) -> tensor<?xf32>
  %0 = linalg.matvec ins(%a, %b : tensor<?x?xf32>, tensor<?xf32>) outs(%init : tensor<?xf32>) -> tensor<?xf32>
  kernel.return %0 : tensor<?xf32>
}

kernel.func @vector_matrix(%a: tensor<?xf32> {ourc.shape = [@K]},
    %b: tensor<?x?xf32> {ourc.shape = [@K, @N]}, %out: tensor<?xf32> {ourc.shape = [@N]}) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<?xf32>) -> tensor<?xf32>
  %0 = linalg.vecmat ins(%a, %b : tensor<?xf32>, tensor<?x?xf32>) outs(%init : tensor<?xf32>) -> tensor<?xf32>
  kernel.return %0 : tensor<?xf32>
}

kernel.func @depthwise(%x: tensor<1x6x7x5xf32>, %w: tensor<3x3x5xf32>, %out: tensor<1x4x5x5xf32>)
    -> tensor<1x4x5x5xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<1x4x5x5xf32>) -> tensor<1x4x5x5xf32>
  %0 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%x, %w : tensor<1x6x7x5xf32>, tensor<3x3x5xf32>) outs(%init : tensor<1x4x5x5xf32>) -> tensor<1x4x5x5xf32>
  kernel.return %0 : tensor<1x4x5x5xf32>
}
