"""Programs that the graph passes rewrite: the same numbers with and without ourc-graph-pipeline."""

import numpy as np

from lowering import case, rounded, run

rng = np.random.default_rng(5)


def tensor(shape, e):
    return "tensor<" + "".join(f"{n}x" for n in shape) + e + ">"


def data(shape, e="f32", scale=1.0):
    return rounded(scale * rng.standard_normal(shape), e)


def frozen(n, shape, e):
    return tensor(shape, e) + f' {{ourc.parameter = "p{n}", ourc.frozen}}'


def convolution(x, f):
    """Channels last, filter [out, h, w, in], a border of 1."""
    x = np.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
    h, w = x.shape[1] - f.shape[1] + 1, x.shape[2] - f.shape[2] + 1
    return sum(np.einsum("bhwc,oc->bhwo", x[:, i : i + h, j : j + w], f[:, i, j])
               for i in range(f.shape[1]) for j in range(f.shape[2]))


# Batch norms: folded into a convolution with a bias, and alone.
for e in ["f64", "f32", "f16", "bf16"]:
    x, f, bias = data((2, 6, 5, 3), e), data((4, 3, 3, 3), e), data((4,), e)
    mean, variance, weight, beta = data((4,), e), np.abs(data((4,), e)) + 0.5, data((4,), e), data((4,), e)
    variance = rounded(variance, e)
    y = convolution(x, f)
    scale = weight / np.sqrt(variance + 1e-3)
    reference = (y + bias - mean) * scale + beta
    t = tensor(y.shape, e)
    body = f"""
  %0 = ourc.convolution %a0, %a1 strides [1, 1] dilations [1, 1] low [1, 1] high [1, 1] groups 1 : {tensor(x.shape, e)}, {tensor(f.shape, e)} -> {t}
  %1 = ourc.broadcast %a2 dims [3] sizes [2, 6, 5, 4] : {tensor((4,), e)} -> {t}
  %2 = ourc.add %0, %1 : {t}
  %3 = ourc.batch_norm %2 mean %a3 variance %a4 weight %a5 : {tensor((4,), e)} bias %a6 : {tensor((4,), e)} channel 3 epsilon 1.0e-3 : {t}, {tensor((4,), e)}, {tensor((4,), e)}
  return %3 : {t}"""
    types = {i: frozen(i, s, e) for i, s in enumerate([f.shape, *[(4,)] * 5], 1)}
    size = (convolution(np.abs(x), np.abs(f)) + np.abs(bias) + np.abs(mean)) * np.abs(scale) + np.abs(beta)
    # The filter of f16 and bf16 is rounded after it was scaled.
    case(f"batch_norm_{e}", body, [(v, e) for v in (x, f, bias, mean, variance, weight, beta)], t, reference, types=types,
         scale=size)
    case(f"batch_norm_alone_{e}", f"ourc.batch_norm %a0 mean %a1 variance %a2 channel 1 epsilon 1.0e-3 : {tensor(x.shape, e)}, "
         f"{tensor((6,), e)}, {tensor((6,), e)}", [(x, e), (x[0, :, 0, 0], e), (np.abs(x[0, :, 1, 1]), e)], tensor(x.shape, e),
         (x - x[0, :, 0, 0][None, :, None, None]) / np.sqrt(np.abs(x[0, :, 1, 1])[None, :, None, None] + 1e-3),
         scale=(np.abs(x) + np.abs(x[0, :, 0, 0][None, :, None, None])) / np.sqrt(np.abs(x[0, :, 1, 1])[None, :, None, None] + 1e-3))

