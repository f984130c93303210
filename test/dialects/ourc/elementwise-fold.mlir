// RUN: ourc-opt %s -split-input-file -canonicalize | FileCheck %s

// Neutral operands, on either side and behind a broadcast.

// CHECK-LABEL: func.func @add_zero(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xi32>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.add %[[Y]], %[[V0]] : tensor<4xf32>
// CHECK-NEXT: return %[[X]], %[[X]], %[[V1]], %[[Y]] : tensor<4xi32>, tensor<4xi32>, tensor<4xf32>, tensor<4xf32>
func.func @add_zero(%x: tensor<4xi32>, %y: tensor<4xf32>) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xf32>, tensor<4xf32>) {
  %i = ourc.constant dense<0> : tensor<4xi32>
  %z = ourc.constant dense<0.0> : tensor<4xf32>
  %n = ourc.constant dense<-0.0> : tensor<4xf32>
  %0 = ourc.add %x, %i : tensor<4xi32>
  %1 = ourc.add %i, %x : tensor<4xi32>
  // +0 stays: -0 + 0 is not -0.
  %2 = ourc.add %y, %z : tensor<4xf32>
  %3 = ourc.add %y, %n : tensor<4xf32>
  return %0, %1, %2, %3 : tensor<4xi32>, tensor<4xi32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @add_broadcast_zero(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?xi64>
// CHECK-SAME: %[[N:[a-z0-9]+]]: index
// CHECK-NEXT: return %[[X]] : tensor<?xi64>
func.func @add_broadcast_zero(%x: tensor<?xi64>, %n: index) -> tensor<?xi64> {
  %c = ourc.constant dense<0> : tensor<i64>
  %0 = ourc.broadcast %c dims [] sizes [%n] : tensor<i64> -> tensor<?xi64>
  %1 = ourc.add %x, %0 : tensor<?xi64>
  return %1 : tensor<?xi64>
}

// -----

// CHECK-LABEL: func.func @sub_zero(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.constant dense<-0.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.sub %[[X]], %[[V0]] : tensor<4xf32>
// CHECK-NEXT: return %[[X]], %[[V1]] : tensor<4xf32>, tensor<4xf32>
func.func @sub_zero(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %z = ourc.constant dense<0.0> : tensor<4xf32>
  %n = ourc.constant dense<-0.0> : tensor<4xf32>
  %0 = ourc.sub %x, %z : tensor<4xf32>
  %1 = ourc.sub %x, %n : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// x · 0 is not 0: x may be NaN or infinite.

// CHECK-LABEL: func.func @mul_one(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK-SAME: %[[I:[a-z0-9]+]]: tensor<4xi64>
// CHECK-NEXT: %[[V0:.*]] = ourc.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.mul %[[X]], %[[V0]] : tensor<4xf32>
// CHECK-NEXT: return %[[X]], %[[V1]], %[[I]] : tensor<4xf32>, tensor<4xf32>, tensor<4xi64>
func.func @mul_one(%x: tensor<4xf32>, %i: tensor<4xi64>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xi64>) {
  %f = ourc.constant dense<1.0> : tensor<4xf32>
  %z = ourc.constant dense<0.0> : tensor<4xf32>
  %c = ourc.constant dense<1> : tensor<4xi64>
  %0 = ourc.mul %f, %x : tensor<4xf32>
  %1 = ourc.mul %x, %z : tensor<4xf32>
  %2 = ourc.mul %i, %c : tensor<4xi64>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xi64>
}

// -----

// CHECK-LABEL: func.func @div_one(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK-NEXT: return %[[X]] : tensor<4xf32>
func.func @div_one(%x: tensor<4xf32>) -> tensor<4xf32> {
  %f = ourc.constant dense<1.0> : tensor<4xf32>
  %0 = ourc.div %x, %f : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @extremes_of_same(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK-NEXT: return %[[X]], %[[X]] : tensor<4xf32>, tensor<4xf32>
func.func @extremes_of_same(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = ourc.maximum %x, %x : tensor<4xf32>
  %1 = ourc.minimum %x, %x : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @logic(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xi1>
// CHECK-SAME: %[[I:[a-z0-9]+]]: tensor<4xi8>
// CHECK-NEXT: %[[V0:.*]] = ourc.constant dense<true> : tensor<4xi1>
// CHECK-NEXT: %[[V1:.*]] = ourc.constant dense<false> : tensor<4xi1>
// CHECK-NEXT: %[[V2:.*]] = ourc.constant dense<1> : tensor<4xi8>
// CHECK-NEXT: %[[V3:.*]] = ourc.and %[[I]], %[[V2]] : tensor<4xi8>
// CHECK-NEXT: return %[[X]], %[[V1]], %[[X]], %[[V0]], %[[V3]], %[[I]], %[[X]], %[[X]] : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi8>, tensor<4xi8>, tensor<4xi1>, tensor<4xi1>
func.func @logic(%x: tensor<4xi1>, %i: tensor<4xi8>) -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi8>, tensor<4xi8>, tensor<4xi1>, tensor<4xi1>) {
  %true = ourc.constant dense<true> : tensor<4xi1>
  %false = ourc.constant dense<false> : tensor<4xi1>
  %one = ourc.constant dense<1> : tensor<4xi8>
  %ones = ourc.constant dense<-1> : tensor<4xi8>
  %0 = ourc.and %true, %x : tensor<4xi1>
  %1 = ourc.and %x, %false : tensor<4xi1>
  %2 = ourc.or %x, %false : tensor<4xi1>
  %3 = ourc.or %true, %x : tensor<4xi1>
  // 1 is not all bits of a byte.
  %4 = ourc.and %i, %one : tensor<4xi8>
  %5 = ourc.and %i, %ones : tensor<4xi8>
  %6 = ourc.xor %false, %x : tensor<4xi1>
  %7 = ourc.and %x, %x : tensor<4xi1>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi8>, tensor<4xi8>, tensor<4xi1>, tensor<4xi1>
}

// -----

// CHECK-LABEL: func.func @twice(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK-SAME: %[[B:[a-z0-9]+]]: tensor<4xi1>
// CHECK-NEXT: %[[V0:.*]] = ourc.abs %[[X]] : tensor<4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.floor %[[X]] : tensor<4xf32>
// CHECK-NEXT: return %[[X]], %[[V0]], %[[B]], %[[V1]] : tensor<4xf32>, tensor<4xf32>, tensor<4xi1>, tensor<4xf32>
func.func @twice(%x: tensor<4xf32>, %b: tensor<4xi1>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xi1>, tensor<4xf32>) {
  %0 = ourc.neg %x : tensor<4xf32>
  %1 = ourc.neg %0 : tensor<4xf32>
  %2 = ourc.abs %x : tensor<4xf32>
  %3 = ourc.abs %2 : tensor<4xf32>
  %4 = ourc.not %b : tensor<4xi1>
  %5 = ourc.not %4 : tensor<4xi1>
  %6 = ourc.floor %x : tensor<4xf32>
  %7 = ourc.ceil %6 : tensor<4xf32>
  return %1, %3, %5, %7 : tensor<4xf32>, tensor<4xf32>, tensor<4xi1>, tensor<4xf32>
}

// -----

// Constants.

// CHECK-LABEL: func.func @float_constants(
// CHECK-NEXT: %[[V0:.*]] = ourc.constant dense<1.250000e+00> : tensor<2xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.constant dense<1.750000e+00> : tensor<2xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.constant dense<-3.750000e-01> : tensor<2xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.constant dense<-6.000000e+00> : tensor<2xf32>
// CHECK-NEXT: %[[V4:.*]] = ourc.constant dense<1.500000e+00> : tensor<2xf32>
// CHECK-NEXT: %[[V5:.*]] = ourc.constant dense<-2.500000e-01> : tensor<2xf32>
// CHECK-NEXT: %[[V6:.*]] = ourc.constant dense<-1.500000e+00> : tensor<2xf32>
// CHECK-NEXT: %[[V7:.*]] = ourc.constant dense<2.500000e-01> : tensor<2xf32>
// CHECK-NEXT: %[[V8:.*]] = ourc.constant dense<-1.000000e+00> : tensor<2xf32>
// CHECK-NEXT: %[[V9:.*]] = ourc.constant dense<2.000000e+00> : tensor<2xf32>
// CHECK-NEXT: return %[[V0]], %[[V1]], %[[V2]], %[[V3]], %[[V4]], %[[V5]], %[[V6]], %[[V7]], %[[V8]], %[[V9]] : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
func.func @float_constants() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %a = ourc.constant dense<1.5> : tensor<2xf32>
  %b = ourc.constant dense<-0.25> : tensor<2xf32>
  %0 = ourc.add %a, %b : tensor<2xf32>
  %1 = ourc.sub %a, %b : tensor<2xf32>
  %2 = ourc.mul %a, %b : tensor<2xf32>
  %3 = ourc.div %a, %b : tensor<2xf32>
  %4 = ourc.maximum %a, %b : tensor<2xf32>
  %5 = ourc.minimum %a, %b : tensor<2xf32>
  %6 = ourc.neg %a : tensor<2xf32>
  %7 = ourc.abs %b : tensor<2xf32>
  %8 = ourc.floor %b : tensor<2xf32>
  %9 = ourc.ceil %a : tensor<2xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @integer_constants(
// CHECK-NEXT: %[[V0:.*]] = ourc.constant dense<5> : tensor<i32>
// CHECK-NEXT: %[[V1:.*]] = ourc.constant dense<9> : tensor<i32>
// CHECK-NEXT: %[[V2:.*]] = ourc.constant dense<-14> : tensor<i32>
// CHECK-NEXT: %[[V3:.*]] = ourc.constant dense<-3> : tensor<i32>
// CHECK-NEXT: %[[V4:.*]] = ourc.constant dense<7> : tensor<i32>
// CHECK-NEXT: %[[V5:.*]] = ourc.constant dense<-2> : tensor<i32>
// CHECK-NEXT: %[[V6:.*]] = ourc.constant dense<2> : tensor<i32>
// CHECK-NEXT: %[[V7:.*]] = ourc.constant dense<-8> : tensor<i32>
// CHECK-NEXT: %[[V8:.*]] = ourc.constant dense<-7> : tensor<i32>
// CHECK-NEXT: %[[V9:.*]] = ourc.constant dense<-1> : tensor<i32>
// CHECK-NEXT: return %[[V0]], %[[V1]], %[[V2]], %[[V3]], %[[V4]], %[[V5]], %[[V6]], %[[V7]], %[[V8]], %[[V9]] : tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>
func.func @integer_constants() -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) {
  %a = ourc.constant dense<7> : tensor<i32>
  %b = ourc.constant dense<-2> : tensor<i32>
  %0 = ourc.add %a, %b : tensor<i32>
  %1 = ourc.sub %a, %b : tensor<i32>
  %2 = ourc.mul %a, %b : tensor<i32>
  %3 = ourc.div %a, %b : tensor<i32>
  %4 = ourc.maximum %a, %b : tensor<i32>
  %5 = ourc.minimum %a, %b : tensor<i32>
  %6 = ourc.abs %b : tensor<i32>
  %7 = ourc.not %a : tensor<i32>
  %8 = ourc.xor %a, %b : tensor<i32>
  %9 = ourc.or %a, %b : tensor<i32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>
}

// -----

// What is undefined is left: division by zero, the least integer by -1, a
// conversion out of range.

// CHECK-LABEL: func.func @undefined(
// CHECK-NEXT: %[[V0:.*]] = ourc.constant dense<-128> : tensor<i8>
// CHECK-NEXT: %[[V1:.*]] = ourc.constant dense<-1> : tensor<i8>
// CHECK-NEXT: %[[V2:.*]] = ourc.constant dense<0> : tensor<i8>
// CHECK-NEXT: %[[V3:.*]] = ourc.constant dense<1.000000e+03> : tensor<f32>
// CHECK-NEXT: %[[V4:.*]] = ourc.div %[[V0]], %[[V2]] : tensor<i8>
// CHECK-NEXT: %[[V5:.*]] = ourc.div %[[V0]], %[[V1]] : tensor<i8>
// CHECK-NEXT: %[[V6:.*]] = ourc.cast %[[V3]] : tensor<f32> -> tensor<i8>
// CHECK-NEXT: return %[[V4]], %[[V5]], %[[V6]] : tensor<i8>, tensor<i8>, tensor<i8>
func.func @undefined() -> (tensor<i8>, tensor<i8>, tensor<i8>) {
  %a = ourc.constant dense<-128> : tensor<i8>
  %b = ourc.constant dense<-1> : tensor<i8>
  %z = ourc.constant dense<0> : tensor<i8>
  %f = ourc.constant dense<1000.0> : tensor<f32>
  %0 = ourc.div %a, %z : tensor<i8>
  %1 = ourc.div %a, %b : tensor<i8>
  %2 = ourc.cast %f : tensor<f32> -> tensor<i8>
  return %0, %1, %2 : tensor<i8>, tensor<i8>, tensor<i8>
}

// -----

// Comparisons with NaN are false, but `ne`.

// CHECK-LABEL: func.func @compare_constants(
// CHECK-NEXT: %[[V0:.*]] = ourc.constant dense<true> : tensor<i1>
// CHECK-NEXT: %[[V1:.*]] = ourc.constant dense<false> : tensor<i1>
// CHECK-NEXT: return %[[V0]], %[[V1]], %[[V1]], %[[V0]], %[[V1]], %[[V1]] : tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>
func.func @compare_constants() -> (tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>) {
  %a = ourc.constant dense<1.0> : tensor<f32>
  %nan = ourc.constant dense<0x7FC00000> : tensor<f32>
  %0 = ourc.compare ge %a, %a : tensor<f32> -> tensor<i1>
  %1 = ourc.compare gt %a, %nan : tensor<f32> -> tensor<i1>
  %2 = ourc.compare ge %a, %nan : tensor<f32> -> tensor<i1>
  %3 = ourc.compare ne %nan, %nan : tensor<f32> -> tensor<i1>
  %4 = ourc.compare eq %nan, %nan : tensor<f32> -> tensor<i1>
  %5 = ourc.compare lt %nan, %a : tensor<f32> -> tensor<i1>
  return %0, %1, %2, %3, %4, %5 : tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>
}

// -----

// Booleans compare as false < true, integers with their sign.

// CHECK-LABEL: func.func @compare_integers(
// CHECK-NEXT: %[[V0:.*]] = ourc.constant dense<true> : tensor<i1>
// CHECK-NEXT: %[[V1:.*]] = ourc.constant dense<false> : tensor<i1>
// CHECK-NEXT: return %[[V0]], %[[V1]] : tensor<i1>, tensor<i1>
func.func @compare_integers() -> (tensor<i1>, tensor<i1>) {
  %t = ourc.constant dense<true> : tensor<i1>
  %f = ourc.constant dense<false> : tensor<i1>
  %a = ourc.constant dense<-1> : tensor<i8>
  %b = ourc.constant dense<1> : tensor<i8>
  %0 = ourc.compare lt %f, %t : tensor<i1> -> tensor<i1>
  %1 = ourc.compare lt %b, %a : tensor<i8> -> tensor<i1>
  return %0, %1 : tensor<i1>, tensor<i1>
}

// -----

// CHECK-LABEL: func.func @select(
// CHECK-SAME: %[[C:[a-z0-9]+]]: tensor<?xi1>
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?xf32>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<?xf32>
// CHECK-SAME: %[[N:[a-z0-9]+]]: index
// CHECK-NEXT: return %[[X]], %[[Y]], %[[X]] : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
func.func @select(%c: tensor<?xi1>, %x: tensor<?xf32>, %y: tensor<?xf32>, %n: index) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %t = ourc.constant dense<true> : tensor<i1>
  %f = ourc.constant dense<false> : tensor<i1>
  %0 = ourc.broadcast %t dims [] sizes [%n] : tensor<i1> -> tensor<?xi1>
  %1 = ourc.broadcast %f dims [] sizes [%n] : tensor<i1> -> tensor<?xi1>
  %2 = ourc.select %0, %x, %y : tensor<?xi1>, tensor<?xf32>
  %3 = ourc.select %1, %x, %y : tensor<?xi1>, tensor<?xf32>
  %4 = ourc.select %c, %x, %x : tensor<?xi1>, tensor<?xf32>
  return %2, %3, %4 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// -----

// CHECK-LABEL: func.func @cast_constants(
// CHECK-NEXT: %[[V0:.*]] = ourc.constant dense<-2.703130e+00> : tensor<bf16>
// CHECK-NEXT: %[[V1:.*]] = ourc.constant dense<-2> : tensor<i32>
// CHECK-NEXT: %[[V2:.*]] = ourc.constant dense<true> : tensor<i1>
// CHECK-NEXT: %[[V3:.*]] = ourc.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V4:.*]] = ourc.constant dense<2.550000e+02> : tensor<f32>
// CHECK-NEXT: %[[V5:.*]] = ourc.constant dense<-1> : tensor<i64>
// CHECK-NEXT: %[[V6:.*]] = ourc.constant dense<44> : tensor<i8>
// CHECK-NEXT: %[[V7:.*]] = ourc.constant dense<-56> : tensor<i8>
// CHECK-NEXT: return %[[V0]], %[[V1]], %[[V2]], %[[V3]], %[[V4]], %[[V5]], %[[V6]], %[[V7]] : tensor<bf16>, tensor<i32>, tensor<i1>, tensor<f32>, tensor<f32>, tensor<i64>, tensor<i8>, tensor<i8>
func.func @cast_constants() -> (tensor<bf16>, tensor<i32>, tensor<i1>, tensor<f32>, tensor<f32>, tensor<i64>, tensor<i8>, tensor<i8>) {
  %f = ourc.constant dense<-2.7> : tensor<f32>
  %t = ourc.constant dense<true> : tensor<i1>
  %b = ourc.constant dense<-1> : tensor<i8>
  %i = ourc.constant dense<300> : tensor<i64>
  %h = ourc.constant dense<200.0> : tensor<f32>
  %0 = ourc.cast %f : tensor<f32> -> tensor<bf16>
  %1 = ourc.cast %f : tensor<f32> -> tensor<i32>
  %2 = ourc.cast %f : tensor<f32> -> tensor<i1>
  %3 = ourc.cast %t : tensor<i1> -> tensor<f32>
  %4 = ourc.cast %b {unsignedSource} : tensor<i8> -> tensor<f32>
  %5 = ourc.cast %b : tensor<i8> -> tensor<i64>
  %6 = ourc.cast %i : tensor<i64> -> tensor<i8>
  %7 = ourc.cast %h {unsignedResult} : tensor<f32> -> tensor<i8>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<bf16>, tensor<i32>, tensor<i1>, tensor<f32>, tensor<f32>, tensor<i64>, tensor<i8>, tensor<i8>
}

// -----

// A cast that loses nothing is transparent to the next one; one that rounds is
// not.

// CHECK-LABEL: func.func @cast_chains(
// CHECK-SAME: %[[H:[a-z0-9]+]]: tensor<4xbf16>
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK-SAME: %[[B:[a-z0-9]+]]: tensor<4xi1>
// CHECK-SAME: %[[U:[a-z0-9]+]]: tensor<4xi8>
// CHECK-NEXT: %[[V0:.*]] = ourc.cast %[[X]] : tensor<4xf32> -> tensor<4xbf16>
// CHECK-NEXT: %[[V1:.*]] = ourc.cast %[[V0]] : tensor<4xbf16> -> tensor<4xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.cast %[[B]] : tensor<4xi1> -> tensor<4xi8>
// CHECK-NEXT: %[[V3:.*]] = ourc.cast %[[H]] : tensor<4xbf16> -> tensor<4xf64>
// CHECK-NEXT: %[[V4:.*]] = ourc.cast %[[U]] {unsignedSource} : tensor<4xi8> -> tensor<4xi64>
// CHECK-NEXT: %[[V5:.*]] = ourc.cast %[[V4]] : tensor<4xi64> -> tensor<4xf32>
// CHECK-NEXT: return %[[H]], %[[V1]], %[[V2]], %[[V3]], %[[V5]] : tensor<4xbf16>, tensor<4xf32>, tensor<4xi8>, tensor<4xf64>, tensor<4xf32>
func.func @cast_chains(%h: tensor<4xbf16>, %x: tensor<4xf32>, %b: tensor<4xi1>, %u: tensor<4xi8>) -> (tensor<4xbf16>, tensor<4xf32>, tensor<4xi8>, tensor<4xf64>, tensor<4xf32>) {
  %0 = ourc.cast %h : tensor<4xbf16> -> tensor<4xf32>
  %1 = ourc.cast %0 : tensor<4xf32> -> tensor<4xbf16>
  %2 = ourc.cast %x : tensor<4xf32> -> tensor<4xbf16>
  %3 = ourc.cast %2 : tensor<4xbf16> -> tensor<4xf32>
  %4 = ourc.cast %b : tensor<4xi1> -> tensor<4xi64>
  %5 = ourc.cast %4 : tensor<4xi64> -> tensor<4xi8>
  %6 = ourc.cast %h : tensor<4xbf16> -> tensor<4xf32>
  %7 = ourc.cast %6 : tensor<4xf32> -> tensor<4xf64>
  %8 = ourc.cast %u {unsignedSource} : tensor<4xi8> -> tensor<4xi64>
  %9 = ourc.cast %8 : tensor<4xi64> -> tensor<4xf32>
  return %1, %3, %5, %7, %9 : tensor<4xbf16>, tensor<4xf32>, tensor<4xi8>, tensor<4xf64>, tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @cast_same(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?xf32>
// CHECK-SAME: %[[I:[a-z0-9]+]]: tensor<4xi8>
// CHECK-NEXT: return %[[X]], %[[I]] : tensor<?xf32>, tensor<4xi8>
func.func @cast_same(%x: tensor<?xf32>, %i: tensor<4xi8>) -> (tensor<?xf32>, tensor<4xi8>) {
  %0 = ourc.cast %x : tensor<?xf32> -> tensor<?xf32>
  %1 = ourc.cast %i : tensor<4xi8> -> tensor<4xi8>
  return %0, %1 : tensor<?xf32>, tensor<4xi8>
}
