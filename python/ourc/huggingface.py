# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Hugging Face encoders with dynamic sizes.

The library's own attention asks in Python whether the sequence is longer than
one token, which splits a model into one compile for each answer.
"""

from __future__ import annotations

import torch


def _attention(module, query, key, value, attention_mask, dropout=0.0, scaling=None, **_):
    if getattr(module, "is_causal", False):
        raise ValueError("this attention is for encoders; the module is causal")
    if query.device.type == "cpu" and dropout == 0.0:
        if attention_mask is not None and attention_mask.dtype == torch.bool:
            attention_mask = torch.where(attention_mask, 0.0, float("-inf"))
            attention_mask = attention_mask.to(query.dtype)
        output = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu(
            query, key, value, attn_mask=attention_mask, scale=scaling
        )[0]
    else:
        output = torch.nn.functional.scaled_dot_product_attention(
            query, key, value, attention_mask, dropout, scale=scaling
        )
    return output.transpose(1, 2).contiguous(), None


def use_dynamic_attention(model):
    """Gives a transformers encoder an attention that works for all sizes of
    batch and sequence in one compile or export. Returns the model."""
    from transformers import AttentionInterface, AttentionMaskInterface
    from transformers.masking_utils import sdpa_mask

    AttentionInterface.register("ourc", _attention)
    AttentionMaskInterface.register("ourc", sdpa_mask)
    model.set_attn_implementation("ourc")
    return model
