#!/usr/bin/env python3
# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole models: ourc beside its peers.

usage: benchmarks/models.py [--model NAME]... [--engine NAME]... [--batch N]... [--dtype NAME]... [--json FILE] ...

Each engine has a process of its own; they take turns, and those whose turn it is not are blocked on a pipe. Printed for each
engine: the median milliseconds of a call, the ratio of the best peer's time to ourc's, the fraction of the floor (operations
over the peak of multiply-adds, or bytes over the bandwidth, both measured in the same run), the relative root mean square of
the error against f64 on the same weights, the seconds of compiling, the peak memory of the process. Results are merged into
the JSON file, which benchmarks/table.py makes tables of. Peers come from requirements-benchmarks.txt
(scripts/setup --benchmarks).

Compiling starts with empty caches; with --keep FOLDER caches and exports are kept there from run to run, engines load at the
same time, and seconds of compiling are not written.
"""

import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

import results

HERE = pathlib.Path(__file__).resolve().parent
MODELS = ["resnet50", "bert", "vit", "swin", "mobilenet", "gpt2", "decode", "unet"]
ENGINES = ["eager", "inductor", "inductor-tuned", "openvino", "onnxruntime", *results.OURS]


class Worker:
    """A process that does what it is told, one order at a time."""

    def __init__(self, threads, cache):
        self.scratch = tempfile.mkdtemp(prefix="ourc-benchmark-")
        environment = dict(os.environ)
        environment["OMP_NUM_THREADS"] = str(threads)
        environment["HF_HUB_OFFLINE"] = "1"
        environment["BENCHMARK_SCRATCH"] = self.scratch
        caches = pathlib.Path(cache or self.scratch)
        environment["TORCHINDUCTOR_CACHE_DIR"] = str(caches / "inductor")
        environment["OURC_CACHE_DIR"] = str(caches / "ourc")
        environment["PYTHONPATH"] = os.pathsep.join(
            [str(HERE.parent / "python"), *filter(None, [environment.get("PYTHONPATH")])]
        )
        self.log = open(os.path.join(self.scratch, "log"), "w+")
        self.process = subprocess.Popen(
            [sys.executable, str(HERE / "worker.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
            env=environment,
        )

    def send(self, **order):
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()

    def answer(self):
        line = self.process.stdout.readline()
        if line:
            return json.loads(line)
        self.process.wait()
        self.log.seek(0)
        lines = [text.strip() for text in self.log.read().splitlines() if text.strip()]
        return {"refused": f"ended with status {self.process.returncode}: {lines[-1] if lines else ''}"[:300]}

    def ask(self, **order):
        self.send(**order)
        return self.answer()

    def end(self):
        self.process.stdin.close()
        self.process.wait()
        self.log.close()
        shutil.rmtree(self.scratch, ignore_errors=True)


def measure(given, model, batch, dtype, peaks, say):
    """One row: a dictionary of what each engine showed."""
    with tempfile.TemporaryDirectory(prefix="ourc-benchmark-") as folder:
        reference = os.path.join(folder, "reference.pt")
        helper = Worker(given.threads, None)
        about = helper.ask(
            do="describe", model=model, batch=batch, dtype=dtype, threads=given.threads, reference=reference
        )
        helper.end()
        if "refused" in about:
            raise SystemExit(f"{model} cannot be made: {about['refused']}")
        row = {"model": model, "batch": batch, "dtype": dtype, "threads": given.threads, "engines": {}}
        row.update(flops=about["flops"], bytes=about["bytes"][dtype])
        workers = {}
        for engine in given.engine:
            keep = given.keep and str(pathlib.Path(given.keep).resolve() / f"{model}-{batch}")
            workers[engine] = Worker(given.threads, keep)
            workers[engine].send(
                do="load",
                engine=engine,
                model=model,
                batch=batch,
                dtype=dtype,
                threads=given.threads,
                cache=keep,
                reference=reference,
            )
            if not given.keep:
                row["engines"][engine] = workers[engine].answer()
        for engine in given.engine if given.keep else []:
            row["engines"][engine] = workers[engine].answer()
            row["engines"][engine].pop("compile_s", None)
            row["engines"][engine].pop("phases", None)
        ready = [engine for engine in given.engine if "refused" not in row["engines"][engine]]
        times = {engine: [] for engine in ready}
        for _ in range(given.rounds):
            for engine in list(times):
                shown = workers[engine].ask(do="run", seconds=given.seconds, most=given.most)
                if "refused" in shown:
                    row["engines"][engine] = shown
                    del times[engine]
                    continue
                times[engine] += shown["times"]
                row["engines"][engine]["peak_bytes"] = shown["peak_bytes"]
        for worker in workers.values():
            worker.end()
    peaks = peaks()
    row["peaks"] = peaks
    for engine, taken in times.items():
        row["engines"][engine].update(ms=1e3 * statistics.median(taken), calls=len(taken))
    results.derive(row)
    for engine in given.engine:
        say(results.line(row, engine))
    return row


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", action="append", help=f"of {', '.join(MODELS)}; by default all")
    parser.add_argument("--engine", action="append", choices=ENGINES)
    parser.add_argument("--batch", action="append", type=int, help="by default 1 and 8")
    parser.add_argument("--dtype", action="append", choices=["float32", "bfloat16"])
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--rounds", type=int, default=5, help="turns that each engine gets")
    parser.add_argument("--seconds", type=float, default=0.6, help="of a turn")
    parser.add_argument("--most", type=int, default=200, help="calls in a turn")
    parser.add_argument("--keep", help="a folder for caches and exports that are kept")
    parser.add_argument("--json", help="the file into which results are merged")
    given = parser.parse_args()
    given.model = given.model or MODELS
    given.engine = given.engine or ENGINES
    given.batch = given.batch or [1, 8]
    given.dtype = given.dtype or ["float32", "bfloat16"]
    return given


def main():
    given = parse()

    def peaks():
        helper = Worker(given.threads, None)
        answer = helper.ask(do="describe", model=None, threads=given.threads)
        helper.end()
        if "refused" in answer:
            raise SystemExit(f"the machine's peaks cannot be measured: {answer['refused']}")
        return answer["peaks"]

    print(results.HEADER)
    for model in given.model:
        for dtype in given.dtype:
            for batch in given.batch:
                row = measure(given, model, batch, dtype, peaks, lambda text: print(text, flush=True))
                if given.json:
                    results.merge(given.json, row)


if __name__ == "__main__":
    main()
