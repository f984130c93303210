// 3x3 convolutions by F(2x2, 3x3): odd sizes, channels and filters that leave a
// part of a vector and of a panel, several images, without padding, and a last
// block of tiles that is not full.

// RUN: kernel-run --check --num-threads=1 --assign --target=cpu:x86-64-v4 %s
// RUN: kernel-run --check --num-threads=2 --assign --target=cpu:x86-64-v4 %s
// RUN: kernel-run --check --num-threads=2 --assign --target=cpu:x86-64-v3 %s

kernel.func @odd(%x: tensor<1x15x17x19xf32>, %w: tensor<37x3x3x19xf32>, %bias: tensor<37xf32>, %out: tensor<1x15x17x37xf32>) -> tensor<1x15x17x37xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x15x17x19xf32> to tensor<1x17x19x19xf32>
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<1x15x17x37xf32>) -> tensor<1x15x17x37xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%p, %w : tensor<1x17x19x19xf32>, tensor<37x3x3x19xf32>) outs(%init : tensor<1x15x17x37xf32>) -> tensor<1x15x17x37xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(a,b,c,d) -> (a,b,c,d)>, affine_map<(a,b,c,d) -> (d)>, affine_map<(a,b,c,d) -> (a,b,c,d)>], iterator_types = ["parallel","parallel","parallel","parallel"]}
    ins(%0, %bias : tensor<1x15x17x37xf32>, tensor<37xf32>) outs(%out : tensor<1x15x17x37xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %s = arith.addf %i, %j : f32
    %t = arith.maximumf %s, %zero : f32
    linalg.yield %t : f32 } -> tensor<1x15x17x37xf32>
  kernel.return %1 : tensor<1x15x17x37xf32>
}

kernel.func @images(%x: tensor<2x14x15x16xf32>, %w: tensor<33x3x3x16xf32>, %bias: tensor<33xf32>, %out: tensor<2x14x15x33xf32>) -> tensor<2x14x15x33xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<2x14x15x16xf32> to tensor<2x16x17x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<2x14x15x33xf32>) -> tensor<2x14x15x33xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%p, %w : tensor<2x16x17x16xf32>, tensor<33x3x3x16xf32>) outs(%init : tensor<2x14x15x33xf32>) -> tensor<2x14x15x33xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(a,b,c,d) -> (a,b,c,d)>, affine_map<(a,b,c,d) -> (d)>, affine_map<(a,b,c,d) -> (a,b,c,d)>], iterator_types = ["parallel","parallel","parallel","parallel"]}
    ins(%0, %bias : tensor<2x14x15x33xf32>, tensor<33xf32>) outs(%out : tensor<2x14x15x33xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %s = arith.addf %i, %j : f32
    %t = arith.maximumf %s, %zero : f32
    linalg.yield %t : f32 } -> tensor<2x14x15x33xf32>
  kernel.return %1 : tensor<2x14x15x33xf32>
}

kernel.func @without_padding(%x: tensor<1x17x16x32xf32>, %w: tensor<32x3x3x32xf32>, %bias: tensor<32xf32>, %out: tensor<1x15x14x32xf32>) -> tensor<1x15x14x32xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<1x15x14x32xf32>) -> tensor<1x15x14x32xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%x, %w : tensor<1x17x16x32xf32>, tensor<32x3x3x32xf32>) outs(%init : tensor<1x15x14x32xf32>) -> tensor<1x15x14x32xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(a,b,c,d) -> (a,b,c,d)>, affine_map<(a,b,c,d) -> (d)>, affine_map<(a,b,c,d) -> (a,b,c,d)>], iterator_types = ["parallel","parallel","parallel","parallel"]}
    ins(%0, %bias : tensor<1x15x14x32xf32>, tensor<32xf32>) outs(%out : tensor<1x15x14x32xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %s = arith.addf %i, %j : f32
    %t = arith.maximumf %s, %zero : f32
    linalg.yield %t : f32 } -> tensor<1x15x14x32xf32>
  kernel.return %1 : tensor<1x15x14x32xf32>
}

kernel.func @blocks(%x: tensor<3x13x16x24xf32>, %w: tensor<24x3x3x24xf32>, %bias: tensor<24xf32>, %out: tensor<3x13x16x24xf32>) -> tensor<3x13x16x24xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<3x13x16x24xf32> to tensor<3x15x18x24xf32>
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<3x13x16x24xf32>) -> tensor<3x13x16x24xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%p, %w : tensor<3x15x18x24xf32>, tensor<24x3x3x24xf32>) outs(%init : tensor<3x13x16x24xf32>) -> tensor<3x13x16x24xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(a,b,c,d) -> (a,b,c,d)>, affine_map<(a,b,c,d) -> (d)>, affine_map<(a,b,c,d) -> (a,b,c,d)>], iterator_types = ["parallel","parallel","parallel","parallel"]}
    ins(%0, %bias : tensor<3x13x16x24xf32>, tensor<24xf32>) outs(%out : tensor<3x13x16x24xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %s = arith.addf %i, %j : f32
    %t = arith.maximumf %s, %zero : f32
    linalg.yield %t : f32 } -> tensor<3x13x16x24xf32>
  kernel.return %1 : tensor<3x13x16x24xf32>
}
