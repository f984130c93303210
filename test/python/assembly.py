# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the loops of a kernel are made of, from its assembly."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_LABEL = re.compile(r"^(\.L\w+|[\w.$]+):")
_JUMP = re.compile(r"^\s+j\w+\s+(\.L\w+)")
_INSTRUCTION = re.compile(r"^\s+([a-z][a-z0-9]+)\b(.*)")
_MULTIPLY_ADD = re.compile(r"^(vf(n?m)(add|sub)\d+p[sd]|vdpbf16ps|tdpbf16ps)$")
_SCALAR_FLOAT = re.compile(r"^v(add|sub|mul|div|max|min|sqrt|f(n?m)(add|sub)\d+|cmp\w*)s[sd]$")


@dataclass
class Loop:
    """An innermost loop: from a label to the jump back to it."""

    label: str
    instructions: list[tuple[str, str]] = field(default_factory=list)

    def count(self, pattern: re.Pattern) -> int:
        return sum(bool(pattern.match(name)) for name, _ in self.instructions)

    @property
    def multiply_adds(self) -> int:
        return self.count(_MULTIPLY_ADD)

    @property
    def is_one_block(self) -> bool:
        return sum(name.startswith("j") for name, _ in self.instructions) == 1

    @property
    def spills(self) -> list[str]:
        """Vector registers that come from, or go to, a fixed place of the
        stack. (rbp may hold anything: frames are found from rsp.)"""
        return [
            f"{name}{operands}"
            for name, operands in self.instructions
            if name.startswith("v") and re.search(r"\(%rsp\)", operands) and re.search(r"%[xyz]mm", operands)
        ]

    @property
    def is_scalar(self) -> bool:
        """Whether it computes with floats one at a time only."""
        floats = self.count(_SCALAR_FLOAT)
        wide = sum(bool(re.search(r"%[yz]mm", operands)) for _, operands in self.instructions)
        return floats > 0 and wide == 0


def innermost_loops(text: str) -> list[Loop]:
    lines = text.splitlines()
    where = {m[1]: i for i, line in enumerate(lines) if (m := _LABEL.match(line))}
    spans = []
    for i, line in enumerate(lines):
        jump = _JUMP.match(line)
        if jump and jump[1] in where and where[jump[1]] <= i:
            spans.append((where[jump[1]], i, jump[1]))
    loops = []
    for begin, end, label in spans:
        if any(b >= begin and e <= end and (b, e) != (begin, end) for b, e, _ in spans):
            continue
        loop = Loop(label)
        for line in lines[begin : end + 1]:
            found = _INSTRUCTION.match(line)
            if found:
                loop.instructions.append((found[1], found[2].split("#")[0]))
        loops.append(loop)
    return loops


def instructions(text: str) -> list[str]:
    return [m[1] for line in text.splitlines() if (m := _INSTRUCTION.match(line))]


def calls(text: str) -> set[str]:
    """The functions that are called outside of the file."""
    found = set(re.findall(r"^\s+(?:callq?|jmpq?)\s+\*?([A-Za-z_]\w*)@", text, re.MULTILINE))
    return found | set(re.findall(r"^\s+(?:callq?|jmpq?)\s+\*([A-Za-z_]\w*)@GOTPCREL", text, re.MULTILINE))
