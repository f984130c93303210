// Whatever a program computes, its artifact needs the C library alone: every
// import is one of glibc's versioned symbols (libc, libm, dl; OpenMP is opened
// at run time).
//
// RUN: ourc-compile %s -o %t.so --target=cpu:x86-64-v3 --report=%t.json
// RUN: FileCheck %s < %t.json
// RUN: llvm-nm -D --undefined-only %t.so > %t.imports
// RUN: grep -q GLIBC %t.imports
// RUN: not grep -v '@GLIBC_' %t.imports
// RUN: llvm-readelf -d %t.so | FileCheck %s --check-prefix=NEEDED
//
// RUN: ourc-compile %s -o %t.simt.so --target=simt
// RUN: llvm-nm -D --undefined-only %t.simt.so > %t.imports
// RUN: not grep -v '@GLIBC_' %t.imports

// Every strategy is in it.
// CHECK-DAG: "strategy":"attention"
// CHECK-DAG: "strategy":"contraction"
// CHECK-DAG: "strategy":"pointwise"
// CHECK-DAG: "strategy":"row"

// NEEDED-NOT: {{NEEDED.*(LLVM|MLIR|stdc|python|omp|blas|dnnl|torch)}}
// NEEDED: NEEDED{{.*}}libc.so.6
// NEEDED-NOT: {{NEEDED.*(LLVM|MLIR|stdc|python|omp|blas|dnnl|torch)}}

ourc.symbol @rows {min = 1 : i64, max = 64 : i64, multiple_of = 1 : i64}
func.func @main(
  %x: tensor<2x?x64xf32> {ourc.name = "x", ourc.shape = [2, @rows, 64]},
  %w: tensor<64x64xf32> {ourc.parameter = "w", ourc.frozen},
  %b: tensor<64xf32> {ourc.parameter = "b", ourc.frozen}
) -> (tensor<2x?x64xf32> {ourc.name = "y"}, tensor<2x?x64xf32> {ourc.name = "z"}) {
  %0 = aten.call "linear.default"(input = %x, weight = %w, bias = %b)
      : (tensor<2x?x64xf32>, tensor<64x64xf32>, tensor<64xf32>) -> tensor<2x?x64xf32>
  %1 = aten.call "gelu.default"(self = %0) : (tensor<2x?x64xf32>) -> tensor<2x?x64xf32>
  %2:3 = aten.call "native_layer_norm.default"(input = %1, normalized_shape = [64], weight = %b, bias = %b, eps = 1.0e-05)
      : (tensor<2x?x64xf32>, tensor<64xf32>) -> (tensor<2x?x64xf32>, tensor<2x?x1xf32>, tensor<2x?x1xf32>)
  %3 = aten.call "unsqueeze.default"(self = %2#0, dim = 1) : (tensor<2x?x64xf32>) -> tensor<2x1x?x64xf32>
  %4 = aten.call "scaled_dot_product_attention.default"(query = %3, key = %3, value = %3)
      : (tensor<2x1x?x64xf32>) -> tensor<2x1x?x64xf32>
  %5 = aten.call "squeeze.dim"(self = %4, dim = 1) : (tensor<2x1x?x64xf32>) -> tensor<2x?x64xf32>
  %6 = aten.call "_softmax.default"(self = %5, dim = -1, half_to_float = false) : (tensor<2x?x64xf32>) -> tensor<2x?x64xf32>
  %7 = aten.call "sin.default"(self = %x) : (tensor<2x?x64xf32>) -> tensor<2x?x64xf32>
  %8 = aten.call "exp.default"(self = %7) : (tensor<2x?x64xf32>) -> tensor<2x?x64xf32>
  return %6, %8 : tensor<2x?x64xf32>, tensor<2x?x64xf32>
}
