"""Every elementwise op on every element type that it takes."""

import math

import numpy as np

from lowering import NUMPY, case, edges, narrow, rounded, run

rng = np.random.default_rng(1)
FLOATS = ["f64", "f32", "f16", "bf16"]
INTS = ["i64", "i32", "i16", "i8"]
N = 61


def vectorized(f):
    return np.vectorize(f, otypes=[np.float64])


def safe(f, otherwise):
    def g(x):
        try:
            return f(x)
        except (ValueError, OverflowError):
            return otherwise(x)

    return vectorized(g)


sigmoid = lambda x: 1 / (1 + np.exp(-x))
erf = vectorized(math.erf)
UNARY = {
    "abs": np.abs, "neg": np.negative, "exp": np.exp, "expm1": np.expm1, "log": np.log, "log1p": np.log1p,
    "sqrt": np.sqrt, "rsqrt": lambda x: 1 / np.sqrt(x), "tanh": np.tanh, "erf": erf, "sigmoid": sigmoid,
    "sin": np.sin, "cos": np.cos, "floor": np.floor, "ceil": np.ceil, "silu": lambda x: x / (1 + np.exp(-x)),
}
BINARY = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "pow": np.power,
          "maximum": np.maximum, "minimum": np.minimum}
COMPARE = {"eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater,
           "ge": np.greater_equal}


def integers(element, n=N):
    info = np.iinfo(NUMPY[element])
    x = rng.integers(-50, 50, n)
    x[:4] = [info.min, info.max, 0, -1]
    return x.astype(NUMPY[element])


