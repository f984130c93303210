"""Kernels of parallel loops: sizes, broadcasts, views, element types, casts, gathers, packs."""

import sys

import numpy as np

from kernel_cases import Case, bf16, from_bf16, run

rng = np.random.default_rng(7)
cases = []
SCHEDULE = "attributes {schedule = #kernel.cpu_pointwise<lanes = $L, grain = 64, interleave = $I>}"
EDGES = np.array([0.0, -0.0, 1e-45, -1e-45, 1e-38, 3.4e38, -3.4e38, np.inf, -np.inf, np.nan, 1.0, -1.0], np.float32)


def edgy(*shape):
    x = rng.standard_normal(shape).astype(np.float32)
    flat = x.reshape(-1)
    n = min(len(EDGES), flat.size)
    flat[:n] = EDGES[:n]
    return x


def elementwise(name, types, body, inputs, reference, known=False, **kw):
    """One loop over equal shapes: argument i of type types[i], the last is the result's."""
    rank = inputs[0].ndim
    dims = ", ".join(f"d{i}" for i in range(rank))
    t = ["tensor<" + "".join(f"{n}x" if known else "?x" for n in inputs[0].shape) + e + ">" for e in types]
    args = ", ".join(f"%a{i}: {t[i]}" for i in range(len(t) - 1))
    ins = ", ".join(f"%a{i}" for i in range(len(t) - 1))
    scalars = ", ".join(f"%x{i}: {e}" for i, e in enumerate(types))
    text = f"""#id = affine_map<({dims}) -> ({dims})>
kernel.func @k({args}, %o: {t[-1]}) -> {t[-1]} {SCHEDULE} {{
  %r = linalg.generic {{indexing_maps = [{", ".join(["#id"] * len(t))}],
      iterator_types = [{", ".join(['"parallel"'] * rank)}]}}
      ins({ins} : {", ".join(t[:-1])}) outs(%o : {t[-1]}) {{
    ^bb0({scalars}):
{body}
      linalg.yield %y : {types[-1]}
  }} -> {t[-1]}
  kernel.return %r : {t[-1]}
}}
"""
    cases.append(Case(name, text, inputs, [reference], **kw))


