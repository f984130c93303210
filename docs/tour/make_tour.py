#!/usr/bin/env python3
"""Writes the tour: one small program's IR after each stage, as ourc-opt prints it now.

usage: make_tour.py OURC_OPT PROGRAM > tour.md
"""

import subprocess
import sys

TARGET = "cpu:x86-64-v4"
INNERMOST = object()

STAGES = [
    (
        "What the importer writes",
        """A PyTorch graph arrives as calls of ATen operators. The importer knows no operator: arguments keep the names of the
operator's schema, and locations (not shown) are the user's lines. The batch size is a symbol with bounds; weights are arguments
with a name, `ourc.frozen` because the caller cannot change them unseen.""",
        None,
        None,
    ),
    (
        "The ourc dialect",
        """`-ourc-aten-to-ourc`: few primitives and some composites that keep intent. Elementwise operands have one shape:
broadcasting is an op of its own.""",
        "builtin.module(ourc-aten-to-ourc,canonicalize,cse)",
        None,
    ),
    (
        "linalg on tensors",
        """`-ourc-to-linalg`: loops over elements, still on tensors. The linear layer is a contraction and a bias.""",
        "builtin.module(func.func(ourc-to-linalg),canonicalize,cse)",
        None,
    ),
    (
        "Kernels",
        f"""`ourc-kernel-pipeline`: bias and activation join the contraction in one `kernel.func`. Its schedule says how it will be
made; the weight arrives packed, so the kernel's body begins with `linalg.unpack`. The packing depends on a frozen weight alone:
it moved to `@init`.""",
        f"builtin.module(ourc-kernel-pipeline{{target={TARGET}}})",
        None,
    ),
    (
        "The graph half",
        f"""`ourc-buffer-pipeline` ends in LLVM; before its last step results have destinations, values are buffers and
launches write in place.""",
        "builtin.module(ourc-pass-destinations,ourc-bufferize-graph,ourc-plan-memory)",
        "func.func",
    ),
    (
        "The kernel half",
        """`-ourc-graph-to-llvm` turns the graph half into the functions and the table of an `OurcProgram` and puts each kernel into a
module of its own; there `-ourc-kernel-to-cpu` obeys the schedule. Shown is an innermost loop, the one for tiles of a single row:
accumulators travel in `iter_args`, A is broadcast from memory, a panel of the packed weight is read in order.""",
        "builtin.module(ourc-graph-to-llvm,builtin.module(ourc-kernel-to-cpu,canonicalize,cse))",
        INNERMOST,
    ),
]


def run(tool, text, *flags):
    return subprocess.run([tool, "-", *flags], input=text, check=True, capture_output=True, text=True).stdout


def innermost_loop(text):
    """The first loop that carries accumulators and holds no other loop."""
    lines = text.splitlines()
    start = None
    for number, line in enumerate(lines):
        if "scf.for" in line:
            start = number if "iter_args" in line else None
        if start is not None and line.strip().startswith("}"):
            return "\n".join(lines[start : number + 1]) + "\n"
    raise ValueError("no loop with accumulators")


def functions_of(text, kind):
    """The top-level operations of one kind, with a note of what is left out."""
    kept, keep = [], False
    for line in text.splitlines():
        if line.startswith("  ") and not line.startswith("   ") and line.strip() not in ("}",):
            keep = line.strip().startswith(kind)
        if keep:
            kept.append(line)
    return "\n".join(kept) + "\n"


def main():
    tool, program = sys.argv[1:]
    with open(program, encoding="utf-8") as file:
        text = file.read()
    print("# A tour: one program through every stage")
    print()
    print("Made by running `docs/tour/make_tour.py`; a test compares this page with what the tools print now.")
    for number, (title, words, pipeline, only) in enumerate(STAGES, 1):
        flags = [f"--pass-pipeline={pipeline}"] if pipeline else []
        # Locations go on to the next stage, but are not shown.
        text = run(tool, text, *flags, "--mlir-print-debuginfo")
        shown = run(tool, text)
        if only is INNERMOST:
            shown = innermost_loop(shown)
        elif only:
            shown = functions_of(shown, only)
        print(f"\n## {number}. {title}\n\n{words}\n")
        if pipeline:
            print(f"```sh\nourc-opt --pass-pipeline='{pipeline}'\n```\n")
        print(f"```mlir\n{shown.strip()}\n```")


if __name__ == "__main__":
    main()
