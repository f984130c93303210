// RUN: ourc-opt %s --ourc-raise-attention --canonicalize --split-input-file --remarks-filter-missed=ourc-raise-attention 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t

// Keys already transposed, a product as scale, an added mask.
// CHECK-LABEL: func.func @added_mask
// CHECK-SAME:    %[[Q:[a-z0-9]+]]: {{.*}}, %[[K:[a-z0-9]+]]: tensor<2x4x9x8xf32>, %[[V:[a-z0-9]+]]: {{.*}}, %[[M:[a-z0-9]+]]: tensor<2x1x1x9xf32>
// CHECK-NOT:     ourc.transpose
// CHECK:         %[[A:.*]] = ourc.attention %[[Q]], %[[K]], %[[V]] mask %[[M]] : tensor<2x1x1x9xf32> scale 2.500000e-01
// CHECK-NEXT:    return %[[A]]
func.func @added_mask(%q: tensor<2x4x7x8xf32>, %k: tensor<2x4x9x8xf32>, %v: tensor<2x4x9x5xf32>, %m: tensor<2x1x1x9xf32>) -> tensor<2x4x7x5xf32> {
  %kt = ourc.transpose %k [0, 1, 3, 2] : tensor<2x4x9x8xf32> -> tensor<2x4x8x9xf32>
  %s = ourc.contract %q, %kt batch [0, 1], [0, 1] contract [3], [2] : tensor<2x4x7x8xf32>, tensor<2x4x8x9xf32> -> tensor<2x4x7x9xf32>
  %c = ourc.constant dense<0.25> : tensor<2x4x7x9xf32>
  %scaled = ourc.mul %s, %c : tensor<2x4x7x9xf32>
  %mb = ourc.broadcast %m dims [0, 1, 2, 3] sizes [2, 4, 7, 9] : tensor<2x1x1x9xf32> -> tensor<2x4x7x9xf32>
  %masked = ourc.add %scaled, %mb : tensor<2x4x7x9xf32>
  %p = ourc.softmax %masked dim 3 : tensor<2x4x7x9xf32>
  %o = ourc.contract %p, %v batch [0, 1], [0, 1] contract [3], [2] : tensor<2x4x7x9xf32>, tensor<2x4x9x5xf32> -> tensor<2x4x7x5xf32>
  return %o : tensor<2x4x7x5xf32>
}

// -----

// A quotient as scale, -inf selected where the mask is true, casts around the softmax.
// CHECK-LABEL: func.func @selected_mask
// CHECK-SAME:    %[[Q:[a-z0-9]+]]: {{.*}}, %[[K:[a-z0-9]+]]: {{.*}}, %[[V:[a-z0-9]+]]: {{.*}}, %[[M:[a-z0-9]+]]: tensor<3x7x9xi1>
// CHECK:         %[[N:.*]] = ourc.not %[[M]]
// CHECK:         ourc.attention %[[Q]], %[[K]], %[[V]] mask %[[N]] : tensor<3x7x9xi1> scale 5.000000e-01
func.func @selected_mask(%q: tensor<3x7x8xf16>, %k: tensor<3x9x8xf16>, %v: tensor<3x9x5xf16>, %m: tensor<3x7x9xi1>) -> tensor<3x7x5xf16> {
  %s = ourc.contract %q, %k batch [0], [0] contract [2], [2] : tensor<3x7x8xf16>, tensor<3x9x8xf16> -> tensor<3x7x9xf16>
  %c = ourc.constant dense<2.0> : tensor<3x7x9xf16>
  %scaled = ourc.div %s, %c : tensor<3x7x9xf16>
  %low = ourc.constant dense<0xFC00> : tensor<3x7x9xf16>
  %masked = ourc.select %m, %low, %scaled : tensor<3x7x9xi1>, tensor<3x7x9xf16>
  %wide = ourc.cast %masked : tensor<3x7x9xf16> -> tensor<3x7x9xf32>
  %p = ourc.softmax %wide dim 2 : tensor<3x7x9xf32>
  %narrow = ourc.cast %p : tensor<3x7x9xf32> -> tensor<3x7x9xf16>
  %o = ourc.contract %narrow, %v batch [0], [0] contract [2], [1] : tensor<3x7x9xf16>, tensor<3x9x5xf16> -> tensor<3x7x5xf16>
  return %o : tensor<3x7x5xf16>
}

