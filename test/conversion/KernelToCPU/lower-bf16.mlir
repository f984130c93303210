// RUN: ourc-opt -ourc-lower-bf16=target=cpu:sapphirerapids %s | FileCheck %s --check-prefixes=CHECK,WITH
// RUN: ourc-opt -ourc-lower-bf16=target=cpu:x86-64-v4 %s | FileCheck %s --check-prefixes=CHECK,WITHOUT
// RUN: not ourc-opt -ourc-lower-bf16=target=cpu:z80 %s 2>&1 | FileCheck %s --check-prefix=ERROR

// ERROR: target 'cpu:z80' names an unknown x86-64 CPU 'z80'

// By integers also where there is an instruction, which makes zero of denormals.

// CHECK-LABEL: func.func @round(
// CHECK:         arith.addi
// CHECK:         arith.cmpf uno
// CHECK:         arith.select
// CHECK-NOT:     truncf
// CHECK-NOT:     cvt.packed
// CHECK:         return
func.func @round(%x: vector<16xf32>) -> vector<16xbf16> {
  %0 = arith.truncf %x : vector<16xf32> to vector<16xbf16>
  return %0 : vector<16xbf16>
}

// CHECK-LABEL: func.func @round_scalar(
// CHECK:         arith.select %{{.*}} : i32
// CHECK:         return
func.func @round_scalar(%x: f32) -> bf16 {
  %0 = arith.truncf %x : f32 to bf16
  return %0 : bf16
}

// Other roundings are left alone.

// CHECK-LABEL: func.func @others(
// CHECK:         arith.truncf {{.*}} : vector<16xf32> to vector<16xf16>
// CHECK:         arith.truncf {{.*}} : f64 to f32
func.func @others(%x: vector<16xf32>, %y: f64) -> (vector<16xf16>, f32) {
  %0 = arith.truncf %x : vector<16xf32> to vector<16xf16>
  %1 = arith.truncf %y : f64 to f32
  return %0, %1 : vector<16xf16>, f32
}

// Pairs: the odd product is added first.

// CHECK-LABEL: func.func @pairs(
// CHECK-SAME:    %[[SUM:.*]]: vector<16xf32>, %[[A:.*]]: vector<32xbf16>, %[[B:.*]]: vector<32xbf16>
// WITH:          x86vector.avx512.dot
// WITHOUT:       %[[A1:.*]] = arith.andi
// WITHOUT:       %[[AF1:.*]] = arith.bitcast %[[A1]]
// WITHOUT:       %[[ODD:.*]] = vector.fma %{{.*}}, %{{.*}}, %[[SUM]]
// WITHOUT:       arith.shli
// WITHOUT:       vector.fma %{{.*}}, %{{.*}}, %[[ODD]]
// WITHOUT-NOT:   x86vector
// CHECK:         return
func.func @pairs(%sum: vector<16xf32>, %a: vector<32xbf16>, %b: vector<32xbf16>) -> vector<16xf32> {
  %0 = x86vector.avx512.dot %sum, %a, %b : vector<32xbf16> -> vector<16xf32>
  return %0 : vector<16xf32>
}
