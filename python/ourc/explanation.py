# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ourc.explain: what became of a model, in words."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import torch

from .backend import ourc_backend
from .model import CompiledGraph


@dataclass
class Explanation:
    """The graphs that one call of a model compiled; str() tells of them."""

    graphs: list[CompiledGraph]

    def __str__(self) -> str:
        return "\n\n".join(
            _describe(number, graph) for number, graph in enumerate(self.graphs)
        )


def explain(function, *args, options=None, dynamic=None, **kwargs) -> Explanation:
    """Compiles `function` for these arguments, calls it once without gradients
    and tells what was made: kernels with their source lines, why others were
    not fused, memory, and where the time went."""
    graphs: list[CompiledGraph] = []
    backend = functools.partial(ourc_backend, options=options, made=graphs)
    functools.update_wrapper(backend, ourc_backend)
    with torch.no_grad():
        torch.compile(function, backend=backend, dynamic=dynamic)(*args, **kwargs)
    return Explanation(graphs)


def _describe(number: int, graph: CompiledGraph) -> str:
    report, memory = graph.report, graph.memory()
    kernels = report.get("kernels", [])
    lines = [
        f"graph {number}: {graph.num_aten_ops} ATen ops in, "
        f"{len(kernels)} kernels, target {report.get('target', '?')}"
    ]
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