// -----

// REMARK: no attention is formed: the probabilities are used elsewhere
// CHECK-LABEL: func.func @probabilities
// CHECK-NOT:     ourc.attention
func.func @probabilities(%q: tensor<3x7x8xf32>, %k: tensor<3x9x8xf32>, %v: tensor<3x9x5xf32>) -> (tensor<3x7x5xf32>, tensor<3x7x9xf32>) {
  %s = ourc.contract %q, %k batch [0], [0] contract [2], [2] : tensor<3x7x8xf32>, tensor<3x9x8xf32> -> tensor<3x7x9xf32>
  %p = ourc.softmax %s dim 2 : tensor<3x7x9xf32>
  %o = ourc.contract %p, %v batch [0], [0] contract [2], [1] : tensor<3x7x9xf32>, tensor<3x9x5xf32> -> tensor<3x7x5xf32>
  return %o, %p : tensor<3x7x5xf32>, tensor<3x7x9xf32>
}

// -----

// REMARK: no attention is formed: a mask fills with another value than -inf
// CHECK-LABEL: func.func @finite_fill
// CHECK-NOT:     ourc.attention
func.func @finite_fill(%q: tensor<3x7x8xf32>, %k: tensor<3x9x8xf32>, %v: tensor<3x9x5xf32>, %m: tensor<3x7x9xi1>) -> tensor<3x7x5xf32> {
  %s = ourc.contract %q, %k batch [0], [0] contract [2], [2] : tensor<3x7x8xf32>, tensor<3x9x8xf32> -> tensor<3x7x9xf32>
  %low = ourc.constant dense<-1.0e9> : tensor<3x7x9xf32>
  %masked = ourc.select %m, %s, %low : tensor<3x7x9xi1>, tensor<3x7x9xf32>
  %p = ourc.softmax %masked dim 2 : tensor<3x7x9xf32>
  %o = ourc.contract %p, %v batch [0], [0] contract [2], [1] : tensor<3x7x9xf32>, tensor<3x9x5xf32> -> tensor<3x7x5xf32>
  return %o : tensor<3x7x5xf32>
}

// -----

// REMARK: no attention is formed: the scores are scaled after they are masked
// CHECK-LABEL: func.func @late_scale
// CHECK-NOT:     ourc.attention
func.func @late_scale(%q: tensor<3x7x8xf32>, %k: tensor<3x9x8xf32>, %v: tensor<3x9x5xf32>, %m: tensor<3x7x9xf32>) -> tensor<3x7x5xf32> {
  %s = ourc.contract %q, %k batch [0], [0] contract [2], [2] : tensor<3x7x8xf32>, tensor<3x9x8xf32> -> tensor<3x7x9xf32>
  %masked = ourc.add %s, %m : tensor<3x7x9xf32>
  %c = ourc.constant dense<2.0> : tensor<3x7x9xf32>
  %scaled = ourc.mul %masked, %c : tensor<3x7x9xf32>
  %p = ourc.softmax %scaled dim 2 : tensor<3x7x9xf32>
  %o = ourc.contract %p, %v batch [0], [0] contract [2], [1] : tensor<3x7x9xf32>, tensor<3x9x5xf32> -> tensor<3x7x5xf32>
  return %o : tensor<3x7x5xf32>
}

// -----

