// RUN: ourc-opt %s -split-input-file -verify-diagnostics

#q = affine_map<(b, s, t, d, e) -> (b, s, d)>
#k = affine_map<(b, s, t, d, e) -> (b, t, d)>
#v = affine_map<(b, s, t, d, e) -> (b, t, e)>
#m = affine_map<(b, s, t, d, e) -> (0, s, t)>
#o = affine_map<(b, s, t, d, e) -> (b, s, e)>
func.func @map_count(%q: tensor<2x9x8xf32>, %k: tensor<2x7x8xf32>, %v: tensor<2x7x5xf32>, %m: tensor<1x9x7xf32>, %e: tensor<2x9x5xf32>) {
  // expected-error @below {{'kernel.attention' op has 4 maps for 5 operands}}
  %r = kernel.attention queries(%q : tensor<2x9x8xf32>) keys(%k : tensor<2x7x8xf32>) values(%v : tensor<2x7x5xf32>) score_operands(%m : tensor<1x9x7xf32>) outs(%e : tensor<2x9x5xf32>) scale = 0.5 maps = [#q, #k, #v, #o] {
  ^bb0(%s: f32, %b: f32):
    %0 = arith.addf %s, %b : f32
    kernel.yield %0 : f32
  } -> tensor<2x9x5xf32>
  return
}

// -----

#q = affine_map<(b, s, t, d, e) -> (b, s, d)>
#k = affine_map<(b, s, t, d, e) -> (b, t, d)>
#v = affine_map<(b, s, t, d, e) -> (b, t, e)>
#m = affine_map<(b, s, t, d, e) -> (0, s, t)>
#o = affine_map<(b, s, t, d, e) -> (b, s, e)>
#other = affine_map<(b, s, t, d, e, f) -> (b, t, d)>
func.func @map_dimensions(%q: tensor<2x9x8xf32>, %k: tensor<2x7x8xf32>, %v: tensor<2x7x5xf32>, %m: tensor<1x9x7xf32>, %e: tensor<2x9x5xf32>) {
  // expected-error @below {{'kernel.attention' op map 1 must take 5 dimensions to 3}}
  %r = kernel.attention queries(%q : tensor<2x9x8xf32>) keys(%k : tensor<2x7x8xf32>) values(%v : tensor<2x7x5xf32>) score_operands(%m : tensor<1x9x7xf32>) outs(%e : tensor<2x9x5xf32>) scale = 0.5 maps = [#q, #other, #v, #m, #o] {
  ^bb0(%s: f32, %b: f32):
    %0 = arith.addf %s, %b : f32
    kernel.yield %0 : f32
  } -> tensor<2x9x5xf32>
  return
}

// -----

#q = affine_map<(b, s, t, d, e) -> (b, s, d)>
#k = affine_map<(b, s, t, d, e) -> (b, t, d)>
#v = affine_map<(b, s, t, d, e) -> (b, t, e)>
#m = affine_map<(b, s, t, d, e) -> (0, s, t)>
#o = affine_map<(b, s, t, d, e) -> (b, s, e)>
#few = affine_map<(b, s, t) -> (b, s, t)>
func.func @few_dimensions(%q: tensor<2x9x8xf32>, %k: tensor<2x7x8xf32>, %v: tensor<2x7x5xf32>, %m: tensor<1x9x7xf32>, %e: tensor<2x9x5xf32>) {
  // expected-error @below {{'kernel.attention' op maps need at least 4 dimensions, but have 3}}
  %r = kernel.attention queries(%q : tensor<2x9x8xf32>) keys(%k : tensor<2x7x8xf32>) values(%v : tensor<2x7x5xf32>) score_operands(%m : tensor<1x9x7xf32>) outs(%e : tensor<2x9x5xf32>) scale = 0.5 maps = [#few, #few, #few, #few, #few] {
  ^bb0(%s: f32, %b: f32):
    %0 = arith.addf %s, %b : f32
    kernel.yield %0 : f32
  } -> tensor<2x9x5xf32>
  return
}

// -----

