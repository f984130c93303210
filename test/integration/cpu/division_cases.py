"""Divisions by constants against numpy's, bit by bit: values of every exponent, zeros of both signs,
infinities and NaN. Quotients below 2^-100 may differ by an ulp."""

import os
import subprocess
import sys

import numpy as np

from kernel_cases import MACHINES

DIVISORS = [1.0, 2.0, 6.0, 3.0, 7.0, 10.0, 49.0, 784.0, 1.1, 255.0, 1.9999999, 2.0**60, 0.3, -6.0, 3e38]
rng = np.random.default_rng(17)
bits = rng.integers(0, 1 << 32, 1 << 18, dtype=np.uint32)
special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 3.4e38, -3.4e38, 1e-40, -1e-40, 1.0, -6.0], np.float32)
x = np.concatenate([bits.view(np.float32), special, np.float32(6) * np.arange(-5000, 5000, dtype=np.float32)])

failures = 0
for lanes, target in MACHINES:
    for number, divisor in enumerate(DIVISORS):
        stem = os.path.join(sys.argv[1], f"divide{number}.{lanes}")
        os.makedirs(sys.argv[1], exist_ok=True)
        word = np.float32(divisor).view(np.uint32)
        with open(stem + ".mlir", "w") as f:
            f.write(f"""#id = affine_map<(i) -> (i)>
kernel.func @k(%a: tensor<?xf32>, %o: tensor<?xf32>) -> tensor<?xf32>
    attributes {{schedule = #kernel.cpu_pointwise<lanes = {lanes}, grain = 65536>}} {{
  %c = arith.constant 0x{word:08X} : f32
  %r = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel"]}}
      ins(%a : tensor<?xf32>) outs(%o : tensor<?xf32>) {{
    ^bb0(%x: f32, %old: f32):
      %y = arith.divf %x, %c : f32
      linalg.yield %y : f32
  }} -> tensor<?xf32>
  kernel.return %r : tensor<?xf32>
}}
""")
        np.save(stem + ".in0.npy", x)
        np.save(stem + ".ref0.npy", x)
        subprocess.run(["kernel-run", f"--target={target}", stem + ".mlir"], check=True)
        got = np.load(stem + ".out0.npy")
        with np.errstate(all="ignore"):
            want = x / np.float32(divisor)
        apart = np.abs(got.view(np.int32).astype(np.int64) - want.view(np.int32).astype(np.int64))
        apart[np.isnan(got) & np.isnan(want)] = 0
        wrong = apart > (np.abs(want) < 2.0**-100)
        failures += bool(wrong.any())
        if wrong.any():
            at = np.argmax(wrong)
            print(f"{x[at]!r} / {divisor}: {got[at]!r}, wanted {want[at]!r} ({wrong.sum()} wrong on {target})")
print(f"{failures} failures")
sys.exit(failures != 0)
