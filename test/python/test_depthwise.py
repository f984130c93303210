# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inverted residuals: expansion, depthwise convolution, squeeze and excitation, projection."""

import copy

import pytest
import torch
from torch import nn

import ourc
from numerics import assert_close, double, relative_rmse


class Block(nn.Module):
    def __init__(self, channels, hidden, kernel, stride, activation):
        super().__init__()
        self.expand = nn.Sequential(
            nn.Conv2d(channels, hidden, 1, bias=False), nn.BatchNorm2d(hidden), activation()
        )
        self.depthwise = nn.Sequential(
            nn.Conv2d(hidden, hidden, kernel, stride, kernel // 2, groups=hidden, bias=False),
            nn.BatchNorm2d(hidden),
            activation(),
        )
        self.excite = nn.Sequential(
            nn.AdaptiveAvgPool2d(1),
            nn.Conv2d(hidden, hidden // 4, 1),
            nn.ReLU(),
            nn.Conv2d(hidden // 4, hidden, 1),
            nn.Hardsigmoid(),
        )
        self.project = nn.Sequential(nn.Conv2d(hidden, channels, 1, bias=False), nn.BatchNorm2d(channels))
        self.residual = stride == 1

    def forward(self, x):
        y = self.depthwise(self.expand(x))
        y = self.project(y * self.excite(y))
        return x + y if self.residual else y


def make(*blocks):
    generator = torch.Generator().manual_seed(3)
    model = nn.Sequential(*[Block(*block) for block in blocks]).eval()
    for module in model.modules():
        if isinstance(module, nn.BatchNorm2d):
            module.running_mean.normal_(0, 0.1, generator=generator)
            module.running_var.uniform_(0.5, 1.5, generator=generator)
    return model


def count(strategy):
    return sum(k["launches"] for k in ourc.compilations()[-1].report["kernels"] if k["strategy"] == strategy)


BLOCKS = [(12, 36, 3, 1, nn.ReLU), (12, 40, 5, 1, nn.Hardswish), (12, 24, 3, 2, nn.SiLU), (12, 33, 7, 1, nn.ReLU6)]


def test_blocks():
    model, x = make(*BLOCKS), torch.randn(2, 12, 19, 23)
    compiled = torch.compile(model, backend="ourc", fullgraph=True)
    with torch.no_grad():
        assert_close(compiled(x), double(model)(double(x)))
    # Padding, batch norm and activation are part of each.
    assert count("depthwise") == len(BLOCKS)
    assert count("pool") == 0


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_narrow_blocks_are_as_accurate_as_eager(dtype):
    model, x = make(*BLOCKS).to(dtype), torch.randn(2, 12, 19, 23).to(dtype)
    compiled = torch.compile(model, backend="ourc", fullgraph=True)
    with torch.no_grad():
        expected = copy.deepcopy(model).double()(x.double())
        error, eager = (relative_rmse(f(x), expected) for f in (compiled, model))
    assert error <= 1.05 * eager
    assert count("depthwise") == len(BLOCKS)


def test_blocks_of_any_batch():
    model = make(*BLOCKS[:2])
    with ourc.dynamic_sizes(), torch.no_grad():
        compiled = torch.compile(model, backend="ourc", fullgraph=True, dynamic=True)
        for batch, height, width in ((1, 9, 9), (3, 9, 9), (2, 30, 17)):
            x = torch.randn(batch, 12, height, width)
            assert_close(compiled(x), double(model)(double(x)))
    assert count("depthwise") == 2


def test_channel_multiplier():
    model, x = nn.Conv2d(6, 18, 3, padding=1, groups=6), torch.randn(2, 6, 9, 10)
    compiled = torch.compile(model, backend="ourc", fullgraph=True)
    with torch.no_grad():
        assert_close(compiled(x), double(model)(double(x)))


def test_signals():
    model = nn.Conv1d(20, 20, 5, padding=4, dilation=2, groups=20)
    x = torch.randn(2, 20, 50)
    compiled = torch.compile(model, backend="ourc", fullgraph=True)
    with torch.no_grad():
        assert_close(compiled(x), double(model)(double(x)))
    assert count("depthwise") == 1
