# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Views whose memory has other values than they say: torch's lazy negation."""

import pytest
import torch

import ourc
from ourc.compile import compile_program


def negated():
    view = torch.randn(4, 3, dtype=torch.complex64).conj().imag
    assert view.is_neg()
    return view


def test_a_compiled_function_reads_the_values():
    x = negated()
    with torch.no_grad():
        assert torch.equal(torch.compile(lambda x: x + 1, backend="ourc")(x), x.clone() + 1)


def test_an_artifact_reads_the_values(tmp_path):
    class Add(torch.nn.Module):
        def forward(self, x):
            return x + 1

    compile_program(torch.export.export(Add(), (torch.randn(4, 3),)), tmp_path / "m.so")
    x = negated()
    (result,) = ourc.load(tmp_path / "m.so")(x)
    assert torch.equal(result, x.clone() + 1)


def test_an_artifact_does_not_update_a_negated_view(tmp_path):
    class Update(torch.nn.Module):
        def forward(self, x):
            x.add_(1)
            return x * 2

    compile_program(torch.export.export(Update(), (torch.randn(4, 3),)), tmp_path / "m.so")
    with pytest.raises(ourc.OurcError, match="negated or conjugated view cannot be updated in place"):
        ourc.load(tmp_path / "m.so")(negated())
