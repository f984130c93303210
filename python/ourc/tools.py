# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command-line tools that an installed package carries."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def tool_path(name: str) -> Path:
    """The tool of the installed package, else the one that the build made."""
    package = Path(__file__).resolve().parent
    installed = package / "bin" / name
    if installed.exists():
        return installed
    return package.parent.parent / "bazel-bin" / "tools" / name / name


def _execute(name: str):
    path = str(tool_path(name))
    try:
        os.execv(path, [path, *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"{name}: error: {path}: {error.strerror}")


def compile_main():
    _execute("ourc-compile")


def run_main():
    _execute("ourc-run")
