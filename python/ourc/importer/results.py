# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How each result of a graph is made: computed, or a view of other memory.

AOTAutograd leaves views among the outputs of a graph. Tracing tells which of
them share memory: their values in node.meta have one storage.
"""

from __future__ import annotations

import sympy
import torch

from .program import (
    AliasResult,
    ComputedResult,
    ConstantResult,
    SameResult,
    SizeResult,
)
from .sizes import size_of


def plan_results(inputs, outputs, alias: bool) -> list[object]:
    """One result for each of `outputs`. Without `alias` every tensor is
    computed, row-major."""
    bases = _find_bases(inputs, outputs)
    results: list[object] = []
    done: dict[torch.fx.Node, int] = {}
    computed = 0
    for position, output in enumerate(outputs):
        value = _value(output)
        if isinstance(value, torch.SymInt):
            results.append(SizeResult(size_of(value)))
        elif not isinstance(value, torch.Tensor):
            results.append(ConstantResult(value))
        elif alias and output in done:
            results.append(SameResult(done[output]))
        else:
            done[output] = position
            result = _alias(value, position, bases) if alias else None
            if result is None:
                shape = tuple(size_of(d) for d in value.shape)
                order = (alias and memory_order(value)) or tuple(range(len(shape)))
                name = f"result{position}"
                result = ComputedResult(computed, name, value.dtype, shape, order)
                computed += 1
            results.append(result)
    return results


def _find_bases(inputs, outputs) -> dict[int, tuple[bool, int, object]]:
    """By storage: (is an argument, its position, its offset) of the arguments,
    and of outputs that are their memory whole. Other outputs that share a
    storage are views of these."""
    bases: dict[int, tuple[bool, int, object]] = {}
    for position, node in enumerate(inputs):
        value = _value(node)
        if isinstance(value, torch.Tensor):
            offset = size_of(value.storage_offset())
            bases.setdefault(_storage(value), (True, position, offset))
    for position, output in enumerate(outputs):
        value = _value(output)
        if isinstance(value, torch.Tensor) and covers_storage(value):
            bases.setdefault(_storage(value), (False, position, 0))
    return bases


def _alias(value, position, bases) -> AliasResult | None:
    base = bases.get(_storage(value))
    if base is None or base[:2] == (False, position):
        return None
    return AliasResult(
        of_argument=base[0],
        of=base[1],
        shape=tuple(size_of(d) for d in value.shape),
        strides=tuple(size_of(d) for d in value.stride()),
        offset=size_of(value.storage_offset()) - base[2],
    )


def _value(output):
    return output.meta.get("val") if isinstance(output, torch.fx.Node) else output


def _storage(value: torch.Tensor) -> int:
    return value.untyped_storage()._cdata


def covers_storage(value: torch.Tensor) -> bool:
    """Whether the tensor is dense, from the storage's start to its end."""
    if size_of(value.storage_offset()) != 0 or memory_order(value) is None:
        return False
    numel = 1
    for dim in value.shape:
        numel = numel * size_of(dim)
    nbytes = size_of(value.untyped_storage().nbytes())
    return _equal(nbytes, numel * value.element_size())


def _equal(left, right) -> bool:
    return left == right or sympy.simplify(left - right) == 0


def memory_order(value: torch.Tensor) -> tuple[int, ...] | None:
    """The dimensions from outermost to innermost in memory where the tensor is
    dense, else None."""
    rank = value.dim()
    sizes = [size_of(d) for d in value.shape]
    strides = [size_of(d) for d in value.stride()]
    if any(size == 0 for size in sizes):
        return tuple(range(rank))
    # Innermost first: the dimension whose stride is the product of the sizes
    # already placed, the last of several. Of size 1, any place is right.
    order: list[int] = []
    expected = sympy.Integer(1)
    left = list(range(rank))
    while left:
        for dim in reversed(left):
            if sizes[dim] == 1 or _equal(strides[dim], expected):
                order.insert(0, dim)
                expected = expected * sizes[dim]
                left.remove(dim)
                break
        else:
            return None
    return tuple(order)
