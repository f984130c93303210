// RUN: ourc-opt %s --ourc-simplify-masks --ourc-simplify-shapes --canonicalize --cse --split-input-file | FileCheck %s

// What a PyTorch encoder computes for its mask: a gather at all positions, a
// comparison that is always true, an infinity where the mask is false.
ourc.symbol @b {min = 1, max = 64}
ourc.symbol @s {min = 1, max = 512}
// CHECK-LABEL: func.func @encoder_mask
// CHECK-SAME:    %[[M:[a-z0-9]+]]: tensor<?x?xi1>
// CHECK:         %[[R:.*]] = ourc.reshape %[[M]] sizes [%{{.*}}, 1, 1, %{{.*}}] : tensor<?x?xi1> -> tensor<?x1x1x?xi1>
// CHECK-NEXT:    %[[A:.*]] = ourc.attention %{{.*}}, %{{.*}}, %{{.*}} mask %[[R]] : tensor<?x1x1x?xi1>
// CHECK-NEXT:    return %[[A]]
func.func @encoder_mask(%m: tensor<?x?xi1> {ourc.shape = [@b, @s]}, %q: tensor<?x4x?x8xf32> {ourc.shape = [@b, 4, @s, 8]}) -> tensor<?x4x?x8xf32> {
  %b = ourc.dim @b : index
  %s = ourc.dim @s : index
  %ib = ourc.iota dim 0 sizes [%b] : tensor<?xi64>
  %is = ourc.iota dim 0 sizes [%s] : tensor<?xi64>
  %ib4 = ourc.reshape %ib sizes [%b, 1, 1, 1] : tensor<?xi64> -> tensor<?x1x1x1xi64>
  %is4 = ourc.reshape %is sizes [1, 1, 1, %s] : tensor<?xi64> -> tensor<1x1x1x?xi64>
  %iq4 = ourc.reshape %is sizes [1, 1, %s, 1] : tensor<?xi64> -> tensor<1x1x?x1xi64>
  %i0 = ourc.broadcast %ib4 dims [0, 1, 2, 3] sizes [%b, 1, 1, %s] : tensor<?x1x1x1xi64> -> tensor<?x1x1x?xi64>
  %i1 = ourc.broadcast %is4 dims [0, 1, 2, 3] sizes [%b, 1, 1, %s] : tensor<1x1x1x?xi64> -> tensor<?x1x1x?xi64>
  %g = ourc.gather %m at %i0, %i1 axes [0, 1] : tensor<?x?xi1>, tensor<?x1x1x?xi64>, tensor<?x1x1x?xi64> -> tensor<?x1x1x?xi1>
  %zero = ourc.constant dense<0> : tensor<i64>
  %zeros = ourc.broadcast %zero dims [] sizes [1, 1, %s, 1] : tensor<i64> -> tensor<1x1x?x1xi64>
  %ge = ourc.compare ge %iq4, %zeros : tensor<1x1x?x1xi64> -> tensor<1x1x?x1xi1>
  %geb = ourc.broadcast %ge dims [0, 1, 2, 3] sizes [%b, 1, %s, %s] : tensor<1x1x?x1xi1> -> tensor<?x1x?x?xi1>
  %gb = ourc.broadcast %g dims [0, 1, 2, 3] sizes [%b, 1, %s, %s] : tensor<?x1x1x?xi1> -> tensor<?x1x?x?xi1>
  %and = ourc.and %geb, %gb : tensor<?x1x?x?xi1>
  %kept = ourc.constant dense<0.0> : tensor<f32>
  %low = ourc.constant dense<0xFF800000> : tensor<f32>
  %keptb = ourc.broadcast %kept dims [] sizes [%b, 1, %s, %s] : tensor<f32> -> tensor<?x1x?x?xf32>
  %lowb = ourc.broadcast %low dims [] sizes [%b, 1, %s, %s] : tensor<f32> -> tensor<?x1x?x?xf32>
  %mask = ourc.select %and, %keptb, %lowb : tensor<?x1x?x?xi1>, tensor<?x1x?x?xf32>
  %a = ourc.attention %q, %q, %q mask %mask : tensor<?x1x?x?xf32> scale 0.5 : tensor<?x4x?x8xf32>, tensor<?x4x?x8xf32>, tensor<?x4x?x8xf32> -> tensor<?x4x?x8xf32>
  return %a : tensor<?x4x?x8xf32>
}

