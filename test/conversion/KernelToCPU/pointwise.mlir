// RUN: ourc-opt -ourc-kernel-to-cpu -canonicalize -split-input-file %s | FileCheck %s

// Whole vectors in a loop, the rest under a mask. NaN of the operand is kept by
// the order of the comparison.

// CHECK-LABEL: func.func private @relu.task0
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             %[[X:.*]] = llvm.load {{.*}} -> vector<16xf32>
// CHECK:             %[[MORE:.*]] = arith.cmpf ogt, %[[ZERO:.*]], %[[X]]
// CHECK:             arith.select %[[MORE]], %[[ZERO]], %[[X]]
// CHECK:             llvm.store
// CHECK:           scf.if
// CHECK:             llvm.intr.masked.load
// CHECK:             llvm.intr.masked.store
kernel.func @relu(%x: tensor<?xf32>, %out: tensor<?xf32>) -> tensor<?xf32>
    attributes {schedule = #kernel.cpu_pointwise<lanes = 16, grain = 4096>} {
  %r = linalg.generic {
    indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
    iterator_types = ["parallel"]}
    ins(%x : tensor<?xf32>) outs(%out : tensor<?xf32>) {
  ^bb0(%v: f32, %u: f32):
    %c = arith.constant 0.0 : f32
    %y = arith.maximumf %v, %c : f32
    linalg.yield %y : f32
  } -> tensor<?xf32>
  kernel.return %r : tensor<?xf32>
}

// -----

// Dimensions that are one in memory are one loop, and nothing is masked where
// vectors fit. Functions become polynomials.

// CHECK-LABEL: func.func private @exp.task0
// CHECK-COUNT-2: scf.for
// CHECK-NOT:     scf.for
// CHECK-NOT:     masked
// CHECK-NOT:     math.exp
// CHECK:         math.fma {{.*}} : vector<16xf32>
kernel.func @exp(%x: tensor<3x4x8xf32>, %out: tensor<3x4x8xf32>) -> tensor<3x4x8xf32>
    attributes {schedule = #kernel.cpu_pointwise<lanes = 16, grain = 4096>} {
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>],
    iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%x : tensor<3x4x8xf32>) outs(%out : tensor<3x4x8xf32>) {
  ^bb0(%v: f32, %u: f32):
    %y = math.exp %v : f32
    linalg.yield %y : f32
  } -> tensor<3x4x8xf32>
  kernel.return %r : tensor<3x4x8xf32>
}

// -----

// A transpose loads squares as they lie, turns them in registers, and stores
// rows: no gather.

// CHECK-LABEL: func.func private @transpose.task0
// CHECK:         llvm.alloca
// CHECK-NOT:     gather
// CHECK-COUNT-16: llvm.load {{.*}} -> vector<16xf32>
// CHECK:         vector.shuffle
// CHECK-NOT:     gather
kernel.func @transpose(%x: tensor<64x32xf32>, %out: tensor<32x64xf32>) -> tensor<32x64xf32>
    attributes {schedule = #kernel.cpu_pointwise<lanes = 16, grain = 4096>} {
  %r = linalg.transpose ins(%x : tensor<64x32xf32>) outs(%out : tensor<32x64xf32>) permutation = [1, 0]
  kernel.return %r : tensor<32x64xf32>
}

// -----

// The token is read, checked and reported once a row; the row is read by
// vectors.

// CHECK-LABEL: func.func private @embedding.task0
// CHECK:         scf.for
// CHECK:           %[[TOKEN:.*]] = llvm.load {{.*}} -> i64
// CHECK:           %[[BAD:.*]] = arith.cmpi uge, %[[TOKEN]], %c50_i64
// CHECK:           scf.if %[[BAD]]
// CHECK:             func.call @ourc_report_error
// CHECK:           arith.select %[[BAD]]
// CHECK:           scf.for
// CHECK-NOT:         -> i64
// CHECK:             llvm.load {{.*}} -> vector<16xf32>
kernel.func @embedding(%table: tensor<50x64xf32>, %ids: tensor<?xi64>, %out: tensor<?x64xf32>) -> tensor<?x64xf32>
    attributes {schedule = #kernel.cpu_pointwise<lanes = 16, grain = 4096>} {
  %r = linalg.generic {
    indexing_maps = [affine_map<(s, h) -> (s)>, affine_map<(s, h) -> (s, h)>],
    iterator_types = ["parallel", "parallel"]}
    ins(%ids : tensor<?xi64>) outs(%out : tensor<?x64xf32>) {
  ^bb0(%id: i64, %u: f32):
    %row = arith.index_cast %id : i64 to index
    %h = linalg.index 1 : index
    %v = tensor.extract %table[%row, %h] : tensor<50x64xf32>
    linalg.yield %v : f32
  } -> tensor<?x64xf32>
  kernel.return %r : tensor<?x64xf32>
}

// -----

// Each part of a concatenation is written where it belongs, by a loop of its
// own, without a comparison for each element.

