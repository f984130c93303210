// RUN: ourc-opt -ourc-kernel-to-cpu -split-input-file %s | FileCheck %s

// Whole tiles: accumulators are carried by the reduction loop, A is one scalar a
// row, and the bias and relu are applied to the accumulators.

// CHECK-LABEL: func.func private @linear.task0
// CHECK:       scf.for
// CHECK:         %[[SUMS:.*]]:4 = scf.for %{{.*}} iter_args({{.*}}) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK:           %[[B0:.*]] = llvm.load {{.*}} -> vector<16xf32>
// CHECK:           %[[B1:.*]] = llvm.load {{.*}} -> vector<16xf32>
// CHECK:           %[[A0:.*]] = llvm.load {{.*}} -> f32
// CHECK:           %[[ROW0:.*]] = vector.broadcast %[[A0]]
// CHECK:           vector.fma %[[ROW0]], %[[B0]]
// CHECK:           vector.fma %[[ROW0]], %[[B1]]
// CHECK:           %[[A1:.*]] = llvm.load {{.*}} -> f32
// CHECK:           %[[ROW1:.*]] = vector.broadcast %[[A1]]
// CHECK:           vector.fma %[[ROW1]], %[[B0]]
// CHECK:           vector.fma %[[ROW1]], %[[B1]]
// CHECK:           scf.yield
// CHECK:         arith.addf %[[SUMS]]#0
// CHECK-NOT:   masked
// CHECK:       return
// CHECK-LABEL: func.func @linear(
// CHECK-SAME:    %[[CTX:.*]]: !llvm.ptr, %[[BUFFERS:.*]]: !llvm.ptr, %[[SIZES:.*]]: !llvm.ptr) -> i32
// CHECK:         call @ourc_parallel_for(%[[CTX]]
// CHECK:         return %c0_i32
kernel.func @linear(%x: tensor<6x20xf32>, %w: tensor<2x20x32xf32>, %bias: tensor<64xf32>,
    %out: tensor<6x64xf32>) -> tensor<6x64xf32>
    attributes {schedule = #kernel.cpu_contraction<mr = 2, nr = 32, kb = 0, lanes = 16, splitN = true>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<20x64xf32>
  %weight = linalg.unpack %w outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [32] into %empty
    : tensor<2x20x32xf32> -> tensor<20x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<6x64xf32>) -> tensor<6x64xf32>
  %0 = linalg.matmul ins(%x, %weight : tensor<6x20xf32>, tensor<20x64xf32>)
    outs(%init : tensor<6x64xf32>) -> tensor<6x64xf32>
  %1 = linalg.generic {
    indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>,
                     affine_map<(m, n) -> (m, n)>],
    iterator_types = ["parallel", "parallel"]}
    ins(%0, %bias : tensor<6x64xf32>, tensor<64xf32>) outs(%out : tensor<6x64xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %sum = arith.addf %p, %q : f32
    linalg.yield %sum : f32
  } -> tensor<6x64xf32>
  kernel.return %1 : tensor<6x64xf32>
}

// -----

// The last columns: fewer vectors and one masked store; no scalar loop.

// CHECK-LABEL: func.func private @tail.task0
// CHECK:       scf.if
// CHECK:         -> (vector<16xf32>, vector<16xf32>)
// CHECK:         llvm.store {{.*}} : vector<16xf32>
// CHECK:         llvm.store {{.*}} : vector<16xf32>
// CHECK:       } else {
// CHECK:         -> (vector<16xf32>)
// CHECK-NOT:     llvm.store
// CHECK:         llvm.intr.masked.store
// CHECK-NOT:     llvm.intr.masked.store
// CHECK:       return
kernel.func @tail(%x: tensor<1x20xf32>, %w: tensor<20x37xf32>, %out: tensor<1x37xf32>) -> tensor<1x37xf32>
    attributes {schedule = #kernel.cpu_contraction<mr = 2, nr = 32, kb = 0, lanes = 16, splitN = true>} {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<1x37xf32>) -> tensor<1x37xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<1x20xf32>, tensor<20x37xf32>)
    outs(%init : tensor<1x37xf32>) -> tensor<1x37xf32>
  kernel.return %0 : tensor<1x37xf32>
}