// Two added masks are one, in the order of their sums.
// CHECK-LABEL: func.func @two_masks
// CHECK-SAME:    %{{.*}}: tensor<3x7x8xf32>, %{{.*}}: tensor<3x9x8xf32>, %{{.*}}: tensor<3x9x5xf32>, %[[M:.*]]: tensor<3x7x9xf32>, %[[N:.*]]: tensor<3x7x9xf32>
// CHECK:         %[[SUM:.*]] = ourc.add %[[M]], %[[N]]
// CHECK:         ourc.attention {{.*}} mask %[[SUM]]
func.func @two_masks(%q: tensor<3x7x8xf32>, %k: tensor<3x9x8xf32>, %v: tensor<3x9x5xf32>, %m: tensor<3x7x9xf32>, %n: tensor<3x7x9xf32>) -> tensor<3x7x5xf32> {
  %s = ourc.contract %q, %k batch [0], [0] contract [2], [2] : tensor<3x7x8xf32>, tensor<3x9x8xf32> -> tensor<3x7x9xf32>
  %0 = ourc.add %s, %m : tensor<3x7x9xf32>
  %1 = ourc.add %n, %0 : tensor<3x7x9xf32>
  %p = ourc.softmax %1 dim 2 : tensor<3x7x9xf32>
  %o = ourc.contract %p, %v batch [0], [0] contract [2], [1] : tensor<3x7x9xf32>, tensor<3x9x5xf32> -> tensor<3x7x5xf32>
  return %o : tensor<3x7x5xf32>
}

// -----

// Windows: queries are scaled, one mask belongs to a head, another to a window of any image, batch dimensions are merged and
// split between the parts. Attention has the finest of them; masks stay as small as they are.
// CHECK-LABEL: func.func @windows
// CHECK-SAME:    %[[Q:[a-z0-9]+]]: tensor<6x4x7x8xf32>, %[[K:[a-z0-9]+]]: tensor<6x4x7x8xf32>, %[[V:[a-z0-9]+]]: tensor<24x7x5xf32>, %[[B:[a-z0-9]+]]: tensor<7x7x4xf32>, %[[M:[a-z0-9]+]]: tensor<3x7x7xf32>
// CHECK-DAG:     %[[HEAD:.*]] = ourc.transpose %[[B]] [2, 0, 1]
// CHECK-DAG:     %[[ONE:.*]] = ourc.reshape %[[HEAD]] sizes [1, 1, 4, 7, 7]
// CHECK-DAG:     %[[QS:.*]] = ourc.reshape %[[Q]] sizes [2, 3, 4, 7, 8]
// CHECK-DAG:     %[[VS:.*]] = ourc.reshape %[[V]] sizes [2, 3, 4, 7, 5]
// CHECK-DAG:     %[[TWO:.*]] = ourc.reshape %[[M]] sizes [1, 3, 1, 7, 7]
// CHECK:         %[[X:.*]] = ourc.broadcast %[[ONE]] dims [0, 1, 2, 3, 4] sizes [1, 3, 4, 7, 7]
// CHECK:         %[[Y:.*]] = ourc.broadcast %[[TWO]] dims [0, 1, 2, 3, 4] sizes [1, 3, 4, 7, 7]
// CHECK:         %[[MASK:.*]] = ourc.add %[[X]], %[[Y]]
// CHECK:         %[[A:.*]] = ourc.attention %[[QS]], %{{.*}}, %[[VS]] mask %[[MASK]] : tensor<1x3x4x7x7xf32> scale 5.000000e-01
// CHECK:         ourc.reshape %[[A]] sizes [24, 7, 5]
func.func @windows(%q: tensor<6x4x7x8xf32>, %k: tensor<6x4x7x8xf32>, %v: tensor<24x7x5xf32>, %b: tensor<7x7x4xf32>, %m: tensor<3x7x7xf32>) -> tensor<24x7x5xf32> {
  %c = ourc.constant dense<0.5> : tensor<6x4x7x8xf32>
  %scaled = ourc.mul %q, %c : tensor<6x4x7x8xf32>
  %s = ourc.contract %scaled, %k batch [0, 1], [0, 1] contract [3], [3] : tensor<6x4x7x8xf32>, tensor<6x4x7x8xf32> -> tensor<6x4x7x7xf32>
  %bb = ourc.broadcast %b dims [1, 2, 3] sizes [6, 7, 7, 4] : tensor<7x7x4xf32> -> tensor<6x7x7x4xf32>
  %bt = ourc.transpose %bb [0, 3, 1, 2] : tensor<6x7x7x4xf32> -> tensor<6x4x7x7xf32>
  %0 = ourc.add %s, %bt : tensor<6x4x7x7xf32>
  %1 = ourc.reshape %0 sizes [2, 3, 4, 7, 7] : tensor<6x4x7x7xf32> -> tensor<2x3x4x7x7xf32>
  %mb = ourc.broadcast %m dims [1, 3, 4] sizes [2, 3, 4, 7, 7] : tensor<3x7x7xf32> -> tensor<2x3x4x7x7xf32>
  %2 = ourc.add %1, %mb : tensor<2x3x4x7x7xf32>
  %3 = ourc.reshape %2 sizes [6, 4, 7, 7] : tensor<2x3x4x7x7xf32> -> tensor<6x4x7x7xf32>
  %p = ourc.softmax %3 dim 3 : tensor<6x4x7x7xf32>
  %4 = ourc.reshape %p sizes [24, 7, 7] : tensor<6x4x7x7xf32> -> tensor<24x7x7xf32>
  %o = ourc.contract %4, %v batch [0], [0] contract [2], [1] : tensor<24x7x7xf32>, tensor<24x7x5xf32> -> tensor<24x7x5xf32>
  return %o : tensor<24x7x5xf32>
}

