# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transformers over images: windows that are cut, rolled and joined again, merged projections, a class token."""

import re

import pytest
import torch
from torchvision.models import VisionTransformer
from torchvision.models.swin_transformer import SwinTransformer

from numerics import assert_close, double, relative_max

# Words in the names of kernels that compute something.
MOVES = {"transpose", "slice", "concat", "reshape", "broadcast", "pad", "gather", "cast"}


class Windows(torch.nn.Module):
    """A Swin transformer without its pooling: shifted windows in the first stage, one window in the second."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.model = SwinTransformer([4, 4], 32, [2, 2], [2, 4], [7, 7], stochastic_depth_prob=0.0, num_classes=10)
        for name, parameter in self.model.named_parameters():
            if "relative_position_bias_table" in name:
                torch.nn.init.normal_(parameter)

    def forward(self, x):
        return self.model.norm(self.model.features(x))


def windows():
    return Windows().eval(), 56


def patches():
    torch.manual_seed(0)
    model = VisionTransformer(32, 8, 2, 2, 32, 64, num_classes=10)
    torch.nn.init.normal_(model.heads.head.weight)
    return model.eval(), 32


@pytest.mark.parametrize("target", ["cpu:native", "cpu:x86-64-v3"])
@pytest.mark.parametrize("batch", [1, 3])
@pytest.mark.parametrize("make", [windows, patches])
def test_against_f64(make, batch, target):
    model, size = make()
    x = torch.randn(batch, 3, size, size)
    compiled = torch.compile(model, backend="ourc", fullgraph=True, options={"target": target})
    with torch.no_grad():
        actual, expected = compiled(x), double(model)(double(x))
    assert_close(actual, expected)
    assert relative_max(actual, expected) <= 1e-5


@pytest.mark.parametrize("batch", [1, 3])
@pytest.mark.parametrize("make, layers", [(windows, 4), (patches, 2)])
def test_no_kernel_only_moves_elements(make, layers, batch, imported, ourc_opt):
    model, size = make()
    text = imported(model, torch.randn(batch, 3, size, size)).text
    target = "target=cpu:x86-64-v4"
    pipeline = f"builtin.module(ourc-tensor-pipeline{{{target}}},ourc-kernel-pipeline{{{target}}})"
    text = ourc_opt(text, f"--pass-pipeline={pipeline}")
    assert len(re.findall(r"= kernel\.attention ", text.replace("linalg.", ""))) >= 1
    main = text[text.index("func.func @main") :]
    launched = re.findall(r"kernel\.launch @(\w+)", main)
    assert sum("attention" in name for name in launched) == layers
    assert not any("softmax" in name for name in launched)
    only_move = [name for name in launched if set(re.sub(r"_\d+$", "", name).split("_")) <= MOVES]
    assert only_move == []
    # One kernel for each norm, projection and attention of a layer, and little around them.
    assert len(launched) <= 7 * layers + 6
