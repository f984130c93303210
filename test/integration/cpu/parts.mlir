// Few long rows: threads reduce parts, which meet in the workspace. Against f64, with odd sizes and sizes that are known in a
// call only.
// RUN: kernel-run %s --assign --check --num-threads=2 --target=cpu:x86-64-v4 --dims='n0=1,2;n1=0,1,63,32768,100003'
// RUN: kernel-run %s --assign --check --target=cpu:x86-64-v3 --dims='n0=1,2;n1=0,1,63,32768,100003'

kernel.func @sum(%x: tensor<131075xf32>, %out: tensor<f32>) -> tensor<f32> {
  %init = arith.constant 0.0 : f32
  %fill = linalg.fill ins(%init : f32) outs(%out : tensor<f32>) -> tensor<f32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(a) -> (a)>, affine_map<(a) -> ()>],
    iterator_types = ["reduction"]}
    ins(%x : tensor<131075xf32>) outs(%fill : tensor<f32>) {
  ^bb0(%v: f32, %s: f32):
    %y = arith.addf %s, %v : f32
    linalg.yield %y : f32
  } -> tensor<f32>
  kernel.return %r : tensor<f32>
}

kernel.func @sum_of_two(%x: tensor<3x173x521xf32>, %out: tensor<3xf32>) -> tensor<3xf32> {
  %init = arith.constant 0.0 : f32
  %fill = linalg.fill ins(%init : f32) outs(%out : tensor<3xf32>) -> tensor<3xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a)>],
    iterator_types = ["parallel", "reduction", "reduction"]}
    ins(%x : tensor<3x173x521xf32>) outs(%fill : tensor<3xf32>) {
  ^bb0(%v: f32, %s: f32):
    %y = arith.addf %s, %v : f32
    linalg.yield %y : f32
  } -> tensor<3xf32>
  kernel.return %r : tensor<3xf32>
}

kernel.func @maximum(%x: tensor<2x100003xf32>, %out: tensor<2xf32>) -> tensor<2xf32> {
  %init = arith.constant 0xFF800000 : f32
  %fill = linalg.fill ins(%init : f32) outs(%out : tensor<2xf32>) -> tensor<2xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a)>],
    iterator_types = ["parallel", "reduction"]}
    ins(%x : tensor<2x100003xf32>) outs(%fill : tensor<2xf32>) {
  ^bb0(%v: f32, %s: f32):
    %y = arith.maximumf %s, %v : f32
    linalg.yield %y : f32
  } -> tensor<2xf32>
  kernel.return %r : tensor<2xf32>
}

kernel.func @columns(%x: tensor<20011x24xf32>, %out: tensor<24xf32>) -> tensor<24xf32> {
  %init = arith.constant 0.0 : f32
  %fill = linalg.fill ins(%init : f32) outs(%out : tensor<24xf32>) -> tensor<24xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (b)>],
    iterator_types = ["reduction", "parallel"]}
    ins(%x : tensor<20011x24xf32>) outs(%fill : tensor<24xf32>) {
  ^bb0(%v: f32, %s: f32):
    %y = arith.addf %s, %v : f32
    linalg.yield %y : f32
  } -> tensor<24xf32>
  kernel.return %r : tensor<24xf32>
}

kernel.func @integers(%x: tensor<100003xi64>, %out: tensor<i64>) -> tensor<i64> {
  %init = arith.constant 0 : i64
  %fill = linalg.fill ins(%init : i64) outs(%out : tensor<i64>) -> tensor<i64>
  %r = linalg.generic {
    indexing_maps = [affine_map<(a) -> (a)>, affine_map<(a) -> ()>],
    iterator_types = ["reduction"]}
    ins(%x : tensor<100003xi64>) outs(%fill : tensor<i64>) {
  ^bb0(%v: i64, %s: i64):
    %y = arith.addi %s, %v : i64
    linalg.yield %y : i64
  } -> tensor<i64>
  kernel.return %r : tensor<i64>
}

kernel.func @dynamic(%x: tensor<2x?xf32> {ourc.shape = [2, @n1]}, %out: tensor<2xf32>) -> tensor<2xf32> {
  %init = arith.constant 0.0 : f32
  %fill = linalg.fill ins(%init : f32) outs(%out : tensor<2xf32>) -> tensor<2xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a)>],
    iterator_types = ["parallel", "reduction"]}
    ins(%x : tensor<2x?xf32>) outs(%fill : tensor<2xf32>) {
  ^bb0(%v: f32, %s: f32):
    %y = arith.addf %s, %v : f32
    linalg.yield %y : f32
  } -> tensor<2xf32>
  kernel.return %r : tensor<2xf32>
}

kernel.func @dynamic_rows(%x: tensor<?x262147xf32> {ourc.shape = [@n0, 262147]}, %out: tensor<?xf32> {ourc.shape = [@n0]}) -> tensor<?xf32> {
  %init = arith.constant 0x7F800000 : f32
  %fill = linalg.fill ins(%init : f32) outs(%out : tensor<?xf32>) -> tensor<?xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a)>],
    iterator_types = ["parallel", "reduction"]}
    ins(%x : tensor<?x262147xf32>) outs(%fill : tensor<?xf32>) {
  ^bb0(%v: f32, %s: f32):
    %y = arith.minimumf %s, %v : f32
    linalg.yield %y : f32
  } -> tensor<?xf32>
  kernel.return %r : tensor<?xf32>
}

