# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs one kernel on the SIMT machine and compares it with float64.

check_kernel.py [--seeds=N] case.mlir: the file holds one kernel.func with a schedule and
says in comments what goes in and what must come out, as numpy expressions over in0, in1, ... (the
inputs as float64) and the names below:

  // CASE: randn(3, 5) ; f16(randn(5))
  // REF: in0 * in1

Each CASE is run with every seed (0 is the order of threads that a reader expects). REF lines, one
for each result, hold for all cases. NaN and infinities must be where the reference has them.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

# Half an ulp of the result's type for its rounding, and the error of a chain of f32 operations.
TOLERANCE = {"float64": 1e-12, "float32": 4e-6, "float16": 2.0**-10}


def namespace(seed):
    rng = np.random.default_rng(seed)

    def randn(*shape, scale=1.0):
        return (scale * rng.standard_normal(shape)).astype(np.float32)

    def edges(*shape):
        """Normal numbers with zeros, denormals, infinities and NaN among them."""
        x = randn(*shape).reshape(-1)
        special = [0.0, -0.0, 1e-40, -1e-42, np.inf, -np.inf, np.nan, 3e38, -1e-30, 1.0]
        for i in range(0, x.size, 3):
            x[i] = special[(i // 3) % len(special)]
        return x.reshape(shape)

    def softmax(x):
        e = np.exp(x - x.max(-1, keepdims=True))
        return e / e.sum(-1, keepdims=True)

    def erf(x):
        from math import erf as scalar

        return np.vectorize(scalar, otypes=[np.float64])(x)

    def gelu(x):
        return 0.5 * x * (1 + erf(x / np.sqrt(2)))

    def layer_norm(x, eps=1e-5):
        m = x.mean(-1, keepdims=True)
        v = ((x - m) ** 2).mean(-1, keepdims=True)
        return (x - m) / np.sqrt(v + eps)

    return dict(
        np=np, randn=randn, edges=edges, softmax=softmax, erf=erf, gelu=gelu, layer_norm=layer_norm,
        f16=lambda x: np.asarray(x, np.float16), f32=lambda x: np.asarray(x, np.float32),
        f64=lambda x: np.asarray(x, np.float64), i64=lambda x: np.asarray(x, np.int64),
        i32=lambda x: np.asarray(x, np.int32), i8=lambda x: np.asarray(x, np.int8),
        randint=lambda low, high, *shape: rng.integers(low, high, shape),
    )


def error(got, want):
    """The largest error over the largest magnitude, infinite where NaN or infinities differ."""
    if got.shape != want.shape:
        return f"shape {got.shape} instead of {want.shape}"
    if not np.issubdtype(got.dtype, np.floating):
        return None if np.array_equal(got, want) else "integers differ"
    wide = got.astype(np.float64)
    finite = np.isfinite(want)
    with np.errstate(over="ignore"):
        overflow = finite & ~np.isfinite(want.astype(got.dtype))
    finite &= ~overflow
    special = ~finite
    if not np.array_equal(wide[special], want.astype(got.dtype).astype(np.float64)[special], equal_nan=True):
        return "NaN or infinities differ"
    if not finite.any():
        return None
    scale = max(np.abs(want[finite]).max(), 1e-30)
    worst = np.abs(wide[finite] - want[finite]).max() / scale
    limit = TOLERANCE[got.dtype.name]
    return None if worst <= limit else f"relative error {worst:.3g} above {limit:.3g}"


def run_case(tool, text, inputs, references, seed, flags=()):
    with tempfile.TemporaryDirectory() as folder:
        stem = Path(folder) / "case"
        stem.with_suffix(".mlir").write_text(text)
        for i, x in enumerate(inputs):
            np.save(f"{stem}.in{i}.npy", np.ascontiguousarray(x))
        for i, x in enumerate(references):
            np.save(f"{stem}.ref{i}.npy", x)
        environment = dict(os.environ, OURC_SIMT_SEED=str(seed))
        done = subprocess.run(
            [tool, "--target=simt", *flags, f"{stem}.mlir"],
            capture_output=True, text=True, timeout=300, env=environment,
        )
        if done.returncode:
            return done.stderr.strip()[-2000:] or f"exit code {done.returncode}"
        for i, want in enumerate(references):
            message = error(np.load(f"{stem}.out{i}.npy"), want)
            if message:
                return f"result {i}: {message}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--tool", default="kernel-run")
    args = parser.parse_args()
    text = Path(args.file).read_text()
    expressions = re.findall(r"// CASE: (.*)", text)
    references = re.findall(r"// REF: (.*)", text)
    if not expressions or not references:
        sys.exit(f"{args.file}: no CASE or no REF")
    cases = []
    for number, case in enumerate(expressions):
        names = namespace(number)
        inputs = [np.asarray(eval(part, names)) for part in case.split(";")]
        for i, x in enumerate(inputs):
            names[f"in{i}"] = x if np.issubdtype(x.dtype, np.integer) else x.astype(np.float64)
        with np.errstate(all="ignore"):
            wanted = [np.asarray(eval(reference, names)) for reference in references]
        cases.append((case, inputs, wanted))
    runs = [(case, seed) for case in cases for seed in range(args.seeds)]
    sys.exit(check(args.tool, text, runs))


def check(tool, text, runs):
    failures = 0
    for (name, inputs, wanted), seed in runs:
        message = run_case(tool, text, inputs, wanted, seed)
        failures += message is not None
        print(f"FAIL {name} (seed {seed}): {message}" if message else f"ok   {name} (seed {seed})")
    return failures != 0


if __name__ == "__main__":
    main()