# Group norms: groups that are rows, and groups of channels behind the pixels.
for e in ["f64", "f32", "f16", "bf16"]:
    x, weight, beta = data((2, 7, 5, 6), e) + 3, data((6,), e), data((6,), e)
    x = rounded(x, e)
    groups = x.reshape(2, 35, 3, 2)
    mean, variance = groups.mean((1, 3), keepdims=True), groups.var((1, 3), keepdims=True)
    reference = ((groups - mean) / np.sqrt(variance + 1e-3)).reshape(x.shape) * weight + beta
    size = ((np.abs(groups) + np.abs(mean)) / np.sqrt(variance + 1e-3)).reshape(x.shape) * np.abs(weight) + np.abs(beta)
    norm = "ourc.group_norm %a0 weight %a1 : {v} bias %a2 : {v} groups 3 channel {c} epsilon 1.0e-3 : {t}"
    v = tensor((6,), e)
    for channel, order in [(3, (0, 1, 2, 3)), (1, (0, 3, 1, 2)), (2, (0, 1, 3, 2))]:
        moved = x.transpose(order)
        case(f"group_norm_{channel}_{e}", norm.format(v=v, c=channel, t=tensor(moved.shape, e)), [(moved, e), (weight, e), (beta, e)],
             tensor(moved.shape, e), reference.transpose(order), scale=size.transpose(order))
        d = f"tensor<?x{'x'.join('6' if i == channel else '?' for i in (1, 2, 3))}x{e}>"
        case(f"dynamic_group_norm_{channel}_{e}", norm.format(v=v, c=channel, t=d), [(moved, e), (weight, e), (beta, e)], d,
             reference.transpose(order), types={0: d}, scale=size.transpose(order))

# Repeats, of static and dynamic sizes.
for e in ["f64", "f32", "f16", "bf16", "i64", "i32", "i16", "i8", "i1"]:
    x = data((2, 3, 4), e)
    y = x.repeat(3, 0).repeat(2, 2)
    case(f"repeat_{e}", f"ourc.repeat %a0 [3, 1, 2] : {tensor(x.shape, e)} -> {tensor(y.shape, e)}", [(x, e)], tensor(y.shape, e), y)
x = data((3, 4))
case("dynamic_repeat", "ourc.repeat %a0 [2, 3] : tensor<?x4xf32> -> tensor<?x12xf32>", [(x, "f32")], "tensor<?x12xf32>",
     x.repeat(2, 0).repeat(3, 1), types={0: "tensor<?x4xf32>"})

# A chain of everything that transposes move past.
x, c = data((2, 5, 6, 3)), data((3, 1, 1))
n = x.transpose(0, 3, 1, 2)
y = np.maximum(n + c, 0) * np.exp(n)
y = np.pad(y, ((0, 0), (0, 0), (1, 0), (0, 2)), constant_values=-1.0)[:, :, 1:6, 0:8:2]
z = np.concatenate([y, y * 2], 1)
e = np.exp(z - z.max(1, keepdims=True))
z = e / e.sum(1, keepdims=True)
case("transposes", """
  %zero = ourc.constant dense<0.0> : tensor<2x3x5x6xf32>
  %two = ourc.constant dense<2.0> : tensor<2x3x5x4xf32>
  %0 = ourc.transpose %a0 [0, 3, 1, 2] : tensor<2x5x6x3xf32> -> tensor<2x3x5x6xf32>
  %1 = ourc.broadcast %a1 dims [1, 2, 3] sizes [2, 3, 5, 6] : tensor<3x1x1xf32> -> tensor<2x3x5x6xf32>
  %2 = ourc.add %0, %1 : tensor<2x3x5x6xf32>
  %3 = ourc.maximum %2, %zero : tensor<2x3x5x6xf32>
  %4 = ourc.exp %0 : tensor<2x3x5x6xf32>
  %5 = ourc.mul %3, %4 : tensor<2x3x5x6xf32>
  %6 = ourc.pad %5 low [0, 0, 1, 0] high [0, 0, 0, 2] value (-1.0 : f32) : tensor<2x3x5x6xf32> -> tensor<2x3x6x8xf32>
  %7 = ourc.slice %6 offsets [0, 0, 1, 0] sizes [2, 3, 5, 4] strides [1, 1, 1, 2] : tensor<2x3x6x8xf32> -> tensor<2x3x5x4xf32>
  %8 = ourc.mul %7, %two : tensor<2x3x5x4xf32>
  %9 = ourc.concat %7, %8 dim 1 : tensor<2x3x5x4xf32>, tensor<2x3x5x4xf32> -> tensor<2x6x5x4xf32>
  %10 = ourc.softmax %9 dim 1 : tensor<2x6x5x4xf32>
  %11 = ourc.reduce add %10 [2] : tensor<2x6x5x4xf32> -> tensor<2x6x4xf32>
  %12 = ourc.broadcast %11 dims [0, 2, 3] sizes [2, 3, 6, 4] : tensor<2x6x4xf32> -> tensor<2x3x6x4xf32>
  return %10, %11, %12 : tensor<2x6x5x4xf32>, tensor<2x6x4xf32>, tensor<2x3x6x4xf32>""", [(x, "f32"), (c, "f32")],
     ["tensor<2x6x5x4xf32>", "tensor<2x6x4xf32>", "tensor<2x3x6x4xf32>"],
     [z, z.sum(2), np.broadcast_to(z.sum(2)[:, None], (2, 3, 6, 4))], tolerance=5e-6)

