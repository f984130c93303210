// RUN: ourc-opt -ourc-to-linalg %s | FileCheck %s --check-prefix=PLAIN
// RUN: ourc-opt -ourc-to-linalg=contract-roundings %s | FileCheck %s --check-prefix=CONTRACT
// RUN: ourc-opt -ourc-tensor-pipeline -ourc-kernel-pipeline %s | FileCheck %s --check-prefix=ONCE
// RUN: ourc-opt -ourc-tensor-pipeline=strict -ourc-kernel-pipeline %s | FileCheck %s --check-prefix=STRICT

// PLAIN-NOT: fastmath<contract> : f32 to bf16
// PLAIN-NOT: fastmath<contract> : bf16 to f32

// CONTRACT-LABEL: func.func @chain
// CONTRACT-COUNT-2: arith.extf %{{.*}} fastmath<contract> : bf16 to f32
// CONTRACT:         arith.addf
// CONTRACT-NEXT:    arith.truncf %{{.*}} fastmath<contract> : f32 to bf16
// CONTRACT-LABEL: func.func @asked
// CONTRACT:         arith.addf
// CONTRACT:         arith.truncf %{{[a-z0-9_]+}} : f32 to bf16
// CONTRACT:         arith.extf %{{.*}} fastmath<contract> : bf16 to f32

// One rounding, at the end.

// ONCE-LABEL: kernel.func @maximum(
// ONCE:         %[[SUM:.*]] = arith.addf
// ONCE-NEXT:    arith.extf %in {{.*}}
// ONCE-NEXT:    %[[MOST:.*]] = arith.maximumf %[[SUM]]
// ONCE-NEXT:    %[[RESULT:.*]] = arith.truncf %[[MOST]]
// ONCE-NEXT:    linalg.yield %[[RESULT]]

// STRICT-LABEL: kernel.func @maximum(
// STRICT:         arith.addf
// STRICT-NEXT:    arith.truncf
// STRICT-NEXT:    arith.extf
// STRICT-NEXT:    arith.extf
// STRICT-NEXT:    arith.maximumf
func.func @chain(%x: tensor<64xbf16>, %y: tensor<64xbf16>) -> tensor<64xbf16> {
  %0 = ourc.add %x, %y : tensor<64xbf16>
  %1 = ourc.maximum %0, %x : tensor<64xbf16>
  return %1 : tensor<64xbf16>
}

// A rounding that the program asks for stays between two operations.

// ONCE-LABEL: kernel.func @mul(
// ONCE:         arith.addf
// ONCE-NEXT:    arith.truncf %{{.*}} : f32 to bf16
// ONCE-NEXT:    arith.extf
// ONCE-NEXT:    arith.mulf
func.func @asked(%x: tensor<64xf32>, %y: tensor<64xf32>) -> tensor<64xf32> {
  %0 = ourc.add %x, %y : tensor<64xf32>
  %1 = ourc.cast %0 : tensor<64xf32> -> tensor<64xbf16>
  %2 = ourc.cast %1 : tensor<64xbf16> -> tensor<64xf32>
  %3 = ourc.mul %2, %y : tensor<64xf32>
  return %3 : tensor<64xf32>
}
