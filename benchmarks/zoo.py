# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The models that are measured, with fixed random weights and inputs."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional as F

CACHE = 512  # keys and values that decoding keeps


def _generator() -> torch.Generator:
    return torch.Generator().manual_seed(0)


def _vision(name: str, batch: int, side: int = 224):
    import torchvision

    generator = _generator()
    model = getattr(torchvision.models, name)(weights=None).eval()
    if hasattr(model, "heads"):  # zero otherwise, and so would be the results
        nn.init.normal_(model.heads[-1].weight, std=0.02)
    for module in model.modules():
        if isinstance(module, nn.BatchNorm2d):
            module.running_mean.normal_(0, 0.1, generator=generator)
            module.running_var.uniform_(0.5, 1.5, generator=generator)
    return model, (torch.randn(batch, 3, side, side, generator=generator),)


class Bert(nn.Module):
    def __init__(self, **sizes):
        super().__init__()
        import transformers

        self.model = transformers.BertModel(transformers.BertConfig(**sizes), add_pooling_layer=False)

    def forward(self, ids, mask):
        return self.model(input_ids=ids, attention_mask=mask).last_hidden_state


def bert(batch: int, length: int = 128, **sizes):
    ids = torch.randint(1000, 20000, (batch, length), generator=_generator())
    return Bert(**sizes).eval(), (ids, torch.ones_like(ids))


def _gpt2(**sizes):
    import transformers

    return transformers.GPT2LMHeadModel(transformers.GPT2Config(use_cache=False, **sizes)).eval()


class Prefill(nn.Module):
    def __init__(self, **sizes):
        super().__init__()
        self.model = _gpt2(**sizes)

    def forward(self, ids):
        return self.model(input_ids=ids, use_cache=False).logits


def gpt2_prefill(batch: int, length: int = 128, **sizes):
    ids = torch.randint(1000, 20000, (batch, length), generator=_generator())
    return Prefill(**sizes).eval(), (ids,)


