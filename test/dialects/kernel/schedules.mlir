// RUN: ourc-opt %s | ourc-opt | FileCheck %s

// Every schedule, as a kernel's attribute.

// CHECK: kernel.func @cpu_contraction({{.*}} attributes {schedule = #kernel.cpu_contraction<mr = 8, nr = 48, kb = 0, lanes = 16, splitN = true>}
kernel.func @cpu_contraction(%out: tensor<4xf32>) -> tensor<4xf32> attributes {schedule = #kernel.cpu_contraction<mr = 8, nr = 48, kb = 0, lanes = 16, splitN = true>} {
  kernel.return %out : tensor<4xf32>
}

// CHECK: kernel.func @cpu_depthwise({{.*}} attributes {schedule = #kernel.cpu_depthwise<mr = 14, vectors = 1, lanes = 16, rows = 8, panel = 2, splitChannels = false>}
kernel.func @cpu_depthwise(%out: tensor<4xf32>) -> tensor<4xf32> attributes {schedule = #kernel.cpu_depthwise<mr = 14, vectors = 1, lanes = 16, rows = 8, panel = 2, splitChannels = false>} {
  kernel.return %out : tensor<4xf32>
}

// CHECK: kernel.func @cpu_contraction_in_pairs({{.*}} attributes {schedule = #kernel.cpu_contraction<mr = 8, nr = 48, kb = 0, lanes = 16, splitN = true, depth = 2>}
kernel.func @cpu_contraction_in_pairs(%out: tensor<4xbf16>) -> tensor<4xbf16> attributes {schedule = #kernel.cpu_contraction<mr = 8, nr = 48, kb = 0, lanes = 16, splitN = true, depth = 2>} {
  kernel.return %out : tensor<4xbf16>
}

// CHECK: kernel.func @cpu_row({{.*}} attributes {schedule = #kernel.cpu_row<lanes = 16, unroll = 4, grain = 8>}
kernel.func @cpu_row(%out: tensor<4xf32>) -> tensor<4xf32> attributes {schedule = #kernel.cpu_row<lanes = 16, unroll = 4, grain = 8>} {
  kernel.return %out : tensor<4xf32>
}

// CHECK: kernel.func @cpu_pointwise({{.*}} attributes {schedule = #kernel.cpu_pointwise<lanes = 8, grain = 4096>}
kernel.func @cpu_pointwise(%out: tensor<4xf32>) -> tensor<4xf32> attributes {schedule = #kernel.cpu_pointwise<lanes = 8, grain = 4096>} {
  kernel.return %out : tensor<4xf32>
}

// CHECK: kernel.func @cpu_attention({{.*}} attributes {schedule = #kernel.cpu_attention<mr = 6, kb = 64, lanes = 16>}
kernel.func @cpu_attention(%out: tensor<4xf32>) -> tensor<4xf32> attributes {schedule = #kernel.cpu_attention<mr = 6, kb = 64, lanes = 16>} {
  kernel.return %out : tensor<4xf32>
}
// CHECK: kernel.func @cpu_attention_pairs({{.*}} attributes {schedule = #kernel.cpu_attention<mr = 6, kb = 64, lanes = 16, depth = 2>}
kernel.func @cpu_attention_pairs(%out: tensor<4xf32>) -> tensor<4xf32> attributes {schedule = #kernel.cpu_attention<mr = 6, kb = 64, lanes = 16, depth = 2>} {
  kernel.return %out : tensor<4xf32>
}

// CHECK: kernel.func @cpu_pool({{.*}} attributes {schedule = #kernel.cpu_pool<lanes = 16, grain = 2>}
kernel.func @cpu_pool(%out: tensor<4xf32>) -> tensor<4xf32> attributes {schedule = #kernel.cpu_pool<lanes = 16, grain = 2>} {
  kernel.return %out : tensor<4xf32>
}