// -----

// The same with any number of images; the factor is behind a transpose.
// CHECK-LABEL: func.func @windows_dynamic
// CHECK:         ourc.attention %{{.*}}, %{{.*}}, %{{.*}} mask %{{.*}} : tensor<1x3x1x7x7xf32> scale 5.000000e-01 : tensor<?x3x4x7x8xf32>, tensor<?x3x4x7x8xf32>, tensor<?x3x4x7x8xf32> -> tensor<?x3x4x7x8xf32>
ourc.symbol @n {min = 1 : i64, max = 8 : i64}
func.func @windows_dynamic(%q: tensor<?x3x7x4x8xf32> {ourc.name = "q", ourc.shape = [@n, 3, 7, 4, 8]}, %m: tensor<3x7x7xf32> {ourc.name = "m"}) -> tensor<?x4x7x8xf32> {
  %n = ourc.dim @n : index
  %three = arith.constant 3 : index
  %n3 = arith.muli %n, %three : index
  %half = ourc.constant dense<0.5> : tensor<f32>
  %c = ourc.broadcast %half dims [] sizes [%n, 3, 7, 4, 8] : tensor<f32> -> tensor<?x3x7x4x8xf32>
  %scaled = ourc.mul %q, %c : tensor<?x3x7x4x8xf32>
  %x = ourc.transpose %scaled [0, 1, 3, 2, 4] : tensor<?x3x7x4x8xf32> -> tensor<?x3x4x7x8xf32>
  %y = ourc.transpose %q [0, 1, 3, 2, 4] : tensor<?x3x7x4x8xf32> -> tensor<?x3x4x7x8xf32>
  %xq = ourc.reshape %x sizes [%n3, 4, 7, 8] : tensor<?x3x4x7x8xf32> -> tensor<?x4x7x8xf32>
  %yk = ourc.reshape %y sizes [%n3, 4, 7, 8] : tensor<?x3x4x7x8xf32> -> tensor<?x4x7x8xf32>
  %s = ourc.contract %xq, %yk batch [0, 1], [0, 1] contract [3], [3] : tensor<?x4x7x8xf32>, tensor<?x4x7x8xf32> -> tensor<?x4x7x7xf32>
  %1 = ourc.reshape %s sizes [%n, 3, 4, 7, 7] : tensor<?x4x7x7xf32> -> tensor<?x3x4x7x7xf32>
  %mb = ourc.broadcast %m dims [1, 3, 4] sizes [%n, 3, 4, 7, 7] : tensor<3x7x7xf32> -> tensor<?x3x4x7x7xf32>
  %2 = ourc.add %1, %mb : tensor<?x3x4x7x7xf32>
  %3 = ourc.reshape %2 sizes [%n3, 4, 7, 7] : tensor<?x3x4x7x7xf32> -> tensor<?x4x7x7xf32>
  %p = ourc.softmax %3 dim 3 : tensor<?x4x7x7xf32>
  %o = ourc.contract %p, %yk batch [0, 1], [0, 1] contract [3], [2] : tensor<?x4x7x7xf32>, tensor<?x4x7x8xf32> -> tensor<?x4x7x8xf32>
  return %o : tensor<?x4x7x8xf32>
}

