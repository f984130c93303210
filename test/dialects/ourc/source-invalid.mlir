// RUN: ourc-opt %s -split-input-file -verify-diagnostics

func.func @constant_type() {
  // expected-error @below {{'ourc.constant' op failed to verify that all of {value, result} have same type}}
  %0 = "ourc.constant"() {value = dense<1.0> : tensor<4xf32>} : () -> tensor<5xf32>
  return
}

// -----

func.func @constant_elements() {
  // expected-error @below {{'ourc.constant' op result #0 must be ranked tensor of 64-bit float or 32-bit float or 16-bit float or bfloat16 type or f8E4M3FN type or f8E5M2 type or 64-bit signless integer or 32-bit signless integer or 16-bit signless integer or 8-bit signless integer or 1-bit signless integer values, but got 'tensor<4xi4>'}}
  %0 = ourc.constant dense<1> : tensor<4xi4>
  return
}

// -----

func.func @iota_dim() {
  // expected-error @below {{'ourc.iota' op dim 1 is out of range for rank 1}}
  %0 = ourc.iota dim 1 sizes [4] : tensor<4xi64>
  return
}

// -----

func.func @iota_scalar() {
  // expected-error @below {{'ourc.iota' op dim 0 is out of range for rank 0}}
  %0 = ourc.iota dim 0 sizes [] : tensor<i64>
  return
}

// -----

func.func @iota_sizes() {
  // expected-error @below {{'ourc.iota' op size 0 is 5, but the result's is 4}}
  %0 = ourc.iota dim 0 sizes [5] : tensor<4xi64>
  return
}

// -----

func.func @iota_booleans() {
  // expected-error @below {{'ourc.iota' op result #0 must be ranked tensor of 64-bit float or 32-bit float or 16-bit float or bfloat16 type or 64-bit signless integer or 32-bit signless integer or 16-bit signless integer or 8-bit signless integer values, but got 'tensor<4xi1>'}}
  %0 = ourc.iota dim 0 sizes [4] : tensor<4xi1>
  return
}

// -----

// expected-error @below {{'ourc.symbol' op needs 0 <= min <= max, but has min -1 and max 4}}
ourc.symbol @n {min = -1, max = 4}

// -----

// expected-error @below {{'ourc.symbol' op needs 0 <= min <= max, but has min 5 and max 4}}
ourc.symbol @n {min = 5, max = 4}

// -----

// expected-error @below {{'ourc.symbol' op needs multiple_of >= 1, but has 0}}
ourc.symbol @n {min = 1, max = 4, multiple_of = 0}

// -----

func.func @dim_without_symbol() {
  // expected-error @below {{'ourc.dim' op names @n, which is not an ourc.symbol}}
  %0 = ourc.dim @n : index
  return
}

// -----

func.func private @f()
func.func @dim_of_function() {
  // expected-error @below {{'ourc.dim' op names @f, which is not an ourc.symbol}}
  %0 = ourc.dim @f : index
  return
}

// -----

func.func @dim_type() {
  // expected-error @below {{'ourc.dim' op result #0 must be index, but got 'i64'}}
  %0 = "ourc.dim"() {symbol = @n} : () -> i64
  return
}
