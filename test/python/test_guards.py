# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch's own option that leaves guards out, with this backend."""

import pytest
import torch

import ourc


def test_guards_can_be_left_out():
    """`guard_filter_fn` is torch's: it decides, and never reaches the compiler as an
    option of its own; the compiler's options beside it still hold."""
    torch.manual_seed(0)
    seen = []

    def filtered(guards):
        seen.extend(guards)
        return [False] * len(guards)

    model = torch.nn.Sequential(torch.nn.Linear(7, 5), torch.nn.Hardswish()).eval()
    with torch.no_grad():
        compiled = torch.compile(
            model, backend="ourc", fullgraph=True, options={"guard_filter_fn": filtered, "strict": True}
        )
        x = torch.randn(3, 7)
        torch.testing.assert_close(compiled(x), model(x))
        # Without its guards the code still reads parameters at each call.
        model[0].weight.mul_(2)
        torch.testing.assert_close(compiled(x), model(x))
        # What the guards would have seen is an error then, not a wrong result.
        with pytest.raises(ourc.OurcError):
            compiled(torch.randn(4, 7))
    assert seen
