"""Composites: as kernel operations, and taken apart by -ourc-decompose."""

import numpy as np

from lowering import case, narrow, rounded, run

rng = np.random.default_rng(4)
FLOATS = ["f64", "f32", "f16", "bf16"]


def tensor(shape, e):
    return "tensor<" + "".join(f"{n}x" for n in shape) + e + ">"


def data(shape, e, scale=1.0):
    return rounded(scale * rng.standard_normal(shape), e)


def softmax(x, axis=-1):
    m = x.max(axis, keepdims=True)
    with np.errstate(all="ignore"):
        p = np.exp(x - m)
        return p / p.sum(axis, keepdims=True)


def attention(q, k, v, scale, mask=None, causal=False, zero=False):
    s = np.einsum("...sd,...td->...st", q, k) * scale
    if mask is not None:
        s = np.where(mask, s, -np.inf) if mask.dtype == bool else s + mask
    if causal:
        s = np.where(np.tril(np.ones(s.shape[-2:], bool)), s, -np.inf)
    p = softmax(s)
    if zero:
        p = np.where((s == -np.inf).all(-1, keepdims=True), 0, p)
    return np.einsum("...st,...te->...se", p, v), np.einsum("...st,...te->...se", np.nan_to_num(p), np.abs(v))


for e in FLOATS:
    # Softmax: large values, rows with some and with only -inf, NaN and infinity.
    x = data((5, 13), e, 20)
    x[1, :7], x[2], x[3, 2], x[4, 5] = -np.inf, -np.inf, np.nan, np.inf
    for dim in (0, 1):
        case(f"softmax_{dim}_{e}", f"ourc.softmax %a0 dim {dim} : {tensor((5, 13), e)}", [(x, e)], tensor((5, 13), e),
             softmax(x, dim), tolerance={"f32": 5e-6}.get(e))
    # Layer norm: a large mean against a small spread; one element; two dimensions; NaN.
    for k, (shape, dims, offset) in enumerate([((3, 37), 1, 0), ((3, 37), 1, 100), ((4, 1), 1, 5), ((2, 3, 4, 5), 2, 0)]):
        x = rounded(rng.standard_normal(shape) + offset, e)
        if k == 0:
            x[1, 4] = np.nan
        w, b = data(shape[-dims:], e), data(shape[-dims:], e)
        axes = tuple(range(len(shape) - dims, len(shape)))
        mean = x.mean(axes, keepdims=True)
        y = (x - mean) / np.sqrt(((x - mean) ** 2).mean(axes, keepdims=True) + 1e-5)
        t, tw = tensor(shape, e), tensor(shape[-dims:], e)
        # The mean's rounding is relative to the elements, whatever their spread is.
        scale = np.abs(y * w) + np.abs(b) + (np.abs(x) + np.abs(mean)) * np.abs(w)
        case(f"layer_norm_{k}_{e}", f"ourc.layer_norm %a0 weight %a1 : {tw} bias %a2 : {tw} dims {dims} epsilon 1.0e-5 : {t}",
             [(x, e), (w, e), (b, e)], t, y * w + b, scale=scale)
        case(f"layer_norm_plain_{k}_{e}", f"ourc.layer_norm %a0 dims {dims} epsilon 1.0e-5 : {t}", [(x, e)], t, y,
             scale=np.abs(y) + np.abs(x) + np.abs(mean))
    x, w, b = data((2, 3, 19), e), data((5, 19), e), data((5,), e)
    t = tensor((2, 3, 5), e)
    scale = np.abs(x) @ np.abs(w).T
    case(f"linear_{e}", f"ourc.linear %a0, %a1 bias %a2 : {tensor((2, 3, 19), e)}, {tensor((5, 19), e)}, {tensor((5,), e)} -> {t}",
         [(x, e), (w, e), (b, e)], t, x @ w.T + b, scale=scale + np.abs(b))
    case(f"linear_plain_{e}", f"ourc.linear %a0, %a1 : {tensor((19,), e)}, {tensor((5, 19), e)} -> {tensor((5,), e)}",
         [(x[0, 0], e), (w, e)], tensor((5,), e), w @ x[0, 0], scale=scale[0, 0])

    # Attention: masks of every kind, sizes that differ, rows without a key.
    b, h, s, t, d, v = 2, 3, 5, 7, 8, 4
    q, k, u = data((b, h, s, d), e), data((b, h, t, d), e), data((b, h, t, v), e)
    tq, tk, tv, to = (tensor(x, e) for x in ((b, h, s, d), (b, h, t, d), (b, h, t, v), (b, h, s, v)))
    keep = rng.random((b, 1, s, t)) < 0.6
    keep[0, 0, 2] = False
    bias = rounded(np.where(rng.random((1, h, 1, t)) < 0.8, rng.standard_normal((1, h, 1, t)), -np.inf), e)
    tolerance = {"f16": 2.0**-9, "bf16": 2.0**-6, "f32": 5e-6}.get(e)
    for name, mask, element, flags in [
        ("plain", None, "", ""), ("causal", None, "", "causal"), ("bool", keep, "i1", ""), ("zero", keep, "i1", "zero_masked_rows"),
        ("float", bias, e, ""), ("both", keep[:, :, :1], "i1", "causal zero_masked_rows"),
    ]:
        reference, scale = attention(q, k, u, 0.3, mask, "causal" in flags, "zero" in flags)
        given = "" if mask is None else f"mask %a3 : {tensor(mask.shape, element)}"
        case(f"attention_{name}_{e}", f"ourc.attention %a0, %a1, %a2 {given} scale 0.3 {flags} : {tq}, {tk}, {tv} -> {to}",
             [(q, e), (k, e), (u, e)] + ([(mask, element)] if mask is not None else []), to, reference, scale=scale,
             tolerance=tolerance)
# Transposed operands and a broadcast mask become maps.
q = data((2, 5, 3, 8), "f32")
m = rng.random((2, 5)) < 0.7
m[:, 0] = True
reference, scale = attention(*[q.transpose(0, 2, 1, 3)] * 3, 0.25, m[:, None, None])
case("attention_views", """
  %0 = ourc.transpose %a0 [0, 2, 1, 3] : tensor<2x5x3x8xf32> -> tensor<2x3x5x8xf32>
  %1 = ourc.broadcast %a1 dims [0, 3] sizes [2, 3, 5, 5] : tensor<2x5xi1> -> tensor<2x3x5x5xi1>
  %2 = ourc.attention %0, %0, %0 mask %1 : tensor<2x3x5x5xi1> scale 0.25 : tensor<2x3x5x8xf32>, tensor<2x3x5x8xf32>, tensor<2x3x5x8xf32> -> tensor<2x3x5x8xf32>
  %3 = ourc.transpose %2 [0, 2, 1, 3] : tensor<2x3x5x8xf32> -> tensor<2x5x3x8xf32>
  return %3 : tensor<2x5x3x8xf32>""", [(q, "f32"), (m, "i1")], "tensor<2x5x3x8xf32>", reference.transpose(0, 2, 1, 3),
     scale=scale.transpose(0, 2, 1, 3), tolerance=5e-6)
dynamic = "tensor<?x?x?x8xf32>"
q = q.transpose(0, 2, 1, 3).copy()
reference, scale = attention(q, q, q, 0.25, causal=True)
case("attention_dynamic", f"ourc.attention %a0, %a0, %a0 scale 0.25 causal : {dynamic}, {dynamic}, {dynamic} -> {dynamic}",
     [(q, "f32")], dynamic, reference, types={0: dynamic}, scale=scale, tolerance=5e-6)
run()
run("--ourc-decompose=keep=none")
