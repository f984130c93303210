#net = loc("net.py":12:9)
#act = loc("net.py":13:9)
ourc.symbol @batch {min = 1 : i64, max = 4096 : i64}
func.func @main(%x: tensor<?x64xf32> {ourc.name = "x", ourc.shape = [@batch, 64]},
                %w: tensor<96x64xf32> {ourc.parameter = "fc.weight", ourc.frozen},
                %b: tensor<96xf32> {ourc.parameter = "fc.bias", ourc.frozen}) -> tensor<?x96xf32> {
  %0 = aten.call "linear.default"(input = %x, weight = %w, bias = %b)
      : (tensor<?x64xf32>, tensor<96x64xf32>, tensor<96xf32>) -> tensor<?x96xf32> loc(#net)
  %1 = aten.call "relu.default"(self = %0) : (tensor<?x96xf32>) -> tensor<?x96xf32> loc(#act)
  return %1 : tensor<?x96xf32>
}
