# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What ourc raises."""

from __future__ import annotations

from torch._dynamo.exc import ShortenTraceback


class OurcError(RuntimeError):
    """Anything that ourc refuses or that fails while a model runs."""


class CompileError(OurcError, ShortenTraceback):
    """A graph that cannot be compiled; the message names every reason.

    Dynamo lets exceptions of this base through as they are, so the user sees
    this message instead of a wrapper around it.
    """

    def __init__(self, message: str):
        ShortenTraceback.__init__(self, message, first_useful_frame=None)
