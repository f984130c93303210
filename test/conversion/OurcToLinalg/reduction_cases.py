"""Reductions, windows, contractions and convolutions."""

import itertools

import numpy as np

from lowering import NUMPY, case, rounded, run

rng = np.random.default_rng(3)
FLOATS = ["f64", "f32", "f16", "bf16"]
INTS = ["i64", "i32", "i16", "i8"]


def tensor(shape, e):
    return "tensor<" + "".join(f"{n}x" for n in shape) + e + ">"


def data(shape, e, low=-4, high=5):
    if e == "i1":
        return rng.random(shape) < 0.7
    if e.startswith("i"):
        return rng.integers(low, high, shape)
    return rounded(rng.standard_normal(shape), e)


REDUCE = {"add": np.sum, "mul": np.prod, "maximum": np.max, "minimum": np.min}
for e in FLOATS + INTS:
    x = data((3, 7, 5), e)
    if e in FLOATS:
        x[0, 0, 0], x[1, 2, 3], x[1, 2, 4] = np.inf, np.nan, -np.inf
    for op, f in REDUCE.items():
        for dims in [(1,), (0, 2), (0, 1, 2), ()]:
            shape = tuple(n for i, n in enumerate(x.shape) if i not in dims)
            with np.errstate(all="ignore"):
                reference = f(x, axis=dims) if dims else x
                scale = np.sum(np.abs(x), axis=dims) if op == "add" and dims else None
                if e in INTS:
                    reference = reference.astype(NUMPY[e])
            case(f"{op}_{e}_{''.join(map(str, dims))}",
                 f"ourc.reduce {op} %a0 [{', '.join(map(str, dims))}] : {tensor(x.shape, e)} -> {tensor(shape, e)}",
                 [(x, e)], tensor(shape, e), reference, scale=scale)
        info = np.iinfo(NUMPY[e]) if e in INTS else None
        neutral = {"add": 0, "mul": 1, "maximum": info.min if info else -np.inf,
                   "minimum": info.max if info else np.inf}[op]
        case(f"{op}_{e}_empty", f"ourc.reduce {op} %a0 [1] : {tensor((2, 0), e)} -> {tensor((2,), e)}",
             [(np.zeros((2, 0)), e)], tensor((2,), e), np.array([neutral, neutral]))
for e in INTS + ["i1"]:
    x = data((3, 7), e, 0, 100)
    for op, f, neutral in [("and", np.bitwise_and, -1), ("or", np.bitwise_or, 0)]:
        case(f"{op}_{e}", f"ourc.reduce {op} %a0 [1] : {tensor((3, 7), e)} -> {tensor((3,), e)}", [(x, e)],
             tensor((3,), e), f.reduce(np.asarray(x).astype(NUMPY[e]), axis=1))
# A sum that f16 could not hold step by step: it is accumulated in f32.
ones = np.ones(4000)
for e in ["f16", "bf16"]:
    case(f"long_sum_{e}", f"ourc.reduce add %a0 [0] : tensor<4000x{e}> -> tensor<{e}>", [(ones, e)], f"tensor<{e}>",
         np.float64(4000))


