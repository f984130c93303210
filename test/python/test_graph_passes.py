# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the graph passes make of the two models: counted in the ourc dialect."""

import re
from collections import Counter

import pytest
import torch
import torchvision

from models import sentence_encoder, token_batch


@pytest.fixture
def optimized(imported, ourc_opt):
    """A function that gives the operations of a model after ourc-graph-pipeline, as (name, line)."""

    def run(model, *args, **kwargs):
        text = imported(model, *args, **kwargs).text
        text = ourc_opt(text, "--ourc-aten-to-ourc", "--ourc-graph-pipeline")
        return text, re.findall(r"^ *(%\d+) = ourc\.(\w+) (.*)$", text, re.MULTILINE)

    return run


def test_resnet_has_one_transpose_and_no_batch_norm(optimized):
    model = torchvision.models.resnet50(weights=None).eval()
    text, ops = optimized(model, torch.randn(1, 3, 224, 224))
    counts = Counter(name for _, name, _ in ops)
    assert counts["convolution"] == 53
    assert counts["batch_norm"] == 0
    assert counts["linear"] == 1
    # Filters are transposed once, ahead of the calls; of activations only the input is.
    parameters = set(re.findall(r'(%arg\d+): [^%]*?ourc\.parameter', text))
    moved = [rest.split()[0] for _, name, rest in ops if name == "transpose"]
    assert [x for x in moved if x not in parameters] == re.findall(r'(%arg\d+): \S+ \{ourc\.name', text)
    assert counts["reshape"] <= 38


@pytest.mark.parametrize("dynamic", [False, True])
def test_sentence_encoder_is_whole(optimized, dynamic):
    _, ops = optimized(sentence_encoder(dynamic), *token_batch(2, 7), dynamic=dynamic)
    counts = Counter(name for _, name, _ in ops)
    assert counts["attention"] == 6
    assert counts["linear"] == 36
    assert counts["contract"] == 0
    assert counts["layer_norm"] == 13
    # The mask is the tokens' own: nothing of [batch, 1, sequence, sequence] is computed.
    masks = {re.search(r"mask (%\d+) : (\S+)", rest).groups() for _, name, rest in ops if name == "attention"}
    assert len(masks) == 1
    assert next(iter(masks))[1] in ("tensor<2x1x1x7xi1>", "tensor<?x1x1x?xi1>")
