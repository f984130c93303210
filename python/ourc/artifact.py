# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Artifacts, called from Python on torch tensors."""

from __future__ import annotations

import ctypes
import json
from ctypes import c_int64, c_void_p
from pathlib import Path

import torch

from .device import stream_of
from .dlpack import tensors_of
from .errors import OurcError
from .library import load_artifact


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
        self._results = description["results"]
        self._ranks = [len(r["shape"]) for r in self._results]

    def describe(self) -> dict:
        """Inputs, results, symbols and memory of the program."""
        text = self._library.ourc_model_describe(self._model)
        if text is None:
            raise OurcError(self._library.ourc_last_error().decode())
        return json.loads(text.decode())

    def __call__(self, *inputs: torch.Tensor) -> list[torch.Tensor]:
        # The GPU of the inputs, if any: its current stream does the work.
        device = next((i.device for i in inputs if i.is_cuda), None)
        given = tensors_of(list(inputs))
        shapes = (c_int64 * max(sum(self._ranks), 1))()
        self._check(
            self._library.ourc_model_result_shapes(
                self._model, given.pointers, len(inputs), shapes
            )
        )
        results, start = [], 0
        for result, rank in zip(self._results, self._ranks):
            shape = shapes[start : start + rank]
            if "updates" in result and result["updates"] < len(inputs):
                results.append(inputs[result["updates"]])
                start += rank
                continue
            results.append(
                torch.empty(shape, dtype=getattr(torch, result["dtype"]), device=device)
            )
            start += rank
        made = tensors_of(results)
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
