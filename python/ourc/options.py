# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The options of a compilation, as users write them."""

from __future__ import annotations

from .errors import CompileError

# Name: (type, what it is). The compiler has the defaults.
OPTIONS = {
    "target": (str, 'what to compile for: "cpu:native", "cpu:x86-64-v3", "simt", "cuda:sm_90"'),
    "pack": (bool, "whether weights may be copied into packed layouts"),
    "strict": (bool, "whether algorithms that round otherwise (Winograd) are off, and bf16 and f16 are rounded after each operation"),
    "schedules": (str, "a file of schedules for the kernels that it names, as ourc-tune writes them"),
    "threads": (int, "how many kernels are compiled at once, 0: by the system"),
    "dump_kernels": (str, "a folder for each kernel's IR and assembly"),
    "cache": (str, 'the folder of the cache of compiled code, or "off"'),
}


def check_options(options: dict | None) -> dict:
    """`options` as given, or CompileError naming what is wrong and valid."""
    options = dict(options or {})
    valid = "; valid options: " + ", ".join(
        f"{name} ({kind.__name__}: {text})" for name, (kind, text) in OPTIONS.items()
    )
    for name, value in options.items():
        if name not in OPTIONS:
            raise CompileError(f"ourc has no option '{name}'{valid}")
        kind = OPTIONS[name][0]
        # bool is an int in Python, but no number of threads.
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise CompileError(
                f"option '{name}' takes a {kind.__name__}, got {value!r}{valid}"
            )
    return options
