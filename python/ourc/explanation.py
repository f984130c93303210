# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ourc.explain: what became of a model, in words."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field

import torch

from .backend import ourc_backend
from .model import CompiledGraph
from .profile import KernelTime, measure_peaks, table


@dataclass
class Explanation:
    """The graphs that one call of a model compiled; str() tells of them."""

    graphs: list[CompiledGraph]
    peaks: dict | None = None  # where kernels were measured
    times: list[list[KernelTime]] = field(default_factory=list)  # a list a graph
    calls: list[float] = field(default_factory=list)  # seconds of a call, a graph

    def __str__(self) -> str:
        return "\n\n".join(
            _describe(number, graph, self) for number, graph in enumerate(self.graphs)
        )


def explain(
    function, *args, options=None, dynamic=None, measure=False, runs=20, **kwargs
) -> Explanation:
    """Compiles `function` for these arguments, calls it once without gradients
    and tells what was made: kernels with their source lines, why others were
    not fused, memory, and where the time went. With `measure` the kernels are
    listed by their median time in `runs` more calls, beside the least time that
    the machine's peaks, measured too, allow."""
    graphs: list[CompiledGraph] = []
    backend = functools.partial(ourc_backend, options=options, made=graphs)
    functools.update_wrapper(backend, ourc_backend)
    with torch.no_grad():
        compiled = torch.compile(function, backend=backend, dynamic=dynamic)
        compiled(*args, **kwargs)
        explanation = Explanation(graphs)
        if measure:
            explanation.peaks = measure_peaks()
            for graph in graphs:
                times, whole = graph.measure(
                    lambda: compiled(*args, **kwargs), runs, explanation.peaks
                )
                explanation.times.append(times)
                explanation.calls.append(whole)
    return explanation


def _describe(number: int, graph: CompiledGraph, explanation: Explanation) -> str:
    report, memory = graph.report, graph.memory()
    kernels = report.get("kernels", [])
    lines = [
        f"graph {number}: {graph.num_aten_ops} ATen ops in, "
        f"{len(kernels)} kernels, target {report.get('target', '?')}"
    ]
    if explanation.peaks is not None:
        times, whole = explanation.times[number], explanation.calls[number]
        lines.append(table(times, explanation.peaks, whole))
        kernels = []
    for kernel in kernels:
        schedule = kernel.get("schedule") or kernel.get("strategy") or ""
        launches = kernel.get("launches", 1)
        times = f", launched {launches} times" if launches != 1 else ""
        lines.append(f"  {kernel.get('name')}: {schedule}{times}")
        lines += [f"    from {place}" for place in kernel.get("locations", [])]
    refused = [r for r in report.get("remarks", []) if r.get("message")]
    if refused:
        lines.append("remarks:")
        lines += [f"  {r.get('location', '?')}: {r['message']}" for r in refused]
    lines.append(
        "memory: arena {arena_bytes} bytes (separate buffers {sum_of_buffers}, lower "
        "bound {lower_bound}); prepared weights {prepared_bytes}".format(**memory)
    )
    seconds = ", ".join(f"{k} {v:.3f}" for k, v in graph.seconds.items())
    lines.append(f"seconds: {seconds}")
    return "\n".join(lines)
