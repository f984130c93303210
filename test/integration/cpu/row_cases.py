"""Kernels with reductions: softmax, layer norm, sums and extrema of all dimensions and types."""

import sys

import numpy as np

from kernel_cases import Case, bf16, from_bf16, run

rng = np.random.default_rng(11)
cases = []
SCHEDULE = "attributes {schedule = #kernel.cpu_row<lanes = $L, unroll = 4, grain = 2, interleave = $I>}"


def case(name, text, inputs, results, **kw):
    cases.append(Case(name, text.replace("$S", SCHEDULE), inputs, results, **kw))


SOFTMAX_STATE = """dimensions = [$D] init {
    %n = arith.constant 0xFF800000 : f32
    %z = arith.constant 0.0 : f32
    kernel.yield %n, %z : f32, f32
  } accumulate {
  ^bb0(%m: f32, %s: f32, %v: f32):
    %m1 = arith.maximumf %m, %v : f32
    %low = arith.constant 0xFF800000 : f32
    %z = arith.constant 0.0 : f32
    %is = arith.cmpf oeq, %m1, %low : f32
    %shift = arith.select %is, %z, %m1 : f32
    %d = arith.subf %m, %shift : f32
    %e = math.exp %d : f32
    %s1 = arith.mulf %s, %e : f32
    %d2 = arith.subf %v, %shift : f32
    %e2 = math.exp %d2 : f32
    %s2 = arith.addf %s1, %e2 : f32
    kernel.yield %m1, %s2 : f32, f32
  } merge {
  ^bb0(%m: f32, %s: f32, %n: f32, %t: f32):
    %m1 = arith.maximumf %m, %n : f32
    %low = arith.constant 0xFF800000 : f32
    %z = arith.constant 0.0 : f32
    %is = arith.cmpf oeq, %m1, %low : f32
    %shift = arith.select %is, %z, %m1 : f32
    %d = arith.subf %m, %shift : f32
    %e = math.exp %d : f32
    %s1 = arith.mulf %s, %e : f32
    %d2 = arith.subf %n, %shift : f32
    %e2 = math.exp %d2 : f32
    %s2 = arith.mulf %t, %e2 : f32
    %s3 = arith.addf %s1, %s2 : f32
    kernel.yield %m1, %s3 : f32, f32
  } finish {
  ^bb0(%m: f32, %s: f32):
    kernel.yield %m, %s : f32, f32
  } """


def softmax(x, axis):
    x = x.astype(np.float64)
    with np.errstate(all="ignore"):
        e = np.exp(x - x.max(axis, keepdims=True))
        return (e / e.sum(axis, keepdims=True)).astype(np.float32)


