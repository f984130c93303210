# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Element types: torch's name, MLIR's spelling and DLPack's code of each."""

from __future__ import annotations

from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class ElementType:
    """One element type as every neighbour of the importer spells it."""

    mlir: str
    dlpack_code: int
    bits: int
    unsigned: bool = False


_INT, _UINT, _FLOAT, _BFLOAT, _COMPLEX, _BOOL = 0, 1, 2, 4, 5, 6

ELEMENT_TYPES: dict[torch.dtype, ElementType] = {
    torch.float64: ElementType("f64", _FLOAT, 64),
    torch.float32: ElementType("f32", _FLOAT, 32),
    torch.float16: ElementType("f16", _FLOAT, 16),
    torch.bfloat16: ElementType("bf16", _BFLOAT, 16),
    torch.float8_e4m3fn: ElementType("f8E4M3FN", 10, 8),
    torch.float8_e5m2: ElementType("f8E5M2", 12, 8),
    torch.int64: ElementType("i64", _INT, 64),
    torch.int32: ElementType("i32", _INT, 32),
    torch.int16: ElementType("i16", _INT, 16),
    torch.int8: ElementType("i8", _INT, 8),
    torch.uint8: ElementType("i8", _UINT, 8, unsigned=True),
    torch.bool: ElementType("i1", _BOOL, 8),
    torch.complex64: ElementType("complex<f32>", _COMPLEX, 64),
    torch.complex128: ElementType("complex<f64>", _COMPLEX, 128),
}


def dtype_name(dtype: torch.dtype) -> str:
    """`float32` for torch.float32: how imported attributes name a dtype."""
    return str(dtype).removeprefix("torch.")
