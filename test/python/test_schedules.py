# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Schedules from a file, and what the cache of code keeps apart."""

import json
import subprocess
from pathlib import Path

import pytest
import torch
from torch import nn

import ourc
from ourc.compile import import_program
from ourc.tools import tool_path

ROOT = Path(__file__).resolve().parents[2]


def kernels_of(model, x, **options):
    """The schedules of the kernels that torch.compile makes, and the result."""
    torch._dynamo.reset()
    with torch.no_grad():
        result = torch.compile(model, backend="ourc", options=options)(x)
    return [k["schedule"] for k in ourc.compilations()[-1].report["kernels"]], result


def candidates_of(model, x, folder):
    with torch.no_grad():
        program = torch.export.export(model, (x,))
    (folder / "model.mlir").write_text(import_program(program).text)
    done = subprocess.run(
        [tool_path("ourc-tune"), folder / "model.mlir", "--list"], capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)["kernels"]


def test_every_candidate_gives_the_same_result(tmp_path):
    torch.manual_seed(0)
    model, x = nn.Sequential(nn.Linear(96, 200), nn.GELU(), nn.LayerNorm(200)).eval(), torch.randn(37, 96)
    wanted = model.double()(x.double()).detach()
    model.float()
    kernels = candidates_of(model, x, tmp_path)
    assert max(len(k["candidates"]) for k in kernels) > 5
    for index in range(max(len(k["candidates"]) for k in kernels)):
        chosen = [k for k in kernels if index < len(k["candidates"])]
        entries = [{"kernel": k["kernel"], "name": k["name"], "schedule": k["candidates"][index]} for k in chosen]
        file = tmp_path / f"{index}.json"
        file.write_text(json.dumps({"schedules": entries}))
        schedules, result = kernels_of(model, x, schedules=str(file))
        for entry in entries:
            assert entry["schedule"] in schedules
        assert ((result.double() - wanted).norm() / wanted.norm()) < 1e-6, entries


def test_a_schedule_that_cannot_be_is_refused(tmp_path):
    model, x = nn.Linear(96, 200).eval(), torch.randn(37, 96)
    (kernel,) = candidates_of(model, x, tmp_path)
    for was, now, why in [
        ("kb = 0", "kb = 8", "'kb' must be 0"),
        ("lanes = ", "lanes = 1, lanes_ = ", "no schedule"),
        ("mr = ", "depth = 2, mr = ", "'depth' must be 1"),
    ]:
        entry = {"kernel": kernel["kernel"], "schedule": kernel["candidates"][0].replace(was, now)}
        (tmp_path / "bad.json").write_text(json.dumps({"schedules": [entry]}))
        with pytest.raises(Exception, match=why):
            kernels_of(model, x, schedules=str(tmp_path / "bad.json"))


def test_strict_is_not_taken_from_the_cache(tmp_path):
    model, x = nn.Conv2d(64, 64, 3, padding=1).eval(), torch.randn(1, 64, 56, 56)
    fast, _ = kernels_of(model, x, cache=str(tmp_path))
    strict, _ = kernels_of(model, x, cache=str(tmp_path), strict=True)
    assert any("winograd" in s for s in fast)
    assert not any("winograd" in s for s in strict)