def softmax_text(shape, dim, prologue=False, shared=False):
    """softmax over `dim`; with a prologue, of x * 0.125 + tanh(bias row); `shared`: the last loop
    computes what the sum's terms are."""
    rank = len(shape)
    t = "tensor<" + "x".join(map(str, shape)) + "xf32>"
    kept = [s for i, s in enumerate(shape) if i != dim]
    st = "tensor<" + "".join(f"{s}x" for s in kept) + "f32>"
    dims = ", ".join(f"d{i}" for i in range(rank))
    part = ", ".join(f"d{i}" for i in range(rank) if i != dim)
    sizes = "".join(f"  %c{i} = arith.constant {i} : index\n  %n{i} = tensor.dim %x, %c{i} : {t}\n"
                    for i, s in enumerate(shape) if s == "?")
    dyn = ", ".join(f"%n{i}" for i, s in enumerate(shape) if s == "?" and i != dim)
    args, y, pre = f"%x: {t}", "%x", ""
    if prologue:
        bt = f"tensor<{shape[-1]}xf32>"
        args += f", %b: {bt}"
        alldyn = ", ".join(f"%n{i}" for i, s in enumerate(shape) if s == "?")
        pre = f"""  %ee = tensor.empty({alldyn}) : {t}
  %y = linalg.generic {{indexing_maps = [#id, #last, #id], iterator_types = [{", ".join(['"parallel"'] * rank)}]}}
      ins(%x, %b : {t}, {bt}) outs(%ee : {t}) {{
    ^bb0(%v: f32, %w: f32, %u: f32):
      %k = arith.constant 0.125 : f32
      %0 = arith.mulf %v, %k : f32
      %1 = math.tanh %w : f32
      %2 = arith.addf %0, %1 : f32
      linalg.yield %2 : f32
  }} -> {t}
"""
        y = "%y"
    exponent = "%0 = arith.subf %v, %a : f32"
    if shared:
        exponent = """%low = arith.constant 0xFF800000 : f32
    %zero = arith.constant 0.0 : f32
    %is = arith.cmpf oeq, %a, %low : f32
    %shift = arith.select %is, %zero, %a : f32
    %0 = arith.subf %v, %shift : f32"""
    return f"""#id = affine_map<({dims}) -> ({dims})>
#last = affine_map<({dims}) -> (d{rank - 1})>
#row = affine_map<({dims}) -> ({part})>
kernel.func @k({args}, %o: {t}) -> {t} $S {{
{sizes}{pre}  %es = tensor.empty({dyn}) : {st}
  %m, %s = kernel.coupled_reduce ins({y} : {t}) outs(%es, %es : {st}, {st}) """ + SOFTMAX_STATE.replace(
        "$D", str(dim)) + f"""-> {st}, {st}
  %r = linalg.generic {{indexing_maps = [#id, #row, #row, #id], iterator_types = [{", ".join(['"parallel"'] * rank)}]}}
      ins({y}, %m, %s : {t}, {st}, {st}) outs(%o : {t}) {{
    ^bb0(%v: f32, %a: f32, %b1: f32, %u: f32):
      {exponent}
      %1 = math.exp %0 : f32
      %2 = arith.divf %1, %b1 : f32
      linalg.yield %2 : f32
  }} -> {t}
  kernel.return %r : {t}
}}
"""


for n in (1, 7, 13, 16, 31, 64, 100, 1000):
    x = (rng.standard_normal((5, n)) * 4).astype(np.float32)
    case(f"softmax_{n}", softmax_text([5, n], 1), [x], [softmax(x, 1)], tolerance=2e-6, absolute=1e-37)
    case(f"softmax_dynamic_{n}", softmax_text(["?", "?"], 1), [x], [softmax(x, 1)], tolerance=2e-6, absolute=1e-37)
    case(f"softmax_shared_{n}", softmax_text([5, n], 1, shared=True), [x], [softmax(x, 1)], tolerance=2e-6, absolute=1e-37)
    case(f"softmax_shared_dynamic_{n}", softmax_text(["?", "?"], 1, shared=True), [x], [softmax(x, 1)], tolerance=2e-6,
         absolute=1e-37)
x = rng.standard_normal((4, 40)).astype(np.float32)
x[0, 3], x[1, :], x[2, 5], x[3, ::2] = np.nan, -np.inf, np.inf, -np.inf
case("softmax_edges", softmax_text([4, 40], 1), [x], [softmax(x, 1)], tolerance=2e-6)
case("softmax_shared_edges", softmax_text([4, 40], 1, shared=True), [x], [softmax(x, 1)], tolerance=2e-6)
for rows in (0, 1):
    x = rng.standard_normal((rows, 0 if rows else 9)).astype(np.float32)
    case(f"softmax_empty_{rows}", softmax_text(["?", "?"], 1), [x], [x.copy()])
