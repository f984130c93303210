# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A pipeline run stage by stage, through text, ends in the IR of the whole."""

import pytest
import torch

from models import resnet50, sentence_encoder, token_batch

TARGET = "cpu:x86-64-v4"
STAGES = [
    "ourc-tensor-pipeline",
    f"ourc-kernel-pipeline{{target={TARGET}}}",
    f"ourc-buffer-pipeline{{target={TARGET}}}",
    f"builtin.module(ourc-code-pipeline{{target={TARGET}}})",
]


def program(name, imported):
    if name == "minilm":
        return imported(sentence_encoder(), *token_batch(1, 16)).text
    if name == "minilm-dynamic":
        return imported(sentence_encoder(dynamic=True), *token_batch(3, 17), dynamic=True).text
    return imported(resnet50(), torch.zeros(1, 3, 64, 64)).text


@pytest.mark.parametrize("name", ["minilm", "minilm-dynamic", "resnet50"])
def test_stages_make_the_whole(name, imported, ourc_opt):
    text = program(name, imported)
    whole = ourc_opt(text, f"--pass-pipeline=builtin.module(ourc-compile-pipeline{{target={TARGET}}})")
    for stage in STAGES:
        # Kernels take their names from locations, so these travel along.
        text = ourc_opt(text, f"--pass-pipeline=builtin.module({stage})", "--mlir-print-debuginfo")
    assert len(whole) > 100_000
    assert ourc_opt(text) == whole
