// RUN: ourc-opt -ourc-fuse-elementwise -split-input-file %s | FileCheck %s

// A cheap producer moves into each of its readers, but not where it ends in a
// rounding that may be left out: they would see different numbers.

// CHECK-LABEL: func.func @two_readers
// CHECK:         %[[ROUNDED:.*]] = linalg.generic
// CHECK:           arith.truncf
// CHECK:         linalg.generic {{.*}} ins(%[[ROUNDED]]
// CHECK:         linalg.generic {{.*}} ins(%[[ROUNDED]]
#id = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
func.func @two_readers(%x: tensor<64xf32>) -> (tensor<f32>, tensor<64xf32>) {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %narrow = tensor.empty() : tensor<64xbf16>
  %wide = tensor.empty() : tensor<64xf32>
  %rounded = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<64xf32>) outs(%narrow : tensor<64xbf16>) {
  ^bb0(%e: f32, %o: bf16):
    %r = arith.truncf %e fastmath<contract> : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<64xbf16>
  %sum = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction"]}
      ins(%rounded : tensor<64xbf16>) outs(%zero : tensor<f32>) {
  ^bb0(%e: bf16, %s: f32):
    %w = arith.extf %e : bf16 to f32
    %n = arith.addf %w, %s : f32
    linalg.yield %n : f32
  } -> tensor<f32>
  %exp = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%rounded : tensor<64xbf16>) outs(%wide : tensor<64xf32>) {
  ^bb0(%e: bf16, %o: f32):
    %w = arith.extf %e : bf16 to f32
    %n = math.exp %w : f32
    linalg.yield %n : f32
  } -> tensor<64xf32>
  return %sum, %exp : tensor<f32>, tensor<64xf32>
}

// -----

// Beside one reader it does.

// CHECK-LABEL: func.func @one_reader
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
#id = affine_map<(i) -> (i)>
func.func @one_reader(%x: tensor<64xf32>) -> tensor<64xf32> {
  %narrow = tensor.empty() : tensor<64xbf16>
  %wide = tensor.empty() : tensor<64xf32>
  %rounded = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<64xf32>) outs(%narrow : tensor<64xbf16>) {
  ^bb0(%e: f32, %o: bf16):
    %r = arith.truncf %e fastmath<contract> : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<64xbf16>
  %exp = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%rounded : tensor<64xbf16>) outs(%wide : tensor<64xf32>) {
  ^bb0(%e: bf16, %o: f32):
    %w = arith.extf %e : bf16 to f32
    %n = math.exp %w : f32
    linalg.yield %n : f32
  } -> tensor<64xf32>
  return %exp : tensor<64xf32>
}
