# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Views by strides against torch."""

import pytest
import torch

import ourc
from test_ops import compiled_results

VIEWS = [
    ("rows", (4, 6), (3, 1), 0),
    ("all", (3, 8), (8, 1), 0),
    ("transposed", (8, 3), (1, 8), 0),
    ("part", (2, 2), (8, 3), 9),
    ("repeated", (2, 5, 3), (8, 0, 2), 1),
    ("windows", (20, 5), (1, 1), 0),
    ("uneven", (5, 2), (5, 2), 0),
    ("element", (), (), 23),
    ("empty", (0, 3), (1, 1), 0),
    ("units", (1, 24, 1), (7, 1, 9), 0),
]


@pytest.mark.parametrize("size, stride, offset", [pytest.param(*v[1:], id=v[0]) for v in VIEWS])
@pytest.mark.parametrize("dtype", [torch.float32, torch.int64, torch.uint8, torch.bool], ids=str)
def test_views(size, stride, offset, dtype):
    x = torch.arange(24).remainder(5).sub(1).to(dtype).view(3, 8)
    function = lambda x: x.clone().as_strided(size, stride, offset).clone()  # noqa: E731
    (actual,) = compiled_results(function, [(x,)])
    assert torch.equal(actual, function(x))


def test_memory_order_of_the_operand_counts():
    """Strides address memory, whatever the order of the operand's dimensions."""
    x = torch.randn(2, 3, 4, 5)

    def function(x):
        y = x.clone(memory_format=torch.channels_last) + 1
        return y.as_strided((4, 30), (30, 1)) * 2

    (actual,) = compiled_results(function, [(x,)])
    assert torch.equal(actual, function(x))


def test_part_of_a_tensor_is_refused():
    with pytest.raises(ourc.CompileError, match="'self' is part of a larger tensor"):
        compiled_results(lambda x: x[1:].as_strided((2,), (1,)) + 1, [(torch.randn(4, 4),)])
