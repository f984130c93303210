# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A compiled graph: what torch calls in place of the graph."""

from __future__ import annotations

import ctypes
import json
import threading
import time
import weakref
from ctypes import c_void_p

import torch

from .callsizes import result_sizes
from .device import DeviceTensorList, stream_of
from .dlpack import TensorList, check_updated
from .errors import CompileError, OurcError
from .importer import (
    AliasResult,
    ComputedResult,
    ConstantResult,
    ImportedGraph,
    SameResult,
    SizeResult,
)
from .library import MemoryStats, library
from .profile import KernelTime, LaunchRecorder, kernel_times, median_launches, profiler_is_on
from .weights import ParameterBinding

_live: "weakref.WeakSet[CompiledGraph]" = weakref.WeakSet()
_order = 0


def compilations() -> list["CompiledGraph"]:
    """The compiled graphs that are alive, oldest first."""
    return sorted(_live, key=lambda c: c.serial)


class Compilation:
    """Owns an OurcCompilation."""

    def __init__(self, text: str, options: dict):
        self.library = library()
        self.handle = c_void_p()
        encoded = text.encode()
        status = self.library.ourc_compile(
            encoded, len(encoded), json.dumps(options).encode(), ctypes.byref(self.handle)
        )
        if status != 0:
            raise CompileError(self.library.ourc_compile_error().decode())

    def check(self, status: int):
        if status != 0:
            raise OurcError(self.library.ourc_compile_error().decode())

    def model(self) -> c_void_p:
        model = c_void_p()
        self.check(
            self.library.ourc_compilation_model(self.handle, ctypes.byref(model))
        )
        return model

    def write(self, path: str):
        self.check(self.library.ourc_compilation_write(self.handle, path.encode()))

    def report(self) -> dict:
        return json.loads(self.library.ourc_compilation_report(self.handle).decode())

    def __del__(self):
        if getattr(self, "handle", None):
            self.library.ourc_compilation_destroy(self.handle)
            self.handle = None


