# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.compile(..., backend="ourc").

Dynamo's graph goes through AOTAutograd, which makes it functional, with an empty
decomposition table: composites such as layer norm or attention reach the
importer whole. New values of what the user mutates are copied back at the end
of the graph, which the program does in place; views of the user's tensors stay
outside of the graph.
"""

from __future__ import annotations

import re

import torch
from torch._dynamo.backends.common import aot_autograd
from torch._functorch._aot_autograd.descriptors import PlainAOTInput
from torch._guards import TracingContext

from .device import with_target
from .errors import CompileError
from .importer import PlaceholderInfo, import_graph, updated_placeholders
from .model import CompiledGraph
from .options import check_options

# Steps of a Dynamo source: ['key'], [0], .attribute
_SOURCE_STEP = re.compile(r"\['([^']*)'\]|\[(\d+)\]|\.(\w+)")
_MODULE_DICTS = {"_modules", "_parameters", "_buffers"}


def ourc_backend(
    gm: torch.fx.GraphModule, example_inputs, *, options=None, mode=None, made=None
):
    """Dynamo's entry: compiles `gm`, returns a callable in its place. Appends
    the compiled graph to the list `made`, where one is given. The mode
    "reduce-overhead" replays the launches of graphs on a GPU as CUDA graphs."""
    checked = check_options(options)
    if mode not in (None, "default", "reduce-overhead"):
        raise CompileError(
            f"ourc has no mode {mode!r}; 'reduce-overhead' is one, for graphs on a "
            "GPU; leave it out and use options={...} otherwise"
        )
    use_graphs = mode == "reduce-overhead"
    sources = [_source(n) for n in gm.graph.nodes if n.op == "placeholder"]
    frozen = not torch.is_grad_enabled()

    def compile_forward(graph: torch.fx.GraphModule, inputs):
        compiled = _compile(graph, sources, frozen, checked, use_graphs)
        if made is not None:
            made.append(compiled)
        return compiled

    compiler = aot_autograd(
        fw_compiler=compile_forward,
        bw_compiler=_refuse_backward,
        inference_compiler=compile_forward,
        decompositions={},
        # Mutated arguments are written by the program, in place.
        keep_inference_input_mutations=True,
    )
    return compiler(gm, example_inputs)


def _compile(graph, sources, frozen: bool, options: dict, use_graphs=False) -> CompiledGraph:
    context = TracingContext.get()
    metadata = context.fw_metadata
    mutated = set(metadata.mutated_inp_runtime_indices)
    mutated.update(updated_placeholders(graph).values())
    parameters = set(metadata.static_input_indices) - mutated
    infos, taken = [], set()
    for position, node in enumerate(n for n in graph.graph.nodes if n.op == "placeholder"):
        source = None
        descriptor = node.meta.get("desc")
        if isinstance(descriptor, PlainAOTInput) and descriptor.idx < len(sources):
            source = sources[descriptor.idx]
        is_parameter = position in parameters
        name = _readable(source, is_parameter) or node.name
        while name in taken:
            name += "_"
        taken.add(name)
        infos.append(PlaceholderInfo(name, is_parameter, is_parameter and frozen))
    environment = context.fake_mode.shape_env if context.fake_mode else None
    ranges = environment.var_to_range if environment is not None else {}
    imported = import_graph(graph, infos, ranges)
    return CompiledGraph(imported, with_target(options, imported.device), use_graphs)


def _refuse_backward(graph: torch.fx.GraphModule, inputs):
    """Forward passes of training graphs run; their gradients are refused when
    they are asked for, not while the forward pass is compiled."""

    def backward(arguments):
        raise CompileError(
            "ourc cannot compile backward graphs: call the model under "
            "torch.no_grad() or torch.inference_mode(), or train it with another "
            "backend"
        )

    backward._boxed_call = True  # torch passes one list
    return backward


def _source(node: torch.fx.Node) -> str | None:
    """Where Dynamo found the value: "L['self']._modules['fc']..."."""
    argument = node.meta.get("grapharg")
    source = getattr(argument, "source", None)
    name = getattr(source, "name", None)
    return name() if callable(name) else name


def _readable(source: str | None, is_parameter: bool) -> str | None:
    """`fc.weight` for a parameter's source, `x` for an argument's."""
    if source is None:
        return None
    steps = [a or b or c for a, b, c in _SOURCE_STEP.findall(source)]
    steps = [s for s in steps if s not in _MODULE_DICTS]
    if is_parameter and len(steps) > 1 and source.startswith("L["):
        steps = steps[1:]  # the local variable that holds the root module
    return ".".join(steps) or None
