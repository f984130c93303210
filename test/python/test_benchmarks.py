# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The benchmark of whole models, on models that take no time. No time is asserted."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def run(*arguments):
    return subprocess.run(
        [sys.executable, *map(str, arguments)], capture_output=True, text=True, timeout=600, cwd=ROOT
    )


@pytest.mark.parametrize("model", ["tiny-bert"])
def test_models(tmp_path, model):
    file = tmp_path / "results.json"
    common = [ROOT / "benchmarks/models.py", "--model", model, "--batch", "1", "--dtype", "float32"]
    common += ["--json", file, "--rounds", "2", "--seconds", "0.01", "--most", "3"]
    done = run(*common, "--engine", "eager", "--engine", "ourc", "--engine", "ourc-artifact")
    assert done.returncode == 0, done.stdout + done.stderr
    (row,) = json.loads(file.read_text())
    for engine in ("eager", "ourc", "ourc-artifact"):
        shown = row["engines"][engine]
        assert "refused" not in shown, shown
        assert shown["calls"] >= 6 and shown["error"] < 1e-5 and shown["peak_bytes"] > 0
    assert row["floor_ms"] > 0 and row["best_peer"] == "eager"
    assert set(row["ratios"]) == {"ourc", "ourc-artifact"} and min(row["ratios"].values()) > 0
    ours = row["engines"]["ourc"]
    assert ours["compile_s"] > 0 and {"import", "code", "tensors", "first call"} <= set(ours["phases"])
    ahead = row["engines"]["ourc-artifact"]
    assert ahead["compile_s"] > 0 and "code" in ahead["phases"]
    # Of a further run what it did not measure stays.
    done = run(*common, "--engine", "eager")
    assert done.returncode == 0, done.stdout + done.stderr
    (again,) = json.loads(file.read_text())
    assert again["engines"]["ourc"] == ours
    done = run(ROOT / "benchmarks/table.py", file, "-o", tmp_path / "page.md")
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"| {model} | float32 | 1 |" in (tmp_path / "page.md").read_text()


def test_an_engine_that_refuses_says_why(tmp_path):
    """Of an engine that cannot be loaded the row keeps the reason."""
    worker = subprocess.run(
        [sys.executable, ROOT / "benchmarks/worker.py"],
        input=json.dumps(
            {"do": "load", "engine": "ourc", "model": "tiny-bert", "batch": 1, "dtype": "float32", "threads": 1,
             "cache": None, "reference": None}
        ),
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, "PYTHONPATH": str(ROOT / "python"), "OURC_LIBRARY": "/nowhere.so"},
    )
    assert "nowhere" in json.loads(worker.stdout)["refused"]


def test_layers():
    done = run(ROOT / "benchmarks/layers.py", "--model", "tiny-bert", "--runs", "2", "--all")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "contraction" in done.stdout and "attention" in done.stdout and "#kernel." in done.stdout
