// RUN: kernel-run --assign --emit=assigned --target=cpu:sapphirerapids %s | FileCheck %s --check-prefixes=CHECK,TILES
// RUN: kernel-run --assign --emit=assigned --target=cpu:znver5 %s | FileCheck %s --check-prefixes=CHECK,PAIRS

// The weight is packed in pairs for both.

// CHECK-LABEL: kernel.func @tiles
// CHECK-SAME:    tensor<24x384x32x2xbf16>
// TILES-SAME:    #kernel.cpu_contraction<mr = 32, nr = 32, kb = 0, lanes = 16, splitN = true, depth = 32>
// PAIRS-SAME:    #kernel.cpu_contraction<mr = 14, nr = 32, {{.*}}, depth = 2>
kernel.func @tiles(%x: tensor<128x768xbf16>, %w: tensor<768x768xbf16>,
    %out: tensor<128x768xf32>) -> tensor<128x768xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<128x768xf32>) -> tensor<128x768xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                     affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %w : tensor<128x768xbf16>, tensor<768x768xbf16>) outs(%init : tensor<128x768xf32>) {
  ^bb0(%p: bf16, %q: bf16, %sum: f32):
    %pe = arith.extf %p : bf16 to f32
    %qe = arith.extf %q : bf16 to f32
    %product = arith.mulf %pe, %qe : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<128x768xf32>
  kernel.return %0 : tensor<128x768xf32>
}

// One column tile.

// CHECK-LABEL: kernel.func @one_column
// TILES-SAME:    nr = 16, {{.*}} depth = 32, mb = 2>
kernel.func @one_column(%x: tensor<128x768xbf16>, %w: tensor<12x768xbf16>,
    %out: tensor<128x12xf32>) -> tensor<128x12xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<128x12xf32>) -> tensor<128x12xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                     affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %w : tensor<128x768xbf16>, tensor<12x768xbf16>) outs(%init : tensor<128x12xf32>) {
  ^bb0(%p: bf16, %q: bf16, %sum: f32):
    %pe = arith.extf %p : bf16 to f32
    %qe = arith.extf %q : bf16 to f32
    %product = arith.mulf %pe, %qe : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<128x12xf32>
  kernel.return %0 : tensor<128x12xf32>
}

// A tile takes as long for three rows as for sixteen.

// CHECK-LABEL: kernel.func @few_rows
// CHECK-SAME:    depth = 2
kernel.func @few_rows(%x: tensor<3x768xbf16>, %w: tensor<768x768xbf16>,
    %out: tensor<3x768xf32>) -> tensor<3x768xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<3x768xf32>) -> tensor<3x768xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                     affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %w : tensor<3x768xbf16>, tensor<768x768xbf16>) outs(%init : tensor<3x768xf32>) {
  ^bb0(%p: bf16, %q: bf16, %sum: f32):
    %pe = arith.extf %p : bf16 to f32
    %qe = arith.extf %q : bf16 to f32
    %product = arith.mulf %pe, %qe : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<3x768xf32>
  kernel.return %0 : tensor<3x768xf32>
}

// CHECK-LABEL: kernel.func @dynamic_rows
// CHECK-SAME:    depth = 2
kernel.func @dynamic_rows(%x: tensor<?x768xbf16> {ourc.shape = [@m, 768]}, %w: tensor<768x768xbf16>,
    %out: tensor<?x768xf32> {ourc.shape = [@m, 768]}) -> tensor<?x768xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<?x768xf32>) -> tensor<?x768xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                     affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %w : tensor<?x768xbf16>, tensor<768x768xbf16>) outs(%init : tensor<?x768xf32>) {
  ^bb0(%p: bf16, %q: bf16, %sum: f32):
    %pe = arith.extf %p : bf16 to f32
    %qe = arith.extf %q : bf16 to f32
    %product = arith.mulf %pe, %qe : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<?x768xf32>
  kernel.return %0 : tensor<?x768xf32>
}

// CHECK-LABEL: kernel.func @floats
// CHECK-NOT:     depth
// CHECK:         kernel.return
kernel.func @floats(%x: tensor<128x768xf32>, %w: tensor<768x768xf32>,
    %out: tensor<128x768xf32>) -> tensor<128x768xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<128x768xf32>) -> tensor<128x768xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                     affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %w : tensor<128x768xf32>, tensor<768x768xf32>) outs(%init : tensor<128x768xf32>) {
  ^bb0(%p: f32, %q: f32, %sum: f32):
    %product = arith.mulf %p, %q : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<128x768xf32>
  kernel.return %0 : tensor<128x768xf32>
}
