// RUN: ourc-opt %s --ourc-bufferize-graph --split-input-file --verify-diagnostics

// expected-error@+1 {{has 1 results but 0 destinations; run ourc-pass-destinations first}}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error@+1 {{result 0 is not in its destination}}
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32> {kernel.destination = [4]}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
