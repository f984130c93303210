// Products of two matrices of every type, for sizes around the tile's.

// RUN: kernel-run --check "--dims=M=0,1,7,13;N=0,1,13,49;K=0,1,5,13" \
// RUN:   '--schedule=#kernel.cpu_contraction<mr = 8, nr = 48, kb = 0, lanes = 16, splitN = true>' %s
// RUN: kernel-run --check "--dims=M=0,1,7,13;N=0,1,13,49;K=0,1,5,13" \
// RUN:   '--schedule=#kernel.cpu_contraction<mr = 6, nr = 64, kb = 0, lanes = 16, splitN = false>' %s
// RUN: kernel-run --check "--dims=M=0,1,7,13;N=0,1,13,49;K=0,1,5,13" \
// RUN:   '--schedule=#kernel.cpu_contraction<mr = 6, nr = 16, kb = 0, lanes = 8, splitN = true>' --target=cpu:x86-64-v3 %s
// RUN: kernel-run --check "--dims=M=0,1,7,13;N=0,1,13,49;K=0,1,5,13" \
// RUN:   '--schedule=#kernel.cpu_contraction<mr = 4, nr = 24, kb = 0, lanes = 8, splitN = false>' --target=cpu:x86-64-v3 %s
// RUN: kernel-run --check "--dims=M=9;N=17;K=6" --special \
// RUN:   '--schedule=#kernel.cpu_contraction<mr = 8, nr = 48, kb = 0, lanes = 16, splitN = true>' %s

kernel.func @f32(%a: tensor<?x?xf32> {ourc.shape = [@M, @K]},
    %b: tensor<?x?xf32> {ourc.shape = [@N, @K]},
    %out: tensor<?x?xf32> {ourc.shape = [@M, @N]}) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<?x?xf32>) -> tensor<?x?xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                     affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%init : tensor<?x?xf32>) {
  ^bb0(%p: f32, %q: f32, %sum: f32):
    %product = arith.mulf %p, %q : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<?x?xf32>
  kernel.return %0 : tensor<?x?xf32>
}

kernel.func @f64(%a: tensor<?x?xf64> {ourc.shape = [@M, @K]},
    %b: tensor<?x?xf64> {ourc.shape = [@N, @K]},
    %out: tensor<?x?xf64> {ourc.shape = [@M, @N]}) -> tensor<?x?xf64> {
  %zero = arith.constant 0.0 : f64
  %init = linalg.fill ins(%zero : f64) outs(%out : tensor<?x?xf64>) -> tensor<?x?xf64>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                     affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<?x?xf64>, tensor<?x?xf64>) outs(%init : tensor<?x?xf64>) {
  ^bb0(%p: f64, %q: f64, %sum: f64):
    %product = arith.mulf %p, %q : f64
    %next = arith.addf %sum, %product : f64
    linalg.yield %next : f64
  } -> tensor<?x?xf64>
  kernel.return %0 : tensor<?x?xf64>
}

kernel.func @f16(%a: tensor<?x?xf16> {ourc.shape = [@M, @K]},
    %b: tensor<?x?xf16> {ourc.shape = [@N, @K]},
    %out: tensor<?x?xf16> {ourc.shape = [@M, @N]}) -> tensor<?x?xf16> {
  %zero = arith.constant 0.0 : f16
  %init = linalg.fill ins(%zero : f16) outs(%out : tensor<?x?xf16>) -> tensor<?x?xf16>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                     affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<?x?xf16>, tensor<?x?xf16>) outs(%init : tensor<?x?xf16>) {
  ^bb0(%p: f16, %q: f16, %sum: f16):
    %product = arith.mulf %p, %q : f16
    %next = arith.addf %sum, %product : f16
    linalg.yield %next : f16
  } -> tensor<?x?xf16>
  kernel.return %0 : tensor<?x?xf16>
}

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

