# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Artifacts, called from Python on torch tensors."""

from __future__ import annotations

import ctypes
import json
import threading
from ctypes import c_int64, c_void_p
from pathlib import Path

import torch

from .device import stream_of
from .dlpack import TensorList, check_updated, tensors_of
from .errors import OurcError
from .library import load_artifact


class _Signature:
    """The dtypes and sizes that a program declares of tensors."""

    def __init__(self, declared: list[dict]):
        self.dtypes = [getattr(torch, d["dtype"]) for d in declared]
        self.ranks = [len(d["shape"]) for d in declared]
        # None where a size is known at the call only.
        self.shapes = [d["shape"] for d in declared]
        if not all(isinstance(size, int) for shape in self.shapes for size in shape):
            self.shapes = None

    def describes(self, tensors) -> bool:
        """Whether the tensors are on the CPU, of these dtypes and ranks."""
        return len(tensors) == len(self.dtypes) and all(
            t.dtype == dtype and t.dim() == rank and t.device.type == "cpu"
            for t, dtype, rank in zip(tensors, self.dtypes, self.ranks)
        )


class _CallStructs(threading.local):
    """The structs of a thread's calls, made once."""

    def __init__(self, inputs: _Signature, results: _Signature):
        self.inputs = TensorList(inputs.dtypes, inputs.ranks)
        self.results = TensorList(results.dtypes, results.ranks)


class Artifact:
    """A model.so with the weights beside it. Called with the program's inputs
    in order; returns the list of its results. A result that updates an input is
    that input."""

    def __init__(self, path: str | Path, weights: str | Path | None = None):
        path = Path(path)
        self._library = load_artifact(str(path))
        if weights is None:
            beside = path.with_suffix(".safetensors")
            weights = beside if beside.exists() else None
        self._model = c_void_p()
        self._check(
            self._library.ourc_model_create(
                None if weights is None else str(weights).encode(),
                ctypes.byref(self._model),
            )
        )
        description = self.describe()
        self._updates = [r.get("updates") for r in description["results"]]
        self._inputs = _Signature(description["inputs"])
        self._results = _Signature(description["results"])
        self._structs = _CallStructs(self._inputs, self._results)

    def describe(self) -> dict:
        """Inputs, results, symbols and memory of the program."""
        text = self._library.ourc_model_describe(self._model)
        if text is None:
            raise OurcError(self._library.ourc_last_error().decode())
        return json.loads(text.decode())

    def __call__(self, *inputs: torch.Tensor) -> list[torch.Tensor]:
        # The GPU of the inputs, if any: its current stream does the work.
        device = next((i.device for i in inputs if i.is_cuda), None)
        if self._inputs.describes(inputs):
            given, made = self._structs.inputs, self._structs.results
            for index, tensor in enumerate(inputs):
                given.set(index, tensor)
        else:  # on a GPU, or not what the runtime will take
            given, made = tensors_of(list(inputs)), None
        results = [
            inputs[updated]
            if updated is not None and updated < len(inputs)
            else torch.empty(shape, dtype=dtype, device=device)
            for updated, shape, dtype in zip(
                self._updates, self._result_shapes(given, len(inputs)), self._results.dtypes
            )
        ]
        for updated in self._updates:
            if updated is not None and updated < len(inputs):
                check_updated(inputs[updated])
        if made is None or not self._results.describes(results):
            made = tensors_of(results)
        else:
            for index, tensor in enumerate(results):
                made.set(index, tensor)
        self._check(
            self._library.ourc_model_run_on_stream(
                self._model,
                None if device is None else stream_of(device),
                given.pointers,
                len(inputs),
                made.pointers,
                len(results),
            )
        )
        return results

    def _result_shapes(self, given: TensorList, count: int) -> list:
        """The results' shapes, which may follow from those of the inputs."""
        if self._results.shapes is not None:
            return self._results.shapes
        ranks = self._results.ranks
        sizes = (c_int64 * max(sum(ranks), 1))()
        self._check(
            self._library.ourc_model_result_shapes(self._model, given.pointers, count, sizes)
        )
        shapes, start = [], 0
        for rank in ranks:
            shapes.append(sizes[start : start + rank])
            start += rank
        return shapes

    def _check(self, status: int):
        if status != 0:
            raise OurcError(self._library.ourc_last_error().decode())

    def __del__(self):
        if getattr(self, "_model", None):
            self._library.ourc_model_destroy(self._model)
            self._model = None


def load(path: str | Path, weights: str | Path | None = None) -> Artifact:
    """Loads an artifact, with the weights beside it or the given ones."""
    return Artifact(path, weights)
