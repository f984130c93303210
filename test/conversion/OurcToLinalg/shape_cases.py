"""Ops that move elements, on every element type, static and dynamic."""

import numpy as np

from lowering import case, rounded, run

rng = np.random.default_rng(2)


def tensor(shape, e="f32"):
    return "tensor<" + "".join(f"{n}x" for n in shape) + e + ">"


def data(shape, e):
    if e == "i1":
        return rng.random(shape) < 0.5
    if e.startswith("i"):
        return rng.integers(-100, 100, shape)
    return rounded(rng.standard_normal(shape), e)


# Reshapes: static ones of every kind.
for k, (a, b) in enumerate([
    ((2, 7, 384), (14, 384)), ((14, 384), (2, 7, 12, 32)), ((2, 3, 4), (4, 3, 2)), ((6, 4), (4, 6)), ((24,), (2, 3, 4)),
    ((2, 3, 4), (24,)), ((1, 5, 1), (5,)), ((5,), (1, 1, 5, 1)), ((1, 1), ()), ((), (1, 1)), ((), ()),
    ((2, 1, 6), (2, 6, 1)), ((4, 9), (2, 2, 3, 3)), ((0, 3), (3, 0)), ((2, 6, 5), (3, 4, 5)), ((5, 2, 6), (5, 3, 4)),
]):
    x = data(a, "f32")
    case(f"reshape_{k}", f"ourc.reshape %a0 sizes [{', '.join(map(str, b))}] : {tensor(a)} -> {tensor(b)}", [(x, "f32")],
         tensor(b), x.reshape(b))
# Dynamic ones: from sizes that are known to agree, and from sizes about which nothing is known. (Two
# dynamic sizes out of one, which upstream cannot lower, are in reshape.mlir.)
x = data((3, 5, 8), "f32")
for k, (sizes, result, shape, extra) in enumerate([
    ("%m, 8", "tensor<?x8xf32>", (15, 8), "%m = arith.muli %d0, %d1 : index"),
    ("%d0, %d1, 2, 4", "tensor<?x?x2x4xf32>", (3, 5, 2, 4), ""),
    ("%d0, 1, 1, %d1, 8", "tensor<?x1x1x?x8xf32>", (3, 1, 1, 5, 8), ""),
    ("%a1, 4", "tensor<?x4xf32>", (30, 4), ""),
    ("%a1, 2, 2", "tensor<?x2x2xf32>", (30, 2, 2), ""),
    ("120", "tensor<120xf32>", (120,), ""),
    ("3, 5, 8", "tensor<3x5x8xf32>", (3, 5, 8), ""),
    ("3, 40", "tensor<3x40xf32>", (3, 40), ""),
]):
    case(f"reshape_dynamic_{k}", f"""
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d0 = tensor.dim %a0, %c0 : tensor<?x?x8xf32>
  %d1 = tensor.dim %a0, %c1 : tensor<?x?x8xf32>
  {extra}
  %r = ourc.reshape %a0 sizes [{sizes}] : tensor<?x?x8xf32> -> {result}
  return %r : {result}""", [(x, "f32"), 30], result, x.reshape(shape), types={0: "tensor<?x?x8xf32>"})

