# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Dynamic sizes without special cases.

torch specialises sizes 0 and 1, and takes equal sizes of a first call for one
symbol: a model compiled with dynamic=True is then compiled again for batch 1.
"""

from __future__ import annotations

import contextlib

import torch.fx.experimental._config as fx_config


@contextlib.contextmanager
def dynamic_sizes():
    """While this is active, torch.compile(..., dynamic=True) and torch.export
    treat every dynamic dimension alike, of size 1 or not, and each as a symbol
    of its own:

        with ourc.dynamic_sizes():
            compiled(ids, mask)  # the call that compiles
    """
    with fx_config.patch(backed_size_oblivious=True, use_duck_shape=False):
        yield