#q = affine_map<(b, s, t, d, e) -> (b, s, d)>
#k = affine_map<(b, s, t, d, e) -> (b, t, d)>
#v = affine_map<(b, s, t, d, e) -> (b, t, e)>
#m = affine_map<(b, s, t, d, e) -> (0, s, t)>
#o = affine_map<(b, s, t, d, e) -> (b, s, e)>
#short = affine_map<(b, s, t, d, e) -> (b, t)>
func.func @map_results(%q: tensor<2x9x8xf32>, %k: tensor<2x7x8xf32>, %v: tensor<2x7x5xf32>, %m: tensor<1x9x7xf32>, %e: tensor<2x9x5xf32>) {
  // expected-error @below {{'kernel.attention' op map 1 must take 5 dimensions to 3}}
  %r = kernel.attention queries(%q : tensor<2x9x8xf32>) keys(%k : tensor<2x7x8xf32>) values(%v : tensor<2x7x5xf32>) score_operands(%m : tensor<1x9x7xf32>) outs(%e : tensor<2x9x5xf32>) scale = 0.5 maps = [#q, #short, #v, #m, #o] {
  ^bb0(%s: f32, %b: f32):
    %0 = arith.addf %s, %b : f32
    kernel.yield %0 : f32
  } -> tensor<2x9x5xf32>
  return
}

// -----

#q = affine_map<(b, s, t, d, e) -> (b, s, d)>
#k = affine_map<(b, s, t, d, e) -> (b, t, d)>
#v = affine_map<(b, s, t, d, e) -> (b, t, e)>
#m = affine_map<(b, s, t, d, e) -> (0, s, t)>
#o = affine_map<(b, s, t, d, e) -> (b, s, e)>
#sym = affine_map<(b, s, t, d, e)[n] -> (b, t, d)>
func.func @map_symbols(%q: tensor<2x9x8xf32>, %k: tensor<2x7x8xf32>, %v: tensor<2x7x5xf32>, %m: tensor<1x9x7xf32>, %e: tensor<2x9x5xf32>) {
  // expected-error @below {{'kernel.attention' op map 1 must take 5 dimensions to 3}}
  %r = kernel.attention queries(%q : tensor<2x9x8xf32>) keys(%k : tensor<2x7x8xf32>) values(%v : tensor<2x7x5xf32>) score_operands(%m : tensor<1x9x7xf32>) outs(%e : tensor<2x9x5xf32>) scale = 0.5 maps = [#q, #sym, #v, #m, #o] {
  ^bb0(%s: f32, %b: f32):
    %0 = arith.addf %s, %b : f32
    kernel.yield %0 : f32
  } -> tensor<2x9x5xf32>
  return
}

// -----

#q = affine_map<(b, s, t, d, e) -> (b, s, d)>
#k = affine_map<(b, s, t, d, e) -> (b, t, d)>
#v = affine_map<(b, s, t, d, e) -> (b, t, e)>
#m = affine_map<(b, s, t, d, e) -> (0, s, t)>
#o = affine_map<(b, s, t, d, e) -> (b, s, e)>
#sum = affine_map<(b, s, t, d, e) -> (b, t + 1, d)>
func.func @map_expression(%q: tensor<2x9x8xf32>, %k: tensor<2x7x8xf32>, %v: tensor<2x7x5xf32>, %m: tensor<1x9x7xf32>, %e: tensor<2x9x5xf32>) {
  // expected-error @below {{'kernel.attention' op map 1 result 1 must be a dimension}}
  %r = kernel.attention queries(%q : tensor<2x9x8xf32>) keys(%k : tensor<2x7x8xf32>) values(%v : tensor<2x7x5xf32>) score_operands(%m : tensor<1x9x7xf32>) outs(%e : tensor<2x9x5xf32>) scale = 0.5 maps = [#q, #sum, #v, #m, #o] {
  ^bb0(%s: f32, %b: f32):
    %0 = arith.addf %s, %b : f32
    kernel.yield %0 : f32
  } -> tensor<2x9x5xf32>
  return
}

// -----

