# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a model overwrites: values, and that it happens in place."""

import copy

import pytest
import torch
import torch.nn.functional as F

import ourc
from numerics import assert_close


def update_remarks(graph):
    return [r["message"] for r in graph.report["remarks"] if r["name"] == "UpdateCopied"]


def check(function, *arguments):
    """Compares the result and every argument after the call; returns the graph."""
    mine = [a.clone() for a in arguments]
    theirs = [a.clone() for a in arguments]
    places = [a.data_ptr() for a in mine]
    with torch.no_grad():
        result = torch.compile(function, backend="ourc", fullgraph=True, dynamic=False)(*mine)
        expected = function(*theirs)
    torch.testing.assert_close(result, expected)
    for a, b in zip(mine, theirs, strict=True):
        torch.testing.assert_close(a, b)
    assert places == [a.data_ptr() for a in mine]
    return ourc.compilations()[-1]


def write_rows(cache, positions, rows):
    cache.index_copy_(1, positions, rows)
    return cache.sum(1)


def put(cache, positions, rows):
    cache[:, positions] = rows
    return cache * 2


def accumulate(cache, positions, rows):
    cache.index_add_(1, positions, rows)
    return cache * 2


def overwrite(cache, positions, rows):
    cache.mul_(2).add_(rows[:, :1])
    return cache * 3


def part(cache, positions, rows):
    cache[:, 3:7] = rows
    cache[:, :, 32] = rows[:, 0, :1]
    cache[:, 8:10].add_(rows[:, :2])
    return cache * 2


@pytest.mark.parametrize("function", [write_rows, put, accumulate, overwrite, part])
def test_in_place(function):
    graph = check(function, torch.randn(3, 64, 33), torch.tensor([5, 0, 5, 63]), torch.ones(3, 4, 33))
    assert not update_remarks(graph)
    assert "memref.copy" not in graph.text and "ourc.updates = 0" in graph.text
    # No copy of the argument: there is no buffer of its size.
    assert graph.memory()["sum_of_buffers"] < 3 * 64 * 33 * 4


def test_old_value_that_is_read_later_is_copied_and_said():
    def function(cache, positions, rows):
        old = cache.clone()
        cache.index_copy_(1, positions, rows)
        return old @ cache.transpose(1, 2)

    graph = check(function, torch.randn(3, 16, 8), torch.tensor([5, 0]), torch.randn(3, 2, 8))
    assert any("not in place" in message for message in update_remarks(graph))


def test_transposed_operand_is_not_overwritten_while_it_is_read():
    def function(x, y):
        x.add_(y.t())
        x.copy_(x.t() * 2)
        return y + 1

    graph = check(function, torch.randn(40, 40), torch.randn(40, 40))
    assert update_remarks(graph)


@pytest.mark.parametrize("view", ["transposed", "part"])
def test_arguments_that_are_not_row_major(view):
    x = torch.randn(6, 8)
    base = x.clone()
    argument = base.t() if view == "transposed" else base[:, 2:6]

    def function(x):
        x.mul_(3)
        return x.sum()

    expected = argument.clone()
    total = function(expected)
    with torch.no_grad():
        result = torch.compile(function, backend="ourc", fullgraph=True)(argument)
    torch.testing.assert_close(argument, expected)
    torch.testing.assert_close(result, total)


def test_index_out_of_range_writes_nothing():
    cache = torch.zeros(1, 8, 4)
    compiled = torch.compile(write_rows, backend="ourc", fullgraph=True)
    with torch.no_grad(), pytest.raises(ourc.OurcError, match=r"index out of range \(8\)"):
        compiled(cache, torch.tensor([8]), torch.ones(1, 1, 4))
    assert torch.equal(cache, torch.zeros(1, 8, 4))


def test_running_statistics():
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Conv2d(3, 8, 3), torch.nn.BatchNorm2d(8), torch.nn.ReLU())
    reference = copy.deepcopy(model).double()
    compiled = torch.compile(model, backend="ourc", fullgraph=True)
    with torch.no_grad():
        for _ in range(3):
            x = torch.randn(4, 3, 9, 9)
            assert_close(compiled(x), reference(x.double()))
    assert_close(model[1].running_mean, reference[1].running_mean)
    assert_close(model[1].running_var, reference[1].running_var)
    assert model[1].num_batches_tracked == 3
    assert not update_remarks(ourc.compilations()[-1])


class Decoder(torch.nn.Module):
    """One layer of attention over a cache that each step adds a row to."""

    def __init__(self, heads=4, width=16, length=64):
        super().__init__()
        self.heads, self.width = heads, width
        self.qkv = torch.nn.Linear(heads * width, 3 * heads * width)
        self.register_buffer("keys", torch.zeros(1, heads, length, width))
        self.register_buffer("values", torch.zeros(1, heads, length, width))

    def forward(self, x, position):
        parts = [p.view(1, -1, self.heads, self.width).transpose(1, 2) for p in self.qkv(x).chunk(3, -1)]
        self.keys.index_copy_(2, position, parts[1])
        self.values.index_copy_(2, position, parts[2])
        mask = torch.arange(self.keys.shape[2]) <= position[0]
        y = F.scaled_dot_product_attention(parts[0], self.keys, self.values, attn_mask=mask[None, None, None])
        return y.transpose(1, 2).flatten(2)


def test_decoding():
    torch.manual_seed(0)
    model = Decoder().eval()
    reference = copy.deepcopy(model).double()
    compiled = torch.compile(model, backend="ourc", fullgraph=True)
    with torch.no_grad():
        for step in range(5):
            x = torch.randn(1, 1, 64)
            assert_close(compiled(x, torch.tensor([step])), reference(x.double(), torch.tensor([step])))
    assert_close(model.keys, reference.keys)
    assert_close(model.values, reference.values)
    graph = ourc.compilations()[-1]
    assert not update_remarks(graph)
    assert graph.memory()["sum_of_buffers"] < model.keys.nbytes
    assert graph.parameter_bindings == 1
