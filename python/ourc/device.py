# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs whose tensors are on a GPU: what is compiled for, where results are made, whose stream is used."""

from __future__ import annotations

import torch

from .dlpack import TensorList
from .errors import CompileError

# What the compiler knows, by compute capability; code for one runs on later GPUs, as PTX.
_ARCHITECTURES = (80, 89, 90, 100)


def target_of(capability: tuple[int, int]) -> str:
    """The compiler's target for a GPU of this compute capability."""
    number = 10 * capability[0] + capability[1]
    known = [a for a in _ARCHITECTURES if a <= number]
    if not known:
        raise CompileError(
            f"a GPU of compute capability {capability[0]}.{capability[1]} is too old: "
            f"{_ARCHITECTURES[0] // 10}.{_ARCHITECTURES[0] % 10} or later is right"
        )
    return f"cuda:sm_{known[-1]}"


def with_target(options: dict, device: torch.device | None) -> dict:
    """The options of a graph whose tensors are on `device` (None: the CPU), with the target that follows."""
    if device is None:
        return options
    target = options.get("target")
    if target is None:
        return options | {"target": target_of(torch.cuda.get_device_capability(device))}
    if not target.startswith("cuda:"):
        raise CompileError(
            f"the graph's tensors are on {device}, where a program for '{target}' cannot run; leave "
            "the target out, or move the model and its inputs to the CPU"
        )
    return options


def stream_of(device: torch.device) -> int:
    """The stream that torch's work on `device` goes to now."""
    return torch.cuda.current_stream(device).cuda_stream


def _dense(tensor: torch.Tensor, order: tuple[int, ...] | None) -> torch.Tensor:
    """The tensor, or a copy whose elements lie in memory by `order` (None: row-major)."""
    if order is None:
        return tensor.contiguous()
    permuted = tensor.permute(order)
    if permuted.is_contiguous():
        return tensor
    inverse = tuple(order.index(d) for d in range(len(order)))
    return permuted.contiguous().permute(inverse)


class DeviceTensorList(TensorList):
    """Tensors of the GPU or of the CPU, as each call has them. What is on the GPU and not dense by the
    program's order of dimensions is copied there: kernels read it where it is."""

    def __init__(self, dtypes, ranks):
        super().__init__(dtypes, ranks)
        self.orders: list = [None] * len(dtypes)
        self._kept: list = [None] * len(dtypes)

    def set(self, index: int, tensor):
        if tensor.is_cuda:
            tensor = _dense(tensor, self.orders[index])
            # Torch gives its memory to nobody before what is in the stream is done.
            self._kept[index] = tensor
        self.place(index, tensor)
        super().set(index, tensor)
