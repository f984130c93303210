// RUN: ourc-opt %s -split-input-file -verify-diagnostics

func.func @shapes(%x: tensor<4x8xf32>, %y: tensor<4x9xf32>, %e: tensor<4xf32>) {
  // expected-error @below {{'kernel.coupled_reduce' op inputs must have one shape, but are 'tensor<4x8xf32>' and 'tensor<4x9xf32>'}}
  %0 = kernel.coupled_reduce ins(%x, %y : tensor<4x8xf32>, tensor<4x9xf32>) outs(%e : tensor<4xf32>) dimensions = [1] init {
    %z = arith.constant 0.0 : f32
    kernel.yield %z : f32
  } accumulate {
  ^bb0(%s: f32, %v: f32):
    %a = arith.addf %s, %v : f32
    kernel.yield %a : f32
  } merge {
  ^bb0(%s: f32, %t: f32):
    %a = arith.addf %s, %t : f32
    kernel.yield %a : f32
  } finish {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } -> tensor<4xf32>
  return
}

// -----

func.func @range(%x: tensor<4x8xf32>, %e: tensor<4xf32>) {
  // expected-error @below {{'kernel.coupled_reduce' op dimension 2 is out of range for rank 2}}
  %0 = kernel.coupled_reduce ins(%x : tensor<4x8xf32>) outs(%e : tensor<4xf32>) dimensions = [2] init {
    %z = arith.constant 0.0 : f32
    kernel.yield %z : f32
  } accumulate {
  ^bb0(%s: f32, %v: f32):
    %a = arith.addf %s, %v : f32
    kernel.yield %a : f32
  } merge {
  ^bb0(%s: f32, %t: f32):
    %a = arith.addf %s, %t : f32
    kernel.yield %a : f32
  } finish {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } -> tensor<4xf32>
  return
}

// -----

func.func @negative(%x: tensor<4x8xf32>, %e: tensor<4xf32>) {
  // expected-error @below {{'kernel.coupled_reduce' op dimension -1 is out of range for rank 2}}
  %0 = kernel.coupled_reduce ins(%x : tensor<4x8xf32>) outs(%e : tensor<4xf32>) dimensions = [-1] init {
    %z = arith.constant 0.0 : f32
    kernel.yield %z : f32
  } accumulate {
  ^bb0(%s: f32, %v: f32):
    %a = arith.addf %s, %v : f32
    kernel.yield %a : f32
  } merge {
  ^bb0(%s: f32, %t: f32):
    %a = arith.addf %s, %t : f32
    kernel.yield %a : f32
  } finish {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } -> tensor<4xf32>
  return
}

// -----

func.func @twice(%x: tensor<4x8xf32>, %e: tensor<4xf32>) {
  // expected-error @below {{'kernel.coupled_reduce' op dimensions must be unique and ascending}}
  %0 = kernel.coupled_reduce ins(%x : tensor<4x8xf32>) outs(%e : tensor<4xf32>) dimensions = [1, 1] init {
    %z = arith.constant 0.0 : f32
    kernel.yield %z : f32
  } accumulate {
  ^bb0(%s: f32, %v: f32):
    %a = arith.addf %s, %v : f32
    kernel.yield %a : f32
  } merge {
  ^bb0(%s: f32, %t: f32):
    %a = arith.addf %s, %t : f32
    kernel.yield %a : f32
  } finish {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } -> tensor<4xf32>
  return
}

// -----

func.func @descending(%x: tensor<4x8xf32>, %e: tensor<4xf32>) {
  // expected-error @below {{'kernel.coupled_reduce' op dimensions must be unique and ascending}}
  %0 = kernel.coupled_reduce ins(%x : tensor<4x8xf32>) outs(%e : tensor<4xf32>) dimensions = [1, 0] init {
    %z = arith.constant 0.0 : f32
    kernel.yield %z : f32
  } accumulate {
  ^bb0(%s: f32, %v: f32):
    %a = arith.addf %s, %v : f32
    kernel.yield %a : f32
  } merge {
  ^bb0(%s: f32, %t: f32):
    %a = arith.addf %s, %t : f32
    kernel.yield %a : f32
  } finish {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } -> tensor<4xf32>
  return
}

// -----

