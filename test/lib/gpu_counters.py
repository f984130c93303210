# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What GPU kernels of real layers cost, as far as that can be known without a GPU.

gpu_counters.py [--write] [--only=NAME] SHAPES TABLE: SHAPES lists layers, one a line: a name, a kind and its sizes.
For each one the first strategy that matches makes the kernel. ptxas says registers, spills and shared memory; the SIMT
machine runs a few blocks and counts sectors of global memory, bank conflicts and tensor-core instructions.

With --write the table is written. Otherwise it is compared, and a row that is worse anywhere fails.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

CHIPS = ["sm_80", "sm_90"]
COLUMNS = ["registers", "spills", "shared", "occupancy", "sectors", "conflicts", "mma"]

LINEAR = """
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
#bias = affine_map<(m, n) -> (n)>
kernel.func @linear(%x: tensor<{M}x{K}x{T}>, %w: tensor<{N}x{K}x{T}>, %bias: tensor<{N}x{T}>, %out: tensor<{M}x{N}x{T}>) -> tensor<{M}x{N}x{T}> {{
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<{M}x{N}xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<{M}x{N}xf32>) -> tensor<{M}x{N}xf32>
  %mm = linalg.generic {{indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}}
      ins(%x, %w : tensor<{M}x{K}x{T}>, tensor<{N}x{K}x{T}>) outs(%f : tensor<{M}x{N}xf32>) {{
  ^bb0(%p: {T}, %q: {T}, %acc: f32):
    %1 = arith.extf %p : {T} to f32
    %2 = arith.extf %q : {T} to f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.addf %acc, %3 : f32
    linalg.yield %4 : f32
  }} -> tensor<{M}x{N}xf32>
  %r = linalg.generic {{indexing_maps = [#id, #bias, #id], iterator_types = ["parallel", "parallel"]}}
      ins(%mm, %bias : tensor<{M}x{N}xf32>, tensor<{N}x{T}>) outs(%out : tensor<{M}x{N}x{T}>) {{
  ^bb0(%p: f32, %q: {T}, %u: {T}):
    %0 = arith.extf %q : {T} to f32
    %1 = arith.addf %p, %0 : f32
    {activation}
    %7 = arith.truncf %6 : f32 to {T}
    linalg.yield %7 : {T}
  }} -> tensor<{M}x{N}x{T}>
  kernel.return %r : tensor<{M}x{N}x{T}>
}}
"""
GELU = """%rsqrt2 = arith.constant 0.70710678118654752 : f32
    %one = arith.constant 1.0 : f32
    %half = arith.constant 0.5 : f32
    %2 = arith.mulf %1, %rsqrt2 : f32
    %3 = math.erf %2 : f32
    %4 = arith.addf %3, %one : f32
    %5 = arith.mulf %1, %half : f32
    %6 = arith.mulf %5, %4 : f32"""
NONE = "%6 = arith.addf %1, %zero : f32"

SOFTMAX = """
#id = affine_map<(s, j) -> (s, j)>
#row = affine_map<(s, j) -> (s)>
kernel.func @softmax(%x: tensor<{R}x{C}x{T}>, %out: tensor<{R}x{C}x{T}>) -> tensor<{R}x{C}x{T}> {{
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<{R}xf32>
  %f = linalg.fill ins(%ninf : f32) outs(%e : tensor<{R}xf32>) -> tensor<{R}xf32>
  %m = linalg.generic {{indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}} ins(%x : tensor<{R}x{C}x{T}>) outs(%f : tensor<{R}xf32>) {{
  ^bb0(%v: {T}, %a: f32):
    %0 = arith.extf %v : {T} to f32
    %1 = arith.maximumf %0, %a : f32
    linalg.yield %1 : f32
  }} -> tensor<{R}xf32>
  %w = tensor.empty() : tensor<{R}x{C}xf32>
  %p = linalg.generic {{indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}} ins(%x, %m : tensor<{R}x{C}x{T}>, tensor<{R}xf32>) outs(%w : tensor<{R}x{C}xf32>) {{
  ^bb0(%v: {T}, %a: f32, %u: f32):
    %0 = arith.extf %v : {T} to f32
    %1 = arith.subf %0, %a : f32
    %2 = math.exp %1 : f32
    linalg.yield %2 : f32
  }} -> tensor<{R}x{C}xf32>
  %g = linalg.fill ins(%zero : f32) outs(%e : tensor<{R}xf32>) -> tensor<{R}xf32>
  %s = linalg.generic {{indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}} ins(%p : tensor<{R}x{C}xf32>) outs(%g : tensor<{R}xf32>) {{
  ^bb0(%v: f32, %a: f32):
    %0 = arith.addf %v, %a : f32
    linalg.yield %0 : f32
  }} -> tensor<{R}xf32>
  %r = linalg.generic {{indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}} ins(%p, %s : tensor<{R}x{C}xf32>, tensor<{R}xf32>) outs(%out : tensor<{R}x{C}x{T}>) {{
  ^bb0(%v: f32, %a: f32, %u: {T}):
    %0 = arith.divf %v, %a : f32
    %1 = arith.truncf %0 : f32 to {T}
    linalg.yield %1 : {T}
  }} -> tensor<{R}x{C}x{T}>
  kernel.return %r : tensor<{R}x{C}x{T}>
}}
"""

