# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Damaged programs: ourc-opt must refuse or accept them, never crash or hang.

    python test/python/fuzz_text.py --seed 0 --count 2000

Each lit test's text is damaged a little and run through the passes that the
test runs. What crashes or hangs is printed with its seed, its flags and text.
"""

from __future__ import annotations

import argparse
import random
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OPT = ROOT / "bazel-bin/tools/ourc-opt/ourc-opt"
BATCH = 12
TOKEN = re.compile(r"""\s+|"[^"\n]*"|//[^\n]*|[%@#!^]?[\w.$]+|->|.""", re.S)
NUMBERS = ["0", "1", "2", "3", "7", "-1", "64", "9223372036854775807", "-9223372036854775808", "4294967296"]
TYPES = ["f32", "f64", "f16", "bf16", "i1", "i8", "i32", "i64", "index", "complex<f32>", "i7", "none", "ui8", "f8E4M3FN"]
SHAPES = ["tensor<f32>", "tensor<0xf32>", "tensor<?xf32>", "tensor<*xf32>", "tensor<?x?xf32>", "tensor<4x8xi1>", "memref<4xf32>", "vector<4xf32>", "tensor<4xi64>"]


def cases() -> list[tuple[list[str], str]]:
    """The flags and the text of each part of each lit test of ourc-opt."""
    found = []
    for path in sorted((ROOT / "test").rglob("*.mlir")):
        text = path.read_text()
        parts = re.split(r"^// -----.*$", text, flags=re.M)
        for run in re.findall(r"RUN: *(.*)", text):
            command = run.split("|")[0].split(" 2>")[0].rstrip("\\ ")
            if not command.startswith("ourc-opt %s"):
                continue
            flags = [
                f
                for f in shlex.split(command)[2:]
                if "split-input-file" not in f and "verify-diag" not in f and not f.startswith("-o") or f.startswith("-ourc")
            ]
            found += [(flags, strip(p)) for p in parts if p.strip()]
            if "@main" in text:
                found += [(["--ourc-compile-pipeline"], strip(p)) for p in parts if "@main" in p]
    return found


def strip(text: str) -> str:
    return "\n".join(l for l in text.splitlines() if not l.lstrip().startswith("//"))


def damage(text: str, r: random.Random) -> str:
    tokens = TOKEN.findall(text)
    for _ in range(r.choice([1, 1, 1, 2, 3])):
        places = [i for i, t in enumerate(tokens) if not t.isspace()]
        if not places:
            break
        i, token = r.choice(places), None
        token = tokens[i]
        dims = re.fullmatch(r"(\?|\d+)((x(\?|\d+))*)(x\w+)?", token)
        way = r.random()
        if token.lstrip("-").isdigit() and way < 0.8:
            tokens[i] = r.choice([*NUMBERS, str(int(token) + 1), str(int(token) - 1)])
        elif token in TYPES and way < 0.8:
            tokens[i] = r.choice(TYPES)
        elif dims and "x" in token and way < 0.9:
            parts = token.split("x")
            j = r.randrange(len(parts))
            new = r.choice(["0", "1", "2", "5", "?", "9223372036854775807", None, "4x4"])
            if j == len(parts) - 1 and not parts[j].isdigit():
                new = r.choice(TYPES)
            parts[j : j + 1] = [] if new is None else [new]
            tokens[i] = "x".join(parts)
        elif token == "tensor" and way < 0.6:
            end = next((j for j in range(i, len(tokens)) if tokens[j] == ">"), i)
            tokens[i : end + 1] = [r.choice(SHAPES)]
        elif token[0] in "%@" and way < 0.8:
            same = [t for t in tokens if t[0] == token[0]]
            tokens[i] = r.choice(same)
        elif way < 0.4:
            del tokens[i]
        elif way < 0.6:
            tokens.insert(i, tokens[i])
        elif way < 0.8:
            j = r.choice(places)
            tokens[i], tokens[j] = tokens[j], tokens[i]
        elif way < 0.9:
            # A line moved, or gone.
            lines = "".join(tokens).split("\n")
            line = lines.pop(r.randrange(len(lines)))
            if r.random() < 0.5:
                lines.insert(r.randrange(len(lines) + 1), line)
            tokens = TOKEN.findall("\n".join(lines))
        else:
            del tokens[r.choice(places) :]
    return "".join(tokens)


def run(flags: list[str], texts: list[str], seconds: float) -> str | None:
    """What went wrong beside a refusal."""
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write("\n// -----\n".join(texts))
        file.flush()
        try:
            done = subprocess.run(
                [OPT, file.name, "--split-input-file", "-o", "/dev/null", *flags],
                capture_output=True,
                text=True,
                errors="replace",
                timeout=seconds,
            )
        except subprocess.TimeoutExpired:
            return "hang"
    if done.returncode in (0, 1):
        return None
    # MLIR's own parsers crash on some texts (a permutation that is no list).
    parser = re.search(r"mlir::(\w+)::\w+Op::parse\(|\(anonymous namespace\)::|ourc::", done.stderr)
    if parser and parser.group(1):
        return None
    lines = [l for l in done.stderr.splitlines() if "error:" not in l]
    notes = [l for l in done.stderr.splitlines() if "Assertion" in l or "LLVM ERROR" in l]
    return f"crash ({done.returncode})\n" + "\n".join(notes[:3] + lines[-30:])


def fuzz(seed: int, count: int, seconds: float = 30, only: str = ""):
    """Yields (flags, text, what) for each damaged text that crashes or hangs."""
    r = random.Random(seed)
    known = [c for c in cases() if only in " ".join(c[0])]
    for _ in range(0, count, BATCH):
        flags, text = r.choice(known)
        texts = [damage(text, r) for _ in range(BATCH)]
        if run(flags, texts, seconds):
            for text in texts:
                what = run(flags, [text], seconds)
                if what:
                    yield flags, text, what


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--only", default="", help="a part of the flags of the tests to use")
    given = parser.parse_args()
    found = 0
    for flags, text, what in fuzz(given.seed, given.count, only=given.only):
        found += 1
        print(f"==== ourc-opt {' '.join(flags)}\n{text}\n---- {what}", flush=True)
    print(f"{given.count} texts, {found} crashes or hangs")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
