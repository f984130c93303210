# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Errors of results against f64, and models in f64."""

import copy

import torch


def double(value):
    """A copy in f64 of a module, or of a tensor of floats."""
    if isinstance(value, torch.nn.Module):
        return copy.deepcopy(value).double()
    return value.double() if value.is_floating_point() else value


def relative_rmse(actual: torch.Tensor, reference: torch.Tensor) -> float:
    """Root mean square of the difference over that of the reference."""
    actual, reference = actual.double(), reference.double()
    scale = reference.square().mean().sqrt().item()
    error = (actual - reference).square().mean().sqrt().item()
    return error / scale if scale else error


def relative_max(actual: torch.Tensor, reference: torch.Tensor) -> float:
    """Largest difference over the largest value of the reference."""
    actual, reference = actual.double(), reference.double()
    scale = reference.abs().max().item()
    error = (actual - reference).abs().max().item()
    return error / scale if scale else error


def assert_close(actual, reference, tolerance=1e-5):
    assert actual.shape == reference.shape
    assert torch.isfinite(reference).all(), "the reference itself is not finite"
    error = relative_rmse(actual, reference)
    assert error <= tolerance, f"relative RMSE {error:.2e}"
