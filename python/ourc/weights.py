# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parameters of a compiled program: bound by pointer, bound again when changed.

What was prepared from a frozen parameter (packed, folded) is stale as soon as
the parameter changes. Before each call three things are compared with those of
the last binding: the data pointers, torch's version counters, and a checksum
over a few words of each parameter, which notices writes through `.data` or
through another view of the memory. A write through `.data` to a few elements
of a large parameter (between the samples), or to one on a GPU (whose memory is
not sampled), goes unseen: refresh() is for that.
"""

from __future__ import annotations

import contextlib
import gc
import operator
import weakref
from ctypes import c_int64, c_void_p

import torch

from .dlpack import tensors_of
from .errors import OurcError
from .importer import Argument

SAMPLES = 32


@contextlib.contextmanager
def without_collection():
    """Keeps the garbage collector from walking all of the process's objects
    (a quarter of a second once models are loaded) because some are made."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _version(tensor: torch.Tensor) -> int:
    return 0 if tensor.is_inference() else tensor._version


# What is asked of each parameter before each call: hundreds of them, so no
# Python code runs for a single one.
_data_ptr = torch.Tensor.data_ptr
_get_version = operator.attrgetter("_version")


def _versions(tensors) -> list[int]:
    try:
        return list(map(_get_version, tensors))
    except RuntimeError:  # tensors made in inference mode count no versions
        return [_version(t) for t in tensors]


def _extent(tensor: torch.Tensor) -> int:
    """Bytes from the first element to the end of the last one."""
    if tensor.numel() == 0:
        return 0
    last = sum((n - 1) * s for n, s in zip(tensor.shape, tensor.stride()))
    return (last + 1) * tensor.element_size()


def _getter(positions: list[int]):
    """A function from a sequence to the tuple of what is at `positions`."""
    if len(positions) > 1:
        return operator.itemgetter(*positions)
    return lambda sequence: tuple(sequence[p] for p in positions)


class ParameterBinding:
    """Keeps a model's parameters bound to the tensors of each call."""

    def __init__(
        self, library, model: c_void_p, parameters: list[Argument], constants, copied=False
    ):
        """`copied`: the model copies parameters when they are bound, also those
        that are not frozen."""
        self._library = library
        self._model = model
        self._positions = [p.position for p in parameters]
        self._constants = [constants.get(p.attribute) for p in parameters]
        self._frozen = [i for i, p in enumerate(parameters) if copied or p.frozen]
        # The same parameters as tuples, where a call has all of them.
        self._take = _getter(self._positions) if None not in self._positions else None
        self._take_frozen = _getter(self._frozen)
        self._references: list[weakref.ref] = []
        self._deaths: list[weakref.ref] = []  # of those, since the binding
        self._identities: list[int] = []
        self._pointers: list[int] | None = None
        self._versions: list[int] = []
        self._checksum = 0
        self._tensors = None
        count = max(len(self._frozen), 1)
        self._buffers, self._bytes = (c_void_p * count)(), (c_int64 * count)()
        self.bindings = 0  # how often parameters were bound

    def update(self, arguments):
        """Binds the parameters among a call's flat arguments if they are not
        the bound ones, unchanged."""
        if not self._positions:
            return
        if self._take is not None:
            tensors = self._take(arguments)
        else:
            tensors = [
                arguments[p] if p is not None else c
                for p, c in zip(self._positions, self._constants)
            ]
        if self._is_current(tensors):
            return
        self._bind(tensors)

    def refresh(self):
        """Forgets the binding: the next call binds and prepares anew."""
        self._pointers = None

    def _is_current(self, tensors) -> bool:
        # The identity and the memory of a tensor that has died may be another's.
        if self._deaths or self._pointers != list(map(_data_ptr, tensors)):
            return False
        if self._identities != list(map(id, tensors)):
            return False
        if not self._frozen:
            return True
        frozen = self._take_frozen(tensors)
        return self._versions == _versions(frozen) and self._checksum == self._sample()

    def _sample(self) -> int:
        return self._library.ourc_sample_checksum(
            self._buffers, self._bytes, len(self._frozen), SAMPLES
        )

    def _bind(self, tensors):
        with without_collection():
            self._tensors = tensors_of(tensors)
        status = self._library.ourc_model_bind(
            self._model, self._tensors.pointers, len(tensors)
        )
        if status != 0:
            self._pointers = None
            raise OurcError(self._library.ourc_last_error().decode())
        for slot, index in enumerate(self._frozen):
            # What is on a GPU is not read for the sum.
            on_cpu = not tensors[index].is_cuda
            self._buffers[slot] = tensors[index].data_ptr() if on_cpu else None
            self._bytes[slot] = _extent(tensors[index]) if on_cpu else 0
        deaths: list[weakref.ref] = []
        self._deaths = deaths
        self._references = [weakref.ref(t, deaths.append) for t in tensors]
        self._identities = list(map(id, tensors))
        self._pointers = list(map(_data_ptr, tensors))
        self._versions = _versions(self._take_frozen(tensors))
        self._checksum = self._sample()
        self.bindings += 1
