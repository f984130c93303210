# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""libourc.so through ctypes: where it is, and the signatures of its C ABI."""

from __future__ import annotations

import ctypes
import functools
import os
from ctypes import (
    POINTER,
    c_char_p,
    c_double,
    c_int32,
    c_int64,
    c_size_t,
    c_uint8,
    c_uint16,
    c_uint64,
    c_void_p,
)
from pathlib import Path

from .errors import OurcError


class DLTensor(ctypes.Structure):
    """DLPack's tensor struct, as runtime/abi/DLPack.h declares it."""

    _fields_ = [
        ("data", c_void_p),
        ("device_type", c_int32),
        ("device_id", c_int32),
        ("ndim", c_int32),
        ("code", c_uint8),
        ("bits", c_uint8),
        ("lanes", c_uint16),
        ("shape", POINTER(c_int64)),
        ("strides", POINTER(c_int64)),
        ("byte_offset", c_uint64),
    ]


class MemoryStats(ctypes.Structure):
    """OurcMemoryStats of runtime/abi/Model.h."""

    _fields_ = [
        ("arenaBytes", c_int64),
        ("sumOfBuffers", c_int64),
        ("lowerBound", c_int64),
        ("preparedBytes", c_int64),
        ("allocations", c_int64),
    ]


class LaunchTime(ctypes.Structure):
    """OurcLaunchTime of runtime/abi/Model.h."""

    _fields_ = [("launch", c_int64), ("begin", c_int64), ("end", c_int64)]


class MachinePeaks(ctypes.Structure):
    """OurcMachinePeaks of compiler/CAPI.h."""

    _fields_ = [
        ("threads", c_int64),
        ("flops", c_double),
        ("flops16", c_double),
        ("bandwidth", c_double),
    ]


# OurcLaunchObserver: data, launch, ended.
LaunchObserver = ctypes.CFUNCTYPE(None, c_void_p, c_int64, c_int32)

_TENSORS = POINTER(POINTER(DLTensor))

# Functions of a model: in libourc.so and in every artifact.
_MODEL_FUNCTIONS = {
    "ourc_model_destroy": (None, [c_void_p]),
    "ourc_model_describe": (c_char_p, [c_void_p]),
    "ourc_model_bind": (c_int32, [c_void_p, _TENSORS, c_int64]),
    "ourc_model_prepare": (c_int32, [c_void_p]),
    "ourc_model_run": (c_int32, [c_void_p, _TENSORS, c_int64, _TENSORS, c_int64]),
    "ourc_model_run_on_stream": (
        c_int32,
        [c_void_p, c_void_p, _TENSORS, c_int64, _TENSORS, c_int64],
    ),
    "ourc_model_use_graphs": (c_int32, [c_void_p, c_int32]),
    "ourc_model_result_shapes": (
        c_int32,
        [c_void_p, _TENSORS, c_int64, POINTER(c_int64)],
    ),
    "ourc_model_memory": (c_int32, [c_void_p, POINTER(MemoryStats)]),
    "ourc_model_time_launches": (c_int32, [c_void_p, c_int32]),
    "ourc_model_launch_times": (
        c_int32,
        [c_void_p, POINTER(POINTER(LaunchTime)), POINTER(c_int64)],
    ),
    "ourc_model_observe": (c_int32, [c_void_p, LaunchObserver, c_void_p]),
    "ourc_last_error": (c_char_p, []),
}

_COMPILER_FUNCTIONS = {
    "ourc_compile": (c_int32, [c_char_p, c_size_t, c_char_p, POINTER(c_void_p)]),
    "ourc_compilation_model": (c_int32, [c_void_p, POINTER(c_void_p)]),
    "ourc_compilation_write": (c_int32, [c_void_p, c_char_p]),
    "ourc_compilation_report": (c_char_p, [c_void_p]),
    "ourc_compile_error": (c_char_p, []),
    "ourc_compilation_destroy": (None, [c_void_p]),
    "ourc_machine_peaks": (c_int32, [POINTER(MachinePeaks)]),
    "ourc_sample_checksum": (
        c_uint64,
        [POINTER(c_void_p), POINTER(c_int64), c_int64, c_int64],
    ),
}

_ARTIFACT_FUNCTIONS = {
    "ourc_model_create": (c_int32, [c_char_p, POINTER(c_void_p)]),
}


def _declare(library: ctypes.CDLL, functions: dict):
    for name, (result, arguments) in functions.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments


def library_path() -> Path:
    """OURC_LIBRARY, else the library of the installed package, else the one
    that the build of this source tree made."""
    override = os.environ.get("OURC_LIBRARY")
    if override:
        return Path(override)
    package = Path(__file__).resolve().parent
    candidates = [
        package / "lib" / "libourc.so",
        package.parent.parent / "bazel-bin" / "compiler" / "libourc.so",
    ]
    for candidate in candidates:
        if candidate.exists():
            return candidate
    raise OurcError(
        "libourc.so was not found at "
        + " or ".join(map(str, candidates))
        + "; build it (bazel build //compiler:libourc.so) or set OURC_LIBRARY"
    )


@functools.lru_cache(maxsize=None)
def library() -> ctypes.CDLL:
    """The compiler's library, loaded once."""
    path = library_path()
    try:
        loaded = ctypes.CDLL(str(path))
        _declare(loaded, _MODEL_FUNCTIONS | _COMPILER_FUNCTIONS)
    except (OSError, AttributeError) as error:
        raise OurcError(f"{path} cannot be loaded: {error}") from None
    return loaded


def load_artifact(path: str) -> ctypes.CDLL:
    """A compiled model's shared object."""
    try:
        loaded = ctypes.CDLL(os.path.abspath(path))
        _declare(loaded, _MODEL_FUNCTIONS | _ARTIFACT_FUNCTIONS)
    except (OSError, AttributeError) as error:
        raise OurcError(f"{path} is no artifact of ourc: {error}") from None
    return loaded