x, b = rng.standard_normal((2, 3, 4, 37)).astype(np.float32), rng.standard_normal(37).astype(np.float32)
want = softmax(x * np.float32(0.125) + np.tanh(b), 3)
case("softmax_prologue", softmax_text([2, 3, 4, 37], 3, True), [x, b], [want], tolerance=2e-6)
case("softmax_shared_prologue", softmax_text([2, 3, 4, 37], 3, True, True), [x, b], [want], tolerance=2e-6)
case("softmax_prologue_dynamic", softmax_text(["?", 3, "?", 37], 3, True), [x, b], [want], tolerance=2e-6)
for d in range(3):
    for w in (3, 16, 21):
        x = (rng.standard_normal((4, 6, w)) * 3).astype(np.float32)
        case(f"softmax_dim{d}_{w}", softmax_text(["?", 6, w], d), [x], [softmax(x, d)], tolerance=2e-6)
        case(f"softmax_shared_dim{d}_{w}", softmax_text(["?", 6, w], d, shared=True), [x], [softmax(x, d)], tolerance=2e-6)


def layer_norm_text(rows, n, e="f32", residual=False, statistics=False):
    t, st, wt = f"tensor<{rows}x{n}x{e}>", f"tensor<{rows}xf32>", f"tensor<{n}x{e}>"
    up = (lambda a, b: f"%{b} = arith.extf %{a} : {e} to f32") if e != "f32" else \
        (lambda a, b: f"%zero{b} = arith.constant 0.0 : f32\n      %{b} = arith.addf %{a}, %zero{b} : f32")
    down = f"%out = arith.truncf %y3 : f32 to {e}" if e != "f32" else \
        "%one = arith.constant 1.0 : f32\n      %out = arith.mulf %y3, %one : f32"
    sizes = f"  %c0 = arith.constant 0 : index\n  %n0 = tensor.dim %x, %c0 : {t}\n" if rows == "?" else ""
    dyn = "%n0" if rows == "?" else ""
    res, extra, y = (f", %a: {t}", f"""
  %ee = tensor.empty({dyn}) : {t}
  %y = linalg.generic {{indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}}
      ins(%x, %a : {t}, {t}) outs(%ee : {t}) {{
    ^bb0(%v: {e}, %w0: {e}, %u: {e}):
      %0 = arith.addf %v, %w0 : {e}
      linalg.yield %0 : {e}
  }} -> {t}
""", "%y") if residual else ("", "", "%x")
    outs, types = f"%o: {t}", t
    if residual:
        outs, types = outs + f", %p: {t}", types + f", {t}"
    if statistics:
        outs, types = outs + f", %q: {st}", types + f", {st}"
    returned = "%r" + (", %y" if residual else "") + (", %mean" if statistics else "")
    return f"""#id = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#j = affine_map<(i, j) -> (j)>
kernel.func @k(%x: {t}{res}, %w: {wt}, %b: {wt}, {outs}) -> ({types}) $S {{
{sizes}{extra}  %es = tensor.empty({dyn}) : {st}
  %mean, %rate = kernel.coupled_reduce ins({y} : {t}) outs(%es, %es : {st}, {st}) dimensions = [1] init {{
    %z = arith.constant 0.0 : f32
    kernel.yield %z, %z, %z : f32, f32, f32
  }} accumulate {{
  ^bb0(%n: f32, %m: f32, %q2: f32, %v: {e}):
      {up("v", "x1")}
    %one = arith.constant 1.0 : f32
    %n1 = arith.addf %n, %one : f32
    %before = arith.subf %x1, %m : f32
    %step = arith.divf %before, %n1 : f32
    %m1 = arith.addf %m, %step : f32
    %after = arith.subf %x1, %m1 : f32
    %pp = arith.mulf %before, %after : f32
    %q3 = arith.addf %q2, %pp : f32
    kernel.yield %n1, %m1, %q3 : f32, f32, f32
  }} merge {{
  ^bb0(%n: f32, %m: f32, %q2: f32, %n2: f32, %m2: f32, %q3: f32):
    %n3 = arith.addf %n, %n2 : f32
    %z = arith.constant 0.0 : f32
    %sh = arith.divf %n2, %n3 : f32
    %none = arith.cmpf oeq, %n3, %z : f32
    %share = arith.select %none, %z, %sh : f32
    %d = arith.subf %m2, %m : f32
    %d1 = arith.mulf %d, %share : f32
    %m3 = arith.addf %m, %d1 : f32
    %dd = arith.mulf %d, %d : f32
    %ns = arith.mulf %n, %share : f32
    %bt = arith.mulf %dd, %ns : f32
    %q4 = arith.addf %q2, %q3 : f32
    %q5 = arith.addf %q4, %bt : f32
    kernel.yield %n3, %m3, %q5 : f32, f32, f32
  }} finish {{
  ^bb0(%n: f32, %m: f32, %q2: f32):
    %var = arith.divf %q2, %n : f32
    %eps = arith.constant 1.0e-5 : f32
    %ve = arith.addf %var, %eps : f32
    %sq = math.sqrt %ve : f32
    %one = arith.constant 1.0 : f32
    %rt = arith.divf %one, %sq : f32
    kernel.yield %m, %rt : f32, f32
  }} -> {st}, {st}
  %r = linalg.generic {{indexing_maps = [#id, #i, #i, #j, #j, #id], iterator_types = ["parallel", "parallel"]}}
      ins({y}, %mean, %rate, %w, %b : {t}, {st}, {st}, {wt}, {wt}) outs(%o : {t}) {{
    ^bb0(%v: {e}, %m: f32, %s: f32, %g: {e}, %h: {e}, %u: {e}):
      {up("v", "x1")}
      {up("g", "g1")}
      {up("h", "h1")}
      %y0 = arith.subf %x1, %m : f32
      %y1 = arith.mulf %y0, %s : f32
      %y2 = arith.mulf %y1, %g1 : f32
      %y3 = arith.addf %y2, %h1 : f32
      {down}
      linalg.yield %out : {e}
  }} -> {t}
  kernel.return {returned} : {types}
}}
"""


