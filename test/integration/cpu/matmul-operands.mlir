// What surrounds a product: batches, several row dimensions, packed weights,
// chains of elementwise operations, permuted and reshaped results.

// RUN: kernel-run --check "--dims=B=0,1,3;M=1,7,30;N=1,17,50;K=0,3,20" \
// RUN:   '--schedule=#kernel.cpu_contraction<mr = 8, nr = 48, kb = 0, lanes = 16, splitN = true>' --num-threads=3 %s
// RUN: kernel-run --check "--dims=B=0,1,3;M=1,7,30;N=1,17,50;K=0,3,20" \
// RUN:   '--schedule=#kernel.cpu_contraction<mr = 14, nr = 48, kb = 0, lanes = 16, splitN = false>' %s
// RUN: kernel-run --check "--dims=B=0,1,3;M=1,7,30;N=1,17,50;K=0,3,20" \
// RUN:   '--schedule=#kernel.cpu_contraction<mr = 6, nr = 48, kb = 0, lanes = 8, splitN = true>' --target=cpu:x86-64-v3 %s
// RUN: kernel-run --check "--dims=B=0,1,3;M=1,7,30;N=1,17,50;K=0,3,20" \
// RUN:   '--schedule=#kernel.cpu_contraction<mr = 2, nr = 48, kb = 0, lanes = 8, splitN = false>' --target=cpu:x86-64-v3 --num-threads=3 %s

kernel.func @batched(%a: tensor<?x?x?xf32> {ourc.shape = [@B, @M, @K]},
    %b: tensor<?x?x?xf32> {ourc.shape = [@B, @K, @N]},
    %out: tensor<?x?x?xf32> {ourc.shape = [@B, @M, @N]}) -> tensor<?x?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %0 = linalg.batch_matmul ins(%a, %b : tensor<?x?x?xf32>, tensor<?x?x?xf32>)
    outs(%init : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  kernel.return %0 : tensor<?x?x?xf32>
}

// Keys times queries of [batch, sequence, head, feature] operands.
kernel.func @heads(%a: tensor<?x?x3x?xf32> {ourc.shape = [@B, @M, 3, @K]},
    %b: tensor<?x?x3x?xf32> {ourc.shape = [@B, @N, 3, @K]},
    %out: tensor<?x3x?x?xf32> {ourc.shape = [@B, 3, @M, @N]}) -> tensor<?x3x?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<?x3x?x?xf32>) -> tensor<?x3x?x?xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(b, h, m, n, k) -> (b, m, h, k)>,
                     affine_map<(b, h, m, n, k) -> (b, n, h, k)>,
                     affine_map<(b, h, m, n, k) -> (b, h, m, n)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<?x?x3x?xf32>, tensor<?x?x3x?xf32>) outs(%init : tensor<?x3x?x?xf32>) {
  ^bb0(%p: f32, %q: f32, %sum: f32):
    %product = arith.mulf %p, %q : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<?x3x?x?xf32>
  kernel.return %0 : tensor<?x3x?x?xf32>
}

// A linear layer over two row dimensions with a packed weight, a bias, an
// activation, an embedding of positions that all batches share, and a residual.
kernel.func @linear(%x: tensor<?x?x20xf32> {ourc.shape = [@B, @M, 20]},
    %w: tensor<2x20x48xf32>, %bias: tensor<70xf32>,
    %position: tensor<?x70xf32> {ourc.shape = [@M, 70]},
    %residual: tensor<?x?x70xf32> {ourc.shape = [@B, @M, 70]},
    %out0: tensor<?x?x70xf32> {ourc.shape = [@B, @M, 70]},
    %out1: tensor<?x?x70xf32> {ourc.shape = [@B, @M, 70]})
    -> (tensor<?x?x70xf32>, tensor<?x?x70xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<70x20xf32>
  %weight = linalg.unpack %w inner_dims_pos = [0] inner_tiles = [48] into %empty
    : tensor<2x20x48xf32> -> tensor<70x20xf32>
  %init = linalg.fill ins(%zero : f32) outs(%out0 : tensor<?x?x70xf32>) -> tensor<?x?x70xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (n, k)>,
                     affine_map<(b, m, n, k) -> (b, m, n)>],
    iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%x, %weight : tensor<?x?x20xf32>, tensor<70x20xf32>) outs(%init : tensor<?x?x70xf32>) {
  ^bb0(%p: f32, %q: f32, %sum: f32):
    %product = arith.mulf %p, %q : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<?x?x70xf32>
  %1 = linalg.generic {
    indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (n)>,
                     affine_map<(b, m, n) -> (b, m, n)>],
    iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%0, %bias : tensor<?x?x70xf32>, tensor<70xf32>) outs(%out0 : tensor<?x?x70xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %sum = arith.addf %p, %q : f32
    linalg.yield %sum : f32
  } -> tensor<?x?x70xf32>
  %2 = linalg.generic {
    indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (m, n)>,
                     affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (b, m, n)>],
    iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%1, %position, %residual : tensor<?x?x70xf32>, tensor<?x70xf32>, tensor<?x?x70xf32>)
    outs(%out1 : tensor<?x?x70xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32, %o: f32):
    %positive = arith.maximumf %p, %zero : f32
    %sum = arith.addf %positive, %q : f32
    %all = arith.mulf %sum, %r : f32
    linalg.yield %all : f32
  } -> tensor<?x?x70xf32>
  kernel.return %1, %2 : tensor<?x?x70xf32>, tensor<?x?x70xf32>
}

