# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensors whose memory is not row-major pass without a copy."""

import re

import pytest
import torch

import ourc
from models import resnet50
from numerics import assert_close, double

CHANNELS_LAST = torch.channels_last


def newest():
    return ourc.compilations()[-1]


def run(model, *inputs):
    compiled = torch.compile(model, backend="ourc", fullgraph=True)
    with torch.no_grad():
        return compiled(*inputs)


def moved_activations(graph, ourc_opt):
    """What is transposed in each call, after the graph passes: parameters are
    prepared once."""
    text = ourc_opt(graph.text, "--ourc-aten-to-ourc", "--ourc-graph-pipeline")
    parameters = set(re.findall(r"(%arg\d+): [^%]*?ourc\.parameter", text))
    moved = re.findall(r"ourc\.transpose (%\w+)", text)
    return [value for value in moved if value not in parameters]


def block():
    torch.manual_seed(0)
    return torch.nn.Sequential(
        torch.nn.Conv2d(16, 32, 3, padding=1),
        torch.nn.BatchNorm2d(32),
        torch.nn.ReLU(),
        torch.nn.Conv2d(32, 16, 1),
    ).eval()


@pytest.mark.parametrize("weights", ["row_major", "channels_last"])
def test_channels_last_in_and_out(weights, ourc_opt):
    model = block()
    reference = double(model)
    if weights == "channels_last":
        model = model.to(memory_format=CHANNELS_LAST)
    x = torch.randn(2, 16, 9, 11).contiguous(memory_format=CHANNELS_LAST)
    compiled = torch.compile(model, backend="ourc", fullgraph=True)
    with torch.no_grad():
        result = compiled(x)
    assert_close(result, reference(double(x)))
    with torch.no_grad():
        assert result.stride() == model(x).stride()
    graph = newest()
    assert "ourc.layout = array<i64: 0, 2, 3, 1>" in graph.text
    assert not moved_activations(graph, ourc_opt)
    # Every argument is used where it lies: no memory is taken for copies. A
    # second call would show them.
    before = graph.memory()["allocations"]
    with torch.no_grad():
        compiled(x)
    assert graph.memory()["allocations"] == before <= 4


def test_resnet50_has_no_transposes(ourc_opt):
    model = resnet50().to(memory_format=CHANNELS_LAST)
    x = torch.randn(1, 3, 64, 64).contiguous(memory_format=CHANNELS_LAST)
    result = run(model, x)
    assert_close(result, double(model)(double(x)))
    assert not moved_activations(newest(), ourc_opt)


def test_any_order():
    x = torch.randn(5, 3, 4, 2).permute(3, 1, 0, 2)

    def function(x):
        return x * 2 + x.sum(1, keepdim=True)

    torch.testing.assert_close(run(function, x), function(x))
    assert "ourc.layout" in newest().text


def test_other_strides_than_traced_are_right():
    def function(x):
        return (x * 2).sum(2)

    compiled = torch.compile(function, backend="ourc", fullgraph=True, dynamic=True)
    with torch.no_grad():
        for x in (torch.randn(4, 6, 5).transpose(0, 2), torch.randn(7, 6, 5), torch.randn(8, 6, 9)[::2, :, 1:]):
            torch.testing.assert_close(compiled(x), function(x))


def test_updated_argument_keeps_its_order():
    x = torch.randn(6, 8).t()
    mine = torch.empty(6, 8).t().copy_(x)
    place = mine.data_ptr()

    def function(x, y):
        x.add_(y)
        return x * 2

    y = torch.randn(8, 6)
    result = run(function, mine, y)
    torch.testing.assert_close(mine, x + y)
    torch.testing.assert_close(result, (x + y) * 2)
    assert mine.data_ptr() == place and "ourc.updates" in newest().text
