# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The installed prefix, and a program outside of the tree that embeds ourc."""

import os
import shutil
import subprocess

import pytest

from conftest import ROOT

MODULE = """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ourc.exp %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""


def run(*command, **kwargs):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=600, **kwargs)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    folder = tmp_path_factory.mktemp("prefix")
    run(ROOT / "scripts/install", folder)
    return folder


def test_embedding_program(prefix, tmp_path):
    # Copied away: nothing of the tree but the prefix may be needed.
    shutil.copytree(ROOT / "examples/embed", tmp_path / "embed")
    run(tmp_path / "embed/build.sh", prefix, tmp_path / "embed/embed")
    (tmp_path / "module.mlir").write_text(MODULE)
    printed = run(tmp_path / "embed/embed", tmp_path / "module.mlir", "ourc-tensor-pipeline")
    assert "math.exp" in printed and "ourc.exp" not in printed


def test_installed_tools_run_elsewhere(prefix, tmp_path):
    (tmp_path / "module.mlir").write_text(MODULE)
    environment = {k: v for k, v in os.environ.items() if not k.startswith("OURC_")}
    run(prefix / "bin/ourc-compile", tmp_path / "module.mlir", "-o", tmp_path / "model.so", cwd=tmp_path, env=environment)
    described = run(prefix / "bin/ourc-run", tmp_path / "model.so", "--describe", cwd=tmp_path, env=environment)
    assert "main" in described or "inputs" in described