#q = affine_map<(b, s, t, d, e) -> (b, s, d)>
#k = affine_map<(b, s, t, d, e) -> (b, t, d)>
#v = affine_map<(b, s, t, d, e) -> (b, t, e)>
#m = affine_map<(b, s, t, d, e) -> (0, s, t)>
#o = affine_map<(b, s, t, d, e) -> (b, s, e)>
#sum = affine_map<(b, s, t, d, e) -> (1, s, t)>
func.func @score_map_expression(%q: tensor<2x9x8xf32>, %k: tensor<2x7x8xf32>, %v: tensor<2x7x5xf32>, %m: tensor<1x9x7xf32>, %e: tensor<2x9x5xf32>) {
  // expected-error @below {{'kernel.attention' op map 3 result 0 must be a dimension or 0}}
  %r = kernel.attention queries(%q : tensor<2x9x8xf32>) keys(%k : tensor<2x7x8xf32>) values(%v : tensor<2x7x5xf32>) score_operands(%m : tensor<1x9x7xf32>) outs(%e : tensor<2x9x5xf32>) scale = 0.5 maps = [#q, #k, #v, #sum, #o] {
  ^bb0(%s: f32, %b: f32):
    %0 = arith.addf %s, %b : f32
    kernel.yield %0 : f32
  } -> tensor<2x9x5xf32>
  return
}

// -----

#q = affine_map<(b, s, t, d, e) -> (b, s, d)>
#k = affine_map<(b, s, t, d, e) -> (b, t, d)>
#v = affine_map<(b, s, t, d, e) -> (b, t, e)>
#m = affine_map<(b, s, t, d, e) -> (0, s, t)>
#o = affine_map<(b, s, t, d, e) -> (b, s, e)>
#twice = affine_map<(b, s, t, d, e) -> (b, d, d)>
func.func @map_twice(%q: tensor<2x9x8xf32>, %k: tensor<2x8x8xf32>, %v: tensor<2x7x5xf32>, %m: tensor<1x9x7xf32>, %e: tensor<2x9x5xf32>) {
  // expected-error @below {{'kernel.attention' op map 1 uses dimension 3 twice}}
  %r = kernel.attention queries(%q : tensor<2x9x8xf32>) keys(%k : tensor<2x8x8xf32>) values(%v : tensor<2x7x5xf32>) score_operands(%m : tensor<1x9x7xf32>) outs(%e : tensor<2x9x5xf32>) scale = 0.5 maps = [#q, #twice, #v, #m, #o] {
  ^bb0(%s: f32, %b: f32):
    %0 = arith.addf %s, %b : f32
    kernel.yield %0 : f32
  } -> tensor<2x9x5xf32>
  return
}

// -----

#q = affine_map<(b, s, t, d, e) -> (b, s, d)>
#k = affine_map<(b, s, t, d, e) -> (b, t, d)>
#v = affine_map<(b, s, t, d, e) -> (b, t, e)>
#m = affine_map<(b, s, t, d, e) -> (0, s, t)>
#o = affine_map<(b, s, t, d, e) -> (b, s, e)>
func.func @map_of_keys(%q: tensor<2x9x8xf32>, %k: tensor<2x7x8xf32>, %v: tensor<2x7x5xf32>, %m: tensor<1x9x7xf32>, %e: tensor<2x9x5xf32>) {
  // expected-error @below {{'kernel.attention' op map 1 must use dimension 3}}
  %r = kernel.attention queries(%q : tensor<2x9x8xf32>) keys(%k : tensor<2x7x8xf32>) values(%v : tensor<2x7x5xf32>) score_operands(%m : tensor<1x9x7xf32>) outs(%e : tensor<2x9x5xf32>) scale = 0.5 maps = [#q, #v, #v, #m, #o] {
  ^bb0(%s: f32, %b: f32):
    %0 = arith.addf %s, %b : f32
    kernel.yield %0 : f32
  } -> tensor<2x9x5xf32>
  return
}

// -----