# silu(x) * y, what feeds the last linear layer of a gated feed-forward block.
GATED = """
#id = affine_map<(s, j) -> (s, j)>
kernel.func @gated(%x: tensor<{R}x{C}x{T}>, %y: tensor<{R}x{C}x{T}>, %out: tensor<{R}x{C}x{T}>) -> tensor<{R}x{C}x{T}> {{
  %r = linalg.generic {{indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}} ins(%x, %y : tensor<{R}x{C}x{T}>, tensor<{R}x{C}x{T}>) outs(%out : tensor<{R}x{C}x{T}>) {{
  ^bb0(%v: {T}, %a: {T}, %u: {T}):
    %one = arith.constant 1.0 : f32
    %0 = arith.extf %v : {T} to f32
    %1 = arith.extf %a : {T} to f32
    %2 = arith.negf %0 : f32
    %3 = math.exp %2 : f32
    %4 = arith.addf %3, %one : f32
    %5 = arith.divf %0, %4 : f32
    %6 = arith.mulf %5, %1 : f32
    %7 = arith.truncf %6 : f32 to {T}
    linalg.yield %7 : {T}
  }} -> tensor<{R}x{C}x{T}>
  kernel.return %r : tensor<{R}x{C}x{T}>
}}
"""


# A convolution of one image, channels last: height and width, channels, filters, window, stride, padding.
CONV = """
kernel.func @conv(%x: tensor<1x{H}x{H}x{C}x{T}>, %w: tensor<{F}x{K}x{K}x{C}x{T}>, %out: tensor<1x{O}x{O}x{F}x{T}>) -> tensor<1x{O}x{O}x{F}x{T}> {{
  %zero = arith.constant 0.0 : {T}
  %padded = tensor.pad %x low[0, {P}, {P}, 0] high[0, {P}, {P}, 0] {{
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : {T}
  }} : tensor<1x{H}x{H}x{C}x{T}> to tensor<1x{W}x{W}x{C}x{T}>
  %f = linalg.fill ins(%zero : {T}) outs(%out : tensor<1x{O}x{O}x{F}x{T}>) -> tensor<1x{O}x{O}x{F}x{T}>
  %r = linalg.conv_2d_nhwc_fhwc {{dilations = dense<1> : vector<2xi64>, strides = dense<{S}> : vector<2xi64>}}
      ins(%padded, %w : tensor<1x{W}x{W}x{C}x{T}>, tensor<{F}x{K}x{K}x{C}x{T}>) outs(%f : tensor<1x{O}x{O}x{F}x{T}>) -> tensor<1x{O}x{O}x{F}x{T}>
  kernel.return %r : tensor<1x{O}x{O}x{F}x{T}>
}}
"""

# The mean over the pixels of an image whose channels come last.
MEAN = """
#id = affine_map<(b, p, c) -> (b, p, c)>
#row = affine_map<(b, p, c) -> (b, c)>
#out = affine_map<(b, c) -> (b, c)>
kernel.func @mean(%x: tensor<{B}x{P}x{C}x{T}>, %out: tensor<{B}x{C}x{T}>) -> tensor<{B}x{C}x{T}> {{
  %zero = arith.constant 0.0 : f32
  %count = arith.constant {P}.0 : f32
  %e = tensor.empty() : tensor<{B}x{C}xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<{B}x{C}xf32>) -> tensor<{B}x{C}xf32>
  %s = linalg.generic {{indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction", "parallel"]}} ins(%x : tensor<{B}x{P}x{C}x{T}>) outs(%f : tensor<{B}x{C}xf32>) {{
  ^bb0(%v: {T}, %a: f32):
    %0 = arith.extf %v : {T} to f32
    %1 = arith.addf %0, %a : f32
    linalg.yield %1 : f32
  }} -> tensor<{B}x{C}xf32>
  %r = linalg.generic {{indexing_maps = [#out, #out], iterator_types = ["parallel", "parallel"]}} ins(%s : tensor<{B}x{C}xf32>) outs(%out : tensor<{B}x{C}x{T}>) {{
  ^bb0(%v: f32, %u: {T}):
    %0 = arith.divf %v, %count : f32
    %1 = arith.truncf %0 : f32 to {T}
    linalg.yield %1 : {T}
  }} -> tensor<{B}x{C}x{T}>
  kernel.return %r : tensor<{B}x{C}x{T}>
}}
"""

