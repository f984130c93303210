# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs functions of the ourc dialect through -ourc-to-linalg and upstream's lowering of linalg to
LLVM, none of our kernels, and compares with numpy in float64.

A file of cases calls `case` for each function and `run` at its end:

  case("add", "ourc.add %a0, %a1 : tensor<4xf32>", [x, y], "tensor<4xf32>", x64 + y64)

All functions of a file are one module, compiled once and called in this process.
"""

import ctypes
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass

import numpy as np

LLVM = "/usr/lib/llvm-22/bin/"
LOWER = [
    "--canonicalize",
    "--one-shot-bufferize=bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map",
    "--convert-linalg-to-loops",
    "--lower-affine",
    "--convert-scf-to-cf",
    "--expand-strided-metadata",
    "--lower-affine",
    "--arith-expand=include-bf16",
    "--convert-math-to-llvm=approximate-log1p=false",
    "--convert-math-to-libm",
    "--convert-to-llvm",
    "--reconcile-unrealized-casts",
]

# The rounding of the result, and the error of a short chain of operations.
TOLERANCE = {"f64": 1e-12, "f32": 2e-6, "f16": 2.0**-10, "bf16": 2.0**-7}
NUMPY = {"f64": np.float64, "f32": np.float32, "f16": np.float16, "bf16": np.uint16, "i64": np.int64,
         "i32": np.int32, "i16": np.int16, "i8": np.int8, "i1": np.bool_}


def to_bf16(x):
    """The bits of the nearest bf16 (NaN stays NaN)."""
    bits = np.asarray(x, np.float32).view(np.uint32)
    rounded = ((bits.astype(np.uint64) + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)
    return np.where(np.isnan(np.asarray(x, np.float32)), np.uint16(0x7FC0), rounded)


def from_bf16(bits):
    return (np.asarray(bits, np.uint16).astype(np.uint32) << 16).view(np.float32)


def narrow(x, element):
    """`x` in an element type, as it lies in memory."""
    with np.errstate(all="ignore"):
        return to_bf16(x) if element == "bf16" else np.asarray(x).astype(NUMPY[element])


def exact(x, element):
    """What an array of an element type holds, as float64, integers or booleans."""
    if element == "bf16":
        return from_bf16(x).astype(np.float64)
    return x.astype(np.float64) if element.startswith("f") else x


def element_of(type):
    return type[type.rindex("x") + 1 : -1] if "x" in type else type[7:-1]


@dataclass
class Case:
    name: str
    body: str
    inputs: list
    types: list
    results: list
    references: list
    tolerance: float | None
    scale: np.ndarray | None


_cases = []


def case(name, body, inputs, results, references, types=None, tolerance=None, scale=None):
    """`body` is the text of one op, or lines that end in `return`. Inputs are (array in float64 or
    integers, element type) and become arguments %a0, %a1, …, static unless `types` says otherwise;
    an int is an index argument. Errors are relative to `scale`, the reference's own size when not given:
    a sum that cancels is as exact as its terms are large."""
    if isinstance(results, str):
        results, references = [results], [references]
    given = []
    for i, value in enumerate(inputs):
        if isinstance(value, int):
            given.append("index")
            continue
        array, element = value
        shape = "".join(f"{n}x" for n in np.shape(array))
        given.append(f"tensor<{shape}{element}>")
    for i, type in (types or {}).items():
        given[i] = type
    arrays = [v if isinstance(v, int) else narrow(v[0], v[1]) for v in inputs]
    if "return" not in body:
        body = f"  %r = {body}\n  return %r : {results[0]}"
    _cases.append(Case(name, body, arrays, given, results, references, tolerance, scale))


def rounded(x, element):
    """What an argument with these values holds, in float64."""
    return exact(narrow(x, element), element)


def _text(c):
    arguments = ", ".join(f"%a{i}: {t}" for i, t in enumerate(c.types))
    return (f"func.func @{c.name}({arguments}) -> ({', '.join(c.results)}) "
            f"attributes {{llvm.emit_c_interface}} {{\n{c.body}\n}}\n")


def _pipe(command, text):
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stderr[-4000:]}")
    return done.stdout


def _descriptor(rank):
    class Descriptor(ctypes.Structure):
        _fields_ = [("allocated", ctypes.c_void_p), ("aligned", ctypes.c_void_p), ("offset", ctypes.c_int64)] + (
            [("sizes", ctypes.c_int64 * rank), ("strides", ctypes.c_int64 * rank)] if rank else [])

    return Descriptor


def _describe(array):
    array = np.ascontiguousarray(array) if array.ndim else array
    d = _descriptor(array.ndim)()
    d.allocated = d.aligned = array.ctypes.data
    for i in range(array.ndim):
        d.sizes[i] = array.shape[i]
        d.strides[i] = array.strides[i] // array.itemsize
    return d, array


def _call(library, c):
    ranks = [t.count("x") if not t.endswith("index>") else 0 for t in c.results]

    class Results(ctypes.Structure):
        _fields_ = [(f"r{i}", _descriptor(r)) for i, r in enumerate(ranks)]

    results, keep, arguments = Results(), [], []
    for value in c.inputs:
        if isinstance(value, int):
            arguments.append(ctypes.c_int64(value))
            continue
        d, array = _describe(value)
        keep += [d, array]
        arguments.append(ctypes.byref(d))
    getattr(library, "_mlir_ciface_" + c.name)(ctypes.byref(results), *arguments)
    arrays = []
    for i, rank in enumerate(ranks):
        d = getattr(results, f"r{i}")
        dtype = np.dtype(NUMPY[element_of(c.results[i])])
        shape = tuple(d.sizes) if rank else ()
        strides = tuple(s * dtype.itemsize for s in d.strides) if rank else ()
        count = int(np.prod(shape)) if rank else 1
        if count == 0:
            arrays.append(np.zeros(shape, dtype))
            continue
        span = sum((n - 1) * s for n, s in zip(shape, strides)) + dtype.itemsize
        memory = (ctypes.c_char * span).from_address(d.aligned + d.offset * dtype.itemsize)
        arrays.append(np.ndarray(shape, dtype, memory, 0, strides).copy())
    return arrays


def _compare(c, results):
    for i, (result, reference) in enumerate(zip(results, c.references)):
        element = element_of(c.results[i])
        value, reference = exact(result, element), np.asarray(reference)
        if value.shape != reference.shape:
            return f"shape {value.shape}, not {reference.shape}"
        if not (element.startswith("f") or element == "bf16"):
            if not np.array_equal(value, reference.astype(value.dtype)):
                return f"integers differ: {value.ravel()[:8]} against {reference.ravel()[:8]}"
            continue
        tolerance = TOLERANCE[element] if c.tolerance is None else c.tolerance
        with np.errstate(all="ignore"):
            # What overflows in the element type is infinite in it.
            limit = {"f16": 65520.0, "bf16": 3.3961775e38, "f32": 3.4028236e38}.get(element, np.inf)
            reference = np.where(np.abs(reference) >= limit, np.copysign(np.inf, reference), reference)
            if not np.array_equal(np.isnan(value), np.isnan(reference)):
                return "NaN elsewhere than the reference"
            infinite = np.isinf(reference) | np.isinf(value)
            if not np.array_equal(value[infinite], reference[infinite]):
                return "infinities differ from the reference's"
            finite = np.isfinite(reference)
            smallest = {"f16": 6e-8, "bf16": 1e-40, "f32": 1.5e-45}.get(element, 0)
            error = np.abs(value - reference)[finite]
            scale = np.abs(reference if c.scale is None else np.broadcast_to(c.scale, reference.shape))[finite]
            worst = np.max(error - tolerance * scale, initial=0)
        if not worst <= smallest:
            at = np.argmax(error - tolerance * scale)
            return f"error {error[at]:.3g} at {scale[at]:.3g}"
    return None


def run(*before):
    """Runs all cases; `before` are passes over the ourc dialect."""
    passes = [*before, "--ourc-to-linalg", "--ourc-decompose-kernel-ops"]
    os.makedirs(sys.argv[1], exist_ok=True)
    folder = tempfile.mkdtemp(dir=sys.argv[1])
    text = "".join(_text(c) for c in _cases)
    lowered = _pipe(["ourc-opt", *passes, *LOWER], text)
    ir = _pipe([LLVM + "mlir-translate", "--mlir-to-llvmir"], lowered)
    path = os.path.join(folder, "cases.so")
    _pipe([LLVM + "clang", "-x", "ir", "-", "-O1", "-shared", "-fPIC", "-mf16c", "--rtlib=compiler-rt", "-lm", "-w", "-o", path], ir)
    # Copies between strided buffers are calls.
    ctypes.CDLL("/usr/lib/llvm-22/lib/libmlir_c_runner_utils.so", mode=ctypes.RTLD_GLOBAL)
    library = ctypes.CDLL(os.path.abspath(path))
    failures = [(c.name, why) for c in _cases if (why := _compare(c, _call(library, c)))]
    for name, why in failures:
        print(f"{name}: {why}")
    print(f"{len(_cases) - len(failures)} of {len(_cases)} cases agree with {' '.join(passes)}")
    if failures:
        sys.exit(1)


EDGES = [0.0, -0.0, 1e-40, -1e-45, np.inf, -np.inf, np.nan, 1.0, -1.0, 65504.0, -0.5, 88.8, -104.0, 0.3]


def edges(rng, n):
    """Normal numbers, half of them replaced by edge values."""
    x = rng.standard_normal(n) * 3
    for i in range(0, n, 2):
        x[i] = EDGES[(i // 2) % len(EDGES)]
    return x
