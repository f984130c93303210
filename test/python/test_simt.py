# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""target="simt": the GPU kernels of a model, run by the SIMT machine."""

import math

import pytest
import torch
import torch.nn.functional as F
from numerics import assert_close, double
from torch import nn

# Half precision: eps of the type, a few roundings deep.
TOLERANCE = {torch.float16: 2e-3, torch.bfloat16: 1.6e-2, torch.float32: 1e-5}


def run(function, *args, dynamic=False):
    compiled = torch.compile(
        function, backend="ourc", fullgraph=True, dynamic=dynamic, options={"target": "simt"}
    )
    with torch.no_grad():
        return compiled(*args)


def check(function, *args):
    with torch.no_grad():
        reference = (double(function) if isinstance(function, nn.Module) else function)(*map(double, args))
    result = run(function, *args)
    assert result.dtype == args[0].dtype
    assert_close(result, reference, TOLERANCE[result.dtype])


class EncoderBlock(nn.Module):
    """Attention by hand, as many models write it, then the feed-forward half."""

    def __init__(self, width, heads, hidden):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.up, self.down = nn.Linear(width, hidden), nn.Linear(hidden, width)

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = (
            part.view(batch, length, self.heads, -1).transpose(1, 2) for part in self.qkv(x).chunk(3, -1)
        )
        scores = q @ k.transpose(-1, -2) / math.sqrt(width // self.heads)
        mixed = torch.softmax(scores, -1) @ v
        x = self.norm1(x + self.out(mixed.transpose(1, 2).reshape(batch, length, width)))
        return self.norm2(x + self.down(F.gelu(self.up(x))))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32], ids=str)
@pytest.mark.parametrize(
    "batch, length, width, heads, hidden",
    [(1, 100, 72, 3, 40), (2, 13, 64, 4, 100), (3, 7, 71, 1, 39), (1, 1, 16, 2, 8)],
)
def test_encoder_block(dtype, batch, length, width, heads, hidden):
    block = EncoderBlock(width, heads, hidden).to(dtype).eval()
    check(block, torch.randn(batch, length, width).to(dtype))


def test_encoder_block_of_every_length():
    block = EncoderBlock(32, 2, 48).half().eval()
    compiled = torch.compile(block, backend="ourc", fullgraph=True, dynamic=True, options={"target": "simt"})
    with torch.no_grad():
        for batch, length in [(2, 5), (3, 17), (2, 33)]:
            x = torch.randn(batch, length, 32).half()
            assert_close(compiled(x), double(block)(x.double()), 2e-3)


@pytest.mark.parametrize("seed", ["1", "2", "3"])
def test_order_of_threads_does_not_matter(seed, monkeypatch):
    block = EncoderBlock(32, 2, 48).half().eval()
    x = torch.randn(2, 9, 32).half()
    expected = run(block, x)
    monkeypatch.setenv("OURC_SIMT_SEED", seed)
    assert torch.equal(run(block, x), expected)


@pytest.mark.parametrize("m, k, n", [(100, 72, 40), (1, 1, 1), (7, 13, 129), (65, 33, 64)])
@pytest.mark.parametrize("dtype", [torch.float16, torch.float32], ids=str)
def test_matmul(dtype, m, k, n):
    check(torch.matmul, torch.randn(m, k).to(dtype), torch.randn(k, n).to(dtype))


def test_batched_matmul_of_transposed_operands():
    check(
        lambda a, b: a.transpose(1, 2) @ b.transpose(1, 2),
        torch.randn(3, 50, 37).half(),
        torch.randn(3, 24, 50).half(),
    )


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("dtype", [torch.float16, torch.float32], ids=str)
def test_attention(dtype, causal):
    q, k, v = (torch.randn(2, 3, 19, 16).to(dtype) for _ in range(3))
    check(lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=causal), q, k, v)


def test_operands_at_any_address():
    # Two bytes past what a 16-byte copy needs.
    storage = torch.randn(64 * 64 + 1).half()
    x, w = storage[1:].view(64, 64), torch.randn(64, 64).half()
    check(torch.matmul, x, w)


def test_convolution_network():
    network = nn.Sequential(
        nn.Conv2d(3, 8, 3, padding=1, stride=2), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(3, 2, 1), nn.Flatten(), nn.Linear(128, 5)
    ).eval()
    check(network, torch.randn(2, 3, 15, 13))


def test_residual_network():
    import torchvision

    network = torchvision.models.resnet18(weights=None).eval()
    check(network, torch.randn(1, 3, 32, 32))