with np.errstate(all="ignore"):
    for n in (0, 1, 7, 8, 13, 16, 31, 64, 1000, 5000):
        x, y = edgy(n), rng.standard_normal(n).astype(np.float32)
        elementwise(f"fma_{n}", ["f32", "f32", "f32"], """
      %m = arith.mulf %x0, %x1 : f32
      %y = arith.addf %m, %x1 : f32""", [x, y],
                    (x.astype(np.float64) * y + y).astype(np.float32), tolerance=3e-7, absolute=3e-7)
    # Of a known size, several vectors together: whole ones, with lanes off, too few.
    for shape in ((256,), (250,), (3, 50), (5, 64), (70,), (9,)):
        x = edgy(*shape)
        elementwise(f"tanh_{'_'.join(map(str, shape))}", ["f32", "f32"], "      %y = math.tanh %x0 : f32", [x],
                    np.tanh(x.astype(np.float64)).astype(np.float32), known=True, tolerance=3e-7, absolute=1e-44)
    x, y = edgy(5, 7, 3), edgy(5, 7, 3)[::-1].copy()
    elementwise("max_nan", ["f32", "f32", "f32"], "      %y = arith.maximumf %x0, %x1 : f32", [x, y], np.maximum(x, y))
    elementwise("min_nan", ["f32", "f32", "f32"], "      %y = arith.minimumf %x0, %x1 : f32", [x, y], np.minimum(x, y))
    elementwise("relu_nan", ["f32", "f32"], """
      %c = arith.constant 0.0 : f32
      %y = arith.maximumf %x0, %c : f32""", [x], np.maximum(x, np.float32(0)))
    elementwise("relu_nan_swapped", ["f32", "f32"], """
      %c = arith.constant 0.0 : f32
      %y = arith.maximumf %c, %x0 : f32""", [x], np.maximum(x, np.float32(0)))
    xd = edgy(101).astype(np.float64)
    elementwise("f64_exp", ["f64", "f64"], "      %y = math.exp %x0 : f64", [xd], np.exp(xd), tolerance=4e-16)
    elementwise("f64_tanh", ["f64", "f64"], "      %y = math.tanh %x0 : f64", [xd], np.tanh(xd), tolerance=4e-16)
    import math
    elementwise("f64_erf", ["f64", "f64"], "      %y = math.erf %x0 : f64", [xd],
                np.vectorize(math.erf)(xd), tolerance=4e-16)
    xh, yh = edgy(77).astype(np.float16), rng.standard_normal(77).astype(np.float16)
    elementwise("f16_add", ["f16", "f16", "f16"], "      %y = arith.addf %x0, %x1 : f16", [xh, yh], xh + yh)
    elementwise("f16_exp", ["f16", "f16"], "      %y = math.exp %x0 : f16", [xh],
                np.exp(xh.astype(np.float64)).astype(np.float16), tolerance=1e-3, absolute=6e-8)
    xb, yb = bf16(edgy(77)), bf16(rng.standard_normal(77))
    elementwise("bf16_mul", ["bf16", "bf16", "bf16"], "      %y = arith.mulf %x0, %x1 : bf16", [xb, yb],
                from_bf16(bf16(from_bf16(xb) * from_bf16(yb))), bf16_results=True)
    elementwise("bf16_tanh", ["bf16", "bf16"], "      %y = math.tanh %x0 : bf16", [xb],
                from_bf16(bf16(np.tanh(from_bf16(xb).astype(np.float64)))), bf16_results=True, tolerance=4e-3)

    # Conversions.
    every = {"f64": xd, "f32": edgy(101), "f16": edgy(101).astype(np.float16)}
    for a, x in every.items():
        for b in every:
            op = "arith.extf" if int(a[1:]) < int(b[1:]) else "arith.truncf"
            if a == b:
                continue
            ref = x.astype({"f64": np.float64, "f32": np.float32, "f16": np.float16}[b])
            if (a, b) == ("f64", "f16"):
                ref = x.astype(np.float32).astype(np.float16)
            elementwise(f"cast_{a}_{b}", [a, b], f"      %y = {op} %x0 : {a} to {b}", [x], ref)
        elementwise(f"cast_{a}_bf16", [a, "bf16"], f"      %y = arith.truncf %x0 : {a} to bf16" if a != "f16" else
                    "      %w = arith.extf %x0 : f16 to f32\n      %y = arith.truncf %w : f32 to bf16", [x],
                    from_bf16(bf16(x.astype(np.float32))), bf16_results=True)
    elementwise("cast_bf16_f32", ["bf16", "f32"], "      %y = arith.extf %x0 : bf16 to f32", [xb], from_bf16(xb))
    elementwise("cast_bf16_f64", ["bf16", "f64"], "      %y = arith.extf %x0 : bf16 to f64", [xb],
                from_bf16(xb).astype(np.float64))
    ints = {8: np.int8, 16: np.int16, 32: np.int32, 64: np.int64}
    for bits, dtype in ints.items():
        info = np.iinfo(dtype)
        v = rng.integers(info.min, info.max, 67, dtype=dtype, endpoint=True)
        v[:3] = info.min, info.max, -1
        elementwise(f"i{bits}_to_f32", [f"i{bits}", "f32"], f"      %y = arith.sitofp %x0 : i{bits} to f32", [v],
                    v.astype(np.float32))
        elementwise(f"i{bits}_to_f64", [f"i{bits}", "f64"], f"      %y = arith.sitofp %x0 : i{bits} to f64", [v],
                    v.astype(np.float64))
        elementwise(f"i{bits}_to_bf16", [f"i{bits}", "bf16"], f"      %y = arith.sitofp %x0 : i{bits} to bf16", [v],
                    from_bf16(bf16(v.astype(np.float32))), bf16_results=True)
        f = (rng.standard_normal(67) * 100).astype(np.float32)
        f[:6] = np.nan, np.inf, -np.inf, 1e30, -1e30, 0.99
        wide = np.int64 if bits == 64 else np.int32
        lim = np.iinfo(wide)
        whole = np.array([0 if np.isnan(t) else lim.max if t >= lim.max else lim.min if t <= lim.min else int(t)
                          for t in f], wide)
        elementwise(f"f32_to_i{bits}", ["f32", f"i{bits}"], f"      %y = arith.fptosi %x0 : f32 to i{bits}", [f],
                    whole.astype(dtype))
        d = rng.integers(-3, 4, 67).astype(dtype)
        d[1] = -1
        v = v.copy()
        v[1] = info.min
        safe = np.where(d == 0, 1, d)
        q = np.array([0 if y == 0 else (abs(int(x)) // abs(int(y))) * (1 if (x < 0) == (y < 0) else -1)
                      for x, y in zip(v, d)], object)
        q = np.array([((int(t) + 2**(bits - 1)) % 2**bits) - 2**(bits - 1) for t in q], dtype)
        elementwise(f"i{bits}_div", [f"i{bits}"] * 3, f"      %y = arith.divsi %x0, %x1 : i{bits}", [v, d], q)
        fl = np.array([0 if y == 0 else int(x) // int(y) for x, y in zip(v, d)], object)
        fl = np.array([((int(t) + 2**(bits - 1)) % 2**bits) - 2**(bits - 1) for t in fl], dtype)
        elementwise(f"i{bits}_floordiv", [f"i{bits}"] * 3, f"      %y = arith.floordivsi %x0, %x1 : i{bits}", [v, d], fl)
    # Booleans are bytes in memory.
    bx, by = rng.integers(0, 2, 37).astype(np.int8), rng.integers(0, 2, 37).astype(np.int8)
    elementwise("bool_and", ["i8", "i8", "i8"], """
      %p = arith.trunci %x0 : i8 to i1
      %q = arith.trunci %x1 : i8 to i1
      %b = arith.andi %p, %q : i1
      %y = arith.extui %b : i1 to i8""", [bx, by], bx & by)
    pick = edgy(37)
    elementwise("bool_select", ["i8", "f32", "f32"], """
      %z = arith.constant 0 : i8
      %p = arith.cmpi ne, %x0, %z : i8
      %n = arith.constant 0xFF800000 : f32
      %y = arith.select %p, %x1, %n : f32""", [bx, pick],
                np.where(bx != 0, pick, np.float32(-np.inf)))


def case(name, text, inputs, results, **kw):
    cases.append(Case(name, text.replace("$S", SCHEDULE), inputs, results, **kw))


# Broadcasts of a row and a column, two results.
a, r, c = edgy(9, 21), edgy(21), rng.standard_normal(9).astype(np.float32)
with np.errstate(all="ignore"):
    case("broadcast_two_results", """
#id = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#j = affine_map<(i, j) -> (j)>
kernel.func @k(%a: tensor<?x21xf32>, %r: tensor<21xf32>, %c: tensor<?xf32>, %o: tensor<?x21xf32>, %p: tensor<?x21xi8>)
    -> (tensor<?x21xf32>, tensor<?x21xi8>) $S {
  %y:2 = linalg.generic {indexing_maps = [#id, #j, #i, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %r, %c : tensor<?x21xf32>, tensor<21xf32>, tensor<?xf32>)
      outs(%o, %p : tensor<?x21xf32>, tensor<?x21xi8>) {
    ^bb0(%x: f32, %b: f32, %s: f32, %u: f32, %v: i8):
      %0 = arith.addf %x, %b : f32
      %1 = arith.mulf %0, %s : f32
      %2 = arith.cmpf ogt, %1, %s : f32
      %3 = arith.extui %2 : i1 to i8
      linalg.yield %1, %3 : f32, i8
  } -> (tensor<?x21xf32>, tensor<?x21xi8>)
  kernel.return %y#0, %y#1 : tensor<?x21xf32>, tensor<?x21xi8>
}""", [a, r, c], [(a + r) * c[:, None], ((a + r) * c[:, None] > c[:, None]).astype(np.int8)], tolerance=1e-6)

# Transposes: of all sizes, of element types, with arithmetic around.
for m, n in ((1, 1), (7, 13), (16, 16), (33, 50), (64, 128), (100, 3)):
    for e, dtype in (("f32", np.float32), ("i64", np.int64), ("i8", np.int8), ("bf16", np.uint16)):
        x = rng.integers(-100 if e[0] != "b" else 0, 100, (m, n)).astype(dtype)
        ref = x.T.copy()
        case(f"transpose_{m}x{n}_{e}", f"""
kernel.func @k(%x: tensor<?x?x{e}>, %o: tensor<?x?x{e}>) -> tensor<?x?x{e}> $S {{
  %y = linalg.transpose ins(%x : tensor<?x?x{e}>) outs(%o : tensor<?x?x{e}>) permutation = [1, 0]
  kernel.return %y : tensor<?x?x{e}>
}}""", [x], [from_bf16(ref) if e == "bf16" else ref], bf16_results=e == "bf16")
x, b = rng.standard_normal((2, 5, 3, 18)).astype(np.float32), rng.standard_normal(18).astype(np.float32)
case("transpose_heads", """
#in = affine_map<(b, h, s, d) -> (b, s, h, d)>
#bias = affine_map<(b, h, s, d) -> (d)>
#out = affine_map<(b, h, s, d) -> (b, h, s, d)>
kernel.func @k(%x: tensor<2x5x3x18xf32>, %b: tensor<18xf32>, %o: tensor<2x3x5x18xf32>) -> tensor<2x3x5x18xf32> $S {
  %y = linalg.generic {indexing_maps = [#in, #bias, #out],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %b : tensor<2x5x3x18xf32>, tensor<18xf32>) outs(%o : tensor<2x3x5x18xf32>) {
    ^bb0(%v: f32, %w: f32, %u: f32):
      %0 = arith.addf %v, %w : f32
      linalg.yield %0 : f32
  } -> tensor<2x3x5x18xf32>
  kernel.return %y : tensor<2x3x5x18xf32>
}""", [x, b], [(x + b).transpose(0, 2, 1, 3).copy()])
x = rng.standard_normal((2, 3, 17, 20)).astype(np.float32)
y = rng.standard_normal((2, 17, 20, 3)).astype(np.float32)
case("nchw_to_nhwc_add", """
#in = affine_map<(n, h, w, c) -> (n, c, h, w)>
#id = affine_map<(n, h, w, c) -> (n, h, w, c)>
kernel.func @k(%x: tensor<2x3x17x20xf32>, %y: tensor<2x17x20x3xf32>, %o: tensor<2x17x20x3xf32>)
    -> tensor<2x17x20x3xf32> $S {
  %r = linalg.generic {indexing_maps = [#in, #id, #id],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %y : tensor<2x3x17x20xf32>, tensor<2x17x20x3xf32>) outs(%o : tensor<2x17x20x3xf32>) {
    ^bb0(%v: f32, %w: f32, %u: f32):
      %0 = arith.addf %v, %w : f32
      linalg.yield %0 : f32
  } -> tensor<2x17x20x3xf32>
  kernel.return %r : tensor<2x17x20x3xf32>
}""", [x, y], [x.transpose(0, 2, 3, 1) + y])

# Views.
x = rng.standard_normal((4, 30)).astype(np.float32)
case("slice_strided", """
kernel.func @k(%x: tensor<4x30xf32>, %o: tensor<2x9xf32>) -> tensor<2x9xf32> $S {
  %s = tensor.extract_slice %x[1, 2] [2, 9] [2, 3] : tensor<4x30xf32> to tensor<2x9xf32>
  %e = math.exp %s : tensor<2x9xf32>
  kernel.return %s : tensor<2x9xf32>
}""".replace("  %e = math.exp %s : tensor<2x9xf32>\n", ""), [x], [x[1:4:2, 2:29:3].copy()])
case("slice_rank_reduced", """
kernel.func @k(%x: tensor<4x30xf32>, %o: tensor<21xf32>) -> tensor<21xf32> $S {
  %s = tensor.extract_slice %x[3, 5] [1, 21] [1, 1] : tensor<4x30xf32> to tensor<21xf32>
  kernel.return %s : tensor<21xf32>
}""", [x], [x[3, 5:26].copy()])
case("pad", """
kernel.func @k(%x: tensor<4x?xf32>, %o: tensor<7x?xf32>) -> tensor<7x?xf32> $S {
  %c = arith.constant 2.5 : f32
  %p = tensor.pad %x low[1, 3] high[2, 4] {
    ^bb0(%i: index, %j: index):
      tensor.yield %c : f32
  } : tensor<4x?xf32> to tensor<7x?xf32>
  kernel.return %p : tensor<7x?xf32>
}""", [x], [np.pad(x, ((1, 2), (3, 4)), constant_values=np.float32(2.5))])
y, z = rng.standard_normal((4, 5)).astype(np.float32), rng.standard_normal((4, 17)).astype(np.float32)
CONCAT = """
kernel.func @k(%x: tensor<4x30xf32>, %y: tensor<4x5xf32>, %z: tensor<4x17xf32>, %o: tensor<4x52xf32>)
    -> tensor<4x52xf32> $S {
  %c = tensor.concat dim(1) %x, %y, %z : (tensor<4x30xf32>, tensor<4x5xf32>, tensor<4x17xf32>) -> tensor<4x52xf32>
"""
case("concat", CONCAT + "  kernel.return %c : tensor<4x52xf32>\n}", [x, y, z], [np.concatenate([x, y, z], 1)])
case("concat_then_add", CONCAT + """
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%c : tensor<4x52xf32>) outs(%o : tensor<4x52xf32>) {
    ^bb0(%v: f32, %u: f32):
      %0 = arith.addf %v, %v : f32
      linalg.yield %0 : f32
  } -> tensor<4x52xf32>
  kernel.return %r : tensor<4x52xf32>
}""", [x, y, z], [2 * np.concatenate([x, y, z], 1)])
p, q = rng.standard_normal((3, 8)).astype(np.float32), rng.standard_normal((0, 8)).astype(np.float32)
case("concat_rows", """
kernel.func @k(%x: tensor<?x8xf32>, %y: tensor<?x8xf32>, %z: tensor<?x8xf32>, %o: tensor<?x8xf32>)
    -> tensor<?x8xf32> $S {
  %c = tensor.concat dim(0) %x, %y, %z : (tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  kernel.return %c : tensor<?x8xf32>
}""", [p, q, p + 1], [np.concatenate([p, q, p + 1])])
case("reshape_of_computed", """
#id = affine_map<(i, j) -> (i, j)>
#t = affine_map<(i, j) -> (j, i)>
kernel.func @k(%x: tensor<4x30xf32>, %o: tensor<5x24xf32>) -> tensor<5x24xf32> $S {
  %e = tensor.empty() : tensor<30x4xf32>
  %t = linalg.generic {indexing_maps = [#t, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x30xf32>) outs(%e : tensor<30x4xf32>) {
    ^bb0(%v: f32, %u: f32):
      %0 = arith.negf %v : f32
      linalg.yield %0 : f32
  } -> tensor<30x4xf32>
  %c = tensor.collapse_shape %t [[0, 1]] : tensor<30x4xf32> into tensor<120xf32>
  %s = tensor.expand_shape %c [[0, 1]] output_shape [5, 24] : tensor<120xf32> into tensor<5x24xf32>
  %e2 = tensor.empty() : tensor<5x24xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<5x24xf32>) outs(%e2 : tensor<5x24xf32>) {
    ^bb0(%v: f32, %u: f32):
      %0 = arith.addf %v, %v : f32
      linalg.yield %0 : f32
  } -> tensor<5x24xf32>
  kernel.return %r : tensor<5x24xf32>
}""", [x], [(-2 * x.T).reshape(5, 24).copy()])
case("iota_and_table", """
#id = affine_map<(i, j) -> (i, j)>
#j = affine_map<(i, j) -> (j)>
kernel.func @k(%o: tensor<3x20xi64>) -> tensor<3x20xi64> $S {
  %t = arith.constant dense<[3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4]> : tensor<20xi64>
  %r = linalg.generic {indexing_maps = [#j, #id], iterator_types = ["parallel", "parallel"]}
      ins(%t : tensor<20xi64>) outs(%o : tensor<3x20xi64>) {
    ^bb0(%v: i64, %u: i64):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %c = arith.constant 100 : index
      %m = arith.muli %i, %c : index
      %s = arith.addi %m, %j : index
      %x = arith.index_cast %s : index to i64
      %y = arith.addi %x, %v : i64
      linalg.yield %y : i64
  } -> tensor<3x20xi64>
  kernel.return %r : tensor<3x20xi64>
}""", [], [np.arange(3)[:, None] * 100 + np.arange(20) +
           np.array([3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4])])

# Gathers.
table, ids = rng.standard_normal((50, 37)).astype(np.float32), rng.integers(0, 50, (2, 6))
case("embedding", """
#ids = affine_map<(b, s, h) -> (b, s)>
#id = affine_map<(b, s, h) -> (b, s, h)>
kernel.func @k(%t: tensor<50x37xf32>, %ids: tensor<?x?xi64>, %o: tensor<?x?x37xf32>) -> tensor<?x?x37xf32> $S {
  %r = linalg.generic {indexing_maps = [#ids, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%ids : tensor<?x?xi64>) outs(%o : tensor<?x?x37xf32>) {
    ^bb0(%i: i64, %u: f32):
      %at = arith.index_cast %i : i64 to index
      %h = linalg.index 2 : index
      %v = tensor.extract %t[%at, %h] : tensor<50x37xf32>
      linalg.yield %v : f32
  } -> tensor<?x?x37xf32>
  kernel.return %r : tensor<?x?x37xf32>
}""", [table, ids], [table[ids]])
index = rng.integers(0, 37, (50, 29))
case("gather_lanes", """
#id = affine_map<(i, j) -> (i, j)>
kernel.func @k(%t: tensor<?x37xf32>, %ids: tensor<?x29xi64>, %o: tensor<?x29xf32>) -> tensor<?x29xf32> $S {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%ids : tensor<?x29xi64>) outs(%o : tensor<?x29xf32>) {
    ^bb0(%i: i64, %u: f32):
      %at = arith.index_cast %i : i64 to index
      %row = linalg.index 0 : index
      %v = tensor.extract %t[%row, %at] : tensor<?x37xf32>
      linalg.yield %v : f32
  } -> tensor<?x29xf32>
  kernel.return %r : tensor<?x29xf32>
}""", [table, index], [np.take_along_axis(table, index, 1)])

# Scalars, constants, copies, one value twice.
one, many = np.float32(2.5), rng.standard_normal((3, 21)).astype(np.float32)
case("rank_zero", """
#s = affine_map<() -> ()>
#z = affine_map<(i, j) -> ()>
#id = affine_map<(i, j) -> (i, j)>
kernel.func @k(%a: tensor<f32>, %x: tensor<3x21xf32>, %o: tensor<f32>, %p: tensor<3x21xf32>, %q: tensor<3x21xf32>,
    %r: tensor<4x5xi64>) -> (tensor<f32>, tensor<3x21xf32>, tensor<3x21xf32>, tensor<4x5xi64>) $S {
  %y = linalg.generic {indexing_maps = [#s, #s], iterator_types = []} ins(%a : tensor<f32>) outs(%o : tensor<f32>) {
    ^bb0(%v: f32, %u: f32):
      %0 = arith.addf %v, %v : f32
      linalg.yield %0 : f32
  } -> tensor<f32>
  %z = linalg.generic {indexing_maps = [#id, #z, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %a : tensor<3x21xf32>, tensor<f32>) outs(%p : tensor<3x21xf32>) {
    ^bb0(%v: f32, %w: f32, %u: f32):
      %0 = arith.mulf %v, %w : f32
      linalg.yield %0 : f32
  } -> tensor<3x21xf32>
  %c = arith.constant 7 : i64
  %f = linalg.fill ins(%c : i64) outs(%r : tensor<4x5xi64>) -> tensor<4x5xi64>
  kernel.return %y, %z, %x, %f : tensor<f32>, tensor<3x21xf32>, tensor<3x21xf32>, tensor<4x5xi64>
}""", [one, many], [one + one, many * one, many, np.full((4, 5), 7, np.int64)])
case("twice", """
kernel.func @k(%x: tensor<3x21xf32>, %o: tensor<63xf32>, %p: tensor<3x21xf32>) -> (tensor<63xf32>, tensor<3x21xf32>) $S {
  %c = tensor.collapse_shape %x [[0, 1]] : tensor<3x21xf32> into tensor<63xf32>
  kernel.return %c, %x : tensor<63xf32>, tensor<3x21xf32>
}""", [many], [many.reshape(63), many])
ones = rng.standard_normal((1, 19, 1)).astype(np.float32)
case("unit_dims", """
#id = affine_map<(i, j, k) -> (i, j, k)>
#b = affine_map<(i, j, k) -> (0, j, 0)>
kernel.func @k(%x: tensor<1x19x1xf32>, %o: tensor<2x19x3xf32>, %p: tensor<1x19x1xf32>)
    -> (tensor<2x19x3xf32>, tensor<1x19x1xf32>) $S {
  %y = linalg.generic {indexing_maps = [#b, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<1x19x1xf32>) outs(%o : tensor<2x19x3xf32>) {
    ^bb0(%v: f32, %u: f32):
      linalg.yield %v : f32
  } -> tensor<2x19x3xf32>
  %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<1x19x1xf32>) outs(%p : tensor<1x19x1xf32>) {
    ^bb0(%v: f32, %u: f32):
      %0 = arith.negf %v : f32
      linalg.yield %0 : f32
  } -> tensor<1x19x1xf32>
  kernel.return %y, %z : tensor<2x19x3xf32>, tensor<1x19x1xf32>
}""", [ones], [np.broadcast_to(ones, (2, 19, 3)).copy(), -ones])
# A tile's operand behind a slice and a pad.
w = rng.standard_normal((40, 30)).astype(np.float32)
case("transpose_of_slice", """
#t = affine_map<(i, j) -> (j, i)>
#id = affine_map<(i, j) -> (i, j)>
kernel.func @k(%x: tensor<40x30xf32>, %o: tensor<21x33xf32>) -> tensor<21x33xf32> $S {
  %s = tensor.extract_slice %x[4, 3] [33, 21] [1, 1] : tensor<40x30xf32> to tensor<33x21xf32>
  %y = linalg.generic {indexing_maps = [#t, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<33x21xf32>) outs(%o : tensor<21x33xf32>) {
    ^bb0(%v: f32, %u: f32):
      linalg.yield %v : f32
  } -> tensor<21x33xf32>
  kernel.return %y : tensor<21x33xf32>
}""", [w], [w[4:37, 3:24].T.copy()])
case("transpose_of_pad", """
#t = affine_map<(i, j) -> (j, i)>
#id = affine_map<(i, j) -> (i, j)>
kernel.func @k(%x: tensor<40x30xf32>, %o: tensor<35x43xf32>) -> tensor<35x43xf32> $S {
  %c = arith.constant -1.0 : f32
  %s = tensor.pad %x low[1, 2] high[2, 3] {
    ^bb0(%i: index, %j: index):
      tensor.yield %c : f32
  } : tensor<40x30xf32> to tensor<43x35xf32>
  %y = linalg.generic {indexing_maps = [#t, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<43x35xf32>) outs(%o : tensor<35x43xf32>) {
    ^bb0(%v: f32, %u: f32):
      linalg.yield %v : f32
  } -> tensor<35x43xf32>
  kernel.return %y : tensor<35x43xf32>
}""", [w], [np.pad(w, ((1, 2), (2, 3)), constant_values=np.float32(-1)).T.copy()])

# Packs, as the contraction wants its weights.
w = rng.standard_normal((37, 20)).astype(np.float32)
case("pack_transposed", """
kernel.func @k(%w: tensor<37x20xf32>, %o: tensor<3x20x16xf32>) -> tensor<3x20x16xf32> $S {
  %z = arith.constant 0.0 : f32
  %p = linalg.pack %w padding_value(%z : f32) outer_dims_perm = [0, 1] inner_dims_pos = [0] inner_tiles = [16]
      into %o : tensor<37x20xf32> -> tensor<3x20x16xf32>
  kernel.return %p : tensor<3x20x16xf32>
}""", [w], [np.pad(w, ((0, 11), (0, 0))).reshape(3, 16, 20).transpose(0, 2, 1).copy()])
case("pack_rows", """
kernel.func @k(%w: tensor<37x20xf32>, %o: tensor<2x37x16xf32>) -> tensor<2x37x16xf32> $S {
  %z = arith.constant 0.0 : f32
  %p = linalg.pack %w padding_value(%z : f32) outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [16]
      into %o : tensor<37x20xf32> -> tensor<2x37x16xf32>
  kernel.return %p : tensor<2x37x16xf32>
}""", [w], [np.pad(w, ((0, 0), (0, 12))).reshape(37, 2, 16).transpose(1, 0, 2).copy()])
packed = rng.standard_normal((3, 20, 16)).astype(np.float32)
case("unpack", """
kernel.func @k(%p: tensor<3x20x16xf32>, %o: tensor<37x20xf32>) -> tensor<37x20xf32> $S {
  %e = tensor.empty() : tensor<37x20xf32>
  %u = linalg.unpack %p outer_dims_perm = [0, 1] inner_dims_pos = [0] inner_tiles = [16]
      into %e : tensor<3x20x16xf32> -> tensor<37x20xf32>
  kernel.return %u : tensor<37x20xf32>
}""", [packed], [packed.transpose(0, 2, 1).reshape(48, 20)[:37].copy()])

sys.exit(run(cases, sys.argv[1]))
