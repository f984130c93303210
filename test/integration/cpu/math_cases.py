"""The error of the elementary functions in ulp against f64: a dense sample of f32 that has every
exponent, and all values of f16 and bf16. `--exhaustive` takes every f32 value instead (hours)."""

import math
import os
import subprocess
import sys

import numpy as np

from kernel_cases import MACHINES, bf16, from_bf16

erf = np.vectorize(math.erf, otypes=[np.float64])

# name: (MLIR op, f64 reference, bound in ulp of f32)
UNARY = {
    "exp": (np.exp, 1.05),
    "exp2": (np.exp2, 1.0),
    "expm1": (np.expm1, 1.5),
    "log": (np.log, 1.0),
    "log2": (np.log2, 1.1),
    "log10": (np.log10, 1.0),
    "log1p": (np.log1p, 1.5),
    "tanh": (np.tanh, 1.5),
    "sinh": (np.sinh, 3.5),
    "cosh": (np.cosh, 3.5),
    "erf": (erf, 1.15),
    "sin": (np.sin, 1.5),
    "cos": (np.cos, 1.5),
    "tan": (np.tan, 3.5),
    "atan": (np.arctan, 1.5),
    "asin": (np.arcsin, 2.5),
    "acos": (np.arccos, 1.5),
    "asinh": (np.arcsinh, 2.5),
    "acosh": (np.arccosh, 2.5),
    "atanh": (np.arctanh, 2.5),
    "rsqrt": (lambda x: 1 / np.sqrt(x), 1.5),
}
BINARY = {"powf": (np.power, 0.51), "atan2": (np.arctan2, 2.0)}


def sample(rng, per_exponent=2048):
    """Values of every exponent and both signs, and those around powers of two and limits."""
    exponents = np.repeat(np.arange(256, dtype=np.uint32), per_exponent)
    parts = []
    for sign in (0, 1):
        fraction = rng.integers(0, 1 << 23, exponents.size, dtype=np.uint32)
        parts.append((np.uint32(sign) << 31) | (exponents << 23) | fraction)
        ends = np.arange(256, dtype=np.uint32) << 23
        for low in (0, 1, 2, 0x7FFFFF, 0x7FFFFE, 0x400000, 0x3504F3):
            parts.append((np.uint32(sign) << 31) | ends | np.uint32(low))
    # Where most functions turn, more of them.
    near = np.concatenate([rng.uniform(-110, 110, 200000), rng.uniform(-4, 4, 400000), rng.uniform(-1, 1, 200000),
                           1 + rng.uniform(-1e-3, 1e-3, 100000), rng.uniform(-2e5, 2e5, 200000)]).astype(np.float32)
    return np.concatenate(parts + [near.view(np.uint32)]).view(np.float32)


def ulps(got, want):
    """|got - want| in units of f32's last place at `want`; infinity where NaN or infinity is wrong."""
    got = got.astype(np.float64)
    with np.errstate(all="ignore"):
        rounded = want.astype(np.float32)
        exponent = np.frexp(np.abs(want))[1] - 24
        unit = np.ldexp(1.0, np.maximum(exponent, -149))
        error = np.abs(got - want) / unit
        error = np.where(np.isinf(rounded), np.where(got == rounded, 0, error), error)
        # f32 may overflow within half a last place of its limit.
        error = np.where(np.isinf(got) & ~np.isinf(rounded), np.inf, error)
        error = np.where(np.isnan(want) & np.isnan(got), 0, error)
        error = np.where(np.isnan(want) != np.isnan(got), np.inf, error)
        return np.where(np.isinf(want) & (got == want), 0, error)


def text(name, element, lanes, arguments):
    t = f"tensor<?x{element}>"
    args = ", ".join(f"%a{i}: {t}" for i in range(arguments))
    ins = ", ".join(f"%a{i}" for i in range(arguments))
    scalars = ", ".join(f"%x{i}: {element}" for i in range(arguments + 1))
    operands = ", ".join(f"%x{i}" for i in range(arguments))
    maps = ", ".join(["#id"] * (arguments + 1))
    return f"""#id = affine_map<(i) -> (i)>
kernel.func @k({args}, %o: {t}) -> {t} attributes {{schedule = #kernel.cpu_pointwise<lanes = {lanes}, grain = 65536>}} {{
  %r = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel"]}}
      ins({ins} : {", ".join([t] * arguments)}) outs(%o : {t}) {{
    ^bb0({scalars}):
      %y = math.{name} {operands} : {element}
      linalg.yield %y : {element}
  }} -> {t}
  kernel.return %r : {t}
}}
"""