# Permutations that are not their own inverses, through each mover.
x = data((2, 3, 4, 5))
p = (1, 3, 0, 2)
t = x.transpose(p)
case("permutation", """
  %0 = ourc.transpose %a0 [1, 3, 0, 2] : tensor<2x3x4x5xf32> -> tensor<3x5x2x4xf32>
  %1 = ourc.pad %0 low [1, 0, 2, 0] high [0, 3, 0, 4] value (0.5 : f32) : tensor<3x5x2x4xf32> -> tensor<4x8x4x8xf32>
  %2 = ourc.slice %0 offsets [0, 1, 0, 2] sizes [2, 3, 1, 2] strides [2, 1, 1, 1] : tensor<3x5x2x4xf32> -> tensor<2x3x1x2xf32>
  %3 = ourc.concat %0, %0 dim 1 : tensor<3x5x2x4xf32>, tensor<3x5x2x4xf32> -> tensor<3x10x2x4xf32>
  %4 = ourc.reduce maximum %0 [1] : tensor<3x5x2x4xf32> -> tensor<3x2x4xf32>
  %5 = ourc.broadcast %4 dims [0, 2, 3] sizes [3, 2, 2, 4] : tensor<3x2x4xf32> -> tensor<3x2x2x4xf32>
  return %1, %2, %3, %4, %5 : tensor<4x8x4x8xf32>, tensor<2x3x1x2xf32>, tensor<3x10x2x4xf32>, tensor<3x2x4xf32>, tensor<3x2x2x4xf32>""",
     [(x, "f32")],
     ["tensor<4x8x4x8xf32>", "tensor<2x3x1x2xf32>", "tensor<3x10x2x4xf32>", "tensor<3x2x4xf32>", "tensor<3x2x2x4xf32>"],
     [np.pad(t, ((1, 0), (0, 3), (2, 0), (0, 4)), constant_values=0.5), t[0:3:2, 1:4, 0:1, 2:4], np.concatenate([t, t], 1),
      t.max(1), np.broadcast_to(t.max(1)[:, None], (3, 2, 2, 4))])

