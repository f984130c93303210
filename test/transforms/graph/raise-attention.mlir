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

// REMARK: no attention is formed: it has more than one mask
// CHECK-LABEL: func.func @two_masks
// CHECK-NOT:     ourc.attention
func.func @two_masks(%q: tensor<3x7x8xf32>, %k: tensor<3x9x8xf32>, %v: tensor<3x9x5xf32>, %m: tensor<3x7x9xf32>, %n: tensor<3x7x9xf32>) -> tensor<3x7x5xf32> {
  %s = ourc.contract %q, %k batch [0], [0] contract [2], [2] : tensor<3x7x8xf32>, tensor<3x9x8xf32> -> tensor<3x7x9xf32>
  %0 = ourc.add %s, %m : tensor<3x7x9xf32>
  %1 = ourc.add %n, %0 : tensor<3x7x9xf32>
  %p = ourc.softmax %1 dim 2 : tensor<3x7x9xf32>
  %o = ourc.contract %p, %v batch [0], [0] contract [2], [1] : tensor<3x7x9xf32>, tensor<3x9x5xf32> -> tensor<3x7x5xf32>
  return %o : tensor<3x7x5xf32>
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