#q = affine_map<(b, s, t, d, e) -> (b, s, d)>
#k = affine_map<(b, s, t, d, e) -> (b, t, d)>
#v = affine_map<(b, s, t, d, e) -> (b, t, e)>
#m = affine_map<(b, s, t, d, e) -> (0, s, t)>
#o = affine_map<(b, s, t, d, e) -> (b, s, e)>
func.func @map_of_scores(%q: tensor<2x9x8xf32>, %k: tensor<2x7x8xf32>, %v: tensor<2x7x5xf32>, %m: tensor<2x9x8xf32>, %e: tensor<2x9x5xf32>) {
  // expected-error @below {{'kernel.attention' op map 3 must not use dimension 3}}
  %r = kernel.attention queries(%q : tensor<2x9x8xf32>) keys(%k : tensor<2x7x8xf32>) values(%v : tensor<2x7x5xf32>) score_operands(%m : tensor<2x9x8xf32>) outs(%e : tensor<2x9x5xf32>) scale = 0.5 maps = [#q, #k, #v, #q, #o] {
  ^bb0(%s: f32, %b: f32):
    %0 = arith.addf %s, %b : f32
    kernel.yield %0 : f32
  } -> tensor<2x9x5xf32>
  return
}

// -----

#q = affine_map<(b, s, t, d, e) -> (b, s, d)>
#k = affine_map<(b, s, t, d, e) -> (b, t, d)>
#v = affine_map<(b, s, t, d, e) -> (b, t, e)>
#m = affine_map<(b, s, t, d, e) -> (0, s, t)>
#o = affine_map<(b, s, t, d, e) -> (b, s, e)>
func.func @sizes(%q: tensor<2x9x8xf32>, %k: tensor<2x7x6xf32>, %v: tensor<2x7x5xf32>, %m: tensor<1x9x7xf32>, %e: tensor<2x9x5xf32>) {
  // expected-error @below {{'kernel.attention' op operand 1 gives dimension 3 the size 6, but another operand gives 8}}
  %r = kernel.attention queries(%q : tensor<2x9x8xf32>) keys(%k : tensor<2x7x6xf32>) values(%v : tensor<2x7x5xf32>) score_operands(%m : tensor<1x9x7xf32>) outs(%e : tensor<2x9x5xf32>) scale = 0.5 maps = [#q, #k, #v, #m, #o] {
  ^bb0(%s: f32, %b: f32):
    %0 = arith.addf %s, %b : f32
    kernel.yield %0 : f32
  } -> tensor<2x9x5xf32>
  return
}

// -----

#q = affine_map<(b, s, t, d, e) -> (b, s, d)>
#k = affine_map<(b, s, t, d, e) -> (b, t, d)>
#v = affine_map<(b, s, t, d, e) -> (b, t, e)>
#m = affine_map<(b, s, t, d, e) -> (0, s, t)>
#o = affine_map<(b, s, t, d, e) -> (b, s, e)>
func.func @batch(%q: tensor<2x9x8xf32>, %k: tensor<2x7x8xf32>, %v: tensor<3x7x5xf32>, %m: tensor<1x9x7xf32>, %e: tensor<2x9x5xf32>) {
  // expected-error @below {{'kernel.attention' op operand 2 gives dimension 0 the size 3, but another operand gives 2}}
  %r = kernel.attention queries(%q : tensor<2x9x8xf32>) keys(%k : tensor<2x7x8xf32>) values(%v : tensor<3x7x5xf32>) score_operands(%m : tensor<1x9x7xf32>) outs(%e : tensor<2x9x5xf32>) scale = 0.5 maps = [#q, #k, #v, #m, #o] {
  ^bb0(%s: f32, %b: f32):
    %0 = arith.addf %s, %b : f32
    kernel.yield %0 : f32
  } -> tensor<2x9x5xf32>
  return
}

// -----

#q = affine_map<(b, s, t, d, e) -> (b, s, d)>
#k = affine_map<(b, s, t, d, e) -> (b, t, d)>
#v = affine_map<(b, s, t, d, e) -> (b, t, e)>
#m = affine_map<(b, s, t, d, e) -> (0, s, t)>
#o = affine_map<(b, s, t, d, e) -> (b, s, e)>
func.func @result(%q: tensor<2x9x8xf32>, %k: tensor<2x7x8xf32>, %v: tensor<2x7x5xf32>, %m: tensor<1x9x7xf32>, %e: tensor<2x9x5xf32>) {
  // expected-error @below {{'kernel.attention' op result must have the destination's type}}
  %r = kernel.attention queries(%q : tensor<2x9x8xf32>) keys(%k : tensor<2x7x8xf32>) values(%v : tensor<2x7x5xf32>) score_operands(%m : tensor<1x9x7xf32>) outs(%e : tensor<2x9x5xf32>) scale = 0.5 maps = [#q, #k, #v, #m, #o] {
  ^bb0(%s: f32, %b: f32):
    %0 = arith.addf %s, %b : f32
    kernel.yield %0 : f32
  } -> tensor<2x9x?xf32>
  return
}