def layer_norm(x, w, b):
    x = x.astype(np.float64)
    return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5) * w + b


for n in (1, 7, 16, 33, 384, 1000):
    x = (rng.standard_normal((6, n)) * 2 + 3).astype(np.float32)
    w, b = rng.standard_normal((2, n)).astype(np.float32)
    for rows in (6, "?"):
        case(f"layer_norm_{n}_{rows}".replace("?", "dynamic"), layer_norm_text(rows, n), [x, w, b],
             [layer_norm(x, w, b).astype(np.float32)], tolerance=1e-5, absolute=1e-5)
x, a = rng.standard_normal((2, 9, 50)).astype(np.float32)
w, b = rng.standard_normal((2, 50)).astype(np.float32)
case("layer_norm_residual", layer_norm_text("?", 50, residual=True, statistics=True), [x, a, w, b],
     [layer_norm(x + a, w, b).astype(np.float32), x + a, (x + a).mean(1, dtype=np.float64).astype(np.float32)],
     tolerance=1e-5, absolute=1e-5)
xb, wb, bb = bf16(x), bf16(w), bf16(b)
case("layer_norm_bf16", layer_norm_text("?", 50, "bf16"), [xb, wb, bb],
     [layer_norm(from_bf16(xb), from_bf16(wb), from_bf16(bb)).astype(np.float32)], tolerance=8e-3, absolute=1e-2,
     bf16_results=True)
xh, wh, bh = x.astype(np.float16), w.astype(np.float16), b.astype(np.float16)
case("layer_norm_f16", layer_norm_text(9, 50, "f16"), [xh, wh, bh],
     [layer_norm(xh, wh.astype(np.float64), bh.astype(np.float64)).astype(np.float16)], tolerance=2e-3, absolute=2e-3)