# Attention of one sequence: heads, queries, keys, features of a head.
ATTENTION = """
#q = affine_map<(h, s, t, d, e) -> (h, s, d)>
#k = affine_map<(h, s, t, d, e) -> (h, t, d)>
#v = affine_map<(h, s, t, d, e) -> (h, t, e)>
#o = affine_map<(h, s, t, d, e) -> (h, s, e)>
kernel.func @attention(%q: tensor<{H}x{S}x{D}x{T}>, %k: tensor<{H}x{K}x{D}x{T}>, %v: tensor<{H}x{K}x{D}x{T}>, %out: tensor<{H}x{S}x{D}x{T}>) -> tensor<{H}x{S}x{D}x{T}> {{
  %0 = kernel.attention queries(%q : tensor<{H}x{S}x{D}x{T}>) keys(%k : tensor<{H}x{K}x{D}x{T}>) values(%v : tensor<{H}x{K}x{D}x{T}>)
    outs(%out : tensor<{H}x{S}x{D}x{T}>) scale = 0.125 {causal} maps = [#q, #k, #v, #o] {{
  ^bb0(%score: f32):
    kernel.yield %score : f32
  }} -> tensor<{H}x{S}x{D}x{T}>
  kernel.return %0 : tensor<{H}x{S}x{D}x{T}>
}}
"""


def make_kernel(kind, element, sizes):
    """The kernel's text and its least number of mma.sync."""
    up = lambda x, y: -(-x // y)
    tensor_cores = element != "f32"
    if kind.startswith("linear"):
        m, k, n = sizes
        text = LINEAR.format(M=m, K=k, N=n, T=element, activation=GELU if kind == "linear+gelu" else NONE)
        if not tensor_cores:
            text = re.sub(r"(%\w+) = arith\.(?:extf|truncf) (%\w+) : f32 to f32", r"\1 = arith.addf \2, %zero : f32", text)
            text = text.replace("%1 = arith.addf %p, %zero : f32\n    %2 = arith.addf %q, %zero : f32\n    %3 = arith.mulf %1, %2", "%3 = arith.mulf %p, %q")
        return text, tensor_cores * up(m, 16) * up(n, 8) * up(k, 16)
    if kind.startswith("attention"):
        heads, queries, keys, features = sizes
        causal = kind == "attention+causal"
        text = ATTENTION.format(H=heads, S=queries, K=keys, D=features, T=element, causal="causal" if causal else "")
        # Both products; of the causal one the tiles that some query sees.
        steps = sum(up(min(keys, 16 * row + 16) if causal else keys, 16) for row in range(up(queries, 16)))
        return text, heads * steps * 4 * up(features, 16)
    if kind == "conv":
        size, channels, filters, window, stride, padding = sizes
        padded = size + 2 * padding
        out = (padded - window) // stride + 1
        text = CONV.format(T=element, H=size, C=channels, F=filters, K=window, S=stride, P=padding, W=padded, O=out)
        return text, tensor_cores * up(out * out, 16) * up(filters, 8) * up(window * window * channels, 16)
    if kind == "mean":
        return MEAN.format(T=element, **dict(zip("BPC", sizes))), 0
    rows, columns = sizes
    return {"softmax": SOFTMAX, "gated": GATED}[kind].format(R=rows, C=columns, T=element), 0


def find_ptxas():
    candidates = [os.environ.get("OURC_PTXAS"), shutil.which("ptxas"), "/usr/local/cuda/bin/ptxas"]
    candidates += map(str, Path(sys.prefix).glob("lib/python3*/site-packages/triton/backends/nvidia/bin/ptxas"))
    return next((c for c in candidates if c and os.access(c, os.X_OK)), None) or sys.exit("no ptxas: set OURC_PTXAS")


def run(*command, **options):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=1200, **options)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: {done.stderr[-2000:]}")
    return done.stdout + done.stderr


