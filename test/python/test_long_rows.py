# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Few long rows, which threads share: right against f64, and the same bits on any number of threads."""

import pytest
import torch
import torch.nn.functional as F

import ourc

CASES = {
    "sum": (lambda x: x.sum(), (300007,), None),
    "mean": (lambda x: x.mean(), (300007,), 0),
    "max": (lambda x: x.amax(-1), (3, 100003), 1),
    "argmax": (lambda x: x.argmax(), (200003,), None),
    "softmax": (lambda x: x.softmax(-1), (2, 100003), 1),
    "columns": (lambda x: x.sum(0), (20011, 20), 0),
    "layer_norm": (lambda x: F.layer_norm(x, (100001,)), (3, 100001), 0),
    "group_norm": (lambda x: F.group_norm(x, 2), (2, 8, 101, 103), None),
    "one_after_another": (lambda x: (x - x.mean()).abs().sum() / x.std(), (300007,), None),
}


@pytest.mark.parametrize("name", CASES)
def test_long_rows(name):
    function, shape, dynamic = CASES[name]
    x = torch.randn(shape, generator=torch.Generator().manual_seed(1)) * 2 + 1
    if dynamic is not None:
        torch._dynamo.mark_dynamic(x, dynamic)
    torch._dynamo.reset()
    compiled = torch.compile(function, backend="ourc", fullgraph=True)
    threads = torch.get_num_threads()
    results = []
    try:
        with torch.no_grad():
            for count in (1, 2, 3):
                torch.set_num_threads(count)
                results.append(compiled(x))
    finally:
        torch.set_num_threads(threads)
    wanted = function(x.double())
    for result in results:
        assert torch.equal(result, results[0])
    if wanted.dtype.is_floating_point:
        torch.testing.assert_close(results[0].double(), wanted, rtol=2e-6, atol=1e-6)
    else:
        assert torch.equal(results[0], wanted)