def windows(x, size, stride, dilation, low, high, border):
    """[batch, spatial…, channels] -> [batch, out…, channels, window…]"""
    rank = len(size)
    x = np.pad(x, [(0, 0), *zip(low, high), (0, 0)], constant_values=border)
    out = [(x.shape[i + 1] - dilation[i] * (size[i] - 1) - 1) // stride[i] + 1 for i in range(rank)]
    result = np.empty((x.shape[0], *out, x.shape[-1], *size), x.dtype)
    for at in itertools.product(*map(range, size)):
        part = tuple(slice(at[i] * dilation[i], at[i] * dilation[i] + (out[i] - 1) * stride[i] + 1, stride[i]) for i in range(rank))
        result[(..., *at)] = x[(slice(None), *part)]
    return result


def lists(*values):
    return ["[" + ", ".join(map(str, v)) + "]" for v in values]


SHAPES = [((2, 9, 3), (3,), (2,), (1,), (1,), (1,)), ((1, 7, 8, 3), (3, 2), (2, 1), (1, 2), (1, 0), (1, 1)),
          ((1, 5, 4, 6, 2), (2, 3, 2), (1, 1, 2), (1, 1, 1), (0, 1, 0), (1, 1, 1))]
for shape, size, stride, dilation, low, high in SHAPES:
    for e in FLOATS + ["i32", "i8"]:
        x = data(shape, e)
        if e in FLOATS:
            x.reshape(-1)[3] = np.nan
        least = np.iinfo(NUMPY[e]).min if e not in FLOATS else -np.inf
        for kind, border in [("max", least), ("sum", 0)]:
            w = windows(x, size, stride, dilation, low, high, border)
            axes = tuple(range(len(shape), w.ndim))
            with np.errstate(all="ignore"):
                reference = w.max(axes) if kind == "max" else w.sum(axes)
                scale = np.abs(w).sum(axes) if kind == "sum" else None
            a, b, c, d, f = lists(size, stride, dilation, low, high)
            t = tensor(reference.shape, e)
            case(f"pool_{kind}_{len(size)}d_{e}",
                 f"ourc.pool {kind} %a0 window {a} strides {b} dilations {c} low {d} high {f} : {tensor(shape, e)} -> {t}",
                 [(x, e)], t, reference, scale=scale)

    for e in FLOATS:
        for groups in [1, shape[-1]] if shape[-1] > 1 else [1]:
            x = data(shape, e)
            f = data((groups * 2, *size, shape[-1] // groups), e)
            w = windows(x, size, stride, dilation, low, high, 0)
            per, outs = shape[-1] // groups, 2
            reference = np.empty((*w.shape[: len(size) + 1], groups * outs))
            scale = np.empty_like(reference)
            letters = "xyz"[: len(size)]
            for g in range(groups):
                part = w[(slice(None),) * (len(size) + 1) + (slice(g * per, (g + 1) * per),)]
                filters = f[g * outs : (g + 1) * outs]
                spec = f"...c{letters},o{letters}c->...o"
                reference[..., g * outs : (g + 1) * outs] = np.einsum(spec, part, filters)
                scale[..., g * outs : (g + 1) * outs] = np.einsum(spec, np.abs(part), np.abs(filters))
            b, c, d, h = lists(stride, dilation, low, high)
            t = tensor(reference.shape, e)
            case(f"convolution_{len(size)}d_{groups}_{e}",
                 f"ourc.convolution %a0, %a1 strides {b} dilations {c} low {d} high {h} groups {groups} "
                 f": {tensor(shape, e)}, {tensor(f.shape, e)} -> {t}", [(x, e), (f, e)], t, reference, scale=scale)

for e in FLOATS + INTS:
    for k, (a, b, lb, rb, lc, rc, spec) in enumerate([
        ((5, 13), (13, 7), [], [], [1], [0], "ij,jk->ik"),
        ((13, 5), (7, 13), [], [], [0], [1], "ji,kj->ik"),
        ((2, 5, 13), (2, 13, 7), [0], [0], [2], [1], "bij,bjk->bik"),
        ((5, 2, 13, 3), (3, 7, 13, 2), [1, 3], [3, 0], [2], [2], "ibjc,ckjb->bcik"),
        ((5,), (7,), [], [], [], [], "i,j->ij"),
        ((13,), (13,), [], [], [0], [0], "i,i->"),
        ((3, 4, 5), (5, 4, 2), [], [], [1, 2], [1, 0], "ijk,kjl->il"),
        ((3, 0), (0, 2), [], [], [1], [0], "ij,jk->ik"),
    ]):
        x, y = data(a, e), data(b, e)
        reference = np.einsum(spec, x, y)
        scale = np.einsum(spec, np.abs(x), np.abs(y))
        if e in INTS:
            reference = reference.astype(NUMPY[e])
        p, q, r, s = lists(lb, rb, lc, rc)
        t = tensor(reference.shape, e)
        case(f"contract_{k}_{e}", f"ourc.contract %a0, %a1 batch {p}, {q} contract {r}, {s} : {tensor(a, e)}, {tensor(b, e)} -> {t}",
             [(x, e), (y, e)], t, reference, scale=scale)
# Operands read through broadcasts and transposes.
x, w = data((2, 3, 5), "f64"), data((5, 4), "f64")
case("contract_views", """
  %0 = ourc.transpose %a1 [1, 0] : tensor<5x4xf64> -> tensor<4x5xf64>
  %1 = ourc.broadcast %0 dims [1, 2] sizes [2, 4, 5] : tensor<4x5xf64> -> tensor<2x4x5xf64>
  %2 = ourc.contract %a0, %1 batch [0], [0] contract [2], [2] : tensor<2x3x5xf64>, tensor<2x4x5xf64> -> tensor<2x3x4xf64>
  return %2 : tensor<2x3x4xf64>""", [(x, "f64"), (w, "f64")], "tensor<2x3x4xf64>", x @ w)
# Both sides constant along the summed dimension.
v = data((3, 1), "f64")
case("contract_repeated", """
  %0 = ourc.broadcast %a0 dims [0, 1] sizes [3, 6] : tensor<3x1xf64> -> tensor<3x6xf64>
  %1 = ourc.contract %0, %0 batch [], [] contract [1], [1] : tensor<3x6xf64>, tensor<3x6xf64> -> tensor<3x3xf64>
  return %1 : tensor<3x3xf64>""", [(v, "f64")], "tensor<3x3xf64>", 6 * v @ v.T)
d = "tensor<?x?xf32>"
x, y = data((3, 4), "f32"), data((4, 2), "f32")
case("contract_dynamic", f"ourc.contract %a0, %a1 batch [], [] contract [1], [0] : {d}, {d} -> {d}", [(x, "f32"), (y, "f32")], d,
     x @ y, types={0: d, 1: d}, scale=np.abs(x) @ np.abs(y))
x = data((1, 6, 5, 3), "f32")
w = windows(x, (3, 3), (1, 1), (1, 1), (1, 1), (1, 1), -np.inf)
case("pool_dynamic", "ourc.pool max %a0 window [3, 3] strides [1, 1] dilations [1, 1] low [1, 1] high [1, 1] : "
     "tensor<?x?x?x3xf32> -> tensor<?x?x?x3xf32>", [(x, "f32")], "tensor<?x?x?x3xf32>", w.max((4, 5)),
     types={0: "tensor<?x?x?x3xf32>"})
f = data((4, 3, 3, 3), "f32")
w = windows(x, (3, 3), (2, 2), (1, 1), (1, 1), (1, 1), 0)
case("convolution_more_static", "ourc.convolution %a0, %a1 strides [2, 2] dilations [1, 1] low [1, 1] high [1, 1] groups 1 : "
     "tensor<?x?x?x3xf32>, tensor<4x3x3x3xf32> -> tensor<1x3x3x4xf32>", [(x, "f32"), (f, "f32")], "tensor<1x3x3x4xf32>",
     np.einsum("...cxy,oxyc->...o", w, f), types={0: "tensor<?x?x?x3xf32>"},
     scale=np.einsum("...cxy,oxyc->...o", np.abs(w), np.abs(f)))
run()
