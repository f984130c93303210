#!/usr/bin/env python3
# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the page of measured models from what benchmarks/models.py wrote.

usage: benchmarks/table.py RESULTS.json [-o docs/design/performance-models.md]
"""

import argparse
import math
import os
import platform

import results

ORDER = ["resnet50", "bert", "vit", "swin", "mobilenet", "gpt2", "decode", "unet"]
ENGINES = ["eager", "inductor", "inductor-tuned", "openvino", "onnxruntime", *results.OURS]


def machine() -> str:
    """The CPU by its name, its cores and the features that matter."""
    name, flags = platform.processor(), ""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        for line in file:
            if line.startswith("model name"):
                name = line.split(":", 1)[1].strip()
            elif line.startswith("flags"):
                flags = line.split(":", 1)[1].split()
    known = ["avx2", "avx512f", "avx512_bf16", "amx_tile"]
    return f"{name}, {len(os.sched_getaffinity(0))} processors, {', '.join(f for f in known if f in flags)}"


def cell(shown: dict | None) -> str:
    if shown is None:
        return ""
    return f"{shown['ms']:.1f}" if "ms" in shown else "refused"


def geomean(values: list[float]) -> float:
    return math.exp(sum(map(math.log, values)) / len(values))


def page(rows: list[dict]) -> str:
    rank = {name: i for i, name in enumerate(ORDER)}
    rows = sorted(rows, key=lambda r: (r["dtype"] != "float32", r["batch"], rank.get(r["model"], 99)))
    peaks = rows[0]["peaks"]
    lines = [
        "# Whole models beside their peers",
        "",
        f"Measured by `benchmarks/models.py` on {machine()}; {rows[0]['threads']} threads; peaks of the same runs around "
        f"{peaks['flops'] / 1e9:.0f} GFLOP/s f32, {peaks['flops16'] / 1e9:.0f} GFLOP/s of bf16 pairs and "
        f"{peaks['bandwidth'] / 1e9:.0f} GB/s. Milliseconds are medians; engines have a process each and take turns. A "
        "row keeps what an earlier run showed of engines that the last one left out, and rows may be of different days. "
        "`ourc` is called through torch.compile, as eager and Inductor are, with Dynamo's guards in each call; "
        "`ourc-artifact` is compiled ahead of time and called without them, as OpenVINO and ONNX Runtime are.",
        "",
        f"| model | type | batch | {' | '.join(ENGINES)} | best peer / ourc | best peer / ourc-artifact | "
        "floor / ourc-artifact | limit |",
        "| --- | --- | --- |" + " --- |" * (len(ENGINES) + 4),
    ]
    for row in rows:
        cells = [cell(row["engines"].get(engine)) for engine in ENGINES]
        cells += [f"{row['ratios'][n]:.2f}" if n in row["ratios"] else "" for n in results.OURS]
        ms = row["engines"].get(results.OURS[-1], {}).get("ms")
        cells += [f"{row['floor_ms'] / ms:.2f}" if ms else "", row["limit"]]
        lines.append(f"| {row['model']} | {row['dtype']} | {row['batch']} | {' | '.join(cells)} |")
    lines.append("")
    for engine in results.OURS:
        ratios = [row["ratios"][engine] for row in rows if engine in row["ratios"]]
        if ratios:
            lines.append(f"Geometric mean of best peer / {engine} over {len(ratios)} rows: {geomean(ratios):.2f}.")
    lines += [
        "",
        "Relative RMSE against f64 on the same weights, seconds of compiling (first call less a steady call, Dynamo and AOT "
        "autograd; caches empty), peak memory of the process in MiB:",
        "",
        "| model | type | batch | eager error | ourc error | inductor s | inductor-tuned s | ourc s | eager MiB | ourc MiB |",
        "| --- " * 10 + "|",
    ]
    for row in rows:
        engines = row["engines"]

        def value(engine, name, form):
            known = engines.get(engine, {}).get(name)
            return "" if known is None else form.format(known)

        cells = [
            value("eager", "error", "{:.1e}"),
            value("ourc", "error", "{:.1e}"),
            value("inductor", "compile_s", "{:.1f}"),
            value("inductor-tuned", "compile_s", "{:.1f}"),
            value("ourc", "compile_s", "{:.2f}"),
        ]
        for engine in ("eager", "ourc"):
            known = engines.get(engine, {}).get("peak_bytes")
            cells.append("" if known is None else f"{known / 2**20:.0f}")
        lines.append(f"| {row['model']} | {row['dtype']} | {row['batch']} | {' | '.join(cells)} |")
    refused = [
        (engine, row["model"], row["dtype"], shown["refused"])
        for row in rows
        for engine, shown in row["engines"].items()
        if "refused" in shown and row["batch"] == min(r["batch"] for r in rows if r["model"] == row["model"])
    ]
    if refused:
        lines += ["", "Refused:", ""]
        lines += [f"- {engine}, {model}, {dtype}: {why}" for engine, model, dtype, why in sorted(refused)]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results")
    parser.add_argument("-o", "--output", default="docs/design/performance-models.md")
    given = parser.parse_args()
    rows = results.read(given.results)
    if not rows:
        raise SystemExit(f"{given.results} has no results")
    with open(given.output, "w", encoding="utf-8") as file:
        file.write(page(rows))


if __name__ == "__main__":
    main()
