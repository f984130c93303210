// A symbolic size, a result that updates an input, and a constant:
// what the graph does between launches, on the device.

// RUN: %python %testlib/run_on_double.py %s | FileCheck %s
// CHECK: z: right
// CHECK: t: right
// CHECK: live 0; misuse: none

// IN x: randn(5, 6)
// IN y: randn(5, 6)
// Two calls update it twice.
// REF z: x + y + y
// REF t: np.array([3.0, 1.0, 4.0, 1.5])

module {
  ourc.symbol @n {min = 1 : i64, max = 64 : i64}
  func.func @main(%x: tensor<?x6xf32> {ourc.name = "x", ourc.shape = [@n, 6]}, %y: tensor<?x6xf32> {ourc.name = "y", ourc.shape = [@n, 6]}) -> (tensor<?x6xf32> {ourc.name = "z", ourc.updates = 0 : i64}, tensor<4xf32> {ourc.name = "t"}) {
    %0 = ourc.add %x, %y : tensor<?x6xf32>
    %3 = ourc.constant dense<[3.0, 1.0, 4.0, 1.5]> : tensor<4xf32>
    return %0, %3 : tensor<?x6xf32>, tensor<4xf32>
  }
}
