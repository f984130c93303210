# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The sizes and integers of a call, as one generated Python function."""

from __future__ import annotations

import sympy
from torch.utils._sympy.printers import PythonPrinter

from .importer import AliasResult, ComputedResult, ImportedGraph, SizeResult


class _Printer(PythonPrinter):
    """Integer expressions over the symbols' names."""

    def _print_Symbol(self, expr):
        return _variable(expr)

    def _print_Max(self, expr):
        return f"max({', '.join(map(self._print, expr.args))})"

    def _print_Min(self, expr):
        return f"min({', '.join(map(self._print, expr.args))})"


def _variable(symbol: sympy.Symbol) -> str:
    return "".join(c if c.isalnum() else "_" for c in f"v_{symbol.name}")


def result_sizes(imported: ImportedGraph):
    """A function from a call's flat arguments to one entry for each result: the
    shape in the program's order of a computed one, (shape, strides, offset) of
    a view, the integer of a size, None of a constant."""
    printer = _Printer()
    used: set[sympy.Symbol] = set()

    def text(size) -> str:
        if isinstance(size, int):
            return str(size)
        used.update(size.free_symbols)
        return printer.doprint(size)

    def tuple_text(sizes) -> str:
        return "(" + "".join(text(s) + ", " for s in sizes) + ")"

    entries = []
    for result in imported.results:
        if isinstance(result, ComputedResult):
            entries.append(tuple_text(result.shape[d] for d in result.order))
        elif isinstance(result, AliasResult):
            parts = [tuple_text(result.shape), tuple_text(result.strides)]
            entries.append(f"({', '.join(parts)}, {text(result.offset)})")
        elif isinstance(result, SizeResult):
            entries.append(text(result.value))
        else:
            entries.append("None")
    lines = ["def sizes(arguments):"]
    for symbol in sorted(used, key=str):
        position, dim = imported.bindings[symbol]
        value = f"arguments[{position}]" + ("" if dim is None else f".shape[{dim}]")
        lines.append(f"    {_variable(symbol)} = {value}")
    lines.append("    return (" + "".join(e + ", " for e in entries) + ")")
    scope: dict = {}
    exec("\n".join(lines), scope)  # noqa: S102 - the text is made above
    return scope["sizes"]
