// An index out of range is reported and reads nothing: not even of a table
// without rows. Lanes with one index each are checked one by one.

// RUN: cp %s %t.mlir
// RUN: ${OURC_PYTHON:-python3} -c "import numpy as np; np.save('%t.in0.npy', np.arange(15, dtype=np.float32).reshape(3, 5)); np.save('%t.in1.npy', np.array([2, 3, -1, 0])); np.save('%t.in2.npy', np.zeros((0, 5), np.float32)); np.save('%t.ref0.npy', np.zeros((4, 5), np.float32)); np.save('%t.ref1.npy', np.zeros(4, np.float32)); np.save('%t.ref2.npy', np.zeros((4, 5), np.float32))"
// RUN: kernel-run %t.mlir 2>&1 | FileCheck %s
// RUN: ${OURC_PYTHON:-python3} -c "import numpy as np; print(np.load('%t.out0.npy')[[0, 3]].tolist(), np.load('%t.out1.npy')[[0, 3]].tolist(), np.load('%t.out2.npy').tolist()[0])" | FileCheck %s --check-prefix=VALUES

// CHECK-DAG: index out of range (3)
// CHECK-DAG: index out of range (-1)
// VALUES: {{\[\[}}10.0, 11.0, 12.0, 13.0, 14.0], [0.0, 1.0, 2.0, 3.0, 4.0]] [11.0, 1.0] [0.0, 0.0, 0.0, 0.0, 0.0]
kernel.func @k(%table: tensor<?x5xf32>, %ids: tensor<?xi64>, %none: tensor<?x5xf32>,
    %rows: tensor<?x5xf32>, %column: tensor<?xf32>, %nothing: tensor<?x5xf32>)
    -> (tensor<?x5xf32>, tensor<?xf32>, tensor<?x5xf32>)
    attributes {schedule = #kernel.cpu_pointwise<lanes = 16, grain = 4096>} {
  %r = linalg.generic {
    indexing_maps = [affine_map<(s, h) -> (s)>, affine_map<(s, h) -> (s, h)>],
    iterator_types = ["parallel", "parallel"]}
    ins(%ids : tensor<?xi64>) outs(%rows : tensor<?x5xf32>) {
  ^bb0(%id: i64, %u: f32):
    %row = arith.index_cast %id : i64 to index
    %h = linalg.index 1 : index
    %v = tensor.extract %table[%row, %h] : tensor<?x5xf32>
    linalg.yield %v : f32
  } -> tensor<?x5xf32>
  %c = linalg.generic {
    indexing_maps = [affine_map<(s) -> (s)>, affine_map<(s) -> (s)>], iterator_types = ["parallel"]}
    ins(%ids : tensor<?xi64>) outs(%column : tensor<?xf32>) {
  ^bb0(%id: i64, %u: f32):
    %row = arith.index_cast %id : i64 to index
    %one = arith.constant 1 : index
    %v = tensor.extract %table[%row, %one] : tensor<?x5xf32>
    linalg.yield %v : f32
  } -> tensor<?xf32>
  %n = linalg.generic {
    indexing_maps = [affine_map<(s, h) -> (s)>, affine_map<(s, h) -> (s, h)>],
    iterator_types = ["parallel", "parallel"]}
    ins(%ids : tensor<?xi64>) outs(%nothing : tensor<?x5xf32>) {
  ^bb0(%id: i64, %u: f32):
    %row = arith.index_cast %id : i64 to index
    %h = linalg.index 1 : index
    %v = tensor.extract %none[%row, %h] : tensor<?x5xf32>
    linalg.yield %v : f32
  } -> tensor<?x5xf32>
  kernel.return %r, %c, %n : tensor<?x5xf32>, tensor<?xf32>, tensor<?x5xf32>
}
