// RUN: ourc-opt -ourc-elide-roundings %s | FileCheck %s

// CHECK-LABEL: func.func @chain
// CHECK-NEXT:    %[[SUM:.*]] = arith.addf
// CHECK-NEXT:    %[[MOST:.*]] = arith.maximumf %[[SUM]], %[[SUM]]
// CHECK-NEXT:    %[[RESULT:.*]] = arith.truncf %[[MOST]]
// CHECK-NEXT:    return %[[RESULT]]
func.func @chain(%x: f32, %y: f32) -> bf16 {
  %sum = arith.addf %x, %y : f32
  %rounded = arith.truncf %sum fastmath<contract> : f32 to bf16
  %a = arith.extf %rounded : bf16 to f32
  %b = arith.extf %rounded : bf16 to f32
  %most = arith.maximumf %a, %b : f32
  %result = arith.truncf %most fastmath<contract> : f32 to bf16
  return %result : bf16
}

// Whoever reads the rounded value elsewhere would see another number.

// CHECK-LABEL: func.func @also_a_result
// CHECK:         %[[ROUNDED:.*]] = arith.truncf
// CHECK-NEXT:    %[[WIDE:.*]] = arith.extf %[[ROUNDED]]
// CHECK-NEXT:    return %[[ROUNDED]], %[[WIDE]]
func.func @also_a_result(%x: f32) -> (f16, f32) {
  %rounded = arith.truncf %x fastmath<contract> : f32 to f16
  %wide = arith.extf %rounded : f16 to f32
  return %rounded, %wide : f16, f32
}

// The program asks for it.

// CHECK-LABEL: func.func @asked
// CHECK-NEXT:    arith.truncf
// CHECK-NEXT:    arith.extf
func.func @asked(%x: f32) -> f32 {
  %rounded = arith.truncf %x : f32 to bf16
  %wide = arith.extf %rounded : bf16 to f32
  return %wide : f32
}

// A wider type is wanted.

// CHECK-LABEL: func.func @wider
// CHECK-NEXT:    arith.truncf
// CHECK-NEXT:    arith.extf
func.func @wider(%x: f32) -> f64 {
  %rounded = arith.truncf %x fastmath<contract> : f32 to bf16
  %wide = arith.extf %rounded : bf16 to f64
  return %wide : f64
}
