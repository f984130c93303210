# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensors with elements at indices replaced, against torch."""

import pytest
import torch

from test_ops import BF16, BOOL, F16, F32, I32, I64, compiled_results, values

INDEX = torch.tensor([3, 0, 3, 6, 1])
LIST = [torch.tensor([3, 0, 5]), torch.tensor([2, -1, 4])]


def put(x, index, value):
    y = x.clone()
    y[index] = value
    return y


REPLACED = [
    ("index_copy", lambda x: x.index_copy(1, INDEX, x[:, :5])),
    ("index_copy_0", lambda x: x.index_copy(0, INDEX[:2], x[1:3].clone())),
    ("index_copy_last", lambda x: x.index_copy(2, INDEX[1:], x[:, :, 2:6])),
    ("index_fill", lambda x: x.index_fill(1, torch.tensor([0, -2]), 1)),
    ("index_put", lambda x: x.index_put((LIST[0],), x[3:6])),
    ("index_put_two", lambda x: x.index_put((LIST[0], LIST[1]), x[0, :3])),
    ("index_put_apart", lambda x: put(x, (LIST[0], slice(None), LIST[1]), x[0, :3, :7])),
    ("index_put_scalar", lambda x: put(x, (slice(None), LIST[0]), x[0, 0, 0])),
    ("scatter_value", lambda x: x.scatter(2, torch.tensor([[[1, 2]], [[0, 5]]]), 1)),
    ("masked", lambda x: torch.where(x == x, x, x).index_put((torch.arange(7) > 3,), x[0, 0, 0])),
]


@pytest.mark.parametrize("dtype", [F32, F16, BF16, I64, I32, BOOL], ids=str)
@pytest.mark.parametrize("function", [pytest.param(f, id=n) for n, f in REPLACED])
def test_replaced(function, dtype):
    x = values((7, 7, 7), dtype, 1, edges=False)
    # Where indices repeat torch may keep either value; ours is the last.
    (actual,) = compiled_results(function, [(x,)])
    assert torch.equal(actual, function(x))


JOINED = [
    ("scatter_add", lambda x, i: x.scatter_add(1, i, x * 2)),
    ("scatter_add_0", lambda x, i: x.scatter_add(0, i[:, :2], x)),
    ("scatter_amax", lambda x, i: x.scatter_reduce(1, i, x * 2, "amax")),
    ("scatter_amin", lambda x, i: x.scatter_reduce(1, i, x * 2, "amin")),
    ("scatter_prod", lambda x, i: x.scatter_reduce(1, i, x / 2 + 1, "prod")),
    ("index_add", lambda x, i: x.index_add(0, i[0], x[:9], alpha=2)),
    ("index_put", lambda x, i: x.index_put((i[0], i[1]), x[0], accumulate=True)),
]


@pytest.mark.parametrize("dtype", [F32, torch.float64], ids=str)
@pytest.mark.parametrize("function", [pytest.param(f, id=n) for n, f in JOINED])
def test_joined(function, dtype):
    x = values((9, 9), dtype, 1, edges=False)
    index = torch.randint(0, 9, (9, 9), generator=torch.Generator().manual_seed(2))
    (actual,) = compiled_results(function, [(x, index)])
    torch.testing.assert_close(actual.double(), function(x.double(), index), rtol=1e-5, atol=1e-5)


def test_result_does_not_depend_on_threads():
    x, index = values((64, 1000), F32, 1, False), torch.randint(0, 8, (500,))
    rows = values((500, 1000), F32, 2, False)

    def function(x, index, rows):
        return x.index_add(0, index, rows)

    threads = torch.get_num_threads()
    results = []
    for count in (1, 2, threads):
        torch.set_num_threads(count)
        results += compiled_results(function, [(x, index, rows)])
    torch.set_num_threads(threads)
    assert all(torch.equal(results[0], r) for r in results)
