// The artifact exports the C ABI alone and needs libc alone.
//
// RUN: ourc-compile %s -o %t.so --report=%t.json
// RUN: llvm-nm -D --defined-only %t.so | FileCheck %s --check-prefix=EXPORTS
// RUN: llvm-readelf -d %t.so | FileCheck %s --check-prefix=NEEDED
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
// EXPORTS: T ourc_last_error
// EXPORTS-NEXT: T ourc_model_bind
// EXPORTS-NEXT: T ourc_model_bind_file
// EXPORTS-NEXT: T ourc_model_create
// EXPORTS-NEXT: T ourc_model_create_from_program
// EXPORTS-NEXT: T ourc_model_describe
// EXPORTS-NEXT: T ourc_model_destroy
// EXPORTS-NEXT: T ourc_model_launch_times
// EXPORTS-NEXT: T ourc_model_memory
// EXPORTS-NEXT: T ourc_model_observe
// EXPORTS-NEXT: T ourc_model_prepare
// EXPORTS-NEXT: T ourc_model_program
// EXPORTS-NEXT: T ourc_model_result_shapes
// EXPORTS-NEXT: T ourc_model_run
// EXPORTS-NEXT: T ourc_model_run_on_stream
// EXPORTS-NEXT: T ourc_model_time_launches
// EXPORTS-NEXT: T ourc_model_use_graphs
// EXPORTS-NOT: {{.}}

// NEEDED-NOT: {{NEEDED.*(LLVM|MLIR|stdc|python)}}
// NEEDED: NEEDED{{.*}}libc.so.6
// NEEDED-NOT: {{NEEDED.*(LLVM|MLIR|stdc|python)}}

// REPORT-DAG: "kernels":[]
// REPORT-DAG: "target":"cpu:native"

func.func @main(%x: tensor<4xf32> {ourc.name = "x"}) -> tensor<2x2xf32> {
  %0 = tensor.expand_shape %x [[0, 1]] output_shape [2, 2]
      : tensor<4xf32> into tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
