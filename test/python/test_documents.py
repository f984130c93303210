# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What README.md and scripts/demo show works."""

import os
import re
import subprocess
import sys

import numpy
import torch

from conftest import ROOT
from numerics import assert_close, double


def test_readme_example():
    (example,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    scope = {}
    exec(example, scope)
    assert scope["y"].shape == (8, 10)
    x = torch.randn(3, 64)
    with torch.no_grad():
        assert_close(scope["compiled"](x), double(scope["model"])(double(x)))


def test_readme_commands():
    """The commands below "As a shared object" and "As MLIR", as they are written."""
    text = (ROOT / "README.md").read_text().split("## As a shared object")[1]
    commands = "\n".join(re.findall(r"```sh\n(.*?)```", text, re.DOTALL))
    (ROOT / "build").mkdir(exist_ok=True)
    done = subprocess.run(
        ["bash", "-euxc", commands.replace(".venv/bin/python", sys.executable)],
        capture_output=True,
        text=True,
        timeout=600,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "llvm.func" in done.stdout and "ourc.softmax" in done.stdout
    assert numpy.allclose(numpy.load(ROOT / "build/y.npy"), 1 / 8)


def test_demo():
    done = subprocess.run(
        [sys.executable, ROOT / "examples/sentence_encoder.py"],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, "PYTHONPATH": str(ROOT / "python")},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    for text in ("similarity", "error against f64", "ATen ops in", "arena", "the same bits"):
        assert text in done.stdout, text
