# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""User source lines: from an FX node's stack trace to an MLIR location."""

from __future__ import annotations

import os
import re

import torch

_FRAME = re.compile(r'File "(?P<file>[^"]+)", line (?P<line>\d+)')
_TORCH_FOLDER = os.path.dirname(os.path.abspath(torch.__file__)) + os.sep


def user_frame(stack_trace: str | None) -> tuple[str, int] | None:
    """The innermost frame outside of torch itself, else the innermost frame."""
    frames = [(m["file"], int(m["line"])) for m in _FRAME.finditer(stack_trace or "")]
    outside = [f for f in frames if not f[0].startswith(_TORCH_FOLDER)]
    return (outside or frames or [None])[-1]


class LocationTable:
    """Gives each source line one alias, defined at the end of the module."""

    def __init__(self):
        self._aliases: dict[tuple[str, int], str] = {}

    def reference(self, frame: tuple[str, int] | None) -> str:
        """The trailing `loc(...)` of an operation from this frame."""
        if frame is None:
            return "loc(unknown)"
        alias = self._aliases.setdefault(frame, f"#loc{len(self._aliases)}")
        return f"loc({alias})"

    def definitions(self) -> list[str]:
        return [
            f"{alias} = loc({quote(file)}:{line}:0)"
            for (file, line), alias in self._aliases.items()
        ]


def quote(text: str) -> str:
    """`text` as an MLIR string literal."""
    out = []
    for byte in text.encode("utf-8"):
        char = chr(byte)
        if 0x20 <= byte < 0x7F and char not in '"\\':
            out.append(char)
        else:
            out.append(f"\\{byte:02X}")
    return '"' + "".join(out) + '"'