for e in ["f64", "f32", "f16", "bf16", "i64", "i32", "i16", "i8", "i1"]:
    x, y = data((2, 3, 5), e), data((2, 4, 5), e)
    t = tensor((2, 3, 5), e)
    case(f"transpose_{e}", f"ourc.transpose %a0 [2, 0, 1] : {t} -> {tensor((5, 2, 3), e)}", [(x, e)],
         tensor((5, 2, 3), e), x.transpose(2, 0, 1))
    case(f"broadcast_{e}", f"ourc.broadcast %a0 dims [0, 2] sizes [4, 2, 3] : {tensor((1, 3), e)} -> {tensor((4, 2, 3), e)}",
         [(x[:1, :, 0], e)], tensor((4, 2, 3), e), np.broadcast_to(x[:1, :, 0][:, None], (4, 2, 3)))
    case(f"slice_{e}", f"ourc.slice %a0 offsets [1, 0, 1] sizes [1, 2, 2] strides [1, 2, 3] : {t} -> {tensor((1, 2, 2), e)}",
         [(x, e)], tensor((1, 2, 2), e), x[1:2, 0:3:2, 1:5:3])
    value = {"i1": "true", "f": "-0.5", "b": "-0.5", "i": "7"}[e if e == "i1" else e[0]]
    number = {"true": True, "-0.5": -0.5, "7": 7}[value]
    typed = "true" if e == "i1" else f"{value} : {e}"
    case(f"pad_{e}", f"ourc.pad %a0 low [1, 0, 2] high [0, 1, 0] value ({typed}) : {t} -> {tensor((3, 4, 7), e)}",
         [(x, e)], tensor((3, 4, 7), e), np.pad(x, ((1, 0), (0, 1), (2, 0)), constant_values=number))
    case(f"concat_{e}", f"ourc.concat %a0, %a1, %a0 dim 1 : {t}, {tensor((2, 4, 5), e)}, {t} -> {tensor((2, 10, 5), e)}",
         [(x, e), (y, e)], tensor((2, 10, 5), e), np.concatenate([x, y, x], 1))
    rows = rng.integers(0, 3, (2, 4))
    case(f"gather_{e}", f"ourc.gather %a0 at %a1 axes [1] : {t}, tensor<2x4xi64> -> {tensor((2, 4, 2, 5), e)}",
         [(x, e), (rows, "i64")], tensor((2, 4, 2, 5), e), x[:, rows].transpose(1, 2, 0, 3))
    i, j = rng.integers(0, 2, 6), rng.integers(0, 5, 6)
    case(f"gather_two_{e}", f"ourc.gather %a0 at %a2, %a1 axes [2, 0] : {t}, tensor<6xi32>, tensor<6xi32> -> {tensor((6, 3), e)}",
         [(x, e), (i, "i32"), (j, "i32")], tensor((6, 3), e), x[i, :, j])
    place, put = np.array([2, 0, 2, 1]), data((4, 2, 5), e)
    want = x.copy()
    for k, at in enumerate(place):
        want[:, at] = put[k]
    case(f"scatter_{e}", f"ourc.scatter %a1 into %a0 at %a2 axes [1] : {tensor((4, 2, 5), e)}, {t}, tensor<4xi64> -> {t}",
         [(x, e), (put, e), (place, "i64")], t, want)
    case(f"constant_{e}", f"ourc.constant dense<{'[true, false]' if e == 'i1' else f'[{value}, {value}]'}> : tensor<2x{e}>", [],
         f"tensor<2x{e}>", np.array([True, False]) if e == "i1" else np.array([number, number]))
for e in ["f64", "f32", "f16", "bf16", "i64", "i32", "i16", "i8"]:
    case(f"iota_{e}", f"ourc.iota dim 1 sizes [2, 9] : tensor<2x9x{e}>", [], f"tensor<2x9x{e}>",
         np.broadcast_to(np.arange(9), (2, 9)))
x = data((4, 3), "f32")
case("gather_scalar", "ourc.gather %a0 at %a1 axes [0] : tensor<4x3xf32>, tensor<i64> -> tensor<3xf32>",
     [(x, "f32"), (np.int64(2), "i64")], "tensor<3xf32>", x[2])

# Written one after the other, and joined with what is there.
y, i, j = data((5,), "f32"), np.array([1, 3, 1, 0, 1]), np.array([2, 0, 2, 1, 2])
for name, join in {"add": np.add.at, "mul": np.multiply.at, "maximum": np.maximum.at}.items():
    want = x.copy()
    join(want, (i, j), y)
    case(f"scatter_{name}", f"ourc.scatter by {name} %a1 into %a0 at %a2, %a3 axes [0, 1] : tensor<5xf32>, tensor<4x3xf32>, "
         "tensor<5xi64>, tensor<5xi64> -> tensor<4x3xf32>", [(x, "f32"), (y, "f32"), (i, "i64"), (j, "i64")], "tensor<4x3xf32>", want)