// CHECK-LABEL: func.func private @concat.task0
// CHECK-NOT:     arith.select
// CHECK:         llvm.store
// CHECK-LABEL: func.func private @concat.task1
// CHECK-NOT:     arith.select
// CHECK:         llvm.store
kernel.func @concat(%x: tensor<4x16xf32>, %y: tensor<4x32xf32>, %out: tensor<4x48xf32>) -> tensor<4x48xf32>
    attributes {schedule = #kernel.cpu_pointwise<lanes = 16, grain = 4096>} {
  %r = tensor.concat dim(1) %x, %y : (tensor<4x16xf32>, tensor<4x32xf32>) -> tensor<4x48xf32>
  kernel.return %r : tensor<4x48xf32>
}

// -----

// GELU wants 1 + erf(x): one polynomial, without the exponential that erf needs
// far from zero; where erf itself is wanted too, it is computed.

// CHECK-LABEL: func.func private @gelu.task0
// CHECK-COUNT-16: math.fma
// CHECK-NOT:     math.fma
// CHECK-NOT:     arith.shli
// CHECK:         llvm.store
kernel.func @gelu(%x: tensor<4096xf32>, %out: tensor<4096xf32>) -> tensor<4096xf32>
    attributes {schedule = #kernel.cpu_pointwise<lanes = 16, grain = 4096>} {
  %r = linalg.generic {
    indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
    ins(%x : tensor<4096xf32>) outs(%out : tensor<4096xf32>) {
  ^bb0(%v: f32, %o: f32):
    %one = arith.constant 1.0 : f32
    %e = math.erf %v : f32
    %y = arith.addf %e, %one : f32
    linalg.yield %y : f32
  } -> tensor<4096xf32>
  kernel.return %r : tensor<4096xf32>
}

// -----

// 1 + tanh(x) is 2 / (1 + exp(-2 x)). Vectors of 16 are scaled by a power of
// two at once, as AVX-512 can.

// CHECK-LABEL: func.func private @sigmoid.task0
// CHECK:         llvm.call_intrinsic "llvm.ldexp"({{.*}}) : (vector<16xf32>, vector<16xi32>) -> vector<16xf32>
// CHECK:         arith.divf
// CHECK-NOT:     arith.select {{.*}} : vector<16xi1>, vector<16xf32>
// CHECK:         llvm.store
// CHECK-LABEL: func.func private @exp_of_8.task0
// CHECK-NOT:     llvm.ldexp
// CHECK:         llvm.store
kernel.func @sigmoid(%x: tensor<4096xf32>, %out: tensor<4096xf32>) -> tensor<4096xf32>
    attributes {schedule = #kernel.cpu_pointwise<lanes = 16, grain = 4096>} {
  %r = linalg.generic {
    indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
    ins(%x : tensor<4096xf32>) outs(%out : tensor<4096xf32>) {
  ^bb0(%v: f32, %o: f32):
    %one = arith.constant 1.0 : f32
    %e = math.tanh %v : f32
    %y = arith.addf %one, %e : f32
    linalg.yield %y : f32
  } -> tensor<4096xf32>
  kernel.return %r : tensor<4096xf32>
}
kernel.func @exp_of_8(%x: tensor<4096xf32>, %out: tensor<4096xf32>) -> tensor<4096xf32>
    attributes {schedule = #kernel.cpu_pointwise<lanes = 8, grain = 4096>} {
  %r = linalg.generic {
    indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
    ins(%x : tensor<4096xf32>) outs(%out : tensor<4096xf32>) {
  ^bb0(%v: f32, %o: f32):
    %e = math.exp %v : f32
    linalg.yield %e : f32
  } -> tensor<4096xf32>
  kernel.return %r : tensor<4096xf32>
}

// -----

// An element that costs much, along a loop of a known size: four vectors are
// computed together. Twelve are three times four; five would be eight.

// CHECK-LABEL: func.func private @together.task0
// CHECK:         llvm.load {{.*}} -> vector<64xf32>
// CHECK-LABEL: func.func private @apart.task0
// CHECK:         llvm.load {{.*}} -> vector<16xf32>
#id = affine_map<(i) -> (i)>
kernel.func @together(%x: tensor<192xf32>, %out: tensor<192xf32>) -> tensor<192xf32>
    attributes {schedule = #kernel.cpu_pointwise<lanes = 16, grain = 64, interleave = 4>} {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<192xf32>) outs(%out : tensor<192xf32>) {
  ^bb0(%v: f32, %o: f32):
    %e = math.exp %v : f32
    linalg.yield %e : f32
  } -> tensor<192xf32>
  kernel.return %0 : tensor<192xf32>
}
kernel.func @apart(%x: tensor<80xf32>, %out: tensor<80xf32>) -> tensor<80xf32>
    attributes {schedule = #kernel.cpu_pointwise<lanes = 16, grain = 64, interleave = 4>} {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<80xf32>) outs(%out : tensor<80xf32>) {
  ^bb0(%v: f32, %o: f32):
    %e = math.exp %v : f32
    linalg.yield %e : f32
  } -> tensor<80xf32>
  kernel.return %0 : tensor<80xf32>
}
