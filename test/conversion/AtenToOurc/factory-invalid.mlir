// RUN: ourc-opt %s -split-input-file -verify-diagnostics -ourc-aten-to-ourc

// Ranges.

func.func @arange_default() {
  // expected-error @below {{operator 'aten.arange.default' is not supported: the result must have rank 1}}
  %0 = aten.call "arange.default"(end = 4) : () -> tensor<2x2xi64>
  return
}

// -----

func.func @arange_start_step(%n: index) {
  // expected-error @below {{operator 'aten.arange.start_step' is not supported: a dynamic range needs whole bounds and a constant, positive step}}
  %0 = aten.call "arange.start_step"(start = 0, end = %n, step = -1) : (index) -> tensor<?xi64>
  return
}

// -----

func.func @arange_default() {
  // expected-error @below {{operator 'aten.arange.default' is not supported: a dynamic range needs whole bounds and a constant, positive step}}
  %0 = aten.call "arange.default"(end = 1.5 : f64) : () -> tensor<?xf32>
  return
}
