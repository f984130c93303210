"""Window reductions: kernels, strides, dilations, padding, NaN; prologue and epilogue."""

import sys

import numpy as np

from kernel_cases import Case, bf16, from_bf16, run

rng = np.random.default_rng(13)
cases = []


def pool(x, window, strides, dilations, pads, kind):
    """Reference in numpy; x is NHWC."""
    fill = -np.inf if kind == "max" else 0
    x = np.pad(x.astype(np.float64), ((0, 0), pads[0], pads[1], (0, 0)), constant_values=fill)
    span = [(w - 1) * d + 1 for w, d in zip(window, dilations)]
    oh, ow = [(x.shape[i + 1] - span[i]) // strides[i] + 1 for i in range(2)]
    out = np.full((x.shape[0], oh, ow, x.shape[3]), fill, np.float64)
    with np.errstate(invalid="ignore"):
        for i in range(window[0]):
            for j in range(window[1]):
                part = x[:, i * dilations[0]:i * dilations[0] + (oh - 1) * strides[0] + 1:strides[0],
                         j * dilations[1]:j * dilations[1] + (ow - 1) * strides[1] + 1:strides[1]]
                out = np.maximum(out, part) if kind == "max" else out + part
    return out


def text(shape, out, window, strides, dilations, pads, kind, e, dynamic, epilogue):
    dims = ["?" if dynamic and i in (0, 1) else s for i, s in enumerate(shape)]
    t = "tensor<" + "x".join(map(str, dims)) + f"x{e}>"
    pdims = ["?" if d == "?" else d + (sum(pads[i - 1]) if i in (1, 2) else 0) for i, d in enumerate(dims)]
    pt = "tensor<" + "x".join(map(str, pdims)) + f"x{e}>"
    odims = ["?" if d == "?" else o for d, o in zip(dims, out)]
    ot = "tensor<" + "x".join(map(str, odims)) + f"x{e}>"
    bits = {"f32": "0xFF800000", "bf16": "0xFF80", "f16": "0xFC00"}[e]
    neutral = bits if kind == "max" else "0.0"
    pad = "%x"
    body = ""
    if any(map(any, pads)):
        pad = "%p"
        body = f"""  %p = tensor.pad %x low[0, {pads[0][0]}, {pads[1][0]}, 0] high[0, {pads[0][1]}, {pads[1][1]}, 0] {{
    ^bb0(%i: index, %j: index, %k: index, %l: index):
      tensor.yield %c : {e}
  }} : {t} to {pt}
"""
    else:
        pt = t
    end = "%r"
    tail = ""
    if epilogue:
        end = "%s"
        tail = f"""  %s = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}}
      ins(%r : {ot}) outs(%o : {ot}) {{
    ^bb0(%v: {e}, %u: {e}):
      %k = arith.constant 0.25 : {e}
      %0 = arith.mulf %v, %k : {e}
      linalg.yield %0 : {e}
  }} -> {ot}
"""
    return f"""#id = affine_map<(a, b, c, d) -> (a, b, c, d)>
kernel.func @k(%x: {t}, %o: {ot}) -> {ot} attributes {{schedule = #kernel.cpu_pool<lanes = $L, grain = 4>}} {{
  %c = arith.constant {neutral} : {e}
{body}  %w = tensor.empty() : tensor<{window[0]}x{window[1]}x{e}>
  %f = linalg.fill ins(%c : {e}) outs(%o : {ot}) -> {ot}
  %r = linalg.pooling_nhwc_{kind} {{strides = dense<{list(strides)}> : tensor<2xi64>, dilations = dense<{list(dilations)}> : tensor<2xi64>}}
      ins({pad}, %w : {pt}, tensor<{window[0]}x{window[1]}x{e}>) outs(%f : {ot}) -> {ot}
{tail}  kernel.return {end} : {ot}
}}
"""


def add(name, shape, window, strides=(1, 1), dilations=(1, 1), pads=((0, 0), (0, 0)), e="f32", nan=False):
    x = rng.standard_normal(shape).astype(np.float32)
    if nan:
        x[0, 1, 1, 0], x[0, 2, 0, 1], x[0, 0, 2, 2] = np.nan, np.inf, -np.inf
    data = {"f32": x, "f16": x.astype(np.float16), "bf16": bf16(x)}[e]
    exact = {"f32": x, "f16": x.astype(np.float16), "bf16": from_bf16(bf16(x))}[e]
    for kind in ("max", "sum"):
        for dynamic in (False, True):
            for epilogue in (False, True):
                want = pool(exact, window, strides, dilations, pads, kind) * (0.25 if epilogue else 1)
                case = text(shape, want.shape, window, strides, dilations, pads, kind, e, dynamic, epilogue)
                tag = f"{name}_{kind}{'_dynamic' if dynamic else ''}{'_epilogue' if epilogue else ''}"
                tolerance = 2e-6 if e == "f32" else 3e-2
                want = want.astype(np.float16 if e == "f16" else np.float32)
                cases.append(Case(tag, case, [data], [want], tolerance, tolerance, e == "bf16"))


same = ((1, 1), (1, 1))
add("k2s2", (2, 8, 8, 20), (2, 2), (2, 2))
add("k3s2p1", (1, 9, 7, 16), (3, 3), (2, 2), pads=same)
add("k3s2p1_nan", (1, 9, 7, 33), (3, 3), (2, 2), pads=same, nan=True)
add("k3s1d2", (1, 9, 9, 5), (3, 3), dilations=(2, 2))
add("k3d2p2", (1, 6, 7, 8), (3, 3), (1, 2), (2, 1), ((2, 2), (1, 1)))
add("uneven", (1, 5, 6, 3), (2, 5), (3, 1), pads=((0, 1), (2, 3)))
add("global", (2, 7, 7, 50), (7, 7))
add("one_channel", (1, 13, 13, 1), (3, 3), (2, 2), pads=same)
add("bf16", (1, 9, 7, 18), (3, 3), (2, 2), pads=same, e="bf16")
add("f16", (1, 9, 7, 18), (3, 3), (2, 2), pads=same, e="f16")

sys.exit(run(cases, sys.argv[1]))