// The position of the maximum, the first of equals: a state of two types.
kernel.func @argmax(%x: tensor<2x70001xf32>, %out: tensor<2xi64>) -> tensor<2xi64> {
  %e = tensor.empty() : tensor<2xf32>
  %none = tensor.empty() : tensor<2x70001xi64>
  %positions = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    outs(%none : tensor<2x70001xi64>) {
  ^bb0(%o: i64):
    %position = linalg.index 1 : index
    %j = arith.index_cast %position : index to i64
    linalg.yield %j : i64
  } -> tensor<2x70001xi64>
  %m, %at = kernel.coupled_reduce ins(%x, %positions : tensor<2x70001xf32>, tensor<2x70001xi64>) outs(%e, %out : tensor<2xf32>, tensor<2xi64>)
      dimensions = [1] init {
    %low = arith.constant 0xFF800000 : f32
    %last = arith.constant 9223372036854775807 : i64
    kernel.yield %low, %last : f32, i64
  } accumulate {
  ^bb0(%max: f32, %i: i64, %v: f32, %j: i64):
    %more = arith.cmpf ogt, %v, %max : f32
    %m1 = arith.select %more, %v, %max : f32
    %i1 = arith.select %more, %j, %i : i64
    kernel.yield %m1, %i1 : f32, i64
  } merge {
  ^bb0(%max: f32, %i: i64, %n: f32, %j: i64):
    %more = arith.cmpf ogt, %n, %max : f32
    %same = arith.cmpf oeq, %n, %max : f32
    %first = arith.cmpi slt, %j, %i : i64
    %earlier = arith.andi %same, %first : i1
    %second = arith.ori %more, %earlier : i1
    %m1 = arith.select %second, %n, %max : f32
    %i1 = arith.select %second, %j, %i : i64
    kernel.yield %m1, %i1 : f32, i64
  } finish {
  ^bb0(%max: f32, %i: i64):
    kernel.yield %max, %i : f32, i64
  } -> tensor<2xf32>, tensor<2xi64>
  kernel.return %at : tensor<2xi64>
}

// Softmax: the elements of the result are shared as well.
kernel.func @softmax(%x: tensor<2x70001xf32>, %out: tensor<2x70001xf32>) -> tensor<2x70001xf32> {
  %e0 = tensor.empty() : tensor<2xf32>
  %e1 = tensor.empty() : tensor<2xf32>
  %m, %s = kernel.coupled_reduce ins(%x : tensor<2x70001xf32>) outs(%e0, %e1 : tensor<2xf32>, tensor<2xf32>)
      dimensions = [1] init {
    %low = arith.constant 0xFF800000 : f32
    %zero = arith.constant 0.0 : f32
    kernel.yield %low, %zero : f32, f32
  } accumulate {
  ^bb0(%m: f32, %s: f32, %v: f32):
    %m1 = arith.maximumf %m, %v : f32
    %before = arith.subf %m, %m1 : f32
    %scale = math.exp %before : f32
    %scaled = arith.mulf %s, %scale : f32
    %d = arith.subf %v, %m1 : f32
    %e = math.exp %d : f32
    %s1 = arith.addf %scaled, %e : f32
    kernel.yield %m1, %s1 : f32, f32
  } merge {
  ^bb0(%m: f32, %s: f32, %n: f32, %t: f32):
    %m1 = arith.maximumf %m, %n : f32
    %d = arith.subf %m, %m1 : f32
    %e = math.exp %d : f32
    %x0 = arith.mulf %s, %e : f32
    %d1 = arith.subf %n, %m1 : f32
    %f1 = math.exp %d1 : f32
    %x1 = arith.mulf %t, %f1 : f32
    %s1 = arith.addf %x0, %x1 : f32
    kernel.yield %m1, %s1 : f32, f32
  } finish {
  ^bb0(%m: f32, %s: f32):
    kernel.yield %m, %s : f32, f32
  } -> tensor<2xf32>, tensor<2xf32>
  %y = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>,
                     affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]}
    ins(%x, %m, %s : tensor<2x70001xf32>, tensor<2xf32>, tensor<2xf32>) outs(%out : tensor<2x70001xf32>) {
  ^bb0(%v: f32, %max: f32, %sum: f32, %o: f32):
    %d = arith.subf %v, %max : f32
    %e = math.exp %d : f32
    %q = arith.divf %e, %sum : f32
    linalg.yield %q : f32
  } -> tensor<2x70001xf32>
  kernel.return %y : tensor<2x70001xf32>
}

// One reduction after another: the squares of differences from the mean.
kernel.func @squares(%x: tensor<100003xf32>, %out: tensor<f32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 100003.0 : f32
  %e = tensor.empty() : tensor<f32>
  %fill = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %sum = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
    ins(%x : tensor<100003xf32>) outs(%fill : tensor<f32>) {
  ^bb0(%v: f32, %s: f32):
    %y = arith.addf %s, %v : f32
    linalg.yield %y : f32
  } -> tensor<f32>
  %fill2 = linalg.fill ins(%zero : f32) outs(%out : tensor<f32>) -> tensor<f32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> ()>],
    iterator_types = ["reduction"]}
    ins(%x, %sum : tensor<100003xf32>, tensor<f32>) outs(%fill2 : tensor<f32>) {
  ^bb0(%v: f32, %t: f32, %s: f32):
    %mean = arith.divf %t, %count : f32
    %d = arith.subf %v, %mean : f32
    %d2 = arith.mulf %d, %d : f32
    %y = arith.addf %s, %d2 : f32
    linalg.yield %y : f32
  } -> tensor<f32>
  kernel.return %r : tensor<f32>
}
