# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measured kernels: times of launches beside the least that the machine needs,
and the launches in torch.profiler's traces."""

from __future__ import annotations

import ctypes
import statistics
from dataclasses import dataclass
from ctypes import POINTER, c_int64

import torch

from .errors import OurcError
from .library import LaunchObserver, LaunchTime, MachinePeaks, library


def measure_peaks() -> dict:
    """What this machine does at most on the threads that loops use: `flops` and
    `flops16` (f32, and products of bf16 pairs) and `bandwidth`, a second."""
    peaks = MachinePeaks()
    # A first run wakes the threads.
    for _ in range(2):
        if library().ourc_machine_peaks(ctypes.byref(peaks)) != 0:
            raise OurcError(library().ourc_compile_error().decode())
    return {name: getattr(peaks, name) for name, _ in MachinePeaks._fields_}


@dataclass
class KernelTime:
    """What all launches of a kernel in one call took, beside its floor: the
    least time that operations, or memory, need at the machine's peaks."""

    name: str
    strategy: str
    schedule: str
    locations: list[str]
    launches: int
    seconds: float
    flops: int | None = None
    bytes: int | None = None
    floor: float | None = None
    limit: str | None = None

    @property
    def fraction(self) -> float | None:
        """Of the limit: 1 is as fast as the machine can. Above 1 where operands
        came from a cache, or padding was skipped."""
        if self.floor is None or not self.seconds:
            return None
        return self.floor / self.seconds


def floor_of(cost: dict, peaks: dict) -> tuple[float, str]:
    """The least seconds of a launch, and what they are needed for."""
    narrow = peaks.get("flops16") or peaks["flops"]
    compute = cost["flops"] / peaks["flops"] + cost["flops16"] / narrow
    moved = cost["bytes_read"] + cost["bytes_written"]
    memory = moved / peaks["bandwidth"]
    return max(compute, memory), "compute" if compute >= memory else "memory"


def kernel_times(report: dict, seconds: list[float], peaks: dict | None) -> list[KernelTime]:
    """One entry a kernel that a call launches, slowest first; `seconds` are
    those of each launch of report["sequence"]."""
    times: dict[int, KernelTime] = {}
    for launch, took in zip(report["sequence"], seconds):
        kernel = report["kernels"][launch["kernel"]]
        entry = times.get(launch["kernel"])
        if entry is None:
            entry = times[launch["kernel"]] = KernelTime(
                kernel["name"],
                kernel.get("strategy", ""),
                kernel.get("schedule", ""),
                [],
                0,
                0.0,
            )
        entry.launches += 1
        entry.seconds += took
        entry.locations += [p for p in launch["locations"] if p not in entry.locations]
    for index, entry in times.items():
        cost = report["kernels"][index].get("cost")
        if cost is None:
            continue
        entry.flops = (cost["flops"] + cost["flops16"]) * entry.launches
        entry.bytes = (cost["bytes_read"] + cost["bytes_written"]) * entry.launches
        if peaks is not None:
            least, entry.limit = floor_of(cost, peaks)
            entry.floor = least * entry.launches
    return sorted(times.values(), key=lambda entry: -entry.seconds)


def _places(locations: list[str], most: int = 4) -> str:
    """" from file.py:3, ...", each with the end of its path."""
    if not locations:
        return ""
    short = [place.rsplit("/", 1)[-1] for place in locations[:most]]
    return " from " + ", ".join(short) + (", ..." if len(locations) > most else "")


