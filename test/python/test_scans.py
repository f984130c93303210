# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Running sums and products against torch in f64."""

import pytest
import torch

import ourc  # noqa: F401
from test_ops import BF16, BOOL, F16, F32, F64, I8, I32, I64, U8, compiled_results, run_sum, values

# One block, its border, several blocks, blocks of blocks.
SIZES = [1, 7, 64, 65, 130, 4161]


@pytest.mark.parametrize("dtype", [F32, F64, F16, BF16, I64, I32, I8, U8, BOOL], ids=str)
def test_cumsum(dtype):
    for dim in (0, 1, -1):
        cases = []
        for i, size in enumerate(SIZES):
            shape = [2, 3, 5]
            shape[dim] = size
            cases.append((values(shape, dtype, i, edges=False),))
        run_sum(lambda x: x.cumsum(dim), cases)  # noqa: B023


def test_cumprod():
    cases = [((values((3, n), F64, i, False) * 0.01 + 1).to(F32),) for i, n in enumerate(SIZES)]
    run_sum(lambda x: x.cumprod(1), cases)
    run_sum(lambda x: x.cumprod(0), [(torch.tensor([[2, 3], [5, 7], [0, 1]]),)])


def test_result_type():
    x = values((4, 9), I32, 1, False)
    run_sum(lambda x: x.cumsum(1, dtype=F32), [(x,)])
    run_sum(lambda x: torch.tensor(3.0) + x.cumsum(1), [(x,)])


def test_later_elements_do_not_matter():
    x = torch.ones(2, 200)
    x[0, 3], x[0, 150], x[1, 70] = float("inf"), float("-inf"), float("nan")
    (actual,) = compiled_results(lambda x: x.cumsum(1), [(x,)])
    torch.testing.assert_close(actual, x.cumsum(1), equal_nan=True)


def test_integers_wrap_around():
    x = torch.full((3, 100), torch.iinfo(I64).max)
    (actual,) = compiled_results(lambda x: x.cumsum(1), [(x,)])
    assert torch.equal(actual, x.cumsum(1))


def test_dynamic_size():
    compiled = torch.compile(lambda x: x.cumsum(0), backend="ourc", fullgraph=True, dynamic=True)
    with torch.no_grad():
        for n in (2, 65, 100, 333):
            x = values((n, 3), F32, n, False)
            torch.testing.assert_close(compiled(x), x.cumsum(0), rtol=1e-4, atol=1e-4)
