#!/usr/bin/env python3
"""Single f32 kernels: the fraction of the machine's multiply-add peak, measured in the same process.

usage: benchmarks/kernels.py [--target cpu:native] [--threads N] [--runs N] [--only TEXT] [--floor FRACTION]

Each kernel is written as linalg, scheduled by its strategy, compiled and run by test/lib/kernel-run (build it first:
bazel build //test/lib:kernel-run). With one thread, times are the thread's own. Weights are packed beforehand. Operations are
counted as if padding were multiplied (it is skipped, so that a fraction may exceed 1); causal attention counts as half. With
--floor the exit code is 1 where the 1024 x 1024 x 1024 product is below that fraction.

Kernels of rows come as the ourc dialect, through tools/ourc-opt, and are compared with a negation of the same array, which
reads and writes what they do: a fraction of 1 is the speed of memory.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def product(m, n, k, dynamic=False):
    """x times the transpose of a weight, plus a bias, relu."""
    rows = "?" if dynamic else m
    named = lambda columns: f" {{ourc.shape = [@m, {columns}]}}" if dynamic else ""
    result = f"tensor<{rows}x{n}xf32>"
    return f"""
kernel.func @product(%x: tensor<{rows}x{k}xf32>{named(k)}, %w: tensor<{n}x{k}xf32>,
    %bias: tensor<{n}xf32>, %out: {result}{named(n)}) -> {result} {{
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : {result}) -> {result}
  %0 = linalg.generic {{
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}}
    ins(%x, %w : tensor<{rows}x{k}xf32>, tensor<{n}x{k}xf32>) outs(%init : {result}) {{
  ^bb0(%p: f32, %q: f32, %sum: f32):
    %product = arith.mulf %p, %q : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  }} -> {result}
  %1 = linalg.generic {{
    indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>],
    iterator_types = ["parallel", "parallel"]}}
    ins(%0, %bias : {result}, tensor<{n}xf32>) outs(%out : {result}) {{
  ^bb0(%p: f32, %q: f32, %o: f32):
    %sum = arith.addf %p, %q : f32
    %positive = arith.maximumf %sum, %zero : f32
    linalg.yield %positive : f32
  }} -> {result}
  kernel.return %1 : {result}
}}
""", m * n * k, f"m={m}"


def convolution(size, channels, filters, window, stride, padding):
    """A square image of one batch, channels last."""
    out = (size + 2 * padding - window) // stride + 1
    wide = size + 2 * padding
    result = f"tensor<1x{out}x{out}x{filters}xf32>"
    image, padded = f"tensor<1x{size}x{size}x{channels}xf32>", f"tensor<1x{wide}x{wide}x{channels}xf32>"
    weight = f"tensor<{filters}x{window}x{window}x{channels}xf32>"
    pad = f"""
  %padded = tensor.pad %x low[0, {padding}, {padding}, 0] high[0, {padding}, {padding}, 0] {{
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  }} : {image} to {padded}"""
    return f"""
kernel.func @convolution(%x: {image}, %w: {weight}, %out: {result}) -> {result} {{
  %zero = arith.constant 0.0 : f32{pad if padding else ""}
  %init = linalg.fill ins(%zero : f32) outs(%out : {result}) -> {result}
  %0 = linalg.conv_2d_nhwc_fhwc {{dilations = dense<1> : vector<2xi64>, strides = dense<{stride}> : vector<2xi64>}}
    ins({"%padded" if padding else "%x"}, %w : {padded}, {weight}) outs(%init : {result}) -> {result}
  kernel.return %0 : {result}
}}
""", out * out * filters * window * window * channels, ""


def attention(heads, length, features, causal=False):
    """Heads inside of the sequence, as models have them after a projection."""
    kind = f"tensor<1x{length}x{heads}x{features}xf32>"
    return f"""
