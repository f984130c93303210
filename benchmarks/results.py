# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measured rows: what follows from them, as text, and in a JSON file."""

from __future__ import annotations

import json
import os

HEADER = (
    f"{'model':10} {'batch':>5} {'dtype':8} {'engine':14} {'ms':>9} {'peer/ourc':>9} {'of floor':>8} {'error':>8} "
    f"{'compile s':>9} {'peak MiB':>8}"
)


# Through torch.compile, and compiled ahead of time. All others are peers.
OURS = ("ourc", "ourc-artifact")


def derive(row: dict):
    """Adds the floor, the best peer and its time over that of each of ours."""
    peaks = row["peaks"]
    rate = peaks["flops"] if row["dtype"] == "float32" else peaks["flops16"] or peaks["flops"]
    compute, memory = row["flops"] / rate, row["bytes"] / peaks["bandwidth"]
    row["floor_ms"] = 1e3 * max(compute, memory)
    row["limit"] = "compute" if compute >= memory else "memory"
    peers = {n: e["ms"] for n, e in row["engines"].items() if n not in OURS and "ms" in e}
    row["best_peer"] = min(peers, key=peers.get) if peers else None
    ours = {n: row["engines"].get(n, {}).get("ms") for n in OURS}
    row["ratios"] = {n: peers[row["best_peer"]] / ms for n, ms in ours.items() if peers and ms}


def line(row: dict, engine: str) -> str:
    shown = row["engines"][engine]
    start = f"{row['model']:10} {row['batch']:5} {row['dtype']:8} {engine:14} "
    if "ms" not in shown:
        return start + f"refused: {shown['refused']}"
    ratio = f"{'best' if engine == row['best_peer'] else '':>9}"
    if engine in row["ratios"]:
        ratio = f"{row['ratios'][engine]:9.2f}"
    seconds = f"{shown['compile_s']:9.2f}" if "compile_s" in shown else " " * 9
    return start + (
        f"{shown['ms']:9.2f} {ratio} {row['floor_ms'] / shown['ms']:8.2f} {shown['error']:8.1e} "
        f"{seconds} {shown['peak_bytes'] / 2**20:8.0f}"
    )


def key(row: dict) -> tuple:
    return row["model"], row["dtype"], row["batch"], row["threads"]


def read(path: str) -> list[dict]:
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def merge(path: str, row: dict):
    """Puts a row into the file. What an earlier run showed of engines that this
    one did not run stays, as do compile seconds where this run has none."""
    rows = read(path)
    for old in rows:
        if key(old) != key(row):
            continue
        for engine, shown in old["engines"].items():
            new = row["engines"].setdefault(engine, shown)
            for name in ("compile_s", "phases", "tracing_s", "first_s"):
                if "ms" in new and name in shown and "compile_s" not in new:
                    new[name] = shown[name]
    rows = [old for old in rows if key(old) != key(row)] + [row]
    derive(row)
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump(sorted(rows, key=key), file, indent=1)
    os.replace(path + ".new", path)
