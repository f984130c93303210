"""Runs single kernels with kernel-run and compares with numpy in f64.

A case is the text of a kernel.func, in which $L stands for the number of lanes and $I for the vectors
that are computed together, its inputs, and the results that it must give. Each case runs for every width of vectors, and once more with three
threads, which must give the same bits. With OURC_CASES_TARGET=simt they run on the SIMT machine, with
the GPU schedules of the same strategies, and once more in another order of threads.
"""

import os
import re
import subprocess
import sys

import numpy as np

MACHINES = [(16, "cpu:native"), (8, "cpu:x86-64-v3")]
if os.environ.get("OURC_CASES_TARGET") == "simt":
    MACHINES = [(0, "simt")]
GPU_STRATEGY = {"row": "gpu_row<threads = 64>"}
# What the GPU's emitters must refuse: packed layouts and functions of f64 are for CPUs; the row
# strategy is for single combiners and rows of one shape.
NOT_ON_GPUS = {
    "f64_exp", "f64_tanh", "f64_erf", "pack_transposed", "pack_rows", "unpack",
    "argmax_generic", "masked_mean", "masked_mean_normalized",
}


def with_schedule(text, lanes):
    """The kernel with its CPU schedule for `lanes`, or a GPU schedule when that is 0."""
    if lanes:
        return text.replace("$L", str(lanes)).replace("$I", str(lanes // 4))
    return re.sub(
        r"#kernel\.cpu_(\w+)<[^>]*>",
        lambda match: "#kernel." + GPU_STRATEGY.get(match[1], "gpu_pointwise<threads = 64>"),
        text,
    )


def bf16(x):
    """f32 to bf16 bits (uint16), to nearest even."""
    bits = np.asarray(x, np.float32).view(np.uint32)
    rounded = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)
    return np.where(np.isnan(np.asarray(x, np.float32)), np.uint16(0x7FC0), rounded).astype(np.uint16)


def from_bf16(bits):
    return (np.asarray(bits, np.uint16).astype(np.uint32) << 16).view(np.float32)


class Case:
    def __init__(self, name, text, inputs, results, tolerance=0.0, absolute=0.0, bf16_results=False):
        self.name, self.text, self.inputs, self.results = name, text, inputs, results
        self.tolerance, self.absolute, self.bf16_results = tolerance, absolute, bf16_results


def describe(case, i, got, want):
    """What is wrong with result `i`, or None."""
    if case.bf16_results:
        got = from_bf16(got)
    if got.shape != want.shape:
        return f"result {i} has shape {got.shape}, wanted {want.shape}"
    if got.dtype.kind != "f":
        bad = got != want.astype(got.dtype)
        return f"result {i}: {np.argwhere(bad)[0]}: {got[bad][0]} != {want[bad][0]}" if bad.any() else None
    g, w = got.astype(np.float64), want.astype(np.float64)
    bad = np.isnan(g) != np.isnan(w)
    infinite = np.isinf(w) | np.isinf(g)
    bad |= infinite & (g != w) & ~np.isnan(w)
    finite = np.isfinite(g) & np.isfinite(w)
    with np.errstate(invalid="ignore"):
        limit = case.tolerance * np.abs(w) + case.absolute
        bad |= finite & (np.abs(g - w) > limit)
    if not bad.any():
        return None
    at = tuple(np.argwhere(bad)[0]) if bad.ndim else ()
    return f"result {i} at {at}: {g[at]!r}, wanted {w[at]!r} ({bad.sum()} of {bad.size} wrong)"


def read(stem, i):
    """The bytes of a result, which is then gone; None where there is none."""
    path = f"{stem}.out{i}.npy"
    if not os.path.exists(path):
        return None
    with open(path, "rb") as f:
        data = f.read()
    os.remove(path)
    return data


def run(cases, folder):
    os.makedirs(folder, exist_ok=True)
    wanted = sys.argv[2:]
    failures = total = 0
    for lanes, target in MACHINES:
        files = []
        for case in cases:
            if wanted and not any(w in case.name for w in wanted):
                continue
            stem = os.path.join(folder, f"{case.name}.{lanes}")
            with open(stem + ".mlir", "w") as f:
                f.write(with_schedule(case.text, lanes))
            for i, x in enumerate(case.inputs):
                np.save(f"{stem}.in{i}.npy", np.asarray(x, order="C"))
            for i, x in enumerate(case.results):
                np.save(f"{stem}.ref{i}.npy", x)
            files.append((case, stem))
        if not files:
            continue
        command = ["kernel-run", f"--target={target}"] + [s + ".mlir" for _, s in files]
        # On the SIMT machine another order of threads takes the place of more threads.
        other = dict(os.environ, OURC_SIMT_SEED="7")
        done = subprocess.run(command + ["--num-threads=3"], capture_output=True, text=True, env=other)
        shared = {s: [read(s, i) for i in range(len(c.results))] for c, s in files}
        done = subprocess.run(command, capture_output=True, text=True)
        print(done.stderr, end="", file=sys.stderr)
        for case, stem in files:
            total += 1
            problem = None
            for i, want in enumerate(case.results):
                out = f"{stem}.out{i}.npy"
                if not os.path.exists(out):
                    problem = "did not run"
                    break
                problem = problem or describe(case, i, np.load(out), want)
                if read(stem, i) != shared[stem][i]:
                    problem = problem or f"result {i} has other bits with three threads"
            if target == "simt" and case.name in NOT_ON_GPUS:
                problem = None if problem == "did not run" else "was not refused"
            if problem:
                failures += 1
                print(f"FAILED {case.name} on {target}: {problem}")
        if done.returncode not in (0, 1):
            failures += 1
            print(f"kernel-run ended with {done.returncode}")
    print(f"{total - failures} of {total} kernels right")
    return 1 if failures or not total else 0