def reduce_text(shape, axes, e, combiner, init, acc=None, body=None):
    rank = len(shape)
    t = "tensor<" + "x".join(map(str, shape)) + f"x{e}>"
    acc = acc or e
    kept = [i for i in range(rank) if i not in axes]
    ot = "tensor<" + "".join(f"{shape[i]}x" for i in kept) + f"{acc}>"
    dims = ", ".join(f"d{i}" for i in range(rank))
    part = ", ".join(f"d{i}" for i in kept)
    kinds = ", ".join('"reduction"' if i in axes else '"parallel"' for i in range(rank))
    return f"""#id = affine_map<({dims}) -> ({dims})>
#part = affine_map<({dims}) -> ({part})>
kernel.func @k(%x: {t}, %o: {ot}) -> {ot} $S {{
  %c = arith.constant {init} : {acc}
  %f = linalg.fill ins(%c : {acc}) outs(%o : {ot}) -> {ot}
  %r = linalg.generic {{indexing_maps = [#id, #part], iterator_types = [{kinds}]}}
      ins(%x : {t}) outs(%f : {ot}) {{
    ^bb0(%v: {e}, %s: {acc}):
      {body or ""}
      %0 = {combiner} %s, {"%w" if body else "%v"} : {acc}
      linalg.yield %0 : {acc}
  }} -> {ot}
  kernel.return %r : {ot}
}}
"""


shape = (3, 10, 37)
x = rng.standard_normal(shape).astype(np.float32)
for axes in ((0,), (1,), (2,), (0, 1), (1, 2), (0, 2), (0, 1, 2)):
    tag = "".join(map(str, axes))
    case(f"sum_{tag}", reduce_text(shape, axes, "f32", "arith.addf", "0.0"), [x],
         [x.astype(np.float64).sum(axes).astype(np.float32)], tolerance=1e-5, absolute=1e-5)
    case(f"sum_dynamic_{tag}", reduce_text(("?",) * 3, axes, "f32", "arith.addf", "0.0"), [x],
         [x.astype(np.float64).sum(axes).astype(np.float32)], tolerance=1e-5, absolute=1e-5)
    y = x.copy()
    y[1, 2, 3] = np.nan
    y[2, 5, 30] = np.inf
    case(f"max_{tag}", reduce_text(shape, axes, "f32", "arith.maximumf", "0xFF800000"), [y], [y.max(axes)])
    case(f"min_{tag}", reduce_text(("?",) * 3, axes, "f32", "arith.minimumf", "0x7F800000"), [y], [y.min(axes)])
    for bits, dtype in ((8, np.int8), (16, np.int16), (32, np.int32), (64, np.int64)):
        z = rng.integers(-50, 50, shape).astype(dtype)
        case(f"max_i{bits}_{tag}", reduce_text(shape, axes, f"i{bits}", "arith.maxsi", np.iinfo(dtype).min), [z],
             [z.max(axes)])
        case(f"sum_i{bits}_{tag}", reduce_text(shape, axes, f"i{bits}", "arith.addi", 3, "i64",
                                               f"%w = arith.extsi %v : i{bits} to i64" if bits < 64 else ""), [z],
             [z.sum(axes, dtype=np.int64) + 3])
    d = x.astype(np.float64)
    case(f"prod_f64_{tag}", reduce_text(shape, axes, "f64", "arith.mulf", "1.0"), [d], [d.prod(axes)], tolerance=1e-12)
    h = x.astype(np.float16)
    case(f"sum_f16_{tag}", reduce_text(shape, axes, "f16", "arith.addf", "0.0", "f32", "%w = arith.extf %v : f16 to f32"),
         [h], [h.astype(np.float64).sum(axes).astype(np.float32)], tolerance=1e-5, absolute=1e-4)
    any_ = (x > 2.5).astype(np.int8)
    case(f"or_{tag}", reduce_text(shape, axes, "i8", "arith.ori", 0), [any_], [any_.max(axes)])
    case(f"and_{tag}", reduce_text(shape, axes, "i8", "arith.andi", -1), [1 - any_], [(1 - any_).min(axes)])
