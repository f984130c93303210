# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows and elements on the GPU path: each length has another schedule, each address another way to be read."""

import pytest
import torch
import torch.nn.functional as F

import ourc
from numerics import assert_close

TOLERANCE = {torch.float32: 1e-6, torch.float16: 1e-3, torch.bfloat16: 8e-3}


def run(function, *inputs):
    torch._dynamo.reset()
    compiled = torch.compile(function, backend="ourc", fullgraph=True, options={"target": "simt"})
    with torch.no_grad():
        return compiled(*inputs)


def schedules():
    return [k["schedule"] for k in ourc.compilations()[-1].report["kernels"]]


def at_odd_address(tensor):
    """The same tensor, one element beyond where it would be aligned."""
    storage = tensor.new_empty(tensor.numel() + 1)
    storage[1:] = tensor.flatten()
    return storage[1:].view(tensor.shape)


# Staged rows with a last block that is not full and bytes that are no whole accesses, short rows, a warp's,
# several warps', and so long that there are loops.
SHAPES = [(37, 49), (5, 197), (3, 7, 64), (1, 6, 49), (9, 512), (2, 384), (6, 1000), (3, 2, 2048), (2, 1540), (2, 4100), (1, 33000)]


@pytest.mark.parametrize("dtype", TOLERANCE, ids=str)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("place", [lambda x: x, at_odd_address], ids=["aligned", "odd"])
def test_softmax(shape, dtype, place):
    x = place((torch.randn(shape) * 3).to(dtype))
    assert_close(run(lambda x: torch.softmax(x, -1), x), torch.softmax(x.double(), -1), TOLERANCE[dtype])


@pytest.mark.parametrize("dtype", TOLERANCE, ids=str)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_layer_norm_of_a_sum(shape, dtype):
    """Two operands with rows, two that all rows share, two results."""

    def function(x, y, weight, bias):
        z = x + y
        return z, F.layer_norm(z, weight.shape, weight, bias)

    x, y = torch.randn(shape).to(dtype), torch.randn(shape).to(dtype)
    weight, bias = torch.randn(shape[-1]).to(dtype), torch.randn(shape[-1]).to(dtype)
    actual = run(function, x, y, weight, bias)
    expected = function(*(t.double() for t in (x, y, weight, bias)))
    for a, e in zip(actual, expected):
        # The sum is rounded to the type before the norm.
        assert_close(a, e, 2 * TOLERANCE[dtype])


@pytest.mark.parametrize("dtype", TOLERANCE, ids=str)
def test_rows_of_two_dimensions_and_of_a_transposed_operand(dtype):
    x = torch.randn(5, 6, 9, 4).to(dtype)
    assert_close(run(lambda x: x - x.mean((2, 3), keepdim=True), x), x.double() - x.double().mean((2, 3), keepdim=True), 2 * TOLERANCE[dtype])
    y = torch.randn(2, 8, 3, 256).to(dtype)
    function = lambda y: torch.softmax(y.transpose(1, 2), -1)
    assert_close(run(function, y), function(y.double()), TOLERANCE[dtype])


@pytest.mark.parametrize("dtype", TOLERANCE, ids=str)
@pytest.mark.parametrize("shape", [(3, 49, 40), (2, 7, 5, 33), (1, 200, 9), (4, 1, 64)], ids=str)
def test_rows_that_are_neighbours(shape, dtype):
    """Over the pixels of an image whose channels come last; one with two results and one with a state of three."""

    def function(x):
        pixels = tuple(range(1, x.dim() - 1))
        mean = x.mean(pixels)
        return mean, x.amax(pixels), torch.softmax(x, 1), x.float().var(1, correction=0)

    x = torch.randn(shape).to(dtype)
    for actual, expected in zip(run(function, x), function(x.double())):
        assert_close(actual, expected, 2 * TOLERANCE[dtype] + 2e-5)
    assert any("columns" in s for s in schedules())


@pytest.mark.parametrize("dtype", TOLERANCE, ids=str)
@pytest.mark.parametrize("shape", [(160, 1024), (512, 333), (3, 5, 7, 1600)], ids=str)
@pytest.mark.parametrize("place", [lambda x: x, at_odd_address], ids=["aligned", "odd"])
def test_elements(shape, dtype, place):
    function = lambda x, y, bias: F.silu(x) * y + bias
    x, y, bias = (place(torch.randn(s).to(dtype)) for s in (shape, shape, shape[-1:]))
    assert_close(run(function, x, y, bias), function(x.double(), y.double(), bias.double()), TOLERANCE[dtype])
    assert any("gpu_pointwise" in s and "width" in s for s in schedules())


@pytest.mark.parametrize("dtype", TOLERANCE, ids=str)
@pytest.mark.parametrize("place", [lambda x: x, at_odd_address], ids=["aligned", "odd"])
def test_windows_of_channels(dtype, place):
    """Depthwise convolutions and pools, which neighbouring channels go over together."""

    def function(x, weight, bias):
        # Channels last, as layers between layers have them.
        x = x.permute(0, 3, 1, 2)
        y = F.silu(F.conv2d(x, weight, bias, padding=1, groups=64))
        return y, F.max_pool2d(x, 3, 1, 1), F.avg_pool2d(x, 2, 1)

    x, weight, bias = (place(torch.randn(s).to(dtype)) for s in ((1, 52, 51, 64), (64, 1, 3, 3), (64,)))
    for actual, expected in zip(run(function, x, weight, bias), function(x.double(), weight.double(), bias.double())):
        assert_close(actual, expected, TOLERANCE[dtype])
    assert sum("width" in s for s in schedules()) >= 3


def test_elements_of_views():
    """Neighbours of the result that are none in the operands, or not in all places."""

    def function(x, y):
        padded = F.pad(x, (0, 8, 1, 0))  # 520 x 264
        joined = torch.cat([y, x[:, :8]], 1)
        return padded.roll(3, 1) * 2, joined.flip(0), x.t().contiguous() + 1, x[:, ::2] * 3

    x, y = torch.randn(519, 256), torch.randn(519, 248)
    for actual, expected in zip(run(function, x, y), function(x, y)):
        assert torch.equal(actual, expected)


def test_a_result_of_integers_beside_floats():
    function = lambda x, y: (x + y, x > y, (x * 8).to(torch.int8))
    x, y = torch.randn(300, 512).half(), torch.randn(300, 512).half()
    actual, expected = run(function, x, y), function(x, y)
    for a, e in zip(actual, expected):
        assert torch.equal(a, e)
