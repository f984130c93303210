// RUN: mlir-opt %s --load-dialect-plugin=%ourc_plugin | FileCheck %s

// CHECK: ourc.symbol @s
ourc.symbol @s {min = 1 : i64, max = 64 : i64}
// CHECK: ourc.dim @s : index
func.func @size() -> index {
  %0 = ourc.dim @s : index
  return %0 : index
}
