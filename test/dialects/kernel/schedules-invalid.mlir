// RUN: ourc-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{'lanes' must be a power of two from 1 to 64, but is -3}}
module attributes {kernel.s = #kernel.cpu_pointwise<lanes = -3, grain = 1>} {}

// -----

// expected-error@+1 {{'grain' must be from 1 to 9223372036854775807, but is 0}}
module attributes {kernel.s = #kernel.cpu_pool<lanes = 8, grain = 0>} {}

// -----

// expected-error@+1 {{'unroll' must be from 1 to 16, but is 17}}
module attributes {kernel.s = #kernel.cpu_row<lanes = 8, unroll = 17, grain = 1>} {}

// -----

// expected-error@+1 {{'mr' must be from 1 to 64, but is 65}}
module attributes {kernel.s = #kernel.cpu_attention<mr = 65, kb = 64, lanes = 8>} {}

// -----

// expected-error@+1 {{'kb' must be from 1 to 1048576, but is 0}}
module attributes {kernel.s = #kernel.cpu_attention<mr = 6, kb = 0, lanes = 8>} {}

// -----

// expected-error@+1 {{'depth' must be from 1 to 2, but is 3}}
module attributes {kernel.s = #kernel.cpu_attention<mr = 6, kb = 64, lanes = 8, depth = 3>} {}

// -----

// expected-error@+1 {{'nr' must be from 1 to 1024, but is 2048}}
module attributes {kernel.s = #kernel.cpu_contraction<mr = 6, nr = 2048, kb = 0, lanes = 8, splitN = true>} {}

// -----

// expected-error@+1 {{'threads' must be from 1 to 1024, but is 2048}}
module attributes {kernel.s = #kernel.gpu_pointwise<threads = 2048>} {}

// -----

// expected-error@+1 {{'threads' must be a multiple of 32, but is 40}}
module attributes {kernel.s = #kernel.gpu_row<threads = 40>} {}

// -----

// expected-error@+1 {{'keys' must be from 16 to 1024, but is 8}}
module attributes {kernel.s = #kernel.gpu_attention<warps = 4, keys = 8, stages = 2>} {}

// -----

// expected-error@+1 {{'threadsM' must be from 1 to 32, but is 64}}
module attributes {kernel.s = #kernel.gpu_tile<tileM = 64, tileN = 64, tileK = 32, threadsM = 64, threadsN = 2, stages = 3>} {}

// -----

// expected-error@+1 {{'stages' must be from 1 to 16, but is 0}}
module attributes {kernel.s = #kernel.gpu_contraction<tileM = 64, tileN = 64, tileK = 32, warpsM = 2, warpsN = 2, stages = 0>} {}

// -----

// expected-error@+1 {{'interleave' must be 1, 2, 4 or 8, but is 3}}
module attributes {kernel.s = #kernel.cpu_row<lanes = 8, unroll = 4, grain = 1, interleave = 3>} {}

// -----

// expected-error@+1 {{'interleave' must be 1, 2, 4 or 8, but is 0}}
module attributes {kernel.s = #kernel.cpu_pointwise<lanes = 8, grain = 1, interleave = 0>} {}

// -----

// expected-error@+1 {{'parts' must be from 0 to 1024, but is -1}}
module attributes {kernel.s = #kernel.cpu_row<lanes = 8, unroll = 4, grain = 1, parts = -1>} {}

// -----

// expected-error@+1 {{'panel' must be from 1 to 1048576, but is 0}}
module attributes {kernel.s = #kernel.cpu_depthwise<mr = 8, vectors = 1, lanes = 8, rows = 1, panel = 0, splitChannels = true>} {}

// -----

// expected-error@+1 {{'lanes' must be a power of two from 1 to 64, but is 3}}
module attributes {kernel.s = #kernel.cpu_scatter<lanes = 3, grain = 1>} {}

// -----

// expected-error@+1 {{'grain' must be from 1}}
module attributes {kernel.s = #kernel.cpu_scatter<lanes = 4, grain = 0>} {}

// -----

// expected-error@+1 {{'depth' must be 1, 2 or 32, but is 3}}
module attributes {kernel.s = #kernel.cpu_contraction<mr = 8, nr = 48, kb = 0, lanes = 16, splitN = true, depth = 3>} {}

// -----

// expected-error@+1 {{'prefetch' must be a multiple of 'depth', but is 3}}
module attributes {kernel.s = #kernel.cpu_contraction<mr = 8, nr = 48, kb = 0, lanes = 16, splitN = true, prefetch = 3, depth = 2>} {}

// -----

// expected-error@+1 {{'threads'}}
module attributes {kernel.s = #kernel.gpu_scatter<threads = 0>} {}

// -----

// expected-error@+1 {{'width' must be a power of two, but is 3}}
module attributes {kernel.s = #kernel.gpu_pointwise<threads = 32, width = 3>} {}

// -----

// expected-error@+1 {{'threads' must be 32 when there are 2 rows, but is 64}}
module attributes {kernel.s = #kernel.gpu_row<threads = 64, rows = 2>} {}

// -----

// expected-error@+1 {{'staged' needs chunks of width 1}}
module attributes {kernel.s = #kernel.gpu_row<threads = 32, rows = 2, width = 4, chunks = 1, staged = true>} {}

// -----

// expected-error@+1 {{'columns' must be a multiple of 32, but is 48}}
module attributes {kernel.s = #kernel.gpu_row<threads = 2, columns = 48>} {}

// -----

// expected-error@+1 {{'columns' stands for rows of loops alone}}
module attributes {kernel.s = #kernel.gpu_row<threads = 2, rows = 2, columns = 32>} {}
