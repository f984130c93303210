# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the code of the measured models is made of; never how long it takes.

structure.json has, for each model at batch 1 in f32, how often a call launches
a kernel, and how many of its kernels spill registers in an inner loop, gather
or scatter, or compute in a scalar loop. None may grow; lower a number there
when it shrinks. No kernel may allocate or call anything but the runtime.
"""

import json
import sys
from pathlib import Path

import assembly
import pytest
import torch

import ourc

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))

import zoo  # noqa: E402

EXPECTED = json.loads((Path(__file__).parent / "structure.json").read_text())
ALLOWED_CALLS = {"ourc_parallel_for", "ourc_thread_scratch", "ourc_report_error", "memcpy", "memset"}


def faults_of(text: str) -> dict[str, list[str]]:
    """Of one kernel's assembly, what should not be there."""
    faults = {"spilling": [], "scalar": []}
    for loop in assembly.innermost_loops(text):
        # A loop of several blocks holds more than the inner kernel.
        if loop.multiply_adds >= 4 and loop.is_one_block and loop.spills:
            faults["spilling"].append(f"{loop.label}: {len(loop.spills)} spills and reloads")
        if loop.is_scalar:
            faults["scalar"].append(loop.label)
    faults["gathering"] = sorted({n for n in assembly.instructions(text) if "gather" in n or "scatter" in n})
    return faults


@pytest.mark.parametrize("model", EXPECTED)
def test_structure(model, tmp_path):
    function, inputs = zoo.make(model, 1, torch.float32)
    compiled = torch.compile(
        function, backend="ourc", fullgraph=True, options={"dump_kernels": str(tmp_path)}
    )
    with torch.no_grad():
        compiled(*inputs)
    report = ourc.compilations()[-1].report
    launched = {report["kernels"][launch["kernel"]]["name"] for launch in report["sequence"]}
    found = {"launches": len(report["sequence"]), "spilling": 0, "gathering": 0, "scalar": 0}
    told = []
    for name in sorted(launched):
        text = (tmp_path / f"{name}.s").read_text()
        assert assembly.calls(text) <= ALLOWED_CALLS, name
        for kind, faults in faults_of(text).items():
            if faults:
                found[kind] += 1
                told.append(f"{name}: {kind}: {', '.join(faults)}")
    worse = {kind for kind, count in found.items() if count > EXPECTED[model][kind]}
    assert not worse, f"{found} is worse than {EXPECTED[model]} in {worse}\n" + "\n".join(told)


TILE = """
kernel:
	xorl	%eax, %eax
	vmovups	%zmm3, 64(%rsp)
.LBB0_1:
	vmovups	{moved}
	vfmadd231ps	%zmm0, %zmm1, %zmm2
	vfmadd231ps	%zmm0, %zmm1, %zmm3
	vfmadd231ps	%zmm0, %zmm1, %zmm4
	vfmadd231ps	%zmm0, %zmm1, %zmm5
	incq	%rax
	cmpq	$9, %rax
	jl	.LBB0_1
	vmovups	64(%rsp), %zmm3
	callq	{called}@PLT
	retq
"""


def test_spills_are_seen():
    good = TILE.format(moved="64(%rbp,%rax,4), %zmm0", called="ourc_thread_scratch")
    assert not any(faults_of(good).values())
    assert assembly.calls(good) == {"ourc_thread_scratch"}
    bad = TILE.format(moved="64(%rsp), %zmm0", called="malloc")
    assert faults_of(bad)["spilling"] == [".LBB0_1: 1 spills and reloads"]
    assert assembly.calls(bad) == {"malloc"}


def test_scalar_loops_and_gathers_are_seen():
    text = TILE.format(moved="(%rax), %zmm0", called="memcpy")
    text = text.replace("vfmadd231ps\t%zmm0, %zmm1, %zmm2", "vgatherdps\t(%rax,%zmm0,4), %zmm2 {%k1}")
    text += "f:\n.LBB0_2:\n\tvaddss\t(%rax), %xmm0, %xmm0\n\tdecq\t%rax\n\tjne\t.LBB0_2\n"
    assert faults_of(text)["scalar"] == [".LBB0_2"]
    assert faults_of(text)["gathering"] == ["vgatherdps"]