// An epilogue long enough to go through memory.
kernel.func @gelu(%x: tensor<?x20xf32> {ourc.shape = [@M, 20]},
    %w: tensor<20x?xf32> {ourc.shape = [20, @N]}, %bias: tensor<?xf32> {ourc.shape = [@N]},
    %out: tensor<?x?xf32> {ourc.shape = [@M, @N]}) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<?x?xf32>) -> tensor<?x?xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<?x20xf32>, tensor<20x?xf32>)
    outs(%init : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = linalg.generic {
    indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>,
                     affine_map<(m, n) -> (m, n)>],
    iterator_types = ["parallel", "parallel"]}
    ins(%0, %bias : tensor<?x?xf32>, tensor<?xf32>) outs(%out : tensor<?x?xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %half = arith.constant 0.5 : f32
    %one = arith.constant 1.0 : f32
    %root = arith.constant 0.707106781 : f32
    %sum = arith.addf %p, %q : f32
    %scaled = arith.mulf %sum, %root : f32
    %erf = math.erf %scaled : f32
    %plus = arith.addf %erf, %one : f32
    %halved = arith.mulf %sum, %half : f32
    %result = arith.mulf %halved, %plus : f32
    linalg.yield %result : f32
  } -> tensor<?x?xf32>
  kernel.return %1 : tensor<?x?xf32>
}

// The columns of the product become the rows of the result.
kernel.func @transposed(%x: tensor<?x20xf32> {ourc.shape = [@M, 20]},
    %w: tensor<20x?xf32> {ourc.shape = [20, @N]}, %bias: tensor<?xf32> {ourc.shape = [@N]},
    %out: tensor<?x?xf32> {ourc.shape = [@N, @M]}) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x20xf32>
  %n = tensor.dim %w, %c1 : tensor<20x?xf32>
  %empty = tensor.empty(%m, %n) : tensor<?x?xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x?xf32>) -> tensor<?x?xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<?x20xf32>, tensor<20x?xf32>)
    outs(%init : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = linalg.generic {
    indexing_maps = [affine_map<(n, m) -> (m, n)>, affine_map<(n, m) -> (n)>,
                     affine_map<(n, m) -> (n, m)>],
    iterator_types = ["parallel", "parallel"]}
    ins(%0, %bias : tensor<?x?xf32>, tensor<?xf32>) outs(%out : tensor<?x?xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %sum = arith.addf %p, %q : f32
    linalg.yield %sum : f32
  } -> tensor<?x?xf32>
  kernel.return %1 : tensor<?x?xf32>
}

// Adds to what the destination's tensor holds.
kernel.func @accumulate(%a: tensor<?x?xf32> {ourc.shape = [@M, @K]},
    %b: tensor<?x?xf32> {ourc.shape = [@K, @N]}, %c: tensor<?x?xf32> {ourc.shape = [@M, @N]},
    %out: tensor<?x?xf32> {ourc.shape = [@M, @N]}) -> tensor<?x?xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>)
    outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  kernel.return %0 : tensor<?x?xf32>
}

// The operand and the result are read and written through other shapes.
kernel.func @reshaped(%a: tensor<?x4x5xf32> {ourc.shape = [@M, 4, 5]},
    %b: tensor<20x24xf32>, %out: tensor<?x3x8xf32> {ourc.shape = [@M, 3, 8]})
    -> tensor<?x3x8xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<?x4x5xf32>
  %flat = tensor.collapse_shape %a [[0], [1, 2]] : tensor<?x4x5xf32> into tensor<?x20xf32>
  %empty = tensor.empty(%m) : tensor<?x24xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x24xf32>) -> tensor<?x24xf32>
  %0 = linalg.matmul ins(%flat, %b : tensor<?x20xf32>, tensor<20x24xf32>)
    outs(%init : tensor<?x24xf32>) -> tensor<?x24xf32>
  %1 = tensor.expand_shape %0 [[0], [1, 2]] output_shape [%m, 3, 8]
    : tensor<?x24xf32> into tensor<?x3x8xf32>
  kernel.return %1 : tensor<?x3x8xf32>
}

// A slice of the weight, and an operand that the kernel computes.
kernel.func @computed(%a: tensor<?x20xf32> {ourc.shape = [@M, 20]}, %b: tensor<40x24xf32>,
    %c: tensor<24xf32>, %d: tensor<?x24xf32> {ourc.shape = [@M, 24]},
    %out: tensor<?x24xf32> {ourc.shape = [@M, 24]}) -> tensor<?x24xf32> {
  %zero = arith.constant 0.0 : f32
  %half = tensor.extract_slice %b[3, 0] [20, 24] [1, 1] : tensor<40x24xf32> to tensor<20x24xf32>
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<?x24xf32>) -> tensor<?x24xf32>
  %scaled = linalg.generic {
    indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>,
                     affine_map<(m, n) -> (m, n)>],
    iterator_types = ["parallel", "parallel"]}
    ins(%d, %c : tensor<?x24xf32>, tensor<24xf32>) outs(%out : tensor<?x24xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %product = arith.mulf %p, %q : f32
    linalg.yield %product : f32
  } -> tensor<?x24xf32>
  %0 = linalg.matmul ins(%a, %half : tensor<?x20xf32>, tensor<20x24xf32>)
    outs(%init : tensor<?x24xf32>) -> tensor<?x24xf32>
  %1 = linalg.generic {
    indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>,
                     affine_map<(m, n) -> (m, n)>],
    iterator_types = ["parallel", "parallel"]}
    ins(%0, %scaled : tensor<?x24xf32>, tensor<?x24xf32>) outs(%out : tensor<?x24xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %row = linalg.index 0 : index
    %number = arith.index_cast %row : index to i32
    %value = arith.sitofp %number : i32 to f32
    %sum = arith.addf %p, %q : f32
    %all = arith.addf %sum, %value : f32
    linalg.yield %all : f32
  } -> tensor<?x24xf32>
  kernel.return %1 : tensor<?x24xf32>
}
