# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fixtures of the Python tests."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))
os.environ["HF_HUB_OFFLINE"] = "1"
# What is tested is compiled by this compiler, here and now.
os.environ.setdefault("OURC_CACHE_DIR", "off")

import ourc  # noqa: E402
import ourc.backend  # noqa: E402


@pytest.fixture(autouse=True)
def fresh_dynamo():
    """Each test compiles anew, from the same random numbers."""
    torch._dynamo.reset()
    torch.manual_seed(0)


class _Imported(Exception):
    pass


@pytest.fixture
def imported(monkeypatch):
    """A function that gives what the importer makes of a call, uncompiled."""
    graphs = []

    def record(graph, options, use_graphs=False):
        graphs.append(graph)
        raise ourc.CompileError("imported")

    monkeypatch.setattr(ourc.backend, "CompiledGraph", record)

    def run(function, *args, grad=False, **kwargs):
        torch._dynamo.reset()
        compiled = torch.compile(function, backend="ourc", fullgraph=True, **kwargs)
        with torch.set_grad_enabled(grad), pytest.raises(ourc.CompileError) as error:
            compiled(*args)
        if not str(error.value).startswith("imported"):
            raise error.value
        return graphs[-1]

    return run


@pytest.fixture(scope="session")
def ourc_opt():
    """A function that runs ourc-opt over text and returns what it prints."""
    tool = ROOT / "bazel-bin/tools/ourc-opt/ourc-opt"

    def run(text, *flags):
        done = subprocess.run(
            [tool, *flags], input=text, capture_output=True, text=True, timeout=120
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run