// -----

#q = affine_map<(b, s, t, d, e) -> (b, s, d)>
#k = affine_map<(b, s, t, d, e) -> (b, t, d)>
#v = affine_map<(b, s, t, d, e) -> (b, t, e)>
#m = affine_map<(b, s, t, d, e) -> (0, s, t)>
#o = affine_map<(b, s, t, d, e) -> (b, s, e)>
func.func @region_arguments(%q: tensor<2x9x8xf32>, %k: tensor<2x7x8xf32>, %v: tensor<2x7x5xf32>, %m: tensor<1x9x7xf32>, %e: tensor<2x9x5xf32>) {
  // expected-error @below {{'kernel.attention' op region 'score' takes f32, but must take f32, f32}}
  %r = kernel.attention queries(%q : tensor<2x9x8xf32>) keys(%k : tensor<2x7x8xf32>) values(%v : tensor<2x7x5xf32>) score_operands(%m : tensor<1x9x7xf32>) outs(%e : tensor<2x9x5xf32>) scale = 0.5 maps = [#q, #k, #v, #m, #o] {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } -> tensor<2x9x5xf32>
  return
}

// -----

#q = affine_map<(b, s, t, d, e) -> (b, s, d)>
#k = affine_map<(b, s, t, d, e) -> (b, t, d)>
#v = affine_map<(b, s, t, d, e) -> (b, t, e)>
#m = affine_map<(b, s, t, d, e) -> (0, s, t)>
#o = affine_map<(b, s, t, d, e) -> (b, s, e)>
func.func @region_yields(%q: tensor<2x9x8xf32>, %k: tensor<2x7x8xf32>, %v: tensor<2x7x5xf32>, %m: tensor<1x9x7xf32>, %e: tensor<2x9x5xf32>) {
  // expected-error @below {{'kernel.attention' op region 'score' yields f32, f32, but must yield f32}}
  %r = kernel.attention queries(%q : tensor<2x9x8xf32>) keys(%k : tensor<2x7x8xf32>) values(%v : tensor<2x7x5xf32>) score_operands(%m : tensor<1x9x7xf32>) outs(%e : tensor<2x9x5xf32>) scale = 0.5 maps = [#q, #k, #v, #m, #o] {
  ^bb0(%s: f32, %b: f32):
    kernel.yield %s, %b : f32, f32
  } -> tensor<2x9x5xf32>
  return
}

// -----

#q = affine_map<(b, s, t, d, e) -> (b, s, d)>
#k = affine_map<(b, s, t, d, e) -> (b, t, d)>
#v = affine_map<(b, s, t, d, e) -> (b, t, e)>
#m = affine_map<(b, s, t, d, e) -> (0, s, t)>
#o = affine_map<(b, s, t, d, e) -> (b, s, e)>
func.func @region_type(%q: tensor<2x9x8xf64>, %k: tensor<2x7x8xf64>, %v: tensor<2x7x5xf64>, %m: tensor<1x9x7xf64>, %e: tensor<2x9x5xf64>) {
  // expected-error @below {{'kernel.attention' op region 'score' takes f32, f32, but must take f64, f64}}
  %r = kernel.attention queries(%q : tensor<2x9x8xf64>) keys(%k : tensor<2x7x8xf64>) values(%v : tensor<2x7x5xf64>) score_operands(%m : tensor<1x9x7xf64>) outs(%e : tensor<2x9x5xf64>) scale = 0.5 maps = [#q, #k, #v, #m, #o] {
  ^bb0(%s: f32, %b: f32):
    %0 = arith.addf %s, %b : f32
    kernel.yield %0 : f32
  } -> tensor<2x9x5xf64>
  return
}