// -----

// CHECK-LABEL: func.func @no_mask
// CHECK:         ourc.attention %{{.*}}, %{{.*}}, %{{.*}} scale
func.func @no_mask(%q: tensor<2x7x8xf32>) -> tensor<2x7x8xf32> {
  %mask = ourc.constant dense<true> : tensor<2x7x7xi1>
  %a = ourc.attention %q, %q, %q mask %mask : tensor<2x7x7xi1> scale 0.5 : tensor<2x7x8xf32>, tensor<2x7x8xf32>, tensor<2x7x8xf32> -> tensor<2x7x8xf32>
  return %a : tensor<2x7x8xf32>
}

// -----

// The first rows of a table, the other way round.
// CHECK-LABEL: func.func @rows
// CHECK-SAME:    %[[X:.*]]: tensor<9x8x5xf32>
// CHECK:         %[[S:.*]] = ourc.slice %[[X]] offsets [0, 0, 0] sizes [4, 8, 3] strides [1, 1, 1]
// CHECK:         %[[T:.*]] = ourc.transpose %[[S]] [2, 0, 1] : tensor<4x8x3xf32> -> tensor<3x4x8xf32>
// CHECK:         return %[[T]]
func.func @rows(%x: tensor<9x8x5xf32>) -> tensor<3x4x8xf32> {
  %i = ourc.iota dim 0 sizes [3, 4] : tensor<3x4xi32>
  %j = ourc.iota dim 1 sizes [3, 4] : tensor<3x4xi32>
  %0 = ourc.gather %x at %j, %i axes [0, 2] : tensor<9x8x5xf32>, tensor<3x4xi32>, tensor<3x4xi32> -> tensor<3x4x8xf32>
  return %0 : tensor<3x4x8xf32>
}

// -----

// Both indices along one dimension: a diagonal, not a slice.
// CHECK-LABEL: func.func @diagonal
// CHECK:         ourc.gather
func.func @diagonal(%x: tensor<4x4xf32>) -> tensor<4xf32> {
  %i = ourc.iota dim 0 sizes [4] : tensor<4xi64>
  %0 = ourc.gather %x at %i, %i axes [0, 1] : tensor<4x4xf32>, tensor<4xi64>, tensor<4xi64> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @logic
// CHECK-SAME:    %[[X:.*]]: tensor<4xi1>
// CHECK-DAG:     %[[F:.*]] = ourc.constant dense<false>
// CHECK-DAG:     %[[N:.*]] = ourc.not %[[X]]
// CHECK:         return %[[X]], %[[F]], %[[X]], %[[N]]
func.func @logic(%x: tensor<4xi1>) -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
  %true = ourc.constant dense<true> : tensor<4xi1>
  %false = ourc.constant dense<false> : tensor<4xi1>
  %0 = ourc.and %true, %x : tensor<4xi1>
  %1 = ourc.and %x, %false : tensor<4xi1>
  %2 = ourc.or %x, %false : tensor<4xi1>
  %3 = ourc.xor %x, %true : tensor<4xi1>
  return %0, %1, %2, %3 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
}

// -----