# Several vectors of columns at a time.
x = rng.standard_normal((19, 128)).astype(np.float32)
case("sum_columns", reduce_text((19, 128), (0,), "f32", "arith.addf", "0.0"), [x],
     [x.astype(np.float64).sum(0).astype(np.float32)], tolerance=1e-5, absolute=1e-5)
case("max_columns_bf16", reduce_text(("?", 64), (0,), "bf16", "arith.maximumf", "0xFF80"), [bf16(x[:, :64])],
     [from_bf16(bf16(x[:, :64])).max(0)], bf16_results=True)
for s in ((0, 5), (5, 0), (0, 0)):
    e = np.zeros(s, np.float32)
    case(f"sum_empty_{s[0]}_{s[1]}", reduce_text(("?", "?"), (1,), "f32", "arith.addf", "0.5"), [e],
         [np.full(s[0], 0.5, np.float32)])
    case(f"sum_rows_empty_{s[0]}_{s[1]}", reduce_text(("?", "?"), (0,), "f32", "arith.addf", "0.5"), [e],
         [np.full(s[1], 0.5, np.float32)])

# Two results of one reduction without a merge: index of the maximum.
x = rng.integers(-5, 5, (6, 29)).astype(np.float32)
case("argmax_generic", """
#id = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
kernel.func @k(%x: tensor<6x?xf32>, %o: tensor<6xf32>, %p: tensor<6xi64>) -> (tensor<6xf32>, tensor<6xi64>) $S {
  %n = arith.constant 0xFF800000 : f32
  %z = arith.constant 0 : i64
  %f = linalg.fill ins(%n : f32) outs(%o : tensor<6xf32>) -> tensor<6xf32>
  %g = linalg.fill ins(%z : i64) outs(%p : tensor<6xi64>) -> tensor<6xi64>
  %r:2 = linalg.generic {indexing_maps = [#id, #i, #i], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<6x?xf32>) outs(%f, %g : tensor<6xf32>, tensor<6xi64>) {
    ^bb0(%v: f32, %m: f32, %at: i64):
      %j = linalg.index 1 : index
      %j1 = arith.index_cast %j : index to i64
      %c = arith.cmpf ogt, %v, %m : f32
      %a = arith.select %c, %v, %m : f32
      %b = arith.select %c, %j1, %at : i64
      linalg.yield %a, %b : f32, i64
  } -> (tensor<6xf32>, tensor<6xi64>)
  kernel.return %r#0, %r#1 : tensor<6xf32>, tensor<6xi64>
}""", [x], [x.max(1), x.argmax(1)])

