// Products of matrices of bf16 in pairs: every order of the operands, odd sizes,
// columns that fill no vector. Nothing beyond an operand may be read.

// RUN: kernel-run --check "--dims=M=0,1,7,13;N=0,1,13,49;K=0,1,2,5,13" \
// RUN:   '--schedule=#kernel.cpu_contraction<mr = 8, nr = 48, kb = 0, lanes = 16, splitN = true, depth = 2>' %s
// RUN: kernel-run --check "--dims=M=0,1,7,13;N=0,1,13,49;K=0,1,2,5,13" --target=cpu:x86-64-v4 \
// RUN:   '--schedule=#kernel.cpu_contraction<mr = 6, nr = 32, kb = 0, lanes = 16, splitN = false, depth = 2>' --num-threads=3 %s
// RUN: kernel-run --check "--dims=M=0,1,7,13;N=0,1,13,49;K=0,1,2,5,13" --target=cpu:x86-64-v3 \
// RUN:   '--schedule=#kernel.cpu_contraction<mr = 4, nr = 16, kb = 0, lanes = 8, splitN = true, depth = 2>' %s

// Without the instruction, denormals count.
// RUN: kernel-run --check "--dims=M=9;N=17;K=6,7" --special --target=cpu:x86-64-v3 \
// RUN:   '--schedule=#kernel.cpu_contraction<mr = 4, nr = 16, kb = 0, lanes = 8, splitN = true, depth = 2>' %s

kernel.func @bf16(%a: tensor<?x?xbf16> {ourc.shape = [@M, @K]},
    %b: tensor<?x?xbf16> {ourc.shape = [@N, @K]},
    %out: tensor<?x?xbf16> {ourc.shape = [@M, @N]}) -> tensor<?x?xbf16> {
  %zero = arith.constant 0.0 : bf16
  %init = linalg.fill ins(%zero : bf16) outs(%out : tensor<?x?xbf16>) -> tensor<?x?xbf16>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                     affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<?x?xbf16>, tensor<?x?xbf16>) outs(%init : tensor<?x?xbf16>) {
  ^bb0(%p: bf16, %q: bf16, %sum: bf16):
    %product = arith.mulf %p, %q : bf16
    %next = arith.addf %sum, %product : bf16
    linalg.yield %next : bf16
  } -> tensor<?x?xbf16>
  kernel.return %0 : tensor<?x?xbf16>
}

kernel.func @bf16_f32(%a: tensor<?x?xbf16> {ourc.shape = [@M, @K]},
    %b: tensor<?x?xbf16> {ourc.shape = [@N, @K]},
    %out: tensor<?x?xf32> {ourc.shape = [@M, @N]}) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<?x?xf32>) -> tensor<?x?xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                     affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<?x?xbf16>, tensor<?x?xbf16>) outs(%init : tensor<?x?xf32>) {
  ^bb0(%p: bf16, %q: bf16, %sum: f32):
    %pe = arith.extf %p : bf16 to f32
    %qe = arith.extf %q : bf16 to f32
    %product = arith.mulf %pe, %qe : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<?x?xf32>
  kernel.return %0 : tensor<?x?xf32>
}

kernel.func @rows_first(%a: tensor<?x?xbf16> {ourc.shape = [@K, @M]},
    %b: tensor<?x?xbf16> {ourc.shape = [@K, @N]},
    %out: tensor<?x?xbf16> {ourc.shape = [@M, @N]}) -> tensor<?x?xbf16> {
  %zero = arith.constant 0.0 : bf16
  %init = linalg.fill ins(%zero : bf16) outs(%out : tensor<?x?xbf16>) -> tensor<?x?xbf16>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>,
                     affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<?x?xbf16>, tensor<?x?xbf16>) outs(%init : tensor<?x?xbf16>) {
  ^bb0(%p: bf16, %q: bf16, %sum: bf16):
    %product = arith.mulf %p, %q : bf16
    %next = arith.addf %sum, %product : bf16
    linalg.yield %next : bf16
  } -> tensor<?x?xbf16>
  kernel.return %0 : tensor<?x?xbf16>
}

kernel.func @columns_first(%a: tensor<?x?xbf16> {ourc.shape = [@M, @K]},
    %b: tensor<?x?xbf16> {ourc.shape = [@K, @N]},
    %out: tensor<?x?xbf16> {ourc.shape = [@M, @N]}) -> tensor<?x?xbf16> {
  %zero = arith.constant 0.0 : bf16
  %init = linalg.fill ins(%zero : bf16) outs(%out : tensor<?x?xbf16>) -> tensor<?x?xbf16>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                     affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<?x?xbf16>, tensor<?x?xbf16>) outs(%init : tensor<?x?xbf16>) {
  ^bb0(%p: bf16, %q: bf16, %sum: bf16):
    %product = arith.mulf %p, %q : bf16
    %next = arith.addf %sum, %product : bf16
    linalg.yield %next : bf16
  } -> tensor<?x?xbf16>
  kernel.return %0 : tensor<?x?xbf16>
}

// A batch: both operands are rearranged in no other way than a matrix.
kernel.func @batch(%a: tensor<3x?x7xbf16> {ourc.shape = [3, @M, 7]},
    %b: tensor<3x?x7xbf16> {ourc.shape = [3, @N, 7]},
    %out: tensor<3x?x?xf32> {ourc.shape = [3, @M, @N]}) -> tensor<3x?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<3x?x?xf32>) -> tensor<3x?x?xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>,
                     affine_map<(b, m, n, k) -> (b, m, n)>],
    iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<3x?x7xbf16>, tensor<3x?x7xbf16>) outs(%init : tensor<3x?x?xf32>) {
  ^bb0(%p: bf16, %q: bf16, %sum: f32):
    %pe = arith.extf %p : bf16 to f32
    %qe = arith.extf %q : bf16 to f32
    %product = arith.mulf %pe, %qe : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<3x?x?xf32>
  kernel.return %0 : tensor<3x?x?xf32>
}

// A product with one vector.
kernel.func @vector(%a: tensor<?x?xbf16> {ourc.shape = [@M, @K]}, %b: tensor<?xbf16> {ourc.shape = [@K]},
    %out: tensor<?xf32> {ourc.shape = [@M]}) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<?xf32>) -> tensor<?xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (k)>, affine_map<(m, k) -> (m)>],
    iterator_types = ["parallel", "reduction"]}
    ins(%a, %b : tensor<?x?xbf16>, tensor<?xbf16>) outs(%init : tensor<?xf32>) {
  ^bb0(%p: bf16, %q: bf16, %sum: f32):
    %pe = arith.extf %p : bf16 to f32
    %qe = arith.extf %q : bf16 to f32
    %product = arith.mulf %pe, %qe : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<?xf32>
  kernel.return %0 : tensor<?xf32>
}
