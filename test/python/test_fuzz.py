# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A short run of each fuzzer, from fixed seeds; see fuzz_ops.py and fuzz_text.py."""

import fuzz_ops
import fuzz_text
import pytest


@pytest.mark.parametrize("target, first", [("cpu:native", 0), ("cpu:x86-64-v3", 500)])
def test_random_programs(target, first):
    statuses = []
    for seed, status, text in fuzz_ops.run(first, 60, {"target": target}, seconds=15, at_least=5):
        assert status in ("ok", "refused"), f"{status}\n{text}"
        statuses.append(status)
    assert statuses.count("ok") >= 5


def test_damaged_programs():
    for flags, text, what in fuzz_text.fuzz(seed=0, count=600):
        raise AssertionError(f"ourc-opt {' '.join(flags)}\n{text}\n{what}")