// -----

// Seven rows in tiles of at most four: four and three, not four and a sliver.

// CHECK-LABEL: func.func private @rows.task0
// CHECK:       -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>)
// CHECK:       -> (vector<8xf32>, vector<8xf32>, vector<8xf32>)
// CHECK-NOT:   iter_args
// CHECK:       return
kernel.func @rows(%x: tensor<7x20xf32>, %w: tensor<20x8xf32>, %out: tensor<7x8xf32>) -> tensor<7x8xf32>
    attributes {schedule = #kernel.cpu_contraction<mr = 4, nr = 8, kb = 0, lanes = 8, splitN = true>} {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<7x8xf32>) -> tensor<7x8xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<7x20xf32>, tensor<20x8xf32>)
    outs(%init : tensor<7x8xf32>) -> tensor<7x8xf32>
  kernel.return %0 : tensor<7x8xf32>
}

// -----

// A dynamic number of rows: one body for each tile size.

// CHECK-LABEL: func.func private @dynamic_rows.task0
// CHECK:       scf.index_switch
// CHECK:       case 1
// CHECK:         -> (vector<8xf32>)
// CHECK:       case 2
// CHECK:         -> (vector<8xf32>, vector<8xf32>)
// CHECK:       default
// CHECK:       return
kernel.func @dynamic_rows(%x: tensor<?x20xf32> {ourc.shape = [@m, 20]}, %w: tensor<20x8xf32>,
    %out: tensor<?x8xf32> {ourc.shape = [@m, 8]}) -> tensor<?x8xf32>
    attributes {schedule = #kernel.cpu_contraction<mr = 2, nr = 8, kb = 0, lanes = 8, splitN = true>} {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<?x8xf32>) -> tensor<?x8xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<?x20xf32>, tensor<20x8xf32>)
    outs(%init : tensor<?x8xf32>) -> tensor<?x8xf32>
  kernel.return %0 : tensor<?x8xf32>
}

// -----

// Padding is skipped, not multiplied: the filter's rows by the bounds of a loop,
// its columns by leaving pixels out. The three pixels of a row are one tile; the
// middle column of the filter sees all three, the outer ones two.

// CHECK-LABEL: func.func private @convolution.task0
// CHECK:       arith.maxsi
// CHECK:       arith.minsi
// CHECK:       scf.for {{.*}} iter_args({{.*}}) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>)
// CHECK:         scf.for
// CHECK-COUNT-2:   vector.fma
// CHECK-NOT:       vector.fma
// CHECK:           scf.yield
// CHECK:         scf.for
// CHECK-COUNT-3:   vector.fma
// CHECK-NOT:       vector.fma
// CHECK:           scf.yield
// CHECK:         scf.for
// CHECK-COUNT-2:   vector.fma
// CHECK-NOT:       vector.fma
// CHECK:           scf.yield
kernel.func @convolution(%x: tensor<1x5x3x16xf32>, %w: tensor<1x3x3x16x8xf32>,
    %out: tensor<1x5x3x8xf32>) -> tensor<1x5x3x8xf32>
    attributes {schedule = #kernel.cpu_contraction<mr = 4, nr = 8, kb = 0, lanes = 8, splitN = true>} {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x5x3x16xf32> to tensor<1x7x5x16xf32>
  %empty = tensor.empty() : tensor<8x3x3x16xf32>
  %weight = linalg.unpack %w inner_dims_pos = [0] inner_tiles = [8] into %empty
    : tensor<1x3x3x16x8xf32> -> tensor<8x3x3x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<1x5x3x8xf32>) -> tensor<1x5x3x8xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%padded, %weight : tensor<1x7x5x16xf32>, tensor<8x3x3x16xf32>)
    outs(%init : tensor<1x5x3x8xf32>) -> tensor<1x5x3x8xf32>
  kernel.return %0 : tensor<1x5x3x8xf32>
}

// -----

// For four steps a cache line of the next panel, asked for in each of them; the
// last two steps are left over. Each of the two tiles fetches three lines of it.

