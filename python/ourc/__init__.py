# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ourc: a compiler for PyTorch models.

    import ourc, torch
    fast = torch.compile(model, backend="ourc")
"""

from torch._dynamo.backends.registry import list_backends as _list_backends
from torch._dynamo.backends.registry import register_backend as _register_backend

from .artifact import Artifact, load
from .backend import ourc_backend
from .dynamic import dynamic_sizes
from .errors import CompileError, OurcError
from .explanation import Explanation, explain
from .model import CompiledGraph, compilations

__version__ = "0.1.0"

__all__ = [
    "Artifact",
    "CompileError",
    "CompiledGraph",
    "Explanation",
    "OurcError",
    "compilations",
    "dynamic_sizes",
    "explain",
    "load",
    "ourc_backend",
]


def _register():
    """Makes the backend's name known where the package is not installed. Where
    it is, its entry point does that, and a name is registered once only."""
    if "ourc" not in _list_backends(exclude_tags=()):
        _register_backend(ourc_backend, name="ourc")


_register()
