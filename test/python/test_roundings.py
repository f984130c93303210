# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Chains of operations on f16 and bf16: rounded once, and never less exact than eager."""

import pytest
import torch

# All that read a value have to see one number: where a softmax's sum is of the rounded scores and its numerators
# are not, sharp scores are several times less exact than eager's.
FUNCTIONS = {
    "softmax of a product": lambda a, b: torch.softmax(a @ b.t(), -1),
    "softmax by hand": lambda a, b: (
        lambda s: (s - s.amax(-1, keepdim=True)).exp() / (s - s.amax(-1, keepdim=True)).exp().sum(-1, keepdim=True)
    )(a @ b.t()),
    "layer norm of a sum": lambda a, b: torch.nn.functional.layer_norm(a[:, :40] @ b[:, :40].t() + 1.0, [40]),
    "chain": lambda a, b: torch.relu((a @ b.t()) * 0.5 + 3.0) * 0.25,
    "sum that is also a result": lambda a, b: (lambda s: torch.stack([s, torch.tanh(s) * s]))(a @ b.t() + 0.5),
}


def error(value, reference):
    difference = value.double() - reference
    return (difference.square().mean() / reference.square().mean()).sqrt().item()


def compiled(function, *arguments, **options):
    torch._dynamo.reset()
    with torch.no_grad():
        return torch.compile(function, backend="ourc", fullgraph=True, options=options)(*arguments)


@pytest.mark.parametrize("target", ["cpu:native", "cpu:x86-64-v3", "simt"])
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_no_less_exact_than_eager(name, dtype, target):
    torch.manual_seed(0)
    a, b = torch.randn(33, 72).to(dtype), torch.randn(40, 72).to(dtype)
    function = FUNCTIONS[name]
    reference = function(a.double(), b.double())
    eager = error(function(a, b), reference)
    assert error(compiled(function, a, b, target=target), reference) <= 1.05 * eager


def test_a_chain_rounds_once():
    """With one rounding at its end a chain is the exact result, rounded; `strict` is what eager gives."""
    torch.manual_seed(0)
    x, y = torch.randn(4096).bfloat16(), torch.randn(4096).bfloat16()

    def chain(x, y):
        return (x + y) * x - y

    exact = chain(x.float(), y.float()).bfloat16()
    assert torch.equal(compiled(chain, x, y), exact)
    assert not torch.equal(chain(x, y), exact)
    assert torch.equal(compiled(chain, x, y, strict=True), chain(x, y))