class CompiledGraph:
    """A graph, compiled and loaded; called with the graph's flat arguments.

    The arguments come as one list, which is emptied (torch's boxed calling
    convention), so that inputs can be freed as soon as they are not needed.
    """

    _boxed_call = True

    def __init__(self, imported: ImportedGraph, options: dict, use_graphs: bool = False):
        global _order
        self.text = imported.text
        self.num_aten_ops = imported.num_ops
        self.options = dict(options)
        started = time.perf_counter()
        self._compilation = Compilation(imported.text, options)
        self._library = self._compilation.library
        self._model = self._compilation.model()
        self._compile_seconds = time.perf_counter() - started
        self._import_seconds = imported.seconds
        self._arguments = imported.inputs
        self._results = imported.results
        self._computed = [r for r in self._results if isinstance(r, ComputedResult)]
        self._inverse = {
            r.index: tuple(r.order.index(d) for d in range(len(r.order)))
            for r in self._computed
            if r.order != tuple(range(len(r.order)))
        }
        self._updates = imported.updates
        self._sizes = result_sizes(imported)
        # The GPU of the graph's tensors, or None.
        self._device = imported.device
        tensor_list = TensorList
        if str(options.get("target", "")).startswith("cuda:"):
            tensor_list = DeviceTensorList
            self._check(self._library.ourc_model_use_graphs(self._model, use_graphs))
        self._parameters = ParameterBinding(
            self._library,
            self._model,
            imported.parameters,
            imported.constants,
            # From the CPU to the GPU.
            copied=tensor_list is DeviceTensorList and self._device is None,
        )
        self._inputs = tensor_list(
            [a.dtype for a in self._arguments], [len(a.shape) for a in self._arguments]
        )
        if tensor_list is DeviceTensorList:
            self._inputs.orders = [a.order for a in self._arguments]
        written = [*self._computed, *self._updates]  # in the program's order
        self._outputs = tensor_list(
            [r.dtype for r in written], [len(r.shape) for r in written]
        )
        self._lock = threading.Lock()
        self._recorder = LaunchRecorder(self._model, lambda: self.report)
        _order += 1
        self.serial = _order
        _live.add(self)

    @property
    def report(self) -> dict:
        """The compiler's report: kernels, phases, remarks, memory."""
        return self._compilation.report()

    @property
    def seconds(self) -> dict[str, float]:
        """Seconds of the import, of each phase of the compiler, and in all."""
        phases = {"import": self._import_seconds}
        phases.update(self.report.get("phases", {}))
        phases["total"] = self._import_seconds + self._compile_seconds
        return phases

    @property
    def parameter_bindings(self) -> int:
        """How often parameters were bound (and prepared) so far."""
        return self._parameters.bindings

    def memory(self) -> dict:
        """Bytes of the arena in the last call, of separate buffers instead, the
        lower bound, the extra memory of prepared weights, and the allocations
        that the runtime has made since the model was created."""
        stats = MemoryStats()
        self._check(self._library.ourc_model_memory(self._model, ctypes.byref(stats)))
        return {
            "arena_bytes": stats.arenaBytes,
            "sum_of_buffers": stats.sumOfBuffers,
            "lower_bound": stats.lowerBound,
            "prepared_bytes": stats.preparedBytes,
            "allocations": stats.allocations,
        }

    def refresh(self):
        """Prepares weights anew in the next call, whatever the checks say."""
        with self._lock:
            self._parameters.refresh()

    def _check(self, status: int):
        if status != 0:
            raise OurcError(self._library.ourc_last_error().decode())

    def measure(self, call, runs: int = 20, peaks: dict | None = None) -> tuple[list[KernelTime], float]:
        """The median times of this graph's kernels over `runs` calls of call(),
        slowest first, and the seconds from the first launch to the last's end.
        With `peaks` (see profile.measure_peaks) each has its floor."""
        seconds, whole = median_launches(self, self._model, call, runs)
        return kernel_times(self.report, seconds, peaks), whole

    @property
    def graphs(self) -> dict | None:
        """What became of CUDA graphs: how often launches were captured, updated and
        replayed, and why a call was not captured. None where there is no GPU."""
        described = self._library.ourc_model_describe(self._model)
        return json.loads(described.decode()).get("graphs")

    def _run(self, num_results: int):
        stream = None if self._device is None else stream_of(self._device)
        self._check(
            self._library.ourc_model_run_on_stream(
                self._model,
                stream,
                self._inputs.pointers,
                len(self._arguments),
                self._outputs.pointers,
                num_results,
            )
        )

    def __call__(self, arguments: list) -> list:
        sizes = self._sizes(arguments)
        tensors = [
            torch.empty(shape, dtype=result.dtype, device=self._device)
            for result, shape in zip(self._results, sizes)
            if isinstance(result, ComputedResult)
        ]
        copied = []
        for update in self._updates:
            argument = arguments[update.position]
            check_updated(argument)
            if not update.in_place:
                new = torch.empty(argument.shape, dtype=argument.dtype, device=argument.device)
                copied.append((argument, new))
                argument = new
            tensors.append(argument)
        with self._lock:
            self._parameters.update(arguments)
            for index, argument in enumerate(self._arguments):
                value = arguments[argument.position]
                if argument.kind == "size":
                    self._inputs.set_size(index, value)
                else:
                    self._inputs.set(index, value)
            for index, tensor in enumerate(tensors):
                self._outputs.set(index, tensor)
            if profiler_is_on():
                with self._recorder:
                    self._run(len(tensors))
            else:
                self._run(len(tensors))
        for argument, new in copied:
            argument.copy_(new)
        for index, inverse in self._inverse.items():
            tensors[index] = tensors[index].permute(inverse)
        results = self._assemble(arguments, tensors, sizes)
        arguments.clear()
        return results

    def _assemble(self, arguments, tensors, sizes) -> list:
        results: list = []
        for result, size in zip(self._results, sizes):
            if isinstance(result, ComputedResult):
                results.append(tensors[result.index])
            elif isinstance(result, ConstantResult):
                results.append(result.value)
            elif isinstance(result, SizeResult):
                results.append(size)
            else:
                results.append(None)  # of another result, made below
        for index, (result, size) in enumerate(zip(self._results, sizes)):
            if isinstance(result, AliasResult):
                base = arguments[result.of] if result.of_argument else results[result.of]
                shape, strides, offset = size
                results[index] = base.as_strided(
                    shape, strides, base.storage_offset() + offset
                )
        for index, result in enumerate(self._results):
            if isinstance(result, SameResult):
                results[index] = results[result.of]
        return results