def occupancy(threads, registers, shared, chip):
    """Threads resident on a multiprocessor over the most there can be; registers come by 256 a warp."""
    shared_of_chip = {"sm_80": 164, "sm_90": 228}[chip] * 1024
    warps = threads // 32
    by_registers = 65536 // (-(-registers * 32 // 256) * 256 * warps)
    by_shared = shared_of_chip // (shared + 1024)
    return min(32, 64 // warps, by_registers, by_shared) * warps / 64


def unescape(text):
    one = lambda match: match[1] if len(match[1]) == 1 else bytes([int(match[1], 16)])
    return re.sub(rb'\\(\\|"|[0-9A-F]{2})', one, text.encode()).rstrip(b"\0").decode()


def measure(kind, element, sizes, folder):
    """{column: value}, where a value is a number a chip, or one number."""
    text, least = make_kernel(kind, element, sizes)
    source = Path(folder) / "kernel.mlir"
    source.write_text(text)
    assigned = Path(folder) / "assigned.mlir"
    assigned.write_text(run("kernel-run", "--target=simt", "--assign", "--emit=assigned", source))
    row = {column: [] for column in COLUMNS}
    for chip in CHIPS:
        lowered = run("ourc-opt", assigned, f"-ourc-kernel-to-ptx-pipeline=chip={chip}")
        ptx = Path(folder) / "kernel.ptx"
        ptx.write_text(unescape(re.search(r'assembly = "((?:[^"\\]|\\.)*)"', lowered)[1]))
        said = run(find_ptxas(), "-v", f"-arch={chip}", ptx, "-o", Path(folder) / "kernel.cubin")
        registers = int(re.search(r"Used (\d+) registers", said)[1])
        spills = sum(map(int, re.findall(r"(\d+) bytes spill", said)))
        fixed = re.search(r"(\d+) bytes smem", said)
        dynamic = re.search(r"dynamic_shared_memory_size (\S+)", lowered)
        shared = int(fixed[1]) if fixed else 0
        if dynamic and dynamic[1] != "%":
            constant = re.search(rf"{re.escape(dynamic[1])} = (?:llvm.mlir|arith).constant\(?(\d+)", lowered)
            shared += int(constant[1]) if constant else 0
        threads = int(re.search(r"\.(?:reqntid|maxntid) (\d+)", ptx.read_text())[1])
        row["registers"].append(registers)
        row["spills"].append(spills)
        row["shared"].append(shared)
        row["occupancy"].append(round(occupancy(threads, registers, shared, chip), 2))
    def count(*options):
        said = run("kernel-run", "--target=simt", "--assign", "--random", "--traffic", *options, source)
        return {key: int(value) for key, value in (part.split("=") for part in said.splitlines()[-1].split())}

    counts = count("--block-limit=3")
    row["sectors"] = [round(counts["sectors"] / max(1, counts["ideal"]), 3)]
    row["conflicts"] = [counts["conflicts"]]
    if least:
        made = counts["mma"] / counts["blocks"] * counts["grid"]
        # Blocks of whole tiles do the same work; with others all count.
        row["mma"] = [round((made if made == least else count()["mma"]) / least, 3)]
    return row


WORSE = {"occupancy": lambda new, old: new < old}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("shapes", type=Path)
    parser.add_argument("table", type=Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--only")
    args = parser.parse_args()
    rows = [
        "# Counters of GPU kernels",
        "",
        "Made by `python3 test/lib/gpu_counters.py --write test/integration/simt/shapes.txt docs/design/gpu-counters.md` (the",
        "tools must be on PATH). Registers, bytes of spills, bytes of shared memory and occupancy (resident threads over the",
        "most) are those of ptxas for " + " / ".join(CHIPS) + "; sectors of global memory are relative to as few as could hold",
        "what warps touched, tensor-core instructions relative to as few as could make the result, both counted by the SIMT",
        "machine on three blocks of the grid, like bank conflicts. Times: not seen on hardware.",
        "",
        "| layer | " + " | ".join(COLUMNS) + " |",
        "| --- |" + " --- |" * len(COLUMNS),
    ]
    recorded = args.table.read_text() if args.table.exists() else ""
    worse = []
    with tempfile.TemporaryDirectory() as folder:
        for line in args.shapes.read_text().splitlines():
            if not line.strip() or line.startswith("#"):
                continue
            name, kind, element, *sizes = line.split()
            title = f"{name}: {kind} {element} {' x '.join(sizes)}"
            if args.only and args.only not in title:
                continue
            row = measure(kind, element, list(map(int, sizes)), folder)
            cells = [" / ".join(map(str, row[column])) for column in COLUMNS]
            rows.append(f"| {title} | " + " | ".join(cells) + " |")
            print(rows[-1], flush=True)
            before = re.search(rf"^\| {re.escape(title)} \| (.*) \|$", recorded, re.M)
            if not before:
                worse.append(f"{title}: not in the table")
                continue
            for column, old in zip(COLUMNS, before[1].split(" | ")):
                is_worse = WORSE.get(column, lambda new, old: new > old)
                for new, was in zip(row[column], [float(x) for x in old.split(" / ") if x.strip()]):
                    if is_worse(new, was):
                        worse.append(f"{title}: {column} is {new}, was {was}")
    if args.write:
        args.table.write_text("\n".join(rows) + "\n")
        return 0
    print("\n".join(worse))
    return bool(worse)


sys.exit(main())