# Mean pooling under a mask, then L2 normalisation: the sentence encoder's head.
h = rng.standard_normal((3, 11, 50)).astype(np.float32)
m = (rng.random((3, 11)) > 0.3).astype(np.int64)
m[:, 0] = 1
pooled = (h.astype(np.float64) * m[:, :, None]).sum(1) / m.sum(1)[:, None]
POOL = """
#bsh = affine_map<(b, h, s) -> (b, s, h)>
#bs = affine_map<(b, h, s) -> (b, s)>
#bh = affine_map<(b, h, s) -> (b, h)>
#m2 = affine_map<(b, s) -> (b, s)>
#m1 = affine_map<(b, s) -> (b)>
#id = affine_map<(b, h) -> (b, h)>
#b = affine_map<(b, h) -> (b)>
kernel.func @k(%h: tensor<?x?x50xf32>, %m: tensor<?x?xi64>, %o: tensor<?x50xf32>) -> tensor<?x50xf32> $S {
  %c0 = arith.constant 0 : index
  %n0 = tensor.dim %h, %c0 : tensor<?x?x50xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty(%n0) : tensor<?x50xf32>
  %e1 = tensor.empty(%n0) : tensor<?xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x50xf32>) -> tensor<?x50xf32>
  %f1 = linalg.fill ins(%z : f32) outs(%e1 : tensor<?xf32>) -> tensor<?xf32>
  %s = linalg.generic {indexing_maps = [#bsh, #bs, #bh], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%h, %m : tensor<?x?x50xf32>, tensor<?x?xi64>) outs(%f : tensor<?x50xf32>) {
    ^bb0(%v: f32, %w: i64, %u: f32):
      %0 = arith.sitofp %w : i64 to f32
      %1 = arith.mulf %v, %0 : f32
      %2 = arith.addf %1, %u : f32
      linalg.yield %2 : f32
  } -> tensor<?x50xf32>
  %n = linalg.generic {indexing_maps = [#m2, #m1], iterator_types = ["parallel", "reduction"]}
      ins(%m : tensor<?x?xi64>) outs(%f1 : tensor<?xf32>) {
    ^bb0(%w: i64, %u: f32):
      %0 = arith.sitofp %w : i64 to f32
      %2 = arith.addf %0, %u : f32
      linalg.yield %2 : f32
  } -> tensor<?xf32>
  %mean = linalg.generic {indexing_maps = [#id, #b, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s, %n : tensor<?x50xf32>, tensor<?xf32>) outs(%e : tensor<?x50xf32>) {
    ^bb0(%v: f32, %w: f32, %u: f32):
      %0 = arith.divf %v, %w : f32
      linalg.yield %0 : f32
  } -> tensor<?x50xf32>
$REST
}"""
case("masked_mean", POOL.replace("$REST", "  kernel.return %mean : tensor<?x50xf32>"), [h, m],
     [pooled.astype(np.float32)], tolerance=1e-5, absolute=1e-6)
case("masked_mean_normalized", POOL.replace("$REST", """
  %q = linalg.generic {indexing_maps = [#id, #b], iterator_types = ["parallel", "reduction"]}
      ins(%mean : tensor<?x50xf32>) outs(%f1 : tensor<?xf32>) {
    ^bb0(%v: f32, %u: f32):
      %0 = arith.mulf %v, %v : f32
      %2 = arith.addf %0, %u : f32
      linalg.yield %2 : f32
  } -> tensor<?xf32>
  %r = linalg.generic {indexing_maps = [#id, #b, #id], iterator_types = ["parallel", "parallel"]}
      ins(%mean, %q : tensor<?x50xf32>, tensor<?xf32>) outs(%o : tensor<?x50xf32>) {
    ^bb0(%v: f32, %w: f32, %u: f32):
      %0 = math.sqrt %w : f32
      %1 = arith.divf %v, %0 : f32
      linalg.yield %1 : f32
  } -> tensor<?x50xf32>
  kernel.return %r : tensor<?x50xf32>"""), [h, m],
     [(pooled / np.linalg.norm(pooled, axis=1, keepdims=True)).astype(np.float32)], tolerance=1e-5, absolute=1e-6)

# An expensive value that the sum and the result both need is kept for the row.
x = rng.standard_normal((5, 77)).astype(np.float32)
g = np.tanh(x.astype(np.float64))
case("kept_value", """
#id = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
kernel.func @k(%x: tensor<?x77xf32>, %o: tensor<?x77xf32>) -> tensor<?x77xf32> $S {
  %c0 = arith.constant 0 : index
  %n0 = tensor.dim %x, %c0 : tensor<?x77xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty(%n0) : tensor<?x77xf32>
  %e1 = tensor.empty(%n0) : tensor<?xf32>
  %f1 = linalg.fill ins(%z : f32) outs(%e1 : tensor<?xf32>) -> tensor<?xf32>
  %g = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x77xf32>) outs(%e : tensor<?x77xf32>) {
    ^bb0(%v: f32, %u: f32):
      %0 = math.tanh %v : f32
      linalg.yield %0 : f32
  } -> tensor<?x77xf32>
  %s = linalg.generic {indexing_maps = [#id, #i], iterator_types = ["parallel", "reduction"]}
      ins(%g : tensor<?x77xf32>) outs(%f1 : tensor<?xf32>) {
    ^bb0(%v: f32, %u: f32):
      %0 = arith.mulf %v, %v : f32
      %2 = arith.addf %0, %u : f32
      linalg.yield %2 : f32
  } -> tensor<?xf32>
  %r = linalg.generic {indexing_maps = [#id, #i, #id], iterator_types = ["parallel", "parallel"]}
      ins(%g, %s : tensor<?x77xf32>, tensor<?xf32>) outs(%o : tensor<?x77xf32>) {
    ^bb0(%v: f32, %w: f32, %u: f32):
      %1 = arith.divf %v, %w : f32
      linalg.yield %1 : f32
  } -> tensor<?x77xf32>
  kernel.return %r : tensor<?x77xf32>
}""", [x], [(g / (g * g).sum(1, keepdims=True)).astype(np.float32)], tolerance=1e-5)

