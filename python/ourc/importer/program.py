# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What an import yields besides text: how arguments and results are bound."""

from __future__ import annotations

from dataclasses import dataclass, field

import sympy
import torch

from .sizes import Symbol

# A size is an int, or an expression of the symbols.
Size = "int | sympy.Expr"


@dataclass
class Argument:
    """An argument of the compiled program.

    `position` is the index in the graph's flat arguments, or None for a
    constant that the graph module holds under `attribute`. kind is "input",
    "parameter", or "size": an integer of the caller, given to the program as
    the first dimension of a tensor without elements.
    """

    kind: str
    name: str
    position: int | None
    dtype: torch.dtype
    shape: tuple
    attribute: str | None = None
    frozen: bool = False
    # Dimensions from the outermost in memory to the innermost; None: row-major.
    order: tuple[int, ...] | None = None


@dataclass
class ComputedResult:
    """A result that the program writes. `order` lists the dimensions of the
    user's tensor from the outermost in memory to the innermost: the program's
    result is the user's, permuted by it."""

    index: int
    name: str
    dtype: torch.dtype
    shape: tuple
    order: tuple[int, ...]


@dataclass
class AliasResult:
    """A view of an argument (`of` = its position) or of another result."""

    of_argument: bool
    of: int
    shape: tuple
    strides: tuple
    offset: object


@dataclass
class SameResult:
    """The same tensor object as an earlier result."""

    of: int


@dataclass
class SizeResult:
    """An integer that follows from sizes."""

    value: object


@dataclass
class ConstantResult:
    """None, or a constant of the traced program."""

    value: object


@dataclass
class Update:
    """A result of the program that is the new value of an argument. Where it is
    not `in_place`, for an argument that is not dense, the program writes a
    tensor of its own, and the caller copies that."""

    index: int  # among the program's results
    position: int  # of the argument
    name: str
    dtype: torch.dtype
    shape: tuple
    in_place: bool
    layout: str | None  # the argument's, as an attribute


@dataclass
class ImportedGraph:
    """A graph as MLIR text, and what is needed to call the compiled program."""

    text: str
    symbols: list[Symbol]
    arguments: list[Argument]
    results: list[object]
    # Where each torch symbol's value is found in a call: (position, dimension),
    # dimension None where the argument is the integer itself.
    bindings: dict[sympy.Symbol, tuple[int, int | None]]
    num_ops: int
    seconds: float  # that the import took
    constants: dict[str, torch.Tensor] = field(default_factory=dict)
    updates: list[Update] = field(default_factory=list)
    device: torch.device | None = None  # the GPU of its tensors; None: the CPU

    @property
    def inputs(self) -> list[Argument]:
        """Arguments that are given in each call, in program order."""
        return [a for a in self.arguments if a.kind != "parameter"]

    @property
    def parameters(self) -> list[Argument]:
        """Arguments that are bound between calls, in program order."""
        return [a for a in self.arguments if a.kind == "parameter"]
