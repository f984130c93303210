# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One engine with one model in a process of its own, told what to do through a
pipe: a line of JSON in, a line of JSON out. Blocked on the pipe when idle."""

from __future__ import annotations

import json
import os
import resource
import sys
import time


def peak_memory() -> int:
    """Bytes of memory that this process has had at most."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def relative_error(result, reference) -> float:
    """The root mean square of the error, relative to the reference's."""
    import torch

    if not isinstance(result, torch.Tensor):
        result = torch.as_tensor(result)
    reference = reference.double()
    return ((result.double() - reference).pow(2).mean() / reference.pow(2).mean()).sqrt().item()


def load(order: dict) -> dict:
    import engines
    import torch
    import zoo

    torch.set_num_threads(order["threads"])
    model, inputs = zoo.make(order["model"], order["batch"], getattr(torch, order["dtype"]))
    engine = engines.ENGINES[order["engine"]](order["threads"], order["cache"])
    with torch.no_grad():
        try:
            engine.prepare(model, inputs)
            start = time.perf_counter()
            result = engine.call()
            first = time.perf_counter() - start
        except Exception as error:  # an engine's own way to say no
            return {"refused": engines.reason(error)}
        for _ in range(2):
            start = time.perf_counter()
            engine.call()
            steady = time.perf_counter() - start
    memory = peak_memory()
    answer = {"first_s": first, "peak_bytes": memory, "error": None}
    answer.update(engine.compile_seconds(first, steady))
    if order["reference"]:
        answer["error"] = relative_error(result, torch.load(order["reference"]))
    load.engine = engine
    return answer


def run(order: dict) -> dict:
    """Calls for about order["seconds"], at least three."""
    import torch

    times, began = [], time.perf_counter()
    with torch.no_grad():
        while len(times) < 3 or time.perf_counter() - began < order["seconds"]:
            start = time.perf_counter()
            load.engine.call()
            times.append(time.perf_counter() - start)
            if len(times) >= order["most"]:
                break
    return {"times": times, "peak_bytes": peak_memory()}


def describe(order: dict) -> dict:
    """The reference result in f64, the work of a call, this machine's peaks."""
    import torch
    import zoo
    from ourc.profile import measure_peaks

    torch.set_num_threads(order["threads"])
    answer = {}
    if order["model"]:
        flops, sizes = zoo.work(order["model"], order["batch"])
        answer["flops"] = flops
        answer["bytes"] = {str(dtype).split(".")[1]: size for dtype, size in sizes.items()}
        if order["reference"]:
            # Of weights in the type that is measured: the error is that of
            # computing, not of rounding what everyone is given.
            model, inputs = zoo.make(order["model"], order["batch"], getattr(torch, order["dtype"]))
            model = model.double()
            inputs = [x.double() if x.is_floating_point() else x for x in inputs]
            with torch.no_grad():
                torch.save(model(*inputs), order["reference"])
    else:
        answer["peaks"] = measure_peaks()
    return answer


def main():
    # What engines print must not reach the pipe.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    tasks = {"load": load, "run": run, "describe": describe}
    for line in sys.stdin:
        order = json.loads(line)
        answers.write(json.dumps(tasks[order["do"]](order)) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
