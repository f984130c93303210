# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Assembles the PTX in gpu.binary operations that standard input holds.

assemble_ptx.py [--no-spills] ARCHITECTURE...: prints the PTX; fails when there is none, when a symbol is left
unresolved, or when ptxas refuses it for one of the architectures (sm_80, sm_90), or with --no-spills spills a register.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path


def find_ptxas():
    candidates = [os.environ.get("OURC_PTXAS"), shutil.which("ptxas"), "/usr/local/cuda/bin/ptxas"]
    candidates += map(str, Path(sys.prefix).glob("lib/python3*/site-packages/triton/backends/nvidia/bin/ptxas"))
    for candidate in candidates:
        if candidate and os.access(candidate, os.X_OK):
            return candidate
    sys.exit("no ptxas: set OURC_PTXAS, or install CUDA or the requirements of this repository")


def unescape(text):
    one = lambda match: match[1] if len(match[1]) == 1 else bytes([int(match[1], 16)])
    return re.sub(rb'\\(\\|"|[0-9A-F]{2})', one, text.encode()).rstrip(b"\0").decode()


def main():
    modules = [unescape(m) for m in re.findall(r'assembly = "((?:[^"\\]|\\.)*)"', sys.stdin.read())]
    if not modules:
        sys.exit("no PTX in the input")
    ptxas = find_ptxas()
    no_spills = "--no-spills" in sys.argv
    architectures = [a for a in sys.argv[1:] if a != "--no-spills"]
    with tempfile.TemporaryDirectory() as folder:
        for ptx in modules:
            print(ptx)
            if re.search(r"\.extern\s+\.func", ptx):
                sys.exit("the PTX calls a function that it does not define")
            source = Path(folder) / "kernel.ptx"
            source.write_text(ptx)
            for architecture in architectures:
                said = subprocess.run(
                    [ptxas, "-v", f"-arch={architecture}", "--warning-as-error", source, "-o", Path(folder) / "kernel.cubin"],
                    check=True, timeout=300, stderr=subprocess.PIPE, text=True,
                ).stderr
                if no_spills and re.search(r"\b[1-9]\d* bytes spill", said):
                    sys.exit(said)
                print(f"assembled for {architecture}")


main()
