# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Torch tensors as DLTensor structs, without copies."""

from __future__ import annotations

import ctypes
from ctypes import POINTER, c_int64

import torch

from .dtypes import ELEMENT_TYPES
from .errors import OurcError
from .library import DLTensor

_CPU, _CUDA = 1, 2  # kDLCPU, kDLCUDA


def check_updated(tensor: torch.Tensor):
    """A lazily negated view cannot be written through."""
    if tensor.is_neg() or tensor.is_conj():
        raise OurcError(
            "a lazily negated or conjugated view cannot be updated in place; give its "
            "resolve_neg() or resolve_conj()"
        )


class TensorList:
    """An array of DLTensor structs, filled anew for each call."""

    def __init__(self, dtypes: list[torch.dtype], ranks: list[int]):
        count = len(dtypes)
        self.structs = (DLTensor * max(count, 1))()
        self.pointers = (POINTER(DLTensor) * max(count, 1))()
        self._shapes, self._strides = [], []
        self._resolved: dict[int, torch.Tensor] = {}
        for i, (dtype, rank) in enumerate(zip(dtypes, ranks)):
            struct, element = self.structs[i], ELEMENT_TYPES[dtype]
            shape, strides = (c_int64 * max(rank, 1))(), (c_int64 * max(rank, 1))()
            struct.device_type, struct.device_id = _CPU, 0
            struct.ndim = rank
            struct.code, struct.bits, struct.lanes = element.dlpack_code, element.bits, 1
            struct.shape = ctypes.cast(shape, POINTER(c_int64))
            self._shapes.append(shape)
            self._strides.append(strides)
            self.pointers[i] = ctypes.pointer(struct)

    def set(self, index: int, tensor: torch.Tensor):
        """Entry `index` stands for `tensor`, whose dtype is the declared one.
        The caller keeps the tensor alive while the entry is in use."""
        if tensor.is_neg() or tensor.is_conj():
            # The memory has other values than the tensor says: a copy is read.
            tensor = tensor.resolve_conj().resolve_neg()
            self._resolved[index] = tensor
        struct = self.structs[index]
        struct.data = tensor.data_ptr()
        rank = struct.ndim
        self._shapes[index][:rank] = tensor.shape
        if tensor.is_contiguous():
            struct.strides = None
        else:
            self._strides[index][:rank] = tensor.stride()
            struct.strides = ctypes.cast(self._strides[index], POINTER(c_int64))

    def place(self, index: int, tensor: torch.Tensor):
        """Entry `index` is where `tensor` is: on the CPU, or on a GPU."""
        struct = self.structs[index]
        struct.device_type = _CUDA if tensor.is_cuda else _CPU
        struct.device_id = (tensor.device.index or 0) if tensor.is_cuda else 0

    def set_size(self, index: int, value: int):
        """Entry `index` stands for a tensor of `value` x 0 elements."""
        self.structs[index].data = None
        self.structs[index].strides = None
        self._shapes[index][:2] = (value, 0)


def tensors_of(tensors: list[torch.Tensor]) -> TensorList:
    """The tensors as they are."""
    result = TensorList([t.dtype for t in tensors], [t.dim() for t in tensors])
    for index, tensor in enumerate(tensors):
        result.place(index, tensor)
        result.set(index, tensor)
    return result
