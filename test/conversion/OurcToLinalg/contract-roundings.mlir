// RUN: ourc-opt -ourc-to-linalg %s | FileCheck %s --check-prefix=PLAIN
// RUN: ourc-opt -ourc-to-linalg=contract-roundings %s | FileCheck %s --check-prefix=CONTRACT

// PLAIN-NOT: fastmath<contract> : f32 to bf16

// CONTRACT-LABEL: func.func @chain
// CONTRACT:         arith.addf
// CONTRACT-NEXT:    arith.truncf %{{.*}} fastmath<contract> : f32 to bf16
func.func @chain(%x: tensor<64xbf16>, %y: tensor<64xbf16>) -> tensor<64xbf16> {
  %0 = ourc.add %x, %y : tensor<64xbf16>
  return %0 : tensor<64xbf16>
}

// A rounding that the program asks for is not marked, one that an operation on a
// narrow type ends with is.

// CONTRACT-LABEL: func.func @asked
// CONTRACT:         arith.truncf %{{[a-z0-9_]+}} : f32 to bf16
// CONTRACT:         arith.truncf %{{[a-z0-9_]+}} fastmath<contract> : f32 to bf16
func.func @asked(%x: tensor<64xf32>) -> (tensor<64xbf16>, tensor<64xbf16>) {
  %0 = ourc.cast %x : tensor<64xf32> -> tensor<64xbf16>
  %1 = ourc.cast %x {implicit} : tensor<64xf32> -> tensor<64xbf16>
  return %0, %1 : tensor<64xbf16>, tensor<64xbf16>
}
