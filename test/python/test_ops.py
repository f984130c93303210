# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each ATen op through torch.compile against the op itself in f64.

One compile serves all sizes of a case: the function applies the op to a list of
inputs. Elementwise ops see zeros, denormals, infinities and NaN and are compared
element by element; ops that sum are compared by relative RMSE on finite inputs.
"""

import pytest
import torch
import torch.nn.functional as F

import ourc
from numerics import relative_rmse

F32, F64, F16, BF16 = torch.float32, torch.float64, torch.float16, torch.bfloat16
I64, I32, I16, I8, U8, BOOL = (
    torch.int64,
    torch.int32,
    torch.int16,
    torch.int8,
    torch.uint8,
    torch.bool,
)
FLOATS, INTS = (F32, F64, F16, BF16), (I64, I32)

SHAPES = [(1,), (7,), (13,), (3, 17), (2, 5, 33), (64,)]

# Elementwise: allowed error in units in the last place of the result's type.
ULPS = {F64: 8.0, F32: 4.0, F16: 1.0, BF16: 1.0}
RMSE = {F64: 1e-12, F32: 1e-5, F16: 2e-3, BF16: 2e-2}


def edge_values(dtype):
    if dtype == BOOL:
        return torch.tensor([False, True])
    if not dtype.is_floating_point:
        info = torch.iinfo(dtype)
        return torch.tensor([0, 1, info.max, info.min, 3], dtype=dtype)
    info = torch.finfo(dtype)
    values = [0.0, -0.0, 1.0, -1.0, info.tiny, -info.tiny, info.max, info.min, info.eps]
    values += [info.tiny / 2, -info.tiny / 4, float("inf"), float("-inf"), float("nan")]
    return torch.tensor(values, dtype=torch.float64).to(dtype)


def values(shape, dtype, seed, edges):
    generator = torch.Generator().manual_seed(seed)
    if dtype == BOOL:
        result = torch.randint(0, 2, shape, generator=generator).to(BOOL)
    elif dtype.is_floating_point:
        result = (torch.randn(shape, generator=generator, dtype=F64) * 3).to(dtype)
    else:
        low = 0 if dtype == U8 else -50
        result = torch.randint(low, 50, shape, generator=generator).to(dtype)
    if edges:
        flat, special = result.view(-1), edge_values(dtype)
        if flat.numel() >= 13:  # small ones stay random: some case is free of NaN
            count = min(flat.numel(), special.numel())
            flat[:count] = special[torch.randperm(special.numel(), generator=generator)[:count]]
    return result


def reference(function, *inputs):
    """In f64 where inputs are floats; the result in the type that torch gives."""
    kinds = function(*inputs)
    wide = [i.double() if i.is_floating_point() else i for i in inputs]
    exact = function(*wide)
    single = isinstance(kinds, torch.Tensor)
    pairs = zip((kinds,), (exact,)) if single else zip(kinds, exact)
    return [(e, k.dtype) for k, e in pairs]


def ulp(value, dtype):
    """The spacing of `dtype` at the magnitudes of `value`, an f64 tensor."""
    info = torch.finfo(dtype)
    magnitude = value.abs().clamp(min=info.tiny, max=info.max)
    return torch.exp2(torch.floor(torch.log2(magnitude))) * info.eps


def check_elementwise(actual, exact, dtype, ulps):
    assert actual.dtype == dtype and actual.shape == exact.shape
    if not dtype.is_floating_point:
        assert torch.equal(actual, exact.to(dtype)), (actual, exact)
        return
    actual = actual.double()
    expected = exact.double().to(dtype).double()  # overflow as the type has it
    assert torch.equal(actual.isnan(), expected.isnan()), (actual, expected)
    finite = expected.isfinite() & actual.isfinite()
    differ = ~finite & ~expected.isnan() & (actual != expected)
    # At the edge of the range one rounding decides between finite and infinite.
    edge = torch.finfo(dtype).max * (1 - 8 * torch.finfo(dtype).eps)
    differ &= ~((actual.abs() >= edge) & (expected.abs() >= edge))
    assert not differ.any(), (actual[differ], expected[differ])
    error = (actual - exact.double())[finite].abs() / ulp(exact.double(), dtype)[finite]
    worst = error.max().item() if error.numel() else 0.0
    at = error.argmax() if error.numel() else 0
    assert worst <= ulps, (
        f"{worst:.1f} ulp: {actual[finite].flatten()[at]} for {exact[finite].flatten()[at]}"
    )


def check_sum(actual, exact, dtype):
    assert actual.dtype == dtype and actual.shape == exact.shape
    if not dtype.is_floating_point:
        assert torch.equal(actual, exact.to(dtype))
        return
    error = relative_rmse(actual, exact)
    assert error <= RMSE[dtype], f"relative RMSE {error:.2e}"


def compiled_results(function, cases):
    def all_cases(cases):
        return [function(*inputs) for inputs in cases]

    compiled = torch.compile(all_cases, backend="ourc", fullgraph=True, dynamic=False)
    with torch.no_grad():
        return compiled(cases)


def run_elementwise(function, cases, ulps=None):
    for result, inputs in zip(compiled_results(function, cases), cases, strict=True):
        results = (result,) if isinstance(result, torch.Tensor) else result
        for actual, (exact, dtype) in zip(results, reference(function, *inputs), strict=True):
            check_elementwise(actual, exact, dtype, ulps or ULPS.get(dtype, 0))


def run_sum(function, cases):
    for result, inputs in zip(compiled_results(function, cases), cases, strict=True):
        results = (result,) if isinstance(result, torch.Tensor) else result
        for actual, (exact, dtype) in zip(results, reference(function, *inputs), strict=True):
            check_sum(actual, exact, dtype)


def cases_of(table):
    return [
        pytest.param(function, dtype, id=f"{name}-{str(dtype)[6:]}")
        for name, function, dtypes in table
        for dtype in dtypes
    ]


UNARY = [
    ("abs", torch.abs, FLOATS + INTS),
    ("neg", torch.neg, FLOATS + INTS),
    ("relu", F.relu, FLOATS + INTS),
    ("relu6", F.relu6, FLOATS),
    ("leaky_relu", lambda x: F.leaky_relu(x, 0.1), (F32, BF16)),
    ("hardtanh", F.hardtanh, (F32,)),
    ("ceil", torch.ceil, FLOATS),
    ("floor", torch.floor, FLOATS),
    ("trunc", torch.trunc, FLOATS),
    ("sqrt", torch.sqrt, FLOATS),
    ("rsqrt", torch.rsqrt, FLOATS),
    ("reciprocal", torch.reciprocal, FLOATS),
    ("exp", torch.exp, FLOATS),
    ("expm1", torch.expm1, FLOATS),
    ("log", torch.log, FLOATS),
    ("log1p", torch.log1p, FLOATS),
    ("erf", torch.erf, FLOATS),
    ("tanh", torch.tanh, FLOATS),
    ("sigmoid", torch.sigmoid, FLOATS),
    ("silu", F.silu, (F32, F16, BF16)),
    ("bitwise_not", torch.bitwise_not, INTS + (BOOL,)),
    ("logical_not", torch.logical_not, (F32, I64, BOOL)),
    ("clamp", lambda x: x.clamp(-1, 2), FLOATS + INTS),
    ("clamp_min", lambda x: x.clamp_min(1), FLOATS + INTS),
    ("clamp_max", lambda x: x.clamp(max=1), FLOATS + INTS),
    ("pow_2", lambda x: x**2, FLOATS + INTS),
    ("pow_3", lambda x: x**3, (F32, F64)),
    ("pow_half", lambda x: x**0.5, (F32, F64)),
    ("add_scalar", lambda x: x + 2, FLOATS + INTS),
    ("rsub", lambda x: 1 - x, FLOATS + INTS),
    ("mul_scalar", lambda x: x * 3, FLOATS + INTS),
    ("div_scalar", lambda x: x / 3, FLOATS),
    ("add_alpha", lambda x: torch.add(x, x, alpha=2), (F32, I64)),
    ("where_scalars", lambda x: torch.where(x > 0, 1.0, 0.0), (F32, I64)),
    ("masked_fill", lambda x: x.masked_fill(x > 0, 7), FLOATS + INTS),
    ("eq_scalar", lambda x: x == 1, FLOATS + INTS + (BOOL,)),
    ("ge_scalar", lambda x: x >= 0, FLOATS + INTS),
]


@pytest.mark.parametrize("function, dtype", cases_of(UNARY))
def test_unary(function, dtype):
    cases = [(values(s, dtype, i, edges=True),) for i, s in enumerate(SHAPES)]
    run_elementwise(function, cases)


@pytest.mark.parametrize("approximate", ["none", "tanh"])
@pytest.mark.parametrize("dtype", [F32, F64, F16, BF16], ids=lambda d: str(d)[6:])
def test_gelu(dtype, approximate):
    """Near its zeros the formula itself cancels: the error there is absolute."""
    cases = [(values(s, dtype, i, edges=False),) for i, s in enumerate(SHAPES)]
    special = edge_values(dtype)
    cases.append((special,))
    # Everywhere that it turns, and where it is x or nothing.
    cases.append((torch.linspace(-7, 7, 20001, dtype=F64).to(dtype),))
    cases.append((torch.linspace(-3e4, 3e4, 1001, dtype=F64).to(dtype),))

    def function(x):
        return F.gelu(x, approximate=approximate)

    for actual, (x,) in zip(compiled_results(function, cases), cases, strict=True):
        exact = function(x.double())
        assert torch.equal(actual.isnan(), exact.isnan())
        finite = exact.to(dtype).isfinite()
        error = (actual.double() - exact)[finite].abs()
        bound = 4 * torch.finfo(dtype).eps * x.double()[finite].abs().clamp(min=1e-30)
        assert (error <= bound + torch.finfo(dtype).tiny).all(), (error / bound).max()


BINARY = [
    ("add", torch.add, FLOATS + INTS + (I32, I16, I8)),
    ("sub", torch.sub, FLOATS + INTS),
    ("mul", torch.mul, FLOATS + INTS + (BOOL,)),
    ("div", torch.div, FLOATS),
    ("maximum", torch.maximum, FLOATS + INTS),
    ("minimum", torch.minimum, FLOATS + INTS),
    ("eq", torch.eq, FLOATS + INTS + (BOOL,)),
    ("ne", torch.ne, FLOATS + INTS),
    ("lt", torch.lt, FLOATS + INTS),
    ("le", torch.le, FLOATS + INTS),
    ("gt", torch.gt, FLOATS + INTS),
    ("ge", torch.ge, FLOATS + INTS),
    ("bitwise_and", torch.bitwise_and, INTS + (BOOL,)),
    ("bitwise_or", torch.bitwise_or, INTS + (BOOL,)),
    ("bitwise_xor", torch.bitwise_xor, INTS + (BOOL,)),
    ("logical_and", torch.logical_and, (F32, I64, BOOL)),
    ("logical_or", torch.logical_or, (F32, I64, BOOL)),
    ("where", lambda x, y: torch.where(x > y, x, y), FLOATS + INTS),
]
BINARY = [(name, f, tuple(dict.fromkeys(dtypes))) for name, f, dtypes in BINARY]


@pytest.mark.parametrize("function, dtype", cases_of(BINARY))
def test_binary(function, dtype):
    cases = []
    for i, shape in enumerate(SHAPES):
        x, y = (values(shape, dtype, 2 * i + k, edges=True) for k in range(2))
        cases.append((x, y))
    # Broadcasting, on either side and on both.
    cases.append((values((5, 13), dtype, 90, True), values((13,), dtype, 91, True)))
    cases.append((values((1,), dtype, 92, False), values((3, 4, 7), dtype, 93, True)))
    cases.append((values((3, 1, 7), dtype, 94, True), values((1, 5, 1), dtype, 95, False)))
    run_elementwise(function, cases)


@pytest.mark.parametrize(
    "function",
    [torch.add, torch.sub, torch.mul, torch.maximum, torch.lt, torch.bitwise_and],
    ids=lambda f: f.__name__,
)
def test_unsigned_arithmetic_is_refused(function):
    """Values carry no sign; only moves and casts read unsigned arguments."""
    x, y = (values((7,), U8, i, edges=False) for i in range(2))
    with pytest.raises(ourc.CompileError, match="operand of unsigned integers; convert it"):
        compiled_results(function, [(x, y)])


@pytest.mark.parametrize("source", [F32, F64, F16, BF16, I64, I32, U8, BOOL], ids=str)
@pytest.mark.parametrize("target", [F32, F64, F16, BF16, I64, I32, BOOL], ids=str)
def test_cast(source, target):
    cases = []
    for i, shape in enumerate(SHAPES):
        # Out of an integer's range C leaves the result open; torch does too.
        edges = target.is_floating_point or target == BOOL or not source.is_floating_point
        cases.append((values(shape, source, i, edges),))

    def function(x):
        return x.to(target) if source != target else x.clone()

    for actual, (x,) in zip(compiled_results(function, cases), cases, strict=True):
        expected = function(x)
        assert actual.dtype == target
        assert torch.equal(actual.isnan(), expected.isnan())
        mask = ~expected.isnan()
        assert torch.equal(actual[mask], expected[mask])


TYPE_PROMOTION = [
    ("f32_plus_i64", lambda x, y: x + y, F32, I64),
    ("bf16_times_f32", lambda x, y: x * y, BF16, F32),
    ("f16_plus_bf16", lambda x, y: x + y, F16, BF16),
    ("bool_plus_i32", lambda x, y: x + y, BOOL, I32),
    ("i8_plus_i16", lambda x, y: x + y, I8, I16),
    ("i64_div_i64", lambda x, y: x / (y * y + 1), I64, I64),
    ("bool_ge_f32", lambda x, y: x >= y, BOOL, F32),
]


@pytest.mark.parametrize(
    "function, left, right", [pytest.param(*c[1:], id=c[0]) for c in TYPE_PROMOTION]
)
def test_type_promotion(function, left, right):
    cases = [
        (values(s, left, i, edges=False), values(s, right, 50 + i, edges=False))
        for i, s in enumerate(SHAPES)
    ]
    for actual, inputs in zip(compiled_results(function, cases), cases, strict=True):
        expected = function(*inputs)
        assert actual.dtype == expected.dtype
        torch.testing.assert_close(actual, expected, rtol=1e-2, atol=1e-6)


# Ops that move elements: exact, whatever the type.
MOVES = [
    ("view", lambda x: x.view(5, 6, 7).clone()),
    ("reshape_copy", lambda x: x.transpose(0, 1).reshape(-1)),
    ("flatten", lambda x: torch.flatten(x.clone(), 1)),
    ("t", lambda x: x.clone().view(6, 35).t().contiguous()),
    ("transpose", lambda x: x.transpose(0, 2).contiguous()),
    ("permute", lambda x: x.permute(2, 0, 1).contiguous()),
    ("expand", lambda x: x.unsqueeze(1).expand(6, 3, 5, 7).clone()),
    ("repeat", lambda x: x.repeat(2, 1, 3)),
    ("unsqueeze", lambda x: x.unsqueeze(0).clone()),
    ("squeeze", lambda x: x.view(6, 1, 35).squeeze(1).clone()),
    ("slice", lambda x: x[1:5, 2:].clone()),
    ("slice_step", lambda x: x[::2, :, 1::3].clone()),
    ("select", lambda x: x[2].clone()),
    ("cat", lambda x: torch.cat([x, x[:, :2], x], 1)),
    ("stack", lambda x: torch.stack([x, x], 1)),
    ("split", lambda x: tuple(p.clone() for p in x.split(2, 1))),
    ("unbind", lambda x: tuple(p.clone() for p in x.unbind(1))),
    ("pad", lambda x: F.pad(x, (1, 2, 0, 3), value=1)),
]


@pytest.mark.parametrize("dtype", [F32, F16, I64, U8, BOOL], ids=lambda d: str(d)[6:])
@pytest.mark.parametrize(
    "function, joins", [pytest.param(f, n in ("cat", "stack"), id=n) for n, f in MOVES]
)
def test_moves(function, joins, dtype):
    x = values((6, 5, 7), dtype, 1, edges=True)
    if dtype == U8 and joins:
        with pytest.raises(ourc.CompileError, match="operand of unsigned integers; convert it"):
            compiled_results(function, [(x,)])
        return
    (result,) = compiled_results(function, [(x,)])
    expected = function(x)
    pairs = [(result, expected)] if isinstance(result, torch.Tensor) else zip(result, expected)
    for actual, wanted in pairs:
        assert actual.dtype == wanted.dtype and actual.shape == wanted.shape
        assert torch.equal(actual.view(-1).isnan(), wanted.reshape(-1).isnan())
        assert torch.equal(actual.nan_to_num(), wanted.nan_to_num())


INDEXING = [
    ("gather", lambda x, i: torch.gather(x, 1, i.view(4, 3))),
    ("gather_0", lambda x, i: torch.gather(x, 0, i.view(4, 3))),
    ("embedding", lambda x, i: F.embedding(i, x)),
    ("index", lambda x, i: x[i]),
    ("index_1", lambda x, i: x[:, i]),
    ("index_pair", lambda x, i: x[i, i]),
    ("index_broadcast", lambda x, i: x[i.view(-1, 1), i.view(1, -1)]),
]


@pytest.mark.parametrize("dtype", [F32, BF16, I64, BOOL], ids=lambda d: str(d)[6:])
@pytest.mark.parametrize("function", [pytest.param(f, id=n) for n, f in INDEXING])
def test_indexing(function, dtype):
    x = values((7, 7), dtype, 1, edges=True)
    index = torch.tensor([0, 6, 3, 1, 1, 5, 2, 4, 0, 6, 6, 3])
    (actual,) = compiled_results(function, [(x, index)])
    expected = function(x, index)
    assert torch.equal(actual.isnan(), expected.isnan())
    assert torch.equal(actual.nan_to_num(), expected.nan_to_num())


CREATION = [
    ("arange", lambda x: torch.arange(x.shape[0])),
    ("arange_step", lambda x: torch.arange(3, 20, 4)),
    ("arange_float", lambda x: torch.arange(0, 2, 0.5)),
    ("new_ones", lambda x: x.new_ones((2, 3), dtype=BOOL)),
    ("new_zeros", lambda x: x.new_zeros((2, 3))),
    ("full", lambda x: torch.full((3, 2), 2.5)),
    ("full_like", lambda x: torch.full_like(x, 3.0)),
    ("zeros", lambda x: torch.zeros(4)),
    ("ones_like", lambda x: torch.ones_like(x)),
    ("scalar_tensor", lambda x: torch.where(x > 0, float("-inf"), 0.0)),
]


@pytest.mark.parametrize("function", [pytest.param(f, id=n) for n, f in CREATION])
def test_creation(function):
    x = torch.randn(7)
    (actual,) = compiled_results(function, [(x,)])
    assert actual.dtype == function(x).dtype and torch.equal(actual, function(x))


REDUCTIONS = [
    ("sum", lambda x: x.sum()),
    ("sum_dim", lambda x: x.sum(1)),
    ("sum_dims", lambda x: x.sum((0, 2), keepdim=True)),
    ("mean", lambda x: x.mean()),
    ("mean_dim", lambda x: x.mean(-1, keepdim=True)),
    ("vector_norm", lambda x: torch.linalg.vector_norm(x, dim=-1)),
    ("vector_norm_1", lambda x: torch.linalg.vector_norm(x, 1, dim=1, keepdim=True)),
    ("softmax", lambda x: x.softmax(-1)),
    ("softmax_inner", lambda x: x.softmax(1)),
    ("log_softmax", lambda x: x.log_softmax(-1)),
    ("layer_norm", lambda x: F.layer_norm(x, x.shape[-1:])),
    ("normalize", lambda x: F.normalize(x, dim=-1)),
]
REDUCED = [(1, 1, 1), (2, 3, 7), (3, 5, 13), (2, 2, 129), (4, 33, 64)]


@pytest.mark.parametrize("dtype", [F32, F64, BF16], ids=lambda d: str(d)[6:])
@pytest.mark.parametrize("function", [pytest.param(f, id=n) for n, f in REDUCTIONS])
def test_reductions(function, dtype):
    run_sum(function, [(values(s, dtype, i, edges=False),) for i, s in enumerate(REDUCED)])


@pytest.mark.parametrize("name", ["amax", "amin"])
@pytest.mark.parametrize("dtype", [F32, I64], ids=lambda d: str(d)[6:])
def test_extrema(name, dtype):
    function = lambda x: getattr(torch, name)(x, -1)  # noqa: E731
    cases = [(values(s, dtype, i, edges=True),) for i, s in enumerate(REDUCED)]
    run_elementwise(function, cases)


def test_integer_sums():
    run_sum(lambda x: x.sum(1), [(values(s, I64, i, False),) for i, s in enumerate(REDUCED)])
    run_sum(lambda x: x.sum(1), [(values(s, BOOL, i, False),) for i, s in enumerate(REDUCED)])


def test_sum_passes_infinities_and_nans_on():
    x = torch.zeros(4, 33)
    x[1, 5], x[2, 7], x[3, 1], x[3, 20] = float("inf"), float("nan"), float("inf"), float("-inf")
    (actual,) = compiled_results(lambda x: x.sum(1), [(x,)])
    torch.testing.assert_close(actual, x.sum(1), equal_nan=True)


def test_softmax_of_masked_rows():
    x = torch.randn(3, 17)
    x[0, 5:] = float("-inf")
    x[1, :] = float("-inf")
    x[2, 3] = float("inf")
    (actual,) = compiled_results(lambda x: x.softmax(-1), [(x,)])
    torch.testing.assert_close(actual, x.softmax(-1), equal_nan=True)


MATMULS = [
    ("mm", torch.mm, [((1, 1), (1, 1)), ((7, 13), (13, 33)), ((64, 100), (100, 17))]),
    ("bmm", torch.bmm, [((1, 3, 5), (1, 5, 7)), ((4, 13, 33), (4, 33, 9))]),
    ("matmul", torch.matmul, [((2, 3, 7, 5), (2, 3, 5, 9)), ((3, 4, 8), (8, 6))]),
    ("mv", torch.mv, [((7, 13), (13,))]),
    ("linear", F.linear, [((5, 13), (7, 13)), ((2, 3, 64), (48, 64)), ((1, 100), (33, 100))]),
    (
        "linear_bias",
        F.linear,
        [((5, 13), (7, 13), (7,)), ((128, 64), (100, 64), (100,))],
    ),
    ("addmm", torch.addmm, [((7,), (5, 13), (13, 7)), ((5, 7), (5, 13), (13, 7))]),
    (
        "addmm_scaled",
        lambda a, b, c: torch.addmm(a, b, c, beta=0.5, alpha=2),
        [((7,), (5, 13), (13, 7))],
    ),
]


@pytest.mark.parametrize("dtype", [F32, F64, BF16], ids=lambda d: str(d)[6:])
@pytest.mark.parametrize("function, shapes", [pytest.param(*c[1:], id=c[0]) for c in MATMULS])
def test_matmuls(function, shapes, dtype):
    cases = [
        tuple(values(s, dtype, 10 * i + k, edges=False) for k, s in enumerate(group))
        for i, group in enumerate(shapes)
    ]
    run_sum(function, cases)


CONVOLUTIONS = [
    ("3x3", (2, 3, 9, 11), (5, 3, 3, 3), dict(padding=1)),
    ("1x1", (1, 16, 7, 7), (33, 16, 1, 1), dict()),
    ("strided", (1, 3, 17, 13), (8, 3, 7, 7), dict(stride=2, padding=3)),
    ("strided_1x1", (2, 8, 7, 7), (16, 8, 1, 1), dict(stride=2)),
    ("dilated", (1, 4, 12, 12), (6, 4, 3, 3), dict(dilation=2, padding=2)),
    ("no_padding", (1, 4, 5, 5), (6, 4, 5, 5), dict()),
    ("grouped", (1, 8, 6, 6), (12, 4, 3, 3), dict(groups=2, padding=1)),
    ("depthwise", (1, 8, 6, 6), (8, 1, 3, 3), dict(groups=8, padding=1)),
]


@pytest.mark.parametrize("bias", [False, True], ids=["plain", "bias"])
@pytest.mark.parametrize(
    "x_shape, w_shape, options", [pytest.param(*c[1:], id=c[0]) for c in CONVOLUTIONS]
)
def test_convolutions(x_shape, w_shape, options, bias):
    inputs = [values(x_shape, F32, 1, False), values(w_shape, F32, 2, False)]
    if bias:
        inputs.append(values(w_shape[:1], F32, 3, False))
    run_sum(lambda *a: F.conv2d(*a, **options), [tuple(inputs)])


POOLS = [
    ("max", lambda x: F.max_pool2d(x, 2)),
    ("max_3_2_1", lambda x: F.max_pool2d(x, 3, 2, 1)),
    ("adaptive_average", lambda x: F.adaptive_avg_pool2d(x, 1)),
    ("mean", lambda x: x.mean((-2, -1))),
]


@pytest.mark.parametrize("function", [pytest.param(f, id=n) for n, f in POOLS])
def test_pools(function):
    cases = [(values(s, F32, i, False),) for i, s in enumerate([(1, 1, 7, 7), (2, 5, 13, 9)])]
    run_sum(function, cases)


def test_max_pool_passes_nans_on():
    x = torch.randn(1, 3, 8, 8)
    x[0, 1, 3, 3] = float("nan")
    x[0, 2, 0, 0] = float("-inf")
    (actual,) = compiled_results(lambda x: F.max_pool2d(x, 2), [(x,)])
    torch.testing.assert_close(actual, F.max_pool2d(x, 2), equal_nan=True)


@pytest.mark.parametrize("affine", [True, False])
def test_batch_norm(affine):
    def function(x, mean, variance, weight, bias):
        extra = (weight, bias) if affine else (None, None)
        return F.batch_norm(x, mean, variance, *extra, False, 0.1, 1e-5)

    cases = []
    for i, shape in enumerate([(2, 7, 5, 5), (1, 13, 1, 9)]):
        vectors = [values(shape[1:2], F32, 10 * i + k, False) for k in range(1, 5)]
        vectors[1] = vectors[1].abs() + 0.1
        cases.append((values(shape, F32, i, False), *vectors))
    run_sum(function, cases)


@pytest.mark.parametrize("elements", [1, 7, 13, 64, 129, 384])
def test_layer_norm(elements):
    inputs = [values((5, 3, elements), F32, 1, False)]
    inputs += [values((elements,), F32, k, False) for k in (2, 3)]
    run_sum(lambda x, w, b: F.layer_norm(x, w.shape, w, b, 1e-12), [tuple(inputs)])


@pytest.mark.parametrize("mask", ["none", "float", "bool"])
@pytest.mark.parametrize("sizes", [(1, 1, 1, 8), (2, 3, 17, 32), (1, 2, 65, 64)], ids=str)
def test_attention(sizes, mask):
    batch, heads, sequence, width = sizes
    q, k, v = (values(sizes, F32, i, False) for i in range(3))
    inputs = [q, k, v]
    if mask == "float":
        inputs.append(values((batch, 1, sequence, sequence), F32, 3, False))
    elif mask == "bool":
        keep = values((batch, 1, 1, sequence), BOOL, 3, False)
        keep[..., 0] = True
        inputs.append(keep.expand(batch, 1, sequence, sequence).contiguous())
    run_sum(lambda *a: F.scaled_dot_product_attention(*a), [tuple(inputs)])
