# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Winograd's convolution: its error, the option that turns it off, threads."""

import pytest
import torch

import ourc
from numerics import double, relative_rmse


def convolutions():
    torch.manual_seed(0)
    model = torch.nn.Sequential(
        torch.nn.Conv2d(24, 48, 3, padding=1),
        torch.nn.ReLU(),
        torch.nn.Conv2d(48, 40, 3, padding=1, bias=False),
    )
    return model.eval(), torch.randn(2, 24, 19, 22)


def compile_with(model, x, **options):
    torch._dynamo.reset()
    compiled = torch.compile(model, backend="ourc", fullgraph=True, options=options)
    with torch.no_grad():
        result = compiled(x)
    kernels = ourc.compilations()[-1].report["kernels"]
    return result, [kernel["strategy"] for kernel in kernels]


@pytest.mark.parametrize("target", ["cpu:native", "cpu:x86-64-v3"])
def test_error_is_that_of_the_direct_convolution(target):
    model, x = convolutions()
    with torch.no_grad():
        wanted = double(model)(double(x))
    fast, strategies = compile_with(model, x, target=target)
    assert strategies.count("winograd") == 2
    direct, strategies = compile_with(model, x, target=target, strict=True)
    assert "winograd" not in strategies
    assert relative_rmse(fast, wanted) < 1e-6
    assert relative_rmse(direct, wanted) < 1e-6


def test_weights_that_change_are_transformed_again():
    model, x = convolutions()
    compiled = torch.compile(model, backend="ourc", fullgraph=True)
    with torch.no_grad():
        compiled(x)
        for parameter in model.parameters():
            parameter.mul_(-0.5)
        assert relative_rmse(compiled(x), double(model)(double(x))) < 1e-6


def test_threads_do_not_change_bits():
    model, x = convolutions()
    compiled = torch.compile(model, backend="ourc", fullgraph=True)
    threads = torch.get_num_threads()
    with torch.no_grad():
        try:
            torch.set_num_threads(1)
            alone = compiled(x)
            torch.set_num_threads(2)
            assert torch.equal(compiled(x), alone)
        finally:
            torch.set_num_threads(threads)