def table(times: list[KernelTime], peaks: dict | None, whole: float) -> str:
    """The times as text: a line a kernel, then its schedule and user lines."""
    launched = sum(entry.seconds for entry in times)
    lines = []
    if peaks is not None:
        lines.append(
            f"peaks measured: {peaks['flops'] / 1e9:.0f} GFLOP/s f32, "
            f"{peaks['flops16'] / 1e9:.0f} GFLOP/s bf16 pairs, "
            f"{peaks['bandwidth'] / 1e9:.1f} GB/s read, {peaks['threads']} threads"
        )
    lines.append(
        f"call {1e3 * whole:.3f} ms, of it {1e3 * launched:.3f} ms in "
        f"{sum(entry.launches for entry in times)} launches of {len(times)} kernels"
    )
    lines.append(
        f"{'ms':>9} {'share':>6} {'times':>5} {'floor ms':>9} {'of limit':>8} {'limit':>7} "
        f"{'GFLOP/s':>8} {'GB/s':>7}  kernel"
    )
    for entry in times:
        share = entry.seconds / launched if launched else 0.0
        known = entry.floor is not None
        floor = f"{1e3 * entry.floor:9.3f} {entry.fraction:8.2f} {entry.limit:>7}" if known else " " * 26
        rates = (
            f"{entry.flops / entry.seconds / 1e9:8.1f} {entry.bytes / entry.seconds / 1e9:7.1f}"
            if entry.flops is not None and entry.seconds
            else " " * 16
        )
        lines.append(
            f"{1e3 * entry.seconds:9.3f} {100 * share:5.1f}% {entry.launches:5} {floor} {rates}  "
            f"{entry.name}: {entry.strategy}"
        )
        lines.append(f"{'':12}{entry.schedule}{_places(entry.locations)}")
    floors = [entry.floor for entry in times if entry.floor is not None]
    if floors and launched:
        lines.append(f"sum of floors {1e3 * sum(floors):.3f} ms: {sum(floors) / launched:.2f} of the launches' time")
    return "\n".join(lines)


def median_launches(model, handle, call, runs: int) -> tuple[list[float], float]:
    """Runs call() and returns the median seconds of each launch of a call, and
    of the whole call (from its first launch to the end of its last)."""
    lib = library()

    def check(status: int):
        if status != 0:
            raise OurcError(lib.ourc_last_error().decode())

    samples: list[list[float]] = []
    wholes: list[float] = []
    check(lib.ourc_model_time_launches(handle, 1))
    try:
        times, count = POINTER(LaunchTime)(), c_int64()
        for _ in range(runs + 1):
            call()
            check(lib.ourc_model_launch_times(handle, ctypes.byref(times), ctypes.byref(count)))
            taken = [times[i] for i in range(count.value) if times[i].launch >= 0]
            samples.append([1e-9 * (t.end - t.begin) for t in taken])
            wholes.append(1e-9 * (taken[-1].end - taken[0].begin) if taken else 0.0)
    finally:
        check(lib.ourc_model_time_launches(handle, 0))
    # The first call may still have prepared weights and caches.
    columns = zip(*samples[1:])
    return [statistics.median(c) for c in columns], statistics.median(wholes[1:])


def profiler_is_on() -> bool:
    return torch.autograd.profiler._is_profiler_enabled


class LaunchRecorder:
    """Shows launches to torch.profiler, each under its kernel's name and user
    lines, while one is on."""

    def __init__(self, handle, report):
        self._handle = handle
        self._report = report
        self._names: dict[int, str] = {}
        self._open = None
        self._callback = LaunchObserver(self._on_launch)

    def __enter__(self):
        library().ourc_model_observe(self._handle, self._callback, None)

    def __exit__(self, *error):
        library().ourc_model_observe(self._handle, LaunchObserver(), None)

    def _on_launch(self, data, launch, ended):
        if ended:
            self._open.__exit__(None, None, None)
            return
        self._open = torch._C._profiler._RecordFunctionFast(self._name(launch))
        self._open.__enter__()

    def _name(self, launch: int) -> str:
        name = self._names.get(launch)
        if name is None:
            report = self._report()
            entry = report["sequence"][launch] if launch >= 0 else report["preparation"][-1 - launch]
            kernel = report["kernels"][entry["kernel"]]["name"]
            name = self._names[launch] = f"ourc::{kernel}{_places(entry['locations'])}"
        return name