# Kept values that are read at given places: lanes that are off must not read, as what they find
# there is no index. Rows of two dimensions, shorter than a vector; and rows that are lanes.
GATHERED = """
#id = affine_map<(i, j, k) -> (i, j, k)>
#row = affine_map<(i, j, k) -> ($ROW)>
kernel.func @k(%at: tensor<$SHAPExi64>, %x: tensor<4xf32>, %o: tensor<$SHAPExf32>) -> tensor<$SHAPExf32> $S {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<$SHAPExf32>
  %e1 = tensor.empty() : tensor<$SUMSxf32>
  %f1 = linalg.fill ins(%z : f32) outs(%e1 : tensor<$SUMSxf32>) -> tensor<$SUMSxf32>
  %g = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%at : tensor<$SHAPExi64>) outs(%e : tensor<$SHAPExf32>) {
    ^bb0(%v: i64, %u: f32):
      %one = arith.constant 1 : i64
      %less = arith.subi %v, %one : i64
      %0 = arith.index_cast %less : i64 to index
      %1 = tensor.extract %x[%0] : tensor<4xf32>
      %2 = math.tanh %1 : f32
      linalg.yield %2 : f32
  } -> tensor<$SHAPExf32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = [$KINDS]}
      ins(%g : tensor<$SHAPExf32>) outs(%f1 : tensor<$SUMSxf32>) {
    ^bb0(%v: f32, %u: f32):
      %2 = arith.addf %v, %u : f32
      linalg.yield %2 : f32
  } -> tensor<$SUMSxf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%g, %s : tensor<$SHAPExf32>, tensor<$SUMSxf32>) outs(%o : tensor<$SHAPExf32>) {
    ^bb0(%v: f32, %w: f32, %u: f32):
      %1 = arith.subf %v, %w : f32
      linalg.yield %1 : f32
  } -> tensor<$SHAPExf32>
  kernel.return %r : tensor<$SHAPExf32>
}"""
table = rng.standard_normal(4).astype(np.float32)
for name, shape, axes in [("short", (3, 3, 3), (1, 2)), ("long", (3, 3, 35), (1, 2)), ("lanes", (3, 5, 3), (0, 1)),
                          ("long_lanes", (3, 5, 35), (0, 1))]:
    at = rng.integers(1, 5, shape)  # memory behind the indices often holds zeros
    rest = [d for d in range(3) if d not in axes]
    text = GATHERED.replace("$SHAPE", "x".join(map(str, shape))).replace("$SUMS", "x".join(str(shape[d]) for d in rest))
    text = text.replace("$ROW", ", ".join("ijk"[d] for d in rest))
    text = text.replace("$KINDS", ", ".join('"reduction"' if d in axes else '"parallel"' for d in range(3)))
    g = np.tanh(table[at - 1].astype(np.float64))
    case(f"kept_gather_{name}", text, [at, table], [(g - g.sum(axes, keepdims=True)).astype(np.float32)], tolerance=1e-5,
         absolute=1e-5)

sys.exit(run(cases, sys.argv[1]))