// CHECK: kernel.func @gpu_pointwise({{.*}} attributes {schedule = #kernel.gpu_pointwise<threads = 256>}
kernel.func @gpu_pointwise(%out: tensor<4xf32>) -> tensor<4xf32> attributes {schedule = #kernel.gpu_pointwise<threads = 256>} {
  kernel.return %out : tensor<4xf32>
}

// CHECK: kernel.func @gpu_row({{.*}} attributes {schedule = #kernel.gpu_row<threads = 128>}
kernel.func @gpu_row(%out: tensor<4xf32>) -> tensor<4xf32> attributes {schedule = #kernel.gpu_row<threads = 128>} {
  kernel.return %out : tensor<4xf32>
}

// CHECK: kernel.func @gpu_attention({{.*}} attributes {schedule = #kernel.gpu_attention<warps = 4, keys = 64, stages = 2>}
kernel.func @gpu_attention(%out: tensor<4xf32>) -> tensor<4xf32> attributes {schedule = #kernel.gpu_attention<warps = 4, keys = 64, stages = 2>} {
  kernel.return %out : tensor<4xf32>
}

// CHECK: kernel.func @gpu_tile({{.*}} attributes {schedule = #kernel.gpu_tile<tileM = 64, tileN = 64, tileK = 16, threadsM = 16, threadsN = 8, stages = 3>}
kernel.func @gpu_tile(%out: tensor<4xf32>) -> tensor<4xf32> attributes {schedule = #kernel.gpu_tile<tileM = 64, tileN = 64, tileK = 16, threadsM = 16, threadsN = 8, stages = 3>} {
  kernel.return %out : tensor<4xf32>
}

// CHECK: kernel.func @gpu_contraction({{.*}} attributes {schedule = #kernel.gpu_contraction<tileM = 128, tileN = 64, tileK = 32, warpsM = 4, warpsN = 2, stages = 3>}
kernel.func @gpu_contraction(%out: tensor<4xf32>) -> tensor<4xf32> attributes {schedule = #kernel.gpu_contraction<tileM = 128, tileN = 64, tileK = 32, warpsM = 4, warpsN = 2, stages = 3>} {
  kernel.return %out : tensor<4xf32>
}

// CHECK: kernel.func @cpu_scatter({{.*}} attributes {schedule = #kernel.cpu_scatter<lanes = 16, grain = 64>}
kernel.func @cpu_scatter(%out: tensor<4xf32>) -> tensor<4xf32> attributes {schedule = #kernel.cpu_scatter<lanes = 16, grain = 64>} {
  kernel.return %out : tensor<4xf32>
}

// CHECK: kernel.func @gpu_scatter({{.*}} attributes {schedule = #kernel.gpu_scatter<threads = 128>}
kernel.func @gpu_scatter(%out: tensor<4xf32>) -> tensor<4xf32> attributes {schedule = #kernel.gpu_scatter<threads = 128>} {
  kernel.return %out : tensor<4xf32>
}

// CHECK: kernel.func @gpu_row_held({{.*}} attributes {schedule = #kernel.gpu_row<threads = 32, rows = 4, width = 8, chunks = 2>}
kernel.func @gpu_row_held(%out: tensor<4xf32>) -> tensor<4xf32> attributes {schedule = #kernel.gpu_row<threads = 32, rows = 4, width = 8, chunks = 2, staged = false>} {
  kernel.return %out : tensor<4xf32>
}

// CHECK: kernel.func @gpu_pointwise_wide({{.*}} attributes {schedule = #kernel.gpu_pointwise<threads = 128, width = 8>}
kernel.func @gpu_pointwise_wide(%out: tensor<4xf32>) -> tensor<4xf32> attributes {schedule = #kernel.gpu_pointwise<threads = 128, width = 8>} {
  kernel.return %out : tensor<4xf32>
}

// CHECK: kernel.func @gpu_row_columns({{.*}} attributes {schedule = #kernel.gpu_row<threads = 8, columns = 32>}
kernel.func @gpu_row_columns(%out: tensor<4xf32>) -> tensor<4xf32> attributes {schedule = #kernel.gpu_row<threads = 8, columns = 32>} {
  kernel.return %out : tensor<4xf32>
}