func.func @destination(%x: tensor<4x8xf32>, %e: tensor<8xf32>) {
  // expected-error @below {{'kernel.coupled_reduce' op destination 'tensor<8xf32>' must have the inputs' shape without the reduced dimensions}}
  %0 = kernel.coupled_reduce ins(%x : tensor<4x8xf32>) outs(%e : tensor<8xf32>) dimensions = [1] init {
    %z = arith.constant 0.0 : f32
    kernel.yield %z : f32
  } accumulate {
  ^bb0(%s: f32, %v: f32):
    %a = arith.addf %s, %v : f32
    kernel.yield %a : f32
  } merge {
  ^bb0(%s: f32, %t: f32):
    %a = arith.addf %s, %t : f32
    kernel.yield %a : f32
  } finish {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } -> tensor<8xf32>
  return
}

// -----

func.func @results(%x: tensor<4x8xf32>, %e: tensor<4xf32>) {
  // expected-error @below {{'kernel.coupled_reduce' op results must have the destinations' types}}
  %0 = kernel.coupled_reduce ins(%x : tensor<4x8xf32>) outs(%e : tensor<4xf32>) dimensions = [1] init {
    %z = arith.constant 0.0 : f32
    kernel.yield %z : f32
  } accumulate {
  ^bb0(%s: f32, %v: f32):
    %a = arith.addf %s, %v : f32
    kernel.yield %a : f32
  } merge {
  ^bb0(%s: f32, %t: f32):
    %a = arith.addf %s, %t : f32
    kernel.yield %a : f32
  } finish {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } -> tensor<?xf32>
  return
}

// -----

func.func @init_arguments(%x: tensor<4x8xf32>, %e: tensor<4xf32>) {
  // expected-error @below {{'kernel.coupled_reduce' op region 'init' takes f32, but must take nothing}}
  %0 = kernel.coupled_reduce ins(%x : tensor<4x8xf32>) outs(%e : tensor<4xf32>) dimensions = [1] init {
  ^bb0(%z: f32):
    kernel.yield %z : f32
  } accumulate {
  ^bb0(%s: f32, %v: f32):
    %a = arith.addf %s, %v : f32
    kernel.yield %a : f32
  } merge {
  ^bb0(%s: f32, %t: f32):
    %a = arith.addf %s, %t : f32
    kernel.yield %a : f32
  } finish {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } -> tensor<4xf32>
  return
}

// -----

func.func @accumulate_arguments(%x: tensor<4x8xf32>, %e: tensor<4xf32>) {
  // expected-error @below {{'kernel.coupled_reduce' op region 'accumulate' takes f32, but must take f32, f32}}
  %0 = kernel.coupled_reduce ins(%x : tensor<4x8xf32>) outs(%e : tensor<4xf32>) dimensions = [1] init {
    %z = arith.constant 0.0 : f32
    kernel.yield %z : f32
  } accumulate {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } merge {
  ^bb0(%s: f32, %t: f32):
    %a = arith.addf %s, %t : f32
    kernel.yield %a : f32
  } finish {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } -> tensor<4xf32>
  return
}

// -----

func.func @accumulate_yields(%x: tensor<4x8xf32>, %e: tensor<4xf32>) {
  // expected-error @below {{'kernel.coupled_reduce' op region 'accumulate' yields f32, f32, but must yield f32}}
  %0 = kernel.coupled_reduce ins(%x : tensor<4x8xf32>) outs(%e : tensor<4xf32>) dimensions = [1] init {
    %z = arith.constant 0.0 : f32
    kernel.yield %z : f32
  } accumulate {
  ^bb0(%s: f32, %v: f32):
    kernel.yield %s, %v : f32, f32
  } merge {
  ^bb0(%s: f32, %t: f32):
    %a = arith.addf %s, %t : f32
    kernel.yield %a : f32
  } finish {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } -> tensor<4xf32>
  return
}

// -----

func.func @merge_arguments(%x: tensor<4x8xf32>, %e: tensor<4xf32>) {
  // expected-error @below {{'kernel.coupled_reduce' op region 'merge' takes f32, but must take f32, f32}}
  %0 = kernel.coupled_reduce ins(%x : tensor<4x8xf32>) outs(%e : tensor<4xf32>) dimensions = [1] init {
    %z = arith.constant 0.0 : f32
    kernel.yield %z : f32
  } accumulate {
  ^bb0(%s: f32, %v: f32):
    %a = arith.addf %s, %v : f32
    kernel.yield %a : f32
  } merge {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } finish {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } -> tensor<4xf32>
  return
}