// CHECK-LABEL: func.func private @ahead.task0
// CHECK:         %[[NEXT:.*]] = arith.minsi
// CHECK:         arith.muli %[[NEXT]], %c320_i64
// CHECK:         scf.for %[[TILE:.*]] = %c0_i64 to %c2_i64
// CHECK:           %[[LINES:.*]] = arith.muli %[[TILE]], %c3_i64
// CHECK:           %[[SHARE:.*]] = arith.muli %[[LINES]], %c64_i64
// CHECK:           %[[START:.*]] = llvm.getelementptr {{.*}}[%[[SHARE]]] {{.*}}, i8
// CHECK:           scf.for %[[K:.*]] = %c0_i64 to %c8_i64 step %c1_i64
// CHECK:             %[[BYTES:.*]] = arith.muli %[[K]], %c64_i64
// CHECK:             %[[LINE:.*]] = arith.divui %[[BYTES]], %c4_i64
// CHECK:             %[[ADDRESS:.*]] = llvm.getelementptr %[[START]][%[[LINE]]]
// CHECK-NEXT:        "llvm.intr.prefetch"(%[[ADDRESS]]) <{cache = 1 : i32, hint = 2 : i32, rw = 0 : i32}>
// CHECK-COUNT-4:     vector.fma
// CHECK-NOT:         vector.fma
// CHECK:             scf.yield
// CHECK-COUNT-4:   vector.fma
// CHECK-NEXT:      llvm.inline_asm has_side_effects "", ""
// CHECK-COUNT-4:   vector.fma
// CHECK-NEXT:      llvm.inline_asm has_side_effects "", ""
// CHECK-NOT:       vector.fma
// CHECK:           llvm.store
kernel.func @ahead(%x: tensor<4x10xf32>, %w: tensor<4x10x32xf32>, %out: tensor<4x128xf32>) -> tensor<4x128xf32>
    attributes {schedule = #kernel.cpu_contraction<mr = 2, nr = 32, kb = 0, lanes = 16, splitN = true, prefetch = 4>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<10x128xf32>
  %weight = linalg.unpack %w outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [32] into %empty
    : tensor<4x10x32xf32> -> tensor<10x128xf32>
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<4x128xf32>) -> tensor<4x128xf32>
  %0 = linalg.matmul ins(%x, %weight : tensor<4x10xf32>, tensor<10x128xf32>)
    outs(%init : tensor<4x128xf32>) -> tensor<4x128xf32>
  kernel.return %0 : tensor<4x128xf32>
}

// -----

// For six steps: a group of them is a loop of its own.

// CHECK-LABEL: func.func private @far.task0
// CHECK:         scf.for %{{.*}} = %c0_i64 to %c2_i64
// CHECK:           scf.for %[[GROUP:.*]] = %c0_i64 to %c2_i64 step %c1_i64
// CHECK:             %[[LINE:.*]] = arith.muli %[[GROUP]], %c64_i64
// CHECK:             %[[ADDRESS:.*]] = llvm.getelementptr %{{.*}}[%[[LINE]]]
// CHECK-NEXT:        "llvm.intr.prefetch"(%[[ADDRESS]])
// CHECK:             scf.for %{{.*}} = %c0_i64 to %c6_i64 step %c1_i64
// CHECK-NOT:           prefetch
// CHECK-COUNT-4:       vector.fma
// CHECK-NOT:           vector.fma
// CHECK:               scf.yield
// CHECK:             scf.yield
// CHECK:           llvm.store
kernel.func @far(%x: tensor<4x13xf32>, %w: tensor<4x13x32xf32>, %out: tensor<4x128xf32>) -> tensor<4x128xf32>
    attributes {schedule = #kernel.cpu_contraction<mr = 2, nr = 32, kb = 0, lanes = 16, splitN = true, prefetch = 6>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<13x128xf32>
  %weight = linalg.unpack %w outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [32] into %empty
    : tensor<4x13x32xf32> -> tensor<13x128xf32>
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<4x128xf32>) -> tensor<4x128xf32>
  %0 = linalg.matmul ins(%x, %weight : tensor<4x13xf32>, tensor<13x128xf32>)
    outs(%init : tensor<4x128xf32>) -> tensor<4x128xf32>
  kernel.return %0 : tensor<4x128xf32>
}

// -----

// A pixel's window holds elements of the next one's: they are loaded again by an
// address that LLVM knows nothing about, not kept in registers from step to step.

