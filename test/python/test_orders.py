# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sorting, reversing, and transposed convolutions, against torch."""

import pytest
import torch
import torch.nn.functional as F

from test_ops import BF16, BOOL, F32, F64, I64, compiled_results, run_sum, values

ORDERED = [
    ("sort", lambda x: x.sort(dim=1, stable=True)),
    ("sort_down", lambda x: x.sort(dim=-1, descending=True, stable=True)),
    ("sort_outer", lambda x: x.sort(dim=0, stable=True)),
]


@pytest.mark.parametrize("dtype", [F32, BF16, I64, BOOL], ids=str)
@pytest.mark.parametrize("function", [pytest.param(f, id=n) for n, f in ORDERED])
def test_sort(function, dtype):
    x = values((5, 40, 3), dtype, 1, edges=True)
    (actual,) = compiled_results(function, [(x,)])
    for mine, theirs in zip(actual, function(x), strict=True):
        torch.testing.assert_close(mine, theirs, rtol=0, atol=0, equal_nan=True)


@pytest.mark.parametrize("largest", [True, False])
def test_topk(largest):
    x = torch.randperm(300, generator=torch.Generator().manual_seed(0)).float().view(3, 100)

    def function(x):
        return x.topk(5, dim=1, largest=largest)

    (actual,) = compiled_results(function, [(x,)])
    for mine, theirs in zip(actual, function(x), strict=True):
        assert torch.equal(mine, theirs)


def test_flip():
    x = values((3, 4, 5), F32, 1, False)
    run_sum(lambda x: x.flip(0, -1) + 0, [(x,)])
    run_sum(lambda x: x.flip(1).transpose(0, 1) * 2, [(x,)])


TRANSPOSED = [
    ("apart", (2, 6, 5, 7), (6, 4, 2, 2), dict(stride=2)),
    ("apart_uneven", (1, 6, 5, 7), (6, 4, 3, 2), dict(stride=(3, 2))),
    ("overlapping", (2, 6, 5, 7), (6, 4, 3, 3), dict(stride=2, padding=1, output_padding=1)),
    ("dense", (1, 6, 5, 7), (6, 4, 4, 4), dict(padding=2)),
    ("dilated", (1, 6, 5, 7), (6, 4, 3, 3), dict(stride=2, dilation=2)),
    ("cut", (1, 6, 9, 9), (6, 4, 2, 2), dict(padding=3)),
    ("grouped", (1, 6, 5, 7), (6, 2, 3, 3), dict(stride=2, padding=1, groups=3)),
    ("one_dimension", (2, 6, 9), (6, 4, 4), dict(stride=2, padding=1)),
    ("three_dimensions", (1, 4, 3, 4, 5), (4, 3, 2, 2, 2), dict(stride=2)),
]


@pytest.mark.parametrize("bias", [False, True], ids=["plain", "bias"])
@pytest.mark.parametrize(
    "x_shape, w_shape, options", [pytest.param(*c[1:], id=c[0]) for c in TRANSPOSED]
)
def test_transposed_convolutions(x_shape, w_shape, options, bias):
    convolve = [F.conv_transpose1d, F.conv_transpose2d, F.conv_transpose3d][len(x_shape) - 3]
    inputs = [values(x_shape, F32, 1, False), values(w_shape, F32, 2, False)]
    if bias:
        inputs.append(values((w_shape[1] * options.get("groups", 1),), F32, 3, False))
    run_sum(lambda *a: convolve(*a, **options), [tuple(inputs)])


def test_linspace():
    for dtype in (F32, F64, BF16):
        function = lambda x: torch.linspace(-1, 3, 7, dtype=dtype) + x  # noqa: B023, E731
        (actual,) = compiled_results(function, [(torch.zeros(7, dtype=dtype),)])
        torch.testing.assert_close(actual, function(torch.zeros(7, dtype=dtype)))


def test_floor_divide():
    x, y = torch.arange(-9, 9), torch.tensor([2, -3, 5] * 6)
    (actual,) = compiled_results(lambda x, y: x // y, [(x, y)])
    assert torch.equal(actual, x // y)


@pytest.mark.parametrize("mode", ["reflect", "replicate"])
def test_own_borders(mode):
    run_sum(lambda x: F.pad(x, (1, 2, 3, 0), mode=mode) + 0, [(values((2, 3, 5, 7), F32, 1, False),)])
    run_sum(lambda x: F.pad(x, (4, 1), mode=mode) + 0, [(values((2, 3, 7), F32, 1, False),)])


def test_unfold():
    x = values((3, 10, 4), F32, 1, False)
    run_sum(lambda x: x.unfold(1, 3, 2) * 2, [(x,)])
    run_sum(lambda x: x.unfold(-1, 4, 1).sum(0), [(x,)])


def test_weight_norm():
    torch.manual_seed(0)
    layer = torch.nn.utils.parametrizations.weight_norm(torch.nn.Linear(7, 5))
    x = torch.randn(3, 7)
    (actual,) = compiled_results(lambda x: layer(x), [(x,)])
    torch.testing.assert_close(actual, layer(x).detach())