// -----

func.func @merge_yields(%x: tensor<4x8xf32>, %e: tensor<4xf32>) {
  // expected-error @below {{'kernel.coupled_reduce' op region 'merge' yields nothing, but must yield f32}}
  %0 = kernel.coupled_reduce ins(%x : tensor<4x8xf32>) outs(%e : tensor<4xf32>) dimensions = [1] init {
    %z = arith.constant 0.0 : f32
    kernel.yield %z : f32
  } accumulate {
  ^bb0(%s: f32, %v: f32):
    %a = arith.addf %s, %v : f32
    kernel.yield %a : f32
  } merge {
  ^bb0(%s: f32, %t: f32):
    kernel.yield
  } finish {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } -> tensor<4xf32>
  return
}

// -----

func.func @finish_arguments(%x: tensor<4x8xf32>, %e: tensor<4xf32>) {
  // expected-error @below {{'kernel.coupled_reduce' op region 'finish' takes f32, f32, but must take f32}}
  %0 = kernel.coupled_reduce ins(%x : tensor<4x8xf32>) outs(%e : tensor<4xf32>) dimensions = [1] init {
    %z = arith.constant 0.0 : f32
    kernel.yield %z : f32
  } accumulate {
  ^bb0(%s: f32, %v: f32):
    %a = arith.addf %s, %v : f32
    kernel.yield %a : f32
  } merge {
  ^bb0(%s: f32, %t: f32):
    %a = arith.addf %s, %t : f32
    kernel.yield %a : f32
  } finish {
  ^bb0(%s: f32, %t: f32):
    kernel.yield %s : f32
  } -> tensor<4xf32>
  return
}

// -----

func.func @finish_yields(%x: tensor<4x8xf32>, %e: tensor<4xf32>) {
  // expected-error @below {{'kernel.coupled_reduce' op region 'finish' yields f16, but must yield f32}}
  %0 = kernel.coupled_reduce ins(%x : tensor<4x8xf32>) outs(%e : tensor<4xf32>) dimensions = [1] init {
    %z = arith.constant 0.0 : f32
    kernel.yield %z : f32
  } accumulate {
  ^bb0(%s: f32, %v: f32):
    %a = arith.addf %s, %v : f32
    kernel.yield %a : f32
  } merge {
  ^bb0(%s: f32, %t: f32):
    %a = arith.addf %s, %t : f32
    kernel.yield %a : f32
  } finish {
  ^bb0(%s: f32):
    %h = arith.truncf %s : f32 to f16
    kernel.yield %h : f16
  } -> tensor<4xf32>
  return
}

// -----

func.func @two_blocks(%x: tensor<4x8xf32>, %e: tensor<4xf32>) {
  // expected-error @below {{'kernel.coupled_reduce' op expects region #3 to have 0 or 1 blocks}}
  %0 = kernel.coupled_reduce ins(%x : tensor<4x8xf32>) outs(%e : tensor<4xf32>) dimensions = [1] init {
    %z = arith.constant 0.0 : f32
    kernel.yield %z : f32
  } accumulate {
  ^bb0(%s: f32, %v: f32):
    %a = arith.addf %s, %v : f32
    kernel.yield %a : f32
  } merge {
  ^bb0(%s: f32, %t: f32):
    %a = arith.addf %s, %t : f32
    kernel.yield %a : f32
  } finish {
  ^bb0(%s: f32):
    cf.br ^bb1
  ^bb1:
    kernel.yield %s : f32
  } -> tensor<4xf32>
  return
}

// -----

func.func @no_input(%e: tensor<4xf32>) {
  // expected-error @below {{'kernel.coupled_reduce' op needs an input}}
  %0 = "kernel.coupled_reduce"(%e) <{dimensions = array<i64>, operandSegmentSizes = array<i32: 0, 1>}> ({
    kernel.yield
  }, {
    kernel.yield
  }, {
    kernel.yield
  }, {
    kernel.yield
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @yield_outside() {
  // expected-error @below {{'kernel.yield' op expects parent op to be one of 'kernel.coupled_reduce, kernel.attention, kernel.scatter'}}
  kernel.yield
}