with np.errstate(all="ignore"):
    for e in FLOATS:
        t = f"tensor<{N}x{e}>"
        x, y = edges(rng, N), edges(rng, N)[::-1].copy()
        xr, yr = rounded(x, e), rounded(y, e)
        # f16 and bf16 are computed in f32: what overflows there does so here.
        for op, f in UNARY.items():
            # Upstream makes expm1 of an exponential and a subtraction; e^-x overflows before silu is zero.
            scale = {"expm1": 1 + np.abs(f(xr)), "silu": np.maximum(np.abs(f(xr)), 1e-37)}.get(op)
            case(f"{op}_{e}", f"ourc.{op} %a0 : {t}", [(x, e)], t, f(xr), scale=scale)
        for op, f in BINARY.items():
            case(f"{op}_{e}", f"ourc.{op} %a0, %a1 : {t}", [(x, e), (y, e)], t, f(xr, yr))
        gelu = xr / 2 * (1 + erf(xr / np.sqrt(2)))
        # 1 + erf cancels for negative arguments: the error is on the scale of x.
        case(f"gelu_{e}", f"ourc.gelu %a0 exact : {t}", [(x, e)], t, gelu, scale=xr)
        inner = np.sqrt(2 / np.pi) * (xr + 0.044715 * xr**3)
        case(f"gelu_tanh_{e}", f"ourc.gelu %a0 tanh : {t}", [(x, e)], t, xr / 2 * (1 + np.tanh(inner)),
             scale=xr)
    for e in INTS:
        t = f"tensor<{N}x{e}>"
        x, y = integers(e), integers(e)[::-1].copy()
        y[y == 0] = 3
        y[(x == np.iinfo(NUMPY[e]).min) & (y == -1)] = 2
        case(f"abs_{e}", f"ourc.abs %a0 : {t}", [(x, e)], t, np.abs(x))
        case(f"neg_{e}", f"ourc.neg %a0 : {t}", [(x, e)], t, -x)
        case(f"not_{e}", f"ourc.not %a0 : {t}", [(x, e)], t, ~x)
        for op, f in {"add": np.add, "sub": np.subtract, "mul": np.multiply, "maximum": np.maximum,
                      "minimum": np.minimum, "and": np.bitwise_and, "or": np.bitwise_or,
                      "xor": np.bitwise_xor}.items():
            case(f"{op}_{e}", f"ourc.{op} %a0, %a1 : {t}", [(x, e), (y, e)], t, f(x, y))
        quotient = np.array([abs(int(a)) // abs(int(b)) * (1 if (a < 0) == (b < 0) else -1) for a, b in zip(x, y)])
        case(f"div_{e}", f"ourc.div %a0, %a1 : {t}", [(x, e), (y, e)], t, quotient)
    t = f"tensor<{N}xi1>"
    p, q = rng.random(N) < 0.5, rng.random(N) < 0.5
    case("not_i1", f"ourc.not %a0 : {t}", [(p, "i1")], t, ~p)
    for op, f in {"and": np.logical_and, "or": np.logical_or, "xor": np.logical_xor}.items():
        case(f"{op}_i1", f"ourc.{op} %a0, %a1 : {t}", [(p, "i1"), (q, "i1")], t, f(p, q))

    for e in FLOATS + INTS + ["i1"]:
        if e == "i1":
            x, y = p, q
        elif e in INTS:
            x, y = integers(e), integers(e)[::-1].copy()
        else:
            x, y = edges(rng, N), edges(rng, N)[::-1].copy()
        y = np.where(q, x, y)
        xr, yr = (rounded(x, e), rounded(y, e)) if e in FLOATS else (x, y)
        for predicate, f in COMPARE.items():
            case(f"compare_{predicate}_{e}", f"ourc.compare {predicate} %a0, %a1 : tensor<{N}x{e}> -> {t}",
                 [(x, e), (y, e)], t, f(xr, yr))
        case(f"select_{e}", f"ourc.select %a0, %a1, %a2 : {t}, tensor<{N}x{e}>", [(p, "i1"), (x, e), (y, e)],
             f"tensor<{N}x{e}>", np.where(p, xr, yr))

    # Every pair of element types; to integers within their range.
    for a in FLOATS + INTS + ["i1"]:
        for b in FLOATS + INTS + ["i1"]:
            if a == "i1":
                x = p
            elif a in INTS:
                x = integers(a)
            elif b in INTS:
                x = rng.uniform(-100, 100, N)
            else:
                x = edges(rng, N)
            held = rounded(x, a) if a in FLOATS else x
            if b == "i1":
                reference = held != 0
            elif b in INTS:
                reference = np.trunc(held).astype(NUMPY[b]) if a in FLOATS else held.astype(NUMPY[b])
            else:
                reference = held.astype(np.float64)
            case(f"cast_{a}_{b}", f"ourc.cast %a0 : tensor<{N}x{a}> -> tensor<{N}x{b}>", [(x, a)],
                 f"tensor<{N}x{b}>", reference)
    u = integers("i8").view(np.uint8)
    for b in ["i64", "f32", "f16"]:
        case(f"cast_u8_{b}", f"ourc.cast %a0 {{unsignedSource}} : tensor<{N}xi8> -> tensor<{N}x{b}>",
             [(u.view(np.int8), "i8")], f"tensor<{N}x{b}>", u.astype(np.float64))
    f = rng.uniform(0, 255, N)
    case("cast_f32_u8", f"ourc.cast %a0 {{unsignedResult}} : tensor<{N}xf32> -> tensor<{N}xi8>", [(f, "f32")],
         f"tensor<{N}xi8>", rounded(f, "f32").astype(np.uint8).view(np.int8))

    # Operands that are broadcast become maps: a row, a column, a scalar, a constant, one value twice.
    x, r, c = rng.standard_normal((3, 5)), rng.standard_normal(5), rng.standard_normal((3, 1))
    case("broadcasts", """
  %k = ourc.constant dense<0.5> : tensor<3x5xf64>
  %0 = ourc.broadcast %a1 dims [1] sizes [3, 5] : tensor<5xf64> -> tensor<3x5xf64>
  %1 = ourc.broadcast %a2 dims [0, 1] sizes [3, 5] : tensor<3x1xf64> -> tensor<3x5xf64>
  %2 = ourc.mul %a0, %0 : tensor<3x5xf64>
  %3 = ourc.sub %2, %1 : tensor<3x5xf64>
  %4 = ourc.mul %3, %k : tensor<3x5xf64>
  %5 = ourc.mul %4, %4 : tensor<3x5xf64>
  return %5 : tensor<3x5xf64>""", [(x, "f64"), (r, "f64"), (c, "f64")], "tensor<3x5xf64>", ((x * r - c) * 0.5) ** 2)
    case("scalar", "ourc.exp %a0 : tensor<f32>", [(np.float64(0.5), "f32")], "tensor<f32>", np.exp(0.5))
    case("empty", "ourc.exp %a0 : tensor<0x3xf32>", [(np.zeros((0, 3)), "f32")], "tensor<0x3xf32>", np.zeros((0, 3)))
    case("dynamic", "ourc.add %a0, %a1 : tensor<?x?xf32>", [(x, "f32"), (x, "f32")], "tensor<?x?xf32>",
         2 * rounded(x, "f32"), types={0: "tensor<?x?xf32>", 1: "tensor<?x?xf32>"})
run()
