// RUN: ourc-opt %s -split-input-file | ourc-opt -split-input-file | FileCheck %s
// RUN: ourc-opt %s -split-input-file --mlir-print-op-generic | ourc-opt -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @unary(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x?xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.abs %[[X]] : tensor<4x?xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.neg %[[X]] : tensor<4x?xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.exp %[[X]] : tensor<4x?xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.expm1 %[[X]] : tensor<4x?xf32>
// CHECK-NEXT: %[[V4:.*]] = ourc.log %[[X]] : tensor<4x?xf32>
// CHECK-NEXT: %[[V5:.*]] = ourc.log1p %[[X]] : tensor<4x?xf32>
// CHECK-NEXT: %[[V6:.*]] = ourc.sqrt %[[X]] : tensor<4x?xf32>
// CHECK-NEXT: %[[V7:.*]] = ourc.rsqrt %[[X]] : tensor<4x?xf32>
// CHECK-NEXT: %[[V8:.*]] = ourc.tanh %[[X]] : tensor<4x?xf32>
// CHECK-NEXT: %[[V9:.*]] = ourc.erf %[[X]] : tensor<4x?xf32>
// CHECK-NEXT: %[[V10:.*]] = ourc.sigmoid %[[X]] : tensor<4x?xf32>
// CHECK-NEXT: %[[V11:.*]] = ourc.sin %[[X]] : tensor<4x?xf32>
// CHECK-NEXT: %[[V12:.*]] = ourc.cos %[[X]] : tensor<4x?xf32>
// CHECK-NEXT: %[[V13:.*]] = ourc.floor %[[X]] : tensor<4x?xf32>
// CHECK-NEXT: %[[V14:.*]] = ourc.ceil %[[X]] : tensor<4x?xf32>
// CHECK-NEXT: return
func.func @unary(%x: tensor<4x?xf32>) {
  %0 = ourc.abs %x : tensor<4x?xf32>
  %1 = ourc.neg %x : tensor<4x?xf32>
  %2 = ourc.exp %x : tensor<4x?xf32>
  %3 = ourc.expm1 %x : tensor<4x?xf32>
  %4 = ourc.log %x : tensor<4x?xf32>
  %5 = ourc.log1p %x : tensor<4x?xf32>
  %6 = ourc.sqrt %x : tensor<4x?xf32>
  %7 = ourc.rsqrt %x : tensor<4x?xf32>
  %8 = ourc.tanh %x : tensor<4x?xf32>
  %9 = ourc.erf %x : tensor<4x?xf32>
  %10 = ourc.sigmoid %x : tensor<4x?xf32>
  %11 = ourc.sin %x : tensor<4x?xf32>
  %12 = ourc.cos %x : tensor<4x?xf32>
  %13 = ourc.floor %x : tensor<4x?xf32>
  %14 = ourc.ceil %x : tensor<4x?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @unary_types(
// CHECK-SAME: %[[I:[a-z0-9]+]]: tensor<4xi64>
// CHECK-SAME: %[[B:[a-z0-9]+]]: tensor<i1>
// CHECK-SAME: %[[H:[a-z0-9]+]]: tensor<2xbf16>
// CHECK-NEXT: %[[V0:.*]] = ourc.abs %[[I]] : tensor<4xi64>
// CHECK-NEXT: %[[V1:.*]] = ourc.neg %[[I]] : tensor<4xi64>
// CHECK-NEXT: %[[V2:.*]] = ourc.not %[[I]] : tensor<4xi64>
// CHECK-NEXT: %[[V3:.*]] = ourc.not %[[B]] : tensor<i1>
// CHECK-NEXT: %[[V4:.*]] = ourc.exp %[[H]] : tensor<2xbf16>
// CHECK-NEXT: return
func.func @unary_types(%i: tensor<4xi64>, %b: tensor<i1>, %h: tensor<2xbf16>) {
  %0 = ourc.abs %i : tensor<4xi64>
  %1 = ourc.neg %i : tensor<4xi64>
  %2 = ourc.not %i : tensor<4xi64>
  %3 = ourc.not %b : tensor<i1>
  %4 = ourc.exp %h : tensor<2xbf16>
  return
}

// -----

// CHECK-LABEL: func.func @binary(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK-SAME: %[[I:[a-z0-9]+]]: tensor<?xi32>
// CHECK-NEXT: %[[V0:.*]] = ourc.add %[[X]], %[[X]] : tensor<4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.sub %[[X]], %[[X]] : tensor<4xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.mul %[[X]], %[[X]] : tensor<4xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.div %[[X]], %[[X]] : tensor<4xf32>
// CHECK-NEXT: %[[V4:.*]] = ourc.pow %[[X]], %[[X]] : tensor<4xf32>
// CHECK-NEXT: %[[V5:.*]] = ourc.maximum %[[X]], %[[X]] : tensor<4xf32>
// CHECK-NEXT: %[[V6:.*]] = ourc.minimum %[[X]], %[[X]] : tensor<4xf32>
// CHECK-NEXT: %[[V7:.*]] = ourc.and %[[I]], %[[I]] : tensor<?xi32>
// CHECK-NEXT: %[[V8:.*]] = ourc.or %[[I]], %[[I]] : tensor<?xi32>
// CHECK-NEXT: %[[V9:.*]] = ourc.xor %[[I]], %[[I]] : tensor<?xi32>
// CHECK-NEXT: return
func.func @binary(%x: tensor<4xf32>, %i: tensor<?xi32>) {
  %0 = ourc.add %x, %x : tensor<4xf32>
  %1 = ourc.sub %x, %x : tensor<4xf32>
  %2 = ourc.mul %x, %x : tensor<4xf32>
  %3 = ourc.div %x, %x : tensor<4xf32>
  %4 = ourc.pow %x, %x : tensor<4xf32>
  %5 = ourc.maximum %x, %x : tensor<4xf32>
  %6 = ourc.minimum %x, %x : tensor<4xf32>
  %7 = ourc.and %i, %i : tensor<?xi32>
  %8 = ourc.or %i, %i : tensor<?xi32>
  %9 = ourc.xor %i, %i : tensor<?xi32>
  return
}

// -----

// CHECK-LABEL: func.func @compare(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.compare eq %[[X]], %[[X]] : tensor<4xf32> -> tensor<4xi1>
// CHECK-NEXT: %[[V1:.*]] = ourc.compare ne %[[X]], %[[X]] : tensor<4xf32> -> tensor<4xi1>
// CHECK-NEXT: %[[V2:.*]] = ourc.compare lt %[[X]], %[[X]] : tensor<4xf32> -> tensor<4xi1>
// CHECK-NEXT: %[[V3:.*]] = ourc.compare le %[[X]], %[[X]] : tensor<4xf32> -> tensor<4xi1>
// CHECK-NEXT: %[[V4:.*]] = ourc.compare gt %[[X]], %[[X]] : tensor<4xf32> -> tensor<4xi1>
// CHECK-NEXT: %[[V5:.*]] = ourc.compare ge %[[X]], %[[X]] : tensor<4xf32> -> tensor<4xi1>
// CHECK-NEXT: return
func.func @compare(%x: tensor<4xf32>) {
  %0 = ourc.compare eq %x, %x : tensor<4xf32> -> tensor<4xi1>
  %1 = ourc.compare ne %x, %x : tensor<4xf32> -> tensor<4xi1>
  %2 = ourc.compare lt %x, %x : tensor<4xf32> -> tensor<4xi1>
  %3 = ourc.compare le %x, %x : tensor<4xf32> -> tensor<4xi1>
  %4 = ourc.compare gt %x, %x : tensor<4xf32> -> tensor<4xi1>
  %5 = ourc.compare ge %x, %x : tensor<4xf32> -> tensor<4xi1>
  return
}

// -----

// CHECK-LABEL: func.func @select(
// CHECK-SAME: %[[C:[a-z0-9]+]]: tensor<?xi1>
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?xf16>
// CHECK-NEXT: %[[V0:.*]] = ourc.select %[[C]], %[[X]], %[[X]] : tensor<?xi1>, tensor<?xf16>
// CHECK-NEXT: return
func.func @select(%c: tensor<?xi1>, %x: tensor<?xf16>) {
  %0 = ourc.select %c, %x, %x : tensor<?xi1>, tensor<?xf16>
  return
}

// -----

// CHECK-LABEL: func.func @cast(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK-SAME: %[[I:[a-z0-9]+]]: tensor<4xi8>
// CHECK-NEXT: %[[V0:.*]] = ourc.cast %[[X]] : tensor<4xf32> -> tensor<4xf8E4M3FN>
// CHECK-NEXT: %[[V1:.*]] = ourc.cast %[[I]] {unsignedSource} : tensor<4xi8> -> tensor<4xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.cast %[[X]] {unsignedResult} : tensor<4xf32> -> tensor<4xi8>
// CHECK-NEXT: return
func.func @cast(%x: tensor<4xf32>, %i: tensor<4xi8>) {
  %0 = ourc.cast %x : tensor<4xf32> -> tensor<4xf8E4M3FN>
  %1 = ourc.cast %i {unsignedSource} : tensor<4xi8> -> tensor<4xf32>
  %2 = ourc.cast %x {unsignedResult} : tensor<4xf32> -> tensor<4xi8>
  return
}