// A comparison that depends on the bound stays; -0.0 + 0.0 stays.
// CHECK-LABEL: func.func @kept
// CHECK:         ourc.compare gt
// CHECK:         ourc.add
func.func @kept(%x: tensor<4xf32>) -> (tensor<4xi1>, tensor<4xf32>) {
  %i = ourc.iota dim 0 sizes [4] : tensor<4xi64>
  %two = ourc.constant dense<2> : tensor<4xi64>
  %0 = ourc.compare gt %i, %two : tensor<4xi64> -> tensor<4xi1>
  %zero = ourc.constant dense<0.0> : tensor<4xf32>
  %1 = ourc.add %x, %zero : tensor<4xf32>
  return %0, %1 : tensor<4xi1>, tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @before_broadcast
// CHECK:         %[[A:.*]] = ourc.add %{{.*}}, %{{.*}} : tensor<4xf32>
// CHECK:         %[[E:.*]] = ourc.exp %[[A]] : tensor<4xf32>
// CHECK:         ourc.broadcast %[[E]] dims [1] sizes [3, 4]
func.func @before_broadcast(%x: tensor<4xf32>) -> tensor<3x4xf32> {
  %c = ourc.constant dense<2.0> : tensor<3x4xf32>
  %0 = ourc.broadcast %x dims [1] sizes [3, 4] : tensor<4xf32> -> tensor<3x4xf32>
  %1 = ourc.add %0, %c : tensor<3x4xf32>
  %2 = ourc.exp %1 : tensor<3x4xf32>
  return %2 : tensor<3x4xf32>
}

// -----

// Positions of queries and keys, compared: the causal mask, beside another one.
ourc.symbol @s {min = 1, max = 512}
// CHECK-LABEL: func.func @causal
// CHECK-SAME:    %[[Q:[a-z0-9]+]]: {{.*}}, %[[M:[a-z0-9]+]]: tensor<2x?xi1>
// CHECK:         ourc.attention %[[Q]], %[[Q]], %[[Q]] scale 5.000000e-01 causal
// CHECK:         %[[R:.*]] = ourc.reshape %[[M]] sizes [2, 1, 1, %{{.*}}]
// CHECK:         ourc.attention %[[Q]], %[[Q]], %[[Q]] mask %[[R]] : tensor<2x1x1x?xi1> scale 5.000000e-01 causal
func.func @causal(%q: tensor<2x4x?x8xf32> {ourc.shape = [2, 4, @s, 8]}, %m: tensor<2x?xi1> {ourc.shape = [2, @s]}) -> (tensor<2x4x?x8xf32>, tensor<2x4x?x8xf32>) {
  %s = ourc.dim @s : index
  %i = ourc.iota dim 0 sizes [%s] : tensor<?xi64>
  %row = ourc.broadcast %i dims [0] sizes [%s, %s] : tensor<?xi64> -> tensor<?x?xi64>
  %column = ourc.broadcast %i dims [1] sizes [%s, %s] : tensor<?xi64> -> tensor<?x?xi64>
  %le = ourc.compare le %column, %row : tensor<?x?xi64> -> tensor<?x?xi1>
  %mask = ourc.broadcast %le dims [2, 3] sizes [2, 1, %s, %s] : tensor<?x?xi1> -> tensor<2x1x?x?xi1>
  %0 = ourc.attention %q, %q, %q mask %mask : tensor<2x1x?x?xi1> scale 0.5 : tensor<2x4x?x8xf32>, tensor<2x4x?x8xf32>, tensor<2x4x?x8xf32> -> tensor<2x4x?x8xf32>
  %mb = ourc.broadcast %m dims [0, 3] sizes [2, 1, %s, %s] : tensor<2x?xi1> -> tensor<2x1x?x?xi1>
  %both = ourc.and %mb, %mask : tensor<2x1x?x?xi1>
  %1 = ourc.attention %q, %q, %q mask %both : tensor<2x1x?x?xi1> scale 0.5 : tensor<2x4x?x8xf32>, tensor<2x4x?x8xf32>, tensor<2x4x?x8xf32> -> tensor<2x4x?x8xf32>
  return %0, %1 : tensor<2x4x?x8xf32>, tensor<2x4x?x8xf32>
}

// -----

// The other triangle, and a strict one, are no causal mask.
// CHECK-LABEL: func.func @not_causal
// CHECK-NOT:     causal
func.func @not_causal(%q: tensor<4x6x8xf32>) -> (tensor<4x6x8xf32>, tensor<4x6x8xf32>) {
  %row = ourc.iota dim 1 sizes [4, 6, 6] : tensor<4x6x6xi64>
  %column = ourc.iota dim 2 sizes [4, 6, 6] : tensor<4x6x6xi64>
  %ge = ourc.compare ge %column, %row : tensor<4x6x6xi64> -> tensor<4x6x6xi1>
  %lt = ourc.compare lt %column, %row : tensor<4x6x6xi64> -> tensor<4x6x6xi1>
  %0 = ourc.attention %q, %q, %q mask %ge : tensor<4x6x6xi1> scale 0.5 : tensor<4x6x8xf32>, tensor<4x6x8xf32>, tensor<4x6x8xf32> -> tensor<4x6x8xf32>
  %1 = ourc.attention %q, %q, %q mask %lt : tensor<4x6x6xi1> scale 0.5 : tensor<4x6x8xf32>, tensor<4x6x8xf32>, tensor<4x6x8xf32> -> tensor<4x6x8xf32>
  return %0, %1 : tensor<4x6x8xf32>, tensor<4x6x8xf32>
}