kernel.func @f16_f32(%a: tensor<?x?xf16> {ourc.shape = [@M, @K]},
    %b: tensor<?x?xf16> {ourc.shape = [@N, @K]},
    %out: tensor<?x?xf32> {ourc.shape = [@M, @N]}) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<?x?xf32>) -> tensor<?x?xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                     affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<?x?xf16>, tensor<?x?xf16>) outs(%init : tensor<?x?xf32>) {
  ^bb0(%p: f16, %q: f16, %sum: f32):
    %pe = arith.extf %p : f16 to f32
    %qe = arith.extf %q : f16 to f32
    %product = arith.mulf %pe, %qe : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<?x?xf32>
  kernel.return %0 : tensor<?x?xf32>
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

kernel.func @i32(%a: tensor<?x?xi32> {ourc.shape = [@M, @K]},
    %b: tensor<?x?xi32> {ourc.shape = [@N, @K]},
    %out: tensor<?x?xi32> {ourc.shape = [@M, @N]}) -> tensor<?x?xi32> {
  %zero = arith.constant 0 : i32
  %init = linalg.fill ins(%zero : i32) outs(%out : tensor<?x?xi32>) -> tensor<?x?xi32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                     affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<?x?xi32>, tensor<?x?xi32>) outs(%init : tensor<?x?xi32>) {
  ^bb0(%p: i32, %q: i32, %sum: i32):
    %product = arith.muli %p, %q : i32
    %next = arith.addi %sum, %product : i32
    linalg.yield %next : i32
  } -> tensor<?x?xi32>
  kernel.return %0 : tensor<?x?xi32>
}

kernel.func @i64(%a: tensor<?x?xi64> {ourc.shape = [@M, @K]},
    %b: tensor<?x?xi64> {ourc.shape = [@N, @K]},
    %out: tensor<?x?xi64> {ourc.shape = [@M, @N]}) -> tensor<?x?xi64> {
  %zero = arith.constant 0 : i64
  %init = linalg.fill ins(%zero : i64) outs(%out : tensor<?x?xi64>) -> tensor<?x?xi64>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                     affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<?x?xi64>, tensor<?x?xi64>) outs(%init : tensor<?x?xi64>) {
  ^bb0(%p: i64, %q: i64, %sum: i64):
    %product = arith.muli %p, %q : i64
    %next = arith.addi %sum, %product : i64
    linalg.yield %next : i64
  } -> tensor<?x?xi64>
  kernel.return %0 : tensor<?x?xi64>
}

kernel.func @i8_i32(%a: tensor<?x?xi8> {ourc.shape = [@M, @K]},
    %b: tensor<?x?xi8> {ourc.shape = [@N, @K]},
    %out: tensor<?x?xi32> {ourc.shape = [@M, @N]}) -> tensor<?x?xi32> {
  %zero = arith.constant 0 : i32
  %init = linalg.fill ins(%zero : i32) outs(%out : tensor<?x?xi32>) -> tensor<?x?xi32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                     affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<?x?xi8>, tensor<?x?xi8>) outs(%init : tensor<?x?xi32>) {
  ^bb0(%p: i8, %q: i8, %sum: i32):
    %pe = arith.extsi %p : i8 to i32
    %qe = arith.extsi %q : i8 to i32
    %product = arith.muli %pe, %qe : i32
    %next = arith.addi %sum, %product : i32
    linalg.yield %next : i32
  } -> tensor<?x?xi32>
  kernel.return %0 : tensor<?x?xi32>
}

kernel.func @rows_first(%a: tensor<?x?xf32> {ourc.shape = [@K, @M]},
    %b: tensor<?x?xf32> {ourc.shape = [@K, @N]},
    %out: tensor<?x?xf32> {ourc.shape = [@M, @N]}) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<?x?xf32>) -> tensor<?x?xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>,
                     affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%init : tensor<?x?xf32>) {
  ^bb0(%p: f32, %q: f32, %sum: f32):
    %product = arith.mulf %p, %q : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<?x?xf32>
  kernel.return %0 : tensor<?x?xf32>
}

kernel.func @columns_first(%a: tensor<?x?xf32> {ourc.shape = [@M, @K]},
    %b: tensor<?x?xf32> {ourc.shape = [@K, @N]},
    %out: tensor<?x?xf32> {ourc.shape = [@M, @N]}) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<?x?xf32>) -> tensor<?x?xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                     affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%init : tensor<?x?xf32>) {
  ^bb0(%p: f32, %q: f32, %sum: f32):
    %product = arith.mulf %p, %q : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<?x?xf32>
  kernel.return %0 : tensor<?x?xf32>
}