// -----

// REMARK: no attention is formed: it has masks of booleans and of floats
// CHECK-LABEL: func.func @mixed_masks
// CHECK-NOT:     ourc.attention
func.func @mixed_masks(%q: tensor<3x7x8xf32>, %k: tensor<3x9x8xf32>, %v: tensor<3x9x5xf32>, %m: tensor<3x7x9xf32>, %n: tensor<3x7x9xi1>) -> tensor<3x7x5xf32> {
  %s = ourc.contract %q, %k batch [0], [0] contract [2], [2] : tensor<3x7x8xf32>, tensor<3x9x8xf32> -> tensor<3x7x9xf32>
  %0 = ourc.add %s, %m : tensor<3x7x9xf32>
  %low = ourc.constant dense<0xFF800000> : tensor<3x7x9xf32>
  %1 = ourc.select %n, %0, %low : tensor<3x7x9xi1>, tensor<3x7x9xf32>
  %p = ourc.softmax %1 dim 2 : tensor<3x7x9xf32>
  %o = ourc.contract %p, %v batch [0], [0] contract [2], [1] : tensor<3x7x9xf32>, tensor<3x9x5xf32> -> tensor<3x7x5xf32>
  return %o : tensor<3x7x5xf32>
}

// -----

// REMARK: no attention is formed: its batch dimensions are merged and split differently
// CHECK-LABEL: func.func @regrouped
// CHECK-NOT:     ourc.attention
func.func @regrouped(%q: tensor<6x4x7x8xf32>, %k: tensor<6x4x7x8xf32>, %v: tensor<4x6x7x5xf32>) -> tensor<4x6x7x5xf32> {
  %s = ourc.contract %q, %k batch [0, 1], [0, 1] contract [3], [3] : tensor<6x4x7x8xf32>, tensor<6x4x7x8xf32> -> tensor<6x4x7x7xf32>
  %p = ourc.softmax %s dim 3 : tensor<6x4x7x7xf32>
  %0 = ourc.reshape %p sizes [4, 6, 7, 7] : tensor<6x4x7x7xf32> -> tensor<4x6x7x7xf32>
  %o = ourc.contract %0, %v batch [0, 1], [0, 1] contract [3], [2] : tensor<4x6x7x7xf32>, tensor<4x6x7x5xf32> -> tensor<4x6x7x5xf32>
  return %o : tensor<4x6x7x5xf32>
}

// -----

// REMARK: no attention is formed: the scores are not a product of queries and keys
// CHECK-LABEL: func.func @no_scores
func.func @no_scores(%s: tensor<3x7x9xf32>, %v: tensor<3x9x5xf32>) -> tensor<3x7x5xf32> {
  %e = ourc.exp %s : tensor<3x7x9xf32>
  %p = ourc.softmax %e dim 2 : tensor<3x7x9xf32>
  %o = ourc.contract %p, %v batch [0], [0] contract [2], [1] : tensor<3x7x9xf32>, tensor<3x9x5xf32> -> tensor<3x7x5xf32>
  return %o : tensor<3x7x5xf32>
}