kernel.func @attention(%q: {kind}, %k: {kind}, %v: {kind}, %out: {kind}) -> {kind} {{
  %0 = kernel.attention queries(%q : {kind}) keys(%k : {kind}) values(%v : {kind}) outs(%out : {kind})
    scale = 0.125 {"causal " if causal else ""}maps = [
      affine_map<(b, h, s, t, d, e) -> (b, s, h, d)>, affine_map<(b, h, s, t, d, e) -> (b, t, h, d)>,
      affine_map<(b, h, s, t, d, e) -> (b, t, h, e)>, affine_map<(b, h, s, t, d, e) -> (b, s, h, e)>] {{
  ^bb0(%score: f32):
    kernel.yield %score : f32
  }} -> {kind}
  kernel.return %0 : {kind}
}}
""", heads * length * length * features * 2 // (2 if causal else 1), ""


KERNELS = {"product 1024 1024 1024": product(1024, 1024, 1024)}
for m, n, k in [(128, 384, 384), (128, 1536, 384), (128, 384, 1536), (128, 768, 768), (197, 768, 768)]:
    KERNELS[f"product {m} {n} {k}"] = product(m, n, k)
    KERNELS[f"product {m} {n} {k}, dynamic rows"] = product(m, n, k, dynamic=True)
for layer in [(56, 64, 64, 3, 1, 1), (28, 128, 128, 3, 1, 1), (14, 256, 256, 3, 1, 1), (7, 512, 512, 3, 1, 1),
              (56, 128, 128, 3, 2, 1), (56, 64, 256, 1, 1, 0), (14, 1024, 256, 1, 1, 0), (56, 256, 512, 1, 2, 0),
              (224, 3, 64, 7, 2, 3)]:
    size, channels, filters, window, stride, _ = layer
    KERNELS[f"convolution {size}x{size}x{channels}, {filters} of {window}x{window}, stride {stride}"] = convolution(*layer)
for heads, length, features, causal in [(12, 128, 32, False), (12, 128, 64, False), (12, 197, 64, False), (12, 1024, 64, True)]:
    KERNELS[f"attention {heads} heads, {length} tokens, {features} features{', causal' * causal}"] = attention(
        heads, length, features, causal)

# Of x, an array of rows and columns: (further arguments, text that ends in the result %y).
ROW_KERNELS = {
    "negation": ("", "%y = ourc.neg %x : {t}"),
    "softmax": ("", "%y = ourc.softmax %x dim 1 : {t}"),
    "scale, bias, softmax": (", %b: {c}", """%s = ourc.constant dense<0.125> : {t}
  %wide = ourc.broadcast %b dims [1] sizes [{rows}, {columns}] : {c} -> {t}
  %scaled = ourc.mul %x, %s : {t}
  %biased = ourc.add %scaled, %wide : {t}
  %y = ourc.softmax %biased dim 1 : {t}"""),
    "layer norm": (", %w: {c}, %b: {c}", "%y = ourc.layer_norm %x weight %w : {c} bias %b : {c} dims 1 epsilon 1.0e-5 : {t}"),
    "bias, GELU": (", %b: {c}", """%wide = ourc.broadcast %b dims [1] sizes [{rows}, {columns}] : {c} -> {t}
  %biased = ourc.add %x, %wide : {t}
  %y = ourc.gelu %biased exact : {t}"""),
    "bias, GELU (tanh)": (", %b: {c}", """%wide = ourc.broadcast %b dims [1] sizes [{rows}, {columns}] : {c} -> {t}
  %biased = ourc.add %x, %wide : {t}
  %y = ourc.gelu %biased tanh : {t}"""),
}
ROW_SHAPES = [(4096, 1024), (128, 768), (197, 3072), (1536, 128), (32768, 49)]


def row_kernel(opt, target, name, rows, columns):
    """The kernel.func of one of ROW_KERNELS, as the pipeline forms it."""
    arguments, body = ROW_KERNELS[name]
    names = {"t": f"tensor<{rows}x{columns}xf32>", "c": f"tensor<{columns}xf32>", "rows": rows, "columns": columns}
    text = ("func.func @main(%x: {t}" + arguments + ") -> {t} {{\n  " + body + "\n  return %y : {t}\n}}\n").format(**names)
    pipeline = f"builtin.module(ourc-tensor-pipeline,ourc-kernel-pipeline{{target={target}}})"
    done = subprocess.run([opt, "-", f"--pass-pipeline={pipeline}"], input=text, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{name}: {done.stderr}")
    maps = [line for line in done.stdout.splitlines() if line.startswith("#")]
    start, end = done.stdout.index("kernel.func"), done.stdout.index("func.func @main")
    return "\n".join(maps) + "\n" + done.stdout[start:end]


def measure_rows(given, tool, folder):
    opt = ROOT / "bazel-bin" / "tools" / "ourc-opt" / "ourc-opt"
    chosen = []
    for rows, columns in ROW_SHAPES:
        names = [name for name in ROW_KERNELS if given.only in f"{name} {rows} {columns}"]
        chosen += [(rows, columns, name) for name in dict.fromkeys(["negation"] * bool(names) + names)]
    if not chosen:
        return
    if not opt.exists():
        sys.exit(f"{opt} is missing: bazel build //tools/ourc-opt")
    print(f"\n{'kernel of rows':58} {'us':>10} {'GB/s':>8} {'of copy':>8}")
    file = pathlib.Path(folder) / "rows.mlir"
    for rows, columns, name in chosen:
        file.write_text(row_kernel(opt, given.target, name, rows, columns))
        done = subprocess.run([tool, "--random", f"--target={given.target}", f"--time={given.runs}",
                               f"--num-threads={given.threads}", file], capture_output=True, text=True)
        match = re.search(r": ([\d.]+) us", done.stdout)
        if not match:
            sys.exit(f"{name}: {done.stderr}")
        time = float(match[1])
        copy = time if name == "negation" else copy
        print(f"{f'{name} {rows} {columns}':58} {time:10.3f} {8e-3 * rows * columns / time:8.1f} {copy / time:8.3f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--target", default="cpu:native", help="the machine to compile for")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--runs", type=int, default=30, help="the best of this many")
    parser.add_argument("--only", default="", help="kernels whose name holds this")
    parser.add_argument("--floor", type=float, default=0)
    given = parser.parse_args()
    tool = ROOT / "bazel-bin" / "test" / "lib" / "kernel-run"
    if not tool.exists():
        sys.exit(f"{tool} is missing: bazel build //test/lib:kernel-run")

    code = 0
    print(f"{'kernel':58} {'us':>10} {'GF/s':>8} {'of peak':>8}")
    with tempfile.TemporaryDirectory() as folder:
        for name, (text, work, dims) in KERNELS.items():
            if given.only not in name:
                continue
            file = pathlib.Path(folder) / "kernel.mlir"
            file.write_text(text)
            command = [tool, "--assign", "--random", f"--target={given.target}", f"--time={given.runs}", f"--work={work}",
                       f"--num-threads={given.threads}", f"--dims={dims}", file]
            done = subprocess.run(command, capture_output=True, text=True)
            match = re.search(r": ([\d.]+) us, ([\d.]+) GF/s, ([\d.]+) of the peak", done.stdout)
            if not match:
                sys.exit(f"{name}: {done.stderr}")
            print(f"{name:58} {match[1]:>10} {match[2]:>8} {match[3]:>8}", flush=True)
            if name == "product 1024 1024 1024" and float(match[3]) < given.floor:
                code = 1
        measure_rows(given, tool, folder)
    sys.exit(code)


if __name__ == "__main__":
    main()
