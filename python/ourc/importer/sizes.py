# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Symbolic sizes: torch's sympy expressions as symbols and index arithmetic."""

from __future__ import annotations

from dataclasses import dataclass

import sympy
import torch
from torch.utils._sympy import functions as torch_functions
from torch.utils._sympy.numbers import int_oo

# What stands for "no upper bound": large enough for every real dimension, and
# products of two still fit into 64 bits.
UNBOUNDED = 2**31 - 1


class UnsupportedSize(ValueError):
    """A size that is no arithmetic of integer symbols."""


@dataclass
class Symbol:
    """A symbolic dimension of the program, inclusive bounds."""

    name: str
    expr: sympy.Symbol
    min: int
    max: int

    def definition(self) -> str:
        return (
            f"ourc.symbol @{self.name} {{min = {self.min} : i64, "
            f"max = {self.max} : i64, multiple_of = 1 : i64}}"
        )


def size_of(value):
    """An int or the sympy expression of a SymInt."""
    if isinstance(value, torch.SymInt):
        expr = value.node.expr
        return int(expr) if expr.is_Integer else expr
    return int(value)


def bounds_of(value_range) -> tuple[int, int]:
    """A torch ValueRanges as bounds of a dimension that is never empty."""
    if value_range is None:
        return 1, UNBOUNDED
    low, high = value_range.lower, value_range.upper
    low = 1 if low in (-int_oo, -sympy.oo) else max(int(low), 1)
    high = UNBOUNDED if high in (int_oo, sympy.oo) else min(int(high), UNBOUNDED)
    return low, max(low, high)


class SizeEmitter:
    """Emits sizes as SSA values of type index, each expression once."""

    def __init__(self, emit, symbols: dict[sympy.Symbol, Symbol]):
        """`emit(text, location)` appends one operation to the function."""
        self._emit = emit
        self._symbols = symbols
        self._values: dict[sympy.Expr, str] = {}
        self._count = 0

    def value(self, expr: sympy.Expr, location: str) -> str:
        """The SSA name of the value of `expr`."""
        known = self._values.get(expr)
        if known is not None:
            return known
        name = self._define(self._operation(expr, location), location)
        self._values[expr] = name
        return name

    def _define(self, operation: str, location: str) -> str:
        name = f"%s{self._count}"
        self._count += 1
        self._emit(f"{name} = {operation}", location)
        return name

    def _operation(self, expr: sympy.Expr, location: str) -> str:
        if expr.is_Integer:
            return f"arith.constant {int(expr)} : index"
        if isinstance(expr, sympy.Symbol):
            if expr not in self._symbols:
                raise UnsupportedSize(
                    f"the size {expr} depends on data; sizes must follow from "
                    "the shapes of the inputs"
                )
            return f"ourc.dim @{self._symbols[expr].name} : index"
        if isinstance(expr, (sympy.Add, sympy.Mul)):
            operation = "arith.addi" if isinstance(expr, sympy.Add) else "arith.muli"
            return self._fold(operation, expr.args, location)
        if isinstance(expr, (torch_functions.Max, torch_functions.Min, sympy.Max, sympy.Min)):
            largest = isinstance(expr, (torch_functions.Max, sympy.Max))
            operation = "arith.maxsi" if largest else "arith.minsi"
            return self._fold(operation, expr.args, location)
        if isinstance(expr, torch_functions.CeilDiv):
            return self._binary("arith.ceildivsi", *expr.args, location)
        if isinstance(expr, torch_functions.FloorDiv):  # CleanDiv is one
            return self._binary("arith.floordivsi", *expr.args, location)
        if isinstance(expr, torch_functions.Mod):  # non-negative operands
            return self._binary("arith.remsi", *expr.args, location)
        if isinstance(expr, torch_functions.PythonMod):
            numerator, divisor = expr.args
            quotient = torch_functions.FloorDiv(numerator, divisor)
            return self._binary("arith.subi", numerator, divisor * quotient, location)
        if isinstance(expr, torch_functions.ModularIndexing):
            base, divisor, modulus = expr.args
            quotient = torch_functions.FloorDiv(base, divisor)
            return self._binary("arith.remsi", quotient, modulus, location)
        if isinstance(expr, (sympy.Pow, torch_functions.PowByNatural)):
            base, exponent = expr.args
            if exponent.is_Integer and int(exponent) > 0:
                return self._fold("arith.muli", [base] * int(exponent), location)
        raise UnsupportedSize(
            f"the size {expr} is no sum, product, quotient, remainder, minimum "
            "or maximum of input sizes"
        )

    def _fold(self, operation: str, terms, location: str) -> str:
        values = [self.value(term, location) for term in terms]
        while len(values) > 2:
            first = f"{operation} {values[0]}, {values[1]} : index"
            values[:2] = [self._define(first, location)]
        return f"{operation} {values[0]}, {values[1]} : index"

    def _binary(self, operation: str, left, right, location: str) -> str:
        left = self.value(sympy.sympify(left), location)
        right = self.value(sympy.sympify(right), location)
        return f"{operation} {left}, {right} : index"