case("scatter_scalar", "ourc.scatter %a1 into %a0 at %a2 axes [0] : tensor<3xf32>, tensor<4x3xf32>, tensor<i64> -> tensor<4x3xf32>",
     [(x, "f32"), (x[3], "f32"), (np.int64(1), "i64")], "tensor<4x3xf32>", x[[0, 3, 2, 3]])

# Nothing, from behind the last element.
case("slice_nothing", "ourc.slice %a0 offsets [4, 1] sizes [0, 2] strides [1, 1] : tensor<4x3xf32> -> tensor<0x2xf32>",
     [(x, "f32")], "tensor<0x2xf32>", x[4:, 1:])
y = data((1, 0, 13, 16), "f32")
case("reshape_nothing", "ourc.reshape %a0 sizes [0, 16] : tensor<1x0x13x16xf32> -> tensor<0x16xf32>",
     [(y, "f32")], "tensor<0x16xf32>", y.reshape(0, 16))
case("reshape_to_nothing", "ourc.reshape %a0 sizes [0, 16] : tensor<1x?x13x16xf32> -> tensor<0x16xf32>",
     [(y, "f32")], "tensor<0x16xf32>", y.reshape(0, 16), types={0: "tensor<1x?x13x16xf32>"})

# Dynamic sizes of each.
x = data((3, 4), "f32")
d = "tensor<?x?xf32>"
case("dynamic_transpose", f"ourc.transpose %a0 [1, 0] : {d} -> {d}", [(x, "f32")], d, x.T, types={0: d})
case("dynamic_broadcast", f"ourc.broadcast %a0 dims [1] sizes [%a1, %a2] : tensor<?xf32> -> {d}", [(x[0], "f32"), 6, 4], d,
     np.broadcast_to(x[0], (6, 4)), types={0: "tensor<?xf32>"})
case("dynamic_slice", f"ourc.slice %a0 offsets [%a1, 1] sizes [%a2, 2] strides [1, 2] : {d} -> tensor<?x2xf32>",
     [(x, "f32"), 1, 2], "tensor<?x2xf32>", x[1:3, 1:4:2], types={0: d})
case("dynamic_pad", f"ourc.pad %a0 low [1, 0] high [0, 2] value (0.0 : f32) : {d} -> {d}", [(x, "f32")], d,
     np.pad(x, ((1, 0), (0, 2))), types={0: d})
case("dynamic_concat", f"ourc.concat %a0, %a1 dim 0 : {d}, tensor<2x4xf32> -> {d}", [(x, "f32"), (x[:2], "f32")], d,
     np.concatenate([x, x[:2]]), types={0: d})
case("dynamic_iota", f"ourc.iota dim 0 sizes [%a0, 3] : tensor<?x3xi32>", [5], "tensor<?x3xi32>",
     np.broadcast_to(np.arange(5)[:, None], (5, 3)))
case("more_static", f"ourc.transpose %a0 [1, 0] : tensor<?x4xf32> -> tensor<4x3xf32>", [(x, "f32")], "tensor<4x3xf32>", x.T,
     types={0: "tensor<?x4xf32>"})
# Unit reshapes are looked through by a broadcast's user.
v = data((4,), "f32")
case("unit_reshape", """
  %0 = ourc.reshape %a1 sizes [1, 4, 1] : tensor<4xf32> -> tensor<1x4x1xf32>
  %1 = ourc.broadcast %0 dims [0, 1, 2] sizes [2, 4, 3] : tensor<1x4x1xf32> -> tensor<2x4x3xf32>
  %2 = ourc.mul %a0, %1 : tensor<2x4x3xf32>
  return %2 : tensor<2x4x3xf32>""", [(np.ones((2, 4, 3)), "f32"), (v, "f32")], "tensor<2x4x3xf32>",
     np.broadcast_to(v[None, :, None], (2, 4, 3)))
run()