# Attention by hand: merged batches, a scale, a mask, the result's heads merged, a linear layer.
q, k, v = data((2, 3, 5, 8)), data((2, 3, 7, 8)), data((2, 3, 7, 4))
m, w, b = rng.random((2, 7)) < 0.7, data((6, 12)), data((6,))
m[:, 1] = True
s = np.where(m[:, None, None], q @ k.transpose(0, 1, 3, 2) / np.sqrt(8), -np.inf)
e = np.exp(s - s.max(-1, keepdims=True))
o = (e / e.sum(-1, keepdims=True)) @ v
flat = o.transpose(0, 2, 1, 3).reshape(2, 5, 12)
case("attention", """
  %low = ourc.constant dense<0xFF800000> : tensor<2x3x5x7xf32>
  %root = ourc.constant dense<2.8284271247461903> : tensor<2x3x5x7xf32>
  %kt = ourc.transpose %a1 [0, 1, 3, 2] : tensor<2x3x7x8xf32> -> tensor<2x3x8x7xf32>
  %q3 = ourc.reshape %a0 sizes [6, 5, 8] : tensor<2x3x5x8xf32> -> tensor<6x5x8xf32>
  %k3 = ourc.reshape %kt sizes [6, 8, 7] : tensor<2x3x8x7xf32> -> tensor<6x8x7xf32>
  %s3 = ourc.contract %q3, %k3 batch [0], [0] contract [2], [1] : tensor<6x5x8xf32>, tensor<6x8x7xf32> -> tensor<6x5x7xf32>
  %s = ourc.reshape %s3 sizes [2, 3, 5, 7] : tensor<6x5x7xf32> -> tensor<2x3x5x7xf32>
  %scaled = ourc.div %s, %root : tensor<2x3x5x7xf32>
  %mask = ourc.broadcast %a3 dims [0, 3] sizes [2, 3, 5, 7] : tensor<2x7xi1> -> tensor<2x3x5x7xi1>
  %masked = ourc.select %mask, %scaled, %low : tensor<2x3x5x7xi1>, tensor<2x3x5x7xf32>
  %p = ourc.softmax %masked dim 3 : tensor<2x3x5x7xf32>
  %p3 = ourc.reshape %p sizes [6, 5, 7] : tensor<2x3x5x7xf32> -> tensor<6x5x7xf32>
  %v3 = ourc.reshape %a2 sizes [6, 7, 4] : tensor<2x3x7x4xf32> -> tensor<6x7x4xf32>
  %o3 = ourc.contract %p3, %v3 batch [0], [0] contract [2], [1] : tensor<6x5x7xf32>, tensor<6x7x4xf32> -> tensor<6x5x4xf32>
  %o = ourc.reshape %o3 sizes [2, 3, 5, 4] : tensor<6x5x4xf32> -> tensor<2x3x5x4xf32>
  %ot = ourc.transpose %o [0, 2, 1, 3] : tensor<2x3x5x4xf32> -> tensor<2x5x3x4xf32>
  %flat = ourc.reshape %ot sizes [10, 12] : tensor<2x5x3x4xf32> -> tensor<10x12xf32>
  %wt = ourc.transpose %a4 [1, 0] : tensor<6x12xf32> -> tensor<12x6xf32>
  %y = ourc.contract %flat, %wt batch [], [] contract [1], [0] : tensor<10x12xf32>, tensor<12x6xf32> -> tensor<10x6xf32>
  %b = ourc.broadcast %a5 dims [1] sizes [10, 6] : tensor<6xf32> -> tensor<10x6xf32>
  %sum = ourc.add %y, %b : tensor<10x6xf32>
  %r = ourc.reshape %sum sizes [2, 5, 6] : tensor<10x6xf32> -> tensor<2x5x6xf32>
  return %r : tensor<2x5x6xf32>""",
     [(q, "f32"), (k, "f32"), (v, "f32"), (m, "i1"), (w, "f32"), (b, "f32")], "tensor<2x5x6xf32>", flat @ w.T + b,
     scale=np.abs(flat) @ np.abs(w).T + np.abs(b), tolerance=5e-6)

# What SimplifyMasks folds: positions, comparisons, logic, work before a broadcast.
x, m = data((6, 5)), rng.random((4, 7)) < 0.5
case("positions", """
  %zero = ourc.constant dense<0> : tensor<3x4xi64>
  %i = ourc.iota dim 0 sizes [3, 4] : tensor<3x4xi64>
  %j = ourc.iota dim 1 sizes [3, 4] : tensor<3x4xi64>
  %0 = ourc.gather %a0 at %j, %i axes [0, 1] : tensor<6x5xf32>, tensor<3x4xi64>, tensor<3x4xi64> -> tensor<3x4xf32>
  %ge = ourc.compare ge %i, %zero : tensor<3x4xi64> -> tensor<3x4xi1>
  %gt = ourc.compare gt %i, %zero : tensor<3x4xi64> -> tensor<3x4xi1>
  %1 = ourc.and %ge, %gt : tensor<3x4xi1>
  %e = ourc.exp %0 : tensor<3x4xf32>
  %2 = ourc.select %1, %0, %e : tensor<3x4xi1>, tensor<3x4xf32>
  %3 = ourc.broadcast %2 dims [1, 2] sizes [2, 3, 4] : tensor<3x4xf32> -> tensor<2x3x4xf32>
  %c = ourc.constant dense<0.5> : tensor<2x3x4xf32>
  %4 = ourc.mul %3, %c : tensor<2x3x4xf32>
  return %4 : tensor<2x3x4xf32>""", [(x, "f32")], "tensor<2x3x4xf32>",
     np.broadcast_to(np.where(np.arange(3)[:, None] > 0, x[:4, :3].T, np.exp(x[:4, :3].T)) * 0.5, (2, 3, 4)))
run("--ourc-decompose")
run("--ourc-graph-pipeline")
