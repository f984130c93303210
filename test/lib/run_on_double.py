# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles a program for an NVIDIA GPU and runs it with ourc-run over the tests' driver.

run_on_double.py [--chip=sm_90] [--gpu=90] [--no-ptxas] model.mlir: comments of the program say what
goes in and what must come out, as numpy expressions over the names of inputs and weights (as float64)
and those of check_kernel.py:

  // IN x: f16(randn(5, 7))
  // WEIGHT w: randn(7, 3)
  // REF y: x @ w

The driver is found as libcuda.so.1 on the library path, as on a machine with a GPU. At the end it
must hold nothing, and no call may have misused it.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import check_kernel
import numpy as np


def run(*command, environment):
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode:
        sys.exit(f"{command[0]} failed with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def with_double(folder, environment):
    """The environment of a machine whose driver is the double."""
    double = Path(shutil.which("libcuda_double.so")).resolve()
    (folder / "driver").mkdir()
    (folder / "driver" / "libcuda.so.1").symlink_to(double)
    environment["LD_LIBRARY_PATH"] = str(folder / "driver")
    environment["OURC_DOUBLE_LOG"] = str(folder / "log")
    return environment


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("--chip", default="sm_90")
    parser.add_argument("--gpu", default="90", help="the architecture of the double's GPU")
    parser.add_argument("--no-ptxas", action="store_true")
    given = parser.parse_args()
    text = Path(given.model).read_text()
    names = check_kernel.namespace(0)
    environment = dict(os.environ, OURC_DOUBLE_ARCHITECTURE=given.gpu, OURC_CACHE_DIR="off")
    if given.no_ptxas:
        environment["OURC_PTXAS"] = "none"
    compiler, runner = shutil.which("ourc-compile"), shutil.which("ourc-run")
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        environment = with_double(folder, environment)
        model = folder / "model.so"
        run(compiler, given.model, f"--target=cuda:{given.chip}", "-o", model, environment=environment)
        values, inputs, weights = {}, [], {}
        for kind, name, expression in re.findall(r"// (IN|WEIGHT) (\w+): (.*)", text):
            value = eval(expression, dict(names), values)
            values[name] = value.astype(np.float64) if value.dtype.kind == "f" else value
            if kind == "IN":
                np.save(folder / f"{name}.npy", value)
                inputs += ["--input", f"{name}={folder / name}.npy"]
            else:
                weights[name] = np.ascontiguousarray(value)
        if weights:
            from safetensors.numpy import save_file

            save_file(weights, folder / "model.safetensors")
        references = re.findall(r"// REF (\w+): (.*)", text)
        outputs = [o for name, _ in references for o in ("--output", f"{name}={folder / name}.npy")]
        run(runner, model, *inputs, *outputs, "--repeat=2", environment=environment)
        for name, expression in references:
            expected = eval(expression, dict(names), values)
            result = np.load(folder / f"{name}.npy")
            if result.shape != expected.shape:
                sys.exit(f"{name} has shape {result.shape}, must have {expected.shape}")
            tolerance = 4 * check_kernel.TOLERANCE.get(str(result.dtype), 0)
            error = np.abs(result.astype(np.float64) - expected).max(initial=0)
            scale = max(1.0, np.abs(expected).max(initial=0))
            if not error <= tolerance * scale:
                sys.exit(f"{name}: the error is {error}, at most {tolerance * scale} would be right")
            print(f"{name}: right")
        lines = (folder / "log").read_text().splitlines()
        for call in sorted(set(lines[:-1])):
            print(f"{call}: {lines.count(call)}")
        print(lines[-1])


if __name__ == "__main__":
    main()
