# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole models on the GPU path: run by the SIMT machine, and assembled for each GPU."""

import copy
import os
import re
import shutil
from pathlib import Path

import pytest
import torch
import torch.nn.functional as F
import torchvision
from torch import nn
from torchvision.models.convnext import CNBlockConfig, ConvNeXt
from torchvision.models.swin_transformer import SwinTransformer

import models
from numerics import assert_close, double, relative_max
from ourc.model import Compilation

CHIPS = ["sm_80", "sm_89", "sm_90", "sm_100"]
# Half precision: a few roundings of the type for each layer.
TOLERANCE = {torch.float32: 1e-5, torch.float16: 3e-3, torch.bfloat16: 2e-2}
PTXAS = os.environ.get("OURC_PTXAS") or shutil.which("ptxas", path=f"{os.environ['PATH']}:/usr/local/cuda/bin")


class CachedAttention(nn.Module):
    """Attention over keys and values that each call adds rows to."""

    def __init__(self, batch, width, heads, length):
        super().__init__()
        self.heads = heads
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.register_buffer("keys", torch.zeros(batch, heads, length, width // heads))
        self.register_buffer("values", torch.zeros(batch, heads, length, width // heads))

    def forward(self, x, position, mask):
        q, k, v = (p.unflatten(2, (self.heads, -1)).transpose(1, 2) for p in self.qkv(x).chunk(3, -1))
        self.keys.index_copy_(2, position, k)
        self.values.index_copy_(2, position, v)
        mixed = F.scaled_dot_product_attention(q, self.keys, self.values, attn_mask=mask)
        return self.out(mixed.transpose(1, 2).flatten(2))


class DecoderLayer(nn.Module):
    def __init__(self, batch, width, heads, length):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention = CachedAttention(batch, width, heads, length)
        self.up, self.down = nn.Linear(width, 2 * width), nn.Linear(2 * width, width)

    def forward(self, x, position, mask):
        x = x + self.attention(self.norm1(x), position, mask)
        return x + self.down(F.gelu(self.up(self.norm2(x))))


class Decoder(nn.Module):
    """Two layers; embeddings tied to the last projection."""

    def __init__(self, batch=2, width=48, heads=3, length=24, words=101):
        super().__init__()
        self.length = length
        self.words, self.places = nn.Embedding(words, width), nn.Embedding(length, width)
        self.layers = nn.ModuleList(DecoderLayer(batch, width, heads, length) for _ in range(2))
        self.norm = nn.LayerNorm(width)

    def forward(self, ids, position):
        mask = (torch.arange(self.length)[None, :] <= position[:, None])[None, None]
        x = self.words(ids) + self.places(position)
        for layer in self.layers:
            x = layer(x, position, mask)
        return F.linear(self.norm(x), self.words.weight)


def decoder():
    return Decoder().eval(), (torch.randint(0, 101, (2, 5)), torch.arange(5))


def sentence_encoder():
    return models.sentence_encoder(), models.token_batch(2, 5)


def resnet50():
    return models.resnet50(), (torch.randn(1, 3, 32, 32),)


def swin():
    """Shifted windows in the first stage, one window in the second."""
    model = SwinTransformer([4, 4], 16, [2, 2], [2, 4], [4, 4], stochastic_depth_prob=0.0, num_classes=10)
    for name, parameter in model.named_parameters():
        if "relative_position_bias_table" in name:
            nn.init.normal_(parameter)
    return model.eval(), (torch.randn(1, 3, 32, 32),)


def convnext():
    """Depthwise 7x7 windows, norms over channels."""
    model = ConvNeXt([CNBlockConfig(16, 32, 1), CNBlockConfig(32, None, 1)], num_classes=10)
    return model.eval(), (torch.randn(1, 3, 32, 32),)


def mobilenet():
    """Depthwise convolutions, squeeze and excitation, pools."""
    return torchvision.models.mobilenet_v3_small(weights=None).eval(), (torch.randn(1, 3, 32, 32),)


def unet():
    """Group norms, upsampling, concatenations."""

    class Block(nn.Sequential):
        def __init__(self, inputs, outputs):
            super().__init__(nn.Conv2d(inputs, outputs, 3, padding=1), nn.GroupNorm(4, outputs), nn.SiLU())

    class Network(nn.Module):
        def __init__(self):
            super().__init__()
            self.down, self.inner = Block(3, 8), Block(8, 16)
            self.up, self.out = Block(24, 8), nn.Conv2d(8, 3, 1)

        def forward(self, x):
            x = self.down(x)
            y = F.interpolate(self.inner(F.max_pool2d(x, 2)), scale_factor=2.0, mode="nearest")
            return self.out(self.up(torch.cat([y, x], 1)))

    return Network().eval(), (torch.randn(1, 3, 14, 10),)


# Those of the CPU's integration tests, in each type; others for what they hold.
MODELS = [
    *((make, dtype) for make in (sentence_encoder, resnet50, swin, decoder) for dtype in TOLERANCE),
    (mobilenet, torch.float32),
    (convnext, torch.float32),
    (unet, torch.float32),
    (unet, torch.bfloat16),
]


def prepared(make, dtype):
    model, inputs = make()
    return model.to(dtype), [x.to(dtype) if x.is_floating_point() else x for x in inputs]


@pytest.mark.parametrize("make, dtype", MODELS, ids=lambda p: getattr(p, "__name__", str(p)))
def test_against_f64(make, dtype):
    model, inputs = prepared(make, dtype)
    reference = double(model)
    compiled = torch.compile(model, backend="ourc", fullgraph=True, options={"target": "simt"})
    with torch.no_grad():
        actual, expected = compiled(*inputs), reference(*map(double, inputs))
    assert actual.dtype == dtype
    assert_close(actual, expected, TOLERANCE[dtype])
    assert relative_max(actual, expected) <= 2 * TOLERANCE[dtype]


@pytest.mark.parametrize("dtype", TOLERANCE, ids=str)
def test_decoding(dtype):
    """Steps of one token each, after some at once; the caches are the model's own."""
    model, inputs = prepared(decoder, dtype)
    reference = copy.deepcopy(model).double()
    compiled = torch.compile(model, backend="ourc", fullgraph=True, options={"target": "simt"})
    steps = [inputs] + [(torch.randint(0, 101, (2, 1)), torch.tensor([step])) for step in range(5, 8)]
    with torch.no_grad():
        for step in steps:
            assert_close(compiled(*step), reference(*step), TOLERANCE[dtype])
    for cache, expected in zip(model.buffers(), reference.buffers()):
        assert_close(cache, expected, TOLERANCE[dtype])
        assert not cache[:, :, 8:].any()


def test_sentence_encoder_of_every_size():
    import ourc

    model = models.sentence_encoder(dynamic=True)
    reference = double(model)
    with ourc.dynamic_sizes(), torch.no_grad():
        compiled = torch.compile(model, backend="ourc", fullgraph=True, dynamic=True, options={"target": "simt"})
        for sizes in ((1, 9), (3, 4), (1, 1)):
            ids, mask = models.token_batch(*sizes)
            assert_close(compiled(ids, mask), reference(ids, mask))


@pytest.mark.skipif(not PTXAS, reason="no ptxas")
@pytest.mark.parametrize("dtype", [torch.float16, torch.float32], ids=str)
@pytest.mark.parametrize("make", [sentence_encoder, resnet50, swin, decoder, unet])
def test_assembled_for_each_gpu(make, dtype, imported, tmp_path, monkeypatch):
    """Every kernel, without spills."""
    model, inputs = prepared(make, dtype)
    text = imported(model, *inputs).text
    log, wrapper = tmp_path / "log", tmp_path / "ptxas"
    wrapper.write_text(f'#!/bin/sh\nexec "{PTXAS}" -v "$@" >>"{log}" 2>&1\n')
    wrapper.chmod(0o755)
    monkeypatch.setenv("OURC_PTXAS", str(wrapper))
    for chip in CHIPS:
        log.write_text("")
        report = Compilation(text, {"target": f"cuda:{chip}"}).report()
        said = log.read_text()
        assembled = re.findall(rf"Compiling entry function '(\w+)' for '{chip}'", said)
        assert len(assembled) == len(report["kernels"]) > 5
        spilled = [line for line in said.splitlines() if re.search(r"\b[1-9]\d* bytes spill", line)]
        assert not spilled, spilled


def test_index_out_of_range():
    """The kernel ends, whatever lies behind the tensor; the error has the user's line."""
    compiled = torch.compile(
        lambda ids, table: F.embedding(ids, table), backend="ourc", fullgraph=True, options={"target": "simt"}
    )
    table = torch.randn(10, 4)
    assert torch.equal(compiled(torch.tensor([9, 0]), table), table[[9, 0]])
    for index in (10, -1, 1 << 40):
        with pytest.raises(Exception, match=rf"{Path(__file__).name}:\d+\): thread \d+: index out of range"):
            compiled(torch.tensor([1, index]), table)


@pytest.mark.parametrize("positions", [[0, 3], [3, 3], [2]])
def test_rows_written_at_computed_places(positions):
    """The last one stays; sums take all."""
    rows = torch.randn(len(positions), 5)
    at = torch.tensor(positions)

    def update(x, y, at, rows):
        x.index_copy_(0, at, rows)
        return y.index_add(0, at, rows)

    x, y = torch.randn(4, 5), torch.randn(4, 5)
    expected_x, expected_y = x.clone(), y.index_add(0, at, rows)
    for position, row in zip(positions, rows):
        expected_x[position] = row
    compiled = torch.compile(update, backend="ourc", fullgraph=True, options={"target": "simt"})
    assert_close(compiled(x, y, at, rows), expected_y.double(), 1e-6)
    assert torch.equal(x, expected_x)


def test_no_row_is_written_beyond_the_end():
    compiled = torch.compile(
        lambda x, at, rows: x.index_copy_(0, at, rows), backend="ourc", fullgraph=True, options={"target": "simt"}
    )
    x = torch.zeros(4, 5)
    with pytest.raises(Exception, match="index out of range"):
        compiled(x, torch.tensor([4]), torch.ones(1, 5))
    assert not x.any()


def test_number_of_elements_of_several_means():
    """Known when the kernels run, and needed by more than one of them."""
    import ourc

    def means(x):
        return x.mean((2, 3)), torch.relu(x).flip(0).mean((2, 3)) * 2, x.exp().mean((2, 3), keepdim=True)

    with ourc.dynamic_sizes():
        compiled = torch.compile(means, backend="ourc", fullgraph=True, dynamic=True, options={"target": "simt"})
        for sizes in ((3, 5, 7, 4), (2, 5, 40, 9)):
            x = torch.randn(sizes)
            for actual, expected in zip(compiled(x), means(x.double())):
                assert_close(actual, expected)


@pytest.mark.parametrize("dtype", [torch.int64, torch.int32, torch.int16], ids=str)
def test_absolute_values_of_integers(dtype):
    least = torch.iinfo(dtype).min
    x = torch.tensor([3, -4, 0, least, least + 1, -1], dtype=dtype)
    compiled = torch.compile(torch.abs, backend="ourc", fullgraph=True, options={"target": "simt"})
    assert torch.equal(compiled(x), torch.abs(x))