// CHECK-LABEL: func.func private @windows.task0
// CHECK:         scf.for {{.*}} iter_args
// CHECK:           %[[A:.*]] = llvm.inline_asm "", "=r,0" %{{.*}} : (!llvm.ptr) -> !llvm.ptr
// CHECK:           %[[FIRST:.*]] = llvm.load %[[A]] {{.*}} -> f32
// CHECK:           vector.broadcast %[[FIRST]]
// CHECK:           %[[SECOND:.*]] = llvm.getelementptr %[[A]][6]
// CHECK:           llvm.load %[[SECOND]] {{.*}} -> f32
// CHECK:         return
kernel.func @windows(%x: tensor<1x9x9x3xf32>, %w: tensor<1x3x3x3x16xf32>,
    %out: tensor<1x4x4x16xf32>) -> tensor<1x4x4x16xf32>
    attributes {schedule = #kernel.cpu_contraction<mr = 4, nr = 16, kb = 0, lanes = 16, splitN = false>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<16x3x3x3xf32>
  %weight = linalg.unpack %w inner_dims_pos = [0] inner_tiles = [16] into %empty
    : tensor<1x3x3x3x16xf32> -> tensor<16x3x3x3xf32>
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<1x4x4x16xf32>) -> tensor<1x4x4x16xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
    ins(%x, %weight : tensor<1x9x9x3xf32>, tensor<16x3x3x3xf32>)
    outs(%init : tensor<1x4x4x16xf32>) -> tensor<1x4x4x16xf32>
  kernel.return %0 : tensor<1x4x4x16xf32>
}

// -----

// In pairs of bf16: A is 32 bits a row, the odd last step is one element, and
// sums are rounded once.

// CHECK-LABEL: func.func private @pairs.task0
// CHECK:         %[[SUMS:.*]]:2 = scf.for %{{.*}} step %c2{{.*}} -> (vector<16xf32>, vector<16xf32>)
// CHECK:           %[[B:.*]] = llvm.load {{.*}} -> vector<16xi32>
// CHECK:           %[[PAIRS:.*]] = vector.bitcast %[[B]] : vector<16xi32> to vector<32xbf16>
// CHECK:           %[[A:.*]] = llvm.load {{.*}} -> i32
// CHECK:           %[[SPLAT:.*]] = vector.broadcast %[[A]] : i32 to vector<16xi32>
// CHECK:           %[[ROW:.*]] = vector.bitcast %[[SPLAT]] : vector<16xi32> to vector<32xbf16>
// CHECK:           x86vector.avx512.dot %{{.*}}, %[[ROW]], %[[PAIRS]]
// CHECK:           x86vector.avx512.dot
// CHECK:           scf.yield
// CHECK:         llvm.load {{.*}} -> i16
// CHECK:         x86vector.avx512.dot %[[SUMS]]#0
// CHECK:         arith.truncf %{{.*}} : vector<16xf32> to vector<16xbf16>
// CHECK:         return
kernel.func @pairs(%x: tensor<2x21xbf16>, %w: tensor<1x11x16x2xbf16>, %out: tensor<2x16xbf16>) -> tensor<2x16xbf16>
    attributes {schedule = #kernel.cpu_contraction<mr = 2, nr = 16, kb = 0, lanes = 16, splitN = true, depth = 2>} {
  %zero = arith.constant 0.0 : bf16
  %empty = tensor.empty() : tensor<16x21xbf16>
  %weight = linalg.unpack %w inner_dims_pos = [0, 1] inner_tiles = [16, 2] into %empty
    : tensor<1x11x16x2xbf16> -> tensor<16x21xbf16>
  %init = linalg.fill ins(%zero : bf16) outs(%out : tensor<2x16xbf16>) -> tensor<2x16xbf16>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                     affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %weight : tensor<2x21xbf16>, tensor<16x21xbf16>) outs(%init : tensor<2x16xbf16>) {
  ^bb0(%p: bf16, %q: bf16, %sum: bf16):
    %product = arith.mulf %p, %q : bf16
    %next = arith.addf %sum, %product : bf16
    linalg.yield %next : bf16
  } -> tensor<2x16xbf16>
  kernel.return %0 : tensor<2x16xbf16>
}