class CachedAttention(nn.Module):
    """GPT-2's attention of one token over a cache that it updates in place."""

    def __init__(self, attention, batch: int, generator):
        super().__init__()
        self.attention = attention
        self.heads, self.width = attention.num_heads, attention.embed_dim
        shape = (batch, self.heads, CACHE, self.width // self.heads)
        self.register_buffer("keys", torch.randn(shape, generator=generator))
        self.register_buffer("values", torch.randn(shape, generator=generator))

    def forward(self, x, position, mask):
        query, key, value = (
            part.view(x.shape[0], -1, self.heads, self.width // self.heads).transpose(1, 2)
            for part in self.attention.c_attn(x).split(self.width, 2)
        )
        self.keys.index_copy_(2, position, key)
        self.values.index_copy_(2, position, value)
        out = F.scaled_dot_product_attention(query, self.keys, self.values, attn_mask=mask)
        return self.attention.c_proj(out.transpose(1, 2).reshape(x.shape[0], -1, self.width))


class Decode(nn.Module):
    def __init__(self, batch: int, **sizes):
        super().__init__()
        generator = _generator()
        self.model = _gpt2(**sizes)
        self.attentions = nn.ModuleList(
            CachedAttention(layer.attn, batch, generator) for layer in self.model.transformer.h
        )

    def forward(self, ids, position):
        body = self.model.transformer
        hidden = body.wte(ids) + body.wpe(position)
        mask = (torch.arange(CACHE) <= position[0])[None, None, None, :]
        for layer, attention in zip(body.h, self.attentions):
            hidden = hidden + attention(layer.ln_1(hidden), position, mask)
            hidden = hidden + layer.mlp(layer.ln_2(hidden))
        return self.model.lm_head(body.ln_f(hidden))


class FunctionalDecode(nn.Module):
    """Decode for engines without updates in place: caches come in and go out."""

    def __init__(self, decode: Decode):
        super().__init__()
        self.decode = decode

    def forward(self, ids, position, keys, values):
        body = self.decode.model.transformer
        hidden = body.wte(ids) + body.wpe(position)
        mask = (torch.arange(CACHE) <= position[0])[None, None, None, :]
        new_keys, new_values = [], []
        for index, (layer, attention) in enumerate(zip(body.h, self.decode.attentions)):
            x = layer.ln_1(hidden)
            query, key, value = (
                part.view(x.shape[0], -1, attention.heads, attention.width // attention.heads).transpose(1, 2)
                for part in attention.attention.c_attn(x).split(attention.width, 2)
            )
            new_keys.append(keys[index].index_copy(2, position, key))
            new_values.append(values[index].index_copy(2, position, value))
            out = F.scaled_dot_product_attention(query, new_keys[-1], new_values[-1], attn_mask=mask)
            hidden = hidden + attention.attention.c_proj(out.transpose(1, 2).reshape(x.shape[0], -1, attention.width))
            hidden = hidden + layer.mlp(layer.ln_2(hidden))
        return (self.decode.model.lm_head(body.ln_f(hidden)), *new_keys, *new_values)


def gpt2_decode(batch: int, **sizes):
    ids = torch.randint(1000, 20000, (batch, 1), generator=_generator())
    return Decode(batch, **sizes).eval(), (ids, torch.tensor([CACHE - 12]))


def functional(model, inputs):
    """`model` and `inputs` for an engine that cannot update buffers in place."""
    if not isinstance(model, Decode):
        return model, inputs
    keys = [attention.keys.clone() for attention in model.attentions]
    values = [attention.values.clone() for attention in model.attentions]
    return FunctionalDecode(model).eval(), (*inputs, keys, values)


class UNet(nn.Module):
    def __init__(self, channels=(3, 64, 128, 256, 512)):
        super().__init__()
        steps = range(len(channels) - 1)
        self.down = nn.ModuleList(self.block(channels[i], channels[i + 1]) for i in steps)
        self.up = nn.ModuleList(self.block(channels[i + 1] + channels[i], channels[i]) for i in reversed(steps[1:]))
        self.out = nn.Conv2d(channels[1], 3, 1)

    @staticmethod
    def block(inputs: int, outputs: int):
        layers = []
        for width in (inputs, outputs):
            layers += [nn.Conv2d(width, outputs, 3, padding=1), nn.GroupNorm(8, outputs), nn.SiLU()]
        return nn.Sequential(*layers)

    def forward(self, x):
        kept = []
        for level, block in enumerate(self.down):
            x = block(x if level == 0 else F.max_pool2d(x, 2))
            kept.append(x)
        for level, block in enumerate(self.up):
            x = F.interpolate(x, scale_factor=2.0, mode="nearest")
            x = block(torch.cat([x, kept[-2 - level]], 1))
        return self.out(x)


def unet(batch: int, side: int = 256, **sizes):
    return UNet(**sizes).eval(), (torch.randn(batch, 3, side, side, generator=_generator()),)


MODELS = {
    "resnet50": lambda batch: _vision("resnet50", batch),
    "bert": bert,
    "vit": lambda batch: _vision("vit_b_16", batch),
    "swin": lambda batch: _vision("swin_t", batch),
    "mobilenet": lambda batch: _vision("mobilenet_v3_large", batch),
    "gpt2": gpt2_prefill,
    "decode": gpt2_decode,
    "unet": unet,
    # Small enough for a test of the benchmark.
    "tiny-bert": lambda batch: bert(
        batch, 8, vocab_size=20000, hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=64
    ),
    "tiny-unet": lambda batch: unet(batch, 16, channels=(3, 8, 16)),
}
TINY = [name for name in MODELS if name.startswith("tiny-")]


def make(name: str, batch: int, dtype: torch.dtype):
    """The model in eval mode and its inputs; the same ones in each process."""
    torch.manual_seed(0)
    model, inputs = MODELS[name](batch)
    return model.to(dtype), tuple(x.to(dtype) if x.is_floating_point() else x for x in inputs)


def work(name: str, batch: int) -> tuple[int, dict[torch.dtype, int]]:
    """Operations of products in one call, and the bytes that must be read or
    written at least: weights, inputs and results once, of embeddings that are
    looked up alone the rows that are."""
    from torch.utils.flop_counter import FlopCounterMode

    model, inputs = make(name, batch, torch.float32)
    fast = torch.backends.mha.get_fastpath_enabled()
    torch.backends.mha.set_fastpath_enabled(False)  # one operation, which is not counted
    with torch.no_grad(), FlopCounterMode(display=False) as counter:
        result = model(*inputs)
    torch.backends.mha.set_fastpath_enabled(fast)
    tables = {id(m.weight): m for m in model.modules() if isinstance(m, nn.Embedding)}
    multiplied = {id(m.weight) for m in model.modules() if isinstance(m, nn.Linear)}
    elements = result.numel() + sum(x.numel() for x in inputs if x.is_floating_point())
    rows = max((x.numel() for x in inputs if not x.is_floating_point()), default=0)
    for tensor in {id(t): t for t in (*model.parameters(), *model.buffers())}.values():
        if not tensor.is_floating_point():
            continue
        looked_up = id(tensor) in tables and id(tensor) not in multiplied
        elements += rows * tensor.shape[-1] if looked_up else tensor.numel()
    return counter.get_total_flops(), {d: elements * d.itemsize for d in (torch.float32, torch.bfloat16)}
