#!/usr/bin/env python3
# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels of whole models beside the machine's limits, in the model's own order: weights are as cold as they are in use.

usage: benchmarks/layers.py [--model NAME]... [--batch N] [--dtype NAME] [--threads N] [--runs N] [--all]

A line for each strategy of a model: how often it is launched, its milliseconds in a call, its share of all launches, the
fraction of the limit (sum of floors over sum of times, so that what takes long weighs most), and the kernel that is furthest
from its limit among those that take a hundredth of the call or more. With --all every kernel. Peaks are measured in the same
process.
"""

import argparse
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "python"))


def show(name, given, ourc, zoo, torch):
    model, inputs = zoo.make(name, given.batch, getattr(torch, given.dtype))
    torch._dynamo.reset()
    explanation = ourc.explain(model, *inputs, measure=True, runs=given.runs)
    kernels = [kernel for times in explanation.times for kernel in times]
    whole = sum(kernel.seconds for kernel in kernels)
    strategies = {}
    for kernel in kernels:
        strategies.setdefault(kernel.strategy, []).append(kernel)
    for strategy, members in sorted(strategies.items(), key=lambda item: -sum(k.seconds for k in item[1])):
        taken = sum(k.seconds for k in members)
        known = [k for k in members if k.floor is not None]
        fraction = sum(k.floor for k in known) / sum(k.seconds for k in known) if known else float("nan")
        large = [k for k in known if k.seconds >= 0.01 * whole]
        worst = min(large, key=lambda k: k.fraction, default=None)
        told = f"{worst.fraction:5.2f} {worst.name} ({1e3 * worst.seconds / worst.launches:.3f} ms)" if worst else ""
        print(
            f"{name:10} {strategy:12} {sum(k.launches for k in members):8} {1e3 * taken:9.2f} {100 * taken / whole:5.1f}% "
            f"{fraction:8.2f}  {told}",
            flush=True,
        )
        for k in sorted(members, key=lambda k: -k.seconds) if given.all else []:
            part = f"{k.fraction:8.2f} {k.limit}" if k.floor is not None else ""
            print(f"{'':10} {'':12} {k.launches:8} {1e3 * k.seconds:9.3f} {'':6} {part}  {k.name} {k.schedule}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", action="append")
    parser.add_argument("--batch", type=int, default=1)
    parser.add_argument("--dtype", choices=["float32", "bfloat16"], default="float32")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--all", action="store_true", help="every kernel")
    given = parser.parse_args()
    os.environ["OMP_NUM_THREADS"] = str(given.threads)
    os.environ.setdefault("HF_HUB_OFFLINE", "1")

    import torch
    import zoo

    import ourc

    torch.set_num_threads(given.threads)
    print(f"{'model':10} {'strategy':12} {'launches':>8} {'ms':>9} {'share':>6} {'of limit':>8}  the furthest from it")
    for name in given.model or [name for name in zoo.MODELS if name not in zoo.TINY]:
        show(name, given, ourc, zoo, torch)


if __name__ == "__main__":
    main()
