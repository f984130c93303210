# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Op-agnostic import of FX graphs as MLIR text."""

from .fx import PlaceholderInfo, import_graph, updated_placeholders
from .program import (
    AliasResult,
    Argument,
    ComputedResult,
    ConstantResult,
    ImportedGraph,
    SameResult,
    SizeResult,
    Update,
)

__all__ = [
    "AliasResult",
    "Argument",
    "ComputedResult",
    "ConstantResult",
    "ImportedGraph",
    "PlaceholderInfo",
    "SameResult",
    "SizeResult",
    "Update",
    "import_graph",
    "updated_placeholders",
]