class Runner:
    def __init__(self, folder, lanes, target):
        self.folder, self.lanes, self.target, self.jobs = folder, lanes, target, []
        os.makedirs(folder, exist_ok=True)

    def add(self, name, element, inputs, check):
        stem = os.path.join(self.folder, f"{name}.{element}.{self.lanes}")
        with open(stem + ".mlir", "w") as f:
            f.write(text(name, element, self.lanes, len(inputs)))
        for i, x in enumerate(inputs):
            np.save(f"{stem}.in{i}.npy", x)
        np.save(f"{stem}.ref0.npy", inputs[0])
        self.jobs.append((name, element, stem, check))

    def run(self):
        """The number of failures."""
        subprocess.run(["kernel-run", f"--target={self.target}"] + [j[2] + ".mlir" for j in self.jobs], check=False)
        failures = 0
        for name, element, stem, check in self.jobs:
            out = stem + ".out0.npy"
            if not os.path.exists(out):
                print(f"FAILED {name} {element} on {self.target}: did not run")
                failures += 1
                continue
            worst, limit, where = check(np.load(out))
            os.remove(out)
            bad = not worst <= limit
            failures += bad
            print(f"{'FAILED ' if bad else ''}{name} {element} on {self.target}: {worst:.3f} ulp at {where!r}, "
                  f"bound {limit}")
        return failures


def check_f32(reference, inputs, bound):
    with np.errstate(all="ignore"):
        want = reference(*[x.astype(np.float64) for x in inputs])

    def check(got):
        error = ulps(got, want)
        at = int(np.argmax(error))
        return float(error[at]), bound, tuple(float(x[at]) for x in inputs)

    return check


def check_narrow(reference, x, element):
    """Half an ulp of the type, and the little that f32's error can move a rounding."""
    with np.errstate(all="ignore"):
        want = reference(x.astype(np.float64))

    def check(got):
        g = (from_bf16(got) if element == "bf16" else got).astype(np.float64)
        digits, least = (8, -133) if element == "bf16" else (11, -24)
        with np.errstate(all="ignore"):
            unit = np.ldexp(1.0, np.maximum(np.frexp(np.abs(want))[1] - digits, least))
            rounded = from_bf16(bf16(want)) if element == "bf16" else want.astype(np.float16)
            error = np.abs(g - want) / unit
            error = np.where((g == rounded) | (np.isnan(g) & np.isnan(want)), 0, error)
            error = np.where(np.isnan(g) != np.isnan(want), np.inf, error)
        at = int(np.argmax(error))
        return float(error[at]), 0.51, float(x[at])

    return check


def main():
    folder = sys.argv[1]
    only = [a for a in sys.argv[2:] if not a.startswith("--")]
    failures = 0
    for lanes, target in MACHINES:
        if "--exhaustive" in sys.argv:
            for chunk in range(256):
                x = np.arange(chunk << 24, (chunk + 1) << 24, dtype=np.uint32).view(np.float32)
                runner = Runner(folder, lanes, target)
                for name, (reference, bound) in UNARY.items():
                    if not only or name in only:
                        runner.add(name, "f32", [x], check_f32(reference, [x], bound))
                failures += runner.run()
            continue
        rng = np.random.default_rng(17)
        x = sample(rng)
        halves = np.arange(65536, dtype=np.uint16)
        runner = Runner(folder, lanes, target)
        for name, (reference, bound) in UNARY.items():
            if only and name not in only:
                continue
            runner.add(name, "f32", [x], check_f32(reference, [x], bound))
            runner.add(name, "f16", [halves.view(np.float16)],
                       check_narrow(reference, halves.view(np.float16).astype(np.float32), "f16"))
            runner.add(name, "bf16", [halves], check_narrow(reference, from_bf16(halves), "bf16"))
        for name, (reference, bound) in BINARY.items():
            if only and name not in only:
                continue
            special = np.array([0.0, -0.0, 1, -1, 2, -2, 3, -3, 0.5, -0.5, np.inf, -np.inf, np.nan, 1e-40, 3e38,
                                -1e-40], np.float32)
            a, b = [g.reshape(-1) for g in np.meshgrid(special, special)]
            u = np.concatenate([a, rng.permutation(x), np.exp(rng.uniform(-20, 20, 500000)).astype(np.float32)])
            v = np.concatenate([b, rng.permutation(x), rng.uniform(-6, 6, 500000).astype(np.float32)])
            whole = rng.random(v.size) < 0.3
            with np.errstate(invalid="ignore"):
                v = np.where(whole, np.round(v), v)
            runner.add(name, "f32", [u, v], check_f32(reference, [u, v], bound))
        failures += runner.run()
    print(f"{failures} failures")
    return 1 if failures else 0


sys.exit(main())
