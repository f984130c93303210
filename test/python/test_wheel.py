# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The wheel: built, installed elsewhere, used without this tree."""

import os
import subprocess
import sys

import pytest

from conftest import ROOT

SCRIPT = """
import torch
assert "ourc" in torch._dynamo.list_backends()
compiled = torch.compile(lambda x: x * 2 + 1, backend="ourc", fullgraph=True)
assert compiled(torch.arange(5.0)).tolist() == [1.0, 3.0, 5.0, 7.0, 9.0]
import ourc
from ourc.library import library_path
from ourc.tools import tool_path
print(ourc.__file__, library_path(), tool_path("ourc-run"))
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    for command in (
        [ROOT / "scripts/wheel", folder / "dist"],
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"]
        + ["--disable-pip-version-check", "--target", folder / "site"]
        + ["--find-links", folder / "dist", "ourc"],
    ):
        done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
        assert done.returncode == 0, done.stdout + done.stderr
    return folder / "site"


def run(site, *command):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("OURC_")}
    environment["PYTHONPATH"] = str(site)
    return subprocess.run(
        command, capture_output=True, text=True, cwd="/", env=environment, timeout=300
    )


@pytest.mark.parametrize("before", ["", "import ourc"], ids=["by_name", "imported"])
def test_installed_package_compiles(installed, before):
    done = run(installed, sys.executable, "-c", before + SCRIPT)
    assert done.returncode == 0, done.stderr
    assert all(p.startswith(str(installed)) for p in done.stdout.split())


@pytest.mark.parametrize("tool", ["ourc-run", "ourc-compile"])
def test_installed_tools_start(installed, tool):
    done = run(installed, sys.executable, installed / "bin" / tool, "--help")
    assert done.returncode == 0 and tool in done.stdout, done.stderr
