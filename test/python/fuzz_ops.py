# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random small programs, compiled by ourc and compared with eager PyTorch.

    python test/python/fuzz_ops.py --seed 0 --count 500 [--target cpu:x86-64-v3]

A seed names one program: its text, its inputs and how it is compiled. Programs
run in a process of their own, so that a crash or a hang is a finding as well.
An operator that is refused by name is none.
"""

from __future__ import annotations

import argparse
import collections
import ctypes
import mmap
import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))

FLOATS = [torch.float32] * 8 + [torch.float64, torch.float16, torch.bfloat16]
INTS = [torch.int64, torch.int64, torch.int32, torch.bool, torch.int8, torch.int16]
SIZES = [1, 2, 3, 4, 5, 7, 8, 13, 16, 17, 31, 33, 64, 65]
# Of the largest finite result.
TOLERANCE = {
    torch.float64: 1e-9,
    torch.float32: 5e-5,
    torch.float16: 1e-2,
    torch.bfloat16: 8e-2,
}
MAX_ELEMENTS = 1 << 17
EDGES = [0.0, -0.0, 1.0, -1.0, 1e-40, -1e-40, 88.8, -104.0]
EDGES += [float("inf"), float("-inf"), float("nan")]


@dataclass
class Program:
    seed: int
    lines: list[str] = field(default_factory=list)
    inputs: list[torch.Tensor] = field(default_factory=list)
    results: list[str] = field(default_factory=list)
    dynamic: bool = False
    has_edges: bool = False
    dtype: torch.dtype = torch.float64

    def text(self) -> str:
        names = ", ".join(f"x{i}" for i in range(len(self.inputs)))
        body = "".join(f"    {line}\n" for line in self.lines)
        return f"def program({names}):\n{body}    return ({', '.join(self.results)},)\n"

    def function(self):
        # A file of its own: Dynamo asks for the source's lines.
        import linecache

        name = f"<program {self.seed}>"
        text = self.text()
        linecache.cache[name] = (len(text), None, text.splitlines(True), name)
        scope = {"torch": torch, "F": torch.nn.functional}
        exec(compile(text, name, "exec"), scope)
        return scope["program"]

    def describe(self) -> str:
        inputs = "".join(
            f"# x{i}: {str(x.dtype)[6:]} {tuple(x.shape)} strides {x.stride()}\n"
            for i, x in enumerate(self.inputs)
        )
        return f"# seed {self.seed} dynamic={self.dynamic}\n{inputs}{self.text()}"


class Maker:
    """Grows one program, one statement that eager PyTorch accepts at a time."""

    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.generator = torch.Generator().manual_seed(seed)
        self.program = Program(seed)
        self.scope = {"torch": torch, "F": torch.nn.functional}
        self.values: dict[str, torch.Tensor] = {}

    # Inputs ---------------------------------------------------------------

    def data(self, shape, dtype, edges=False) -> torch.Tensor:
        if dtype == torch.bool:
            return torch.rand(shape, generator=self.generator) > 0.5
        if not dtype.is_floating_point:
            return torch.randint(-9, 10, shape, generator=self.generator).to(dtype)
        x = torch.randn(shape, generator=self.generator, dtype=torch.float64)
        if edges and x.numel():
            at = torch.rand(shape, generator=self.generator) < 0.2
            which = torch.randint(0, len(EDGES), shape, generator=self.generator)
            x = torch.where(at, torch.tensor(EDGES, dtype=torch.float64)[which], x)
        return x.to(dtype)

    def stored(self, shape, dtype, edges=False) -> torch.Tensor:
        """Contiguous, transposed, channels last, a slice, or with repeats."""
        way = self.random.choice(["plain"] * 5 + ["transposed", "last", "slice", "step", "expand"])
        rank = len(shape)
        if way == "transposed" and rank >= 2:
            return self.data(shape[::-1], dtype, edges).permute(*range(rank - 1, -1, -1))
        if way == "last" and rank == 4:
            return self.data(shape, dtype, edges).to(memory_format=torch.channels_last)
        if way == "slice" and rank >= 1:
            return self.data([*shape[:-1], shape[-1] + 3], dtype, edges)[..., 1:-2]
        if way == "step" and rank >= 1:
            return self.data([*shape[:-1], shape[-1] * 2], dtype, edges)[..., ::2]
        if way == "expand" and rank >= 2:
            return self.data([1, *shape[1:]], dtype, edges).expand(shape)
        return self.data(shape, dtype, edges)

    def add_input(self, shape, dtype, edges=False) -> str:
        name = f"x{len(self.program.inputs)}"
        x = self.stored(list(shape), dtype, edges)
        self.program.inputs.append(x)
        self.values[name] = self.scope[name] = x
        self.note(x)
        return name

    def note(self, x: torch.Tensor):
        if TOLERANCE.get(x.dtype, 0) > TOLERANCE[self.program.dtype]:
            self.program.dtype = x.dtype

    def size(self) -> int:
        return 0 if self.random.random() < 0.02 else self.random.choice(SIZES)

    def is_rare(self) -> bool:
        """Whether to take what ourc may not support: a few programs in a
        hundred, as one such statement ends a program."""
        return self.random.random() < 0.03

    # Statements -----------------------------------------------------------

    def add(self, expression: str) -> bool:
        """Appends `name = expression` where eager PyTorch can do it."""
        try:
            value = eval(expression, self.scope)
        except Exception:  # of any kind: the statement is left out
            return False
        names = []
        values = value if isinstance(value, (tuple, list)) else [value]
        if not all(isinstance(v, torch.Tensor) for v in values):
            return False
        if not values or any(v.numel() > MAX_ELEMENTS or v.is_complex() for v in values):
            return False
        for v in values:
            self.note(v)
            name = f"v{len(self.values)}"
            names.append(name)
            self.values[name] = self.scope[name] = v
        left = ", ".join(names) + ("," if isinstance(value, (tuple, list)) else "")
        self.program.lines.append(f"{left} = {expression}")
        return True

    def pick(self) -> str:
        names = list(self.values)
        return self.random.choice(names[-3:] if self.random.random() < 0.7 else names)

    def dims(self, rank: int) -> list[int]:
        chosen = [d for d in range(rank) if self.random.random() < 0.5]
        if not chosen and rank:
            chosen = [self.random.randrange(rank)]
        return [d - rank if self.random.random() < 0.3 else d for d in chosen]

    def dim(self, rank: int) -> int:
        return self.random.randrange(-rank, rank) if rank else 0

    def split_of(self, size: int) -> list[int]:
        divisors = [d for d in range(1, size + 1) if size % d == 0] or [1]
        a = self.random.choice(divisors)
        return [a, size // a] if size else [1, 0]

    def step(self) -> bool:
        kinds = [m for m in dir(self) if m.startswith("make_")]
        return getattr(self, self.random.choice(kinds))(self.pick())

    def make_unary(self, x):
        f = self.random.choice(
            "abs ceil cos erf exp expm1 floor log log1p neg rsqrt sigmoid sin sqrt tanh trunc "
            "reciprocal relu square isfinite logical_not bitwise_not".split()
        )
        if self.is_rare():
            f = self.random.choice("sign round isnan isinf exp2 log2 acos".split())
        return self.add(f"torch.{f}({x})")

    def make_activation(self, x):
        f = self.random.choice(
            [
                "gelu({})",
                "gelu({}, approximate='tanh')",
                "silu({})",
                "leaky_relu({}, 0.1)",
                "hardswish({})",
                "hardsigmoid({})",
                "relu6({})",
                "hardtanh({}, -0.7, 0.3)",
            ]
            + ["elu({})", "mish({})", "softplus({})"] * self.is_rare()
        )
        return self.add("F." + f.format(x))

    def make_binary(self, x):
        op = self.random.choice(["+", "-", "*", "/", "==", "<", ">=", "!=", "**", "&", "|", "^"])
        if self.is_rare():
            op = self.random.choice(["//", "%"])
        other = self.pick()
        if self.random.random() < 0.3:
            other = self.random.choice(["0.5", "2", "-3", "0.1", "True", "1e-3", "float('inf')"])
        left, right = (x, other) if self.random.random() < 0.7 else (other, x)
        return self.add(f"{left} {op} {right}")

    def make_broadcast(self, x):
        """Beside a new input of a shape that broadcasts."""
        shape = [1 if self.random.random() < 0.4 else s for s in self.values[x].shape]
        shape = shape[self.random.randrange(len(shape) + 1) :]
        dtype = self.random.choice([self.values[x].dtype] * 3 + FLOATS + INTS)
        other = self.add_input(shape, dtype, self.program.has_edges)
        f = self.random.choice(
            ["{} + {}", "{} * {}", "{} - {}", "torch.maximum({}, {})", "torch.minimum({}, {})"]
            + ["torch.where({1} > 0, {0}, {1})", "{} / {}", "torch.pow({}, {})", "{} < {}"]
        )
        return self.add(f.format(x, other))

    def make_alpha(self, x):
        f = self.random.choice(["add", "sub", "rsub"])
        return self.add(f"torch.{f}({x}, {self.pick()}, alpha={self.random.choice([2, 0.5, -1])})")

    def make_clamp(self, x):
        f = self.random.choice(
            ["clamp({}, -0.5, 0.7)", "clamp({}, min=0)", "clamp({}, max=1.5)"]
            + ["clamp({}, min={y})", "clamp({0}, {y}, {0})"]
        )
        return self.add("torch." + f.format(x, y=self.pick()))

    def make_cast(self, x):
        # What a NaN or an infinity becomes as an integer, PyTorch leaves open.
        is_finite = bool(self.values[x].isfinite().all())
        dtype = self.random.choice(FLOATS + INTS * is_finite)
        return self.add(f"{x}.to({dtype})")

    def make_reduce(self, x):
        f = self.random.choice("sum mean amax amin var std all any prod".split())
        if self.is_rare():
            f = "logsumexp"
        rank = self.values[x].dim()
        if self.random.random() < 0.15 and f != "logsumexp":
            f = f.replace("amax", "max").replace("amin", "min")
            return self.add(f"torch.{f}({x})")
        dims = self.dims(rank)
        dim = dims[0] if f == "prod" and dims else tuple(dims)
        return self.add(f"torch.{f}({x}, dim={dim}, keepdim={self.random.random() < 0.5})")

    def make_norm(self, x):
        order = self.random.choice(["2", "1", "float('inf')", "0", "3"])
        return self.add(
            f"torch.linalg.vector_norm({x}, {order}, dim={tuple(self.dims(self.values[x].dim()))})"
        )

    def make_dim_function(self, x):
        f = self.random.choice(
            "softmax log_softmax max min".split()
            + "cumsum argmax sort flip".split() * self.is_rare()
        )
        d = self.dim(self.values[x].dim())
        text = {"flip": f"torch.flip({x}, ({d},))", "max": f"torch.max({x}, {d})[0]", "min": f"torch.min({x}, {d})[0]"}
        return self.add(text.get(f, f"torch.{f}({x}, {d})"))

    def make_layer_norm(self, x):
        shape = list(self.values[x].shape)
        if not shape:
            return False
        shape = shape[-self.random.randint(1, min(2, len(shape))) :]
        if self.random.random() < 0.3:
            return self.add(f"F.layer_norm({x}, {shape})")
        w = self.add_input(shape, self.values[x].dtype)
        b = self.add_input(shape, self.values[x].dtype)
        return self.add(f"F.layer_norm({x}, {shape}, {w}, {b})")

    def make_other_norm(self, x):
        shape = list(self.values[x].shape)
        if len(shape) < 2:
            return False
        dtype = self.values[x].dtype
        if self.is_rare():
            groups = self.split_of(shape[1])[0]
            return self.add(f"F.group_norm({x}, {groups})")
        a = [self.add_input([shape[1]], dtype) for _ in range(4)]
        return self.add(f"F.batch_norm({x}, {a[0]}, {a[1]}.abs() + 0.1, {a[2]}, {a[3]})")

    def make_product(self, x):
        shape = list(self.values[x].shape)
        if not shape:
            return False
        n, dtype = self.size(), self.values[x].dtype
        way = self.random.choice(["mm", "linear", "linear", "batched", "transposed", "vector", "einsum"])
        if way == "linear":
            w = self.add_input([n, shape[-1]], dtype)
            if self.random.random() < 0.5:
                return self.add(f"F.linear({x}, {w})")
            return self.add(f"F.linear({x}, {w}, {self.add_input([n], dtype)})")
        if way == "batched" and len(shape) > 2:
            batch = [1 if self.random.random() < 0.3 else s for s in shape[:-2]]
            return self.add(f"{x} @ {self.add_input([*batch, shape[-1], n], dtype)}")
        if way == "transposed" and len(shape) > 1:
            return self.add(f"{x} @ {x}.transpose(-1, -2)")
        if way == "vector":
            return self.add(f"{x} @ {self.add_input([shape[-1]], dtype)}")
        if way == "einsum" and len(shape) == 3:
            return self.add(f"torch.einsum('bij,bkj->bki', {x}, {x})")
        return self.add(f"{x} @ {self.add_input([shape[-1], n], dtype)}")

    def make_convolution(self, x):
        shape = list(self.values[x].shape)
        count = len(shape) - 2
        if count not in (1, 2, 3):
            return False
        r, channels = self.random, shape[1]
        groups = r.choice([1, 1, 1, channels, self.split_of(channels)[0]]) or 1
        per_group = channels // groups
        out = groups * r.choice([1, 2, 3, 5, 8])
        kernel = [r.choice([1, 1, 2, 3, 3, 5]) for _ in range(count)]
        w = self.add_input([out, per_group, *kernel], self.values[x].dtype)
        arguments = [x, w]
        if r.random() < 0.5:
            arguments.append(self.add_input([out], self.values[x].dtype))
        stride = [r.choice([1, 1, 2, 3]) for _ in range(count)]
        padding = [r.choice([0, 1, 2]) for _ in range(count)]
        dilation = [r.choice([1, 1, 2]) for _ in range(count)]
        padding = r.choice([repr(padding)] * 4 + ["'same'", "'valid'"])
        if padding == "'same'":
            stride = [1] * count
        return self.add(
            f"F.conv{count}d({', '.join(arguments)}, stride={stride}, padding={padding}, "
            f"dilation={dilation}, groups={groups})"
            if len(arguments) == 3
            else f"F.conv{count}d({', '.join(arguments)}, None, {stride}, {padding}, {dilation}, {groups})"
        )

    def make_pool(self, x):
        count = self.values[x].dim() - 2
        if count not in (1, 2, 3):
            return False
        r = self.random
        kernel = [r.choice([1, 2, 3]) for _ in range(count)]
        stride = [r.choice([1, 2, 3]) for _ in range(count)]
        padding = [r.choice([0, 0, k // 2]) for k in kernel]
        ceil = r.random() < 0.3
        f = r.choice(
            [
                f"max_pool{count}d({x}, {kernel}, {stride}, {padding}, ceil_mode={ceil})",
                f"max_pool{count}d({x}, {kernel}, {stride}, {padding}, {[r.choice([1, 2]) for _ in kernel]})",
                f"avg_pool{count}d({x}, {kernel}, {stride}, {padding}, {ceil}, {r.random() < 0.5})",
                f"adaptive_avg_pool{count}d({x}, {[r.choice([1, 1, 2, 3]) for _ in kernel]})",
            ]
        )
        return self.add("F." + f)

    def make_view(self, x):
        shape, r = list(self.values[x].shape), self.random
        rank = len(shape)
        order = list(range(rank))
        r.shuffle(order)
        d = self.dim(rank)
        a, b = self.split_of(shape[d]) if rank else (1, 1)
        split = [*shape[: d % rank], a, b, *shape[d % rank + 1 :]] if rank else [1, 1]
        repeats = [r.choice([1, 1, 2, 3]) for _ in shape]
        f = r.choice(
            [
                f"permute({order})",
                f"unsqueeze({r.randrange(-rank - 1, rank + 1)})",
                "squeeze()",
                f"squeeze({d})",
                f"reshape({split})",
                "reshape(-1)",
                "flatten(1)",
                f"transpose({d}, {self.dim(rank)})",
                "contiguous()",
                "clone()",
                f"repeat({repeats})",
                f"expand({[r.choice([1, 2, 3])]} + list({x}.shape))",
                f"narrow({d}, 0, {x}.shape[{d}] // 2)",
                f"roll(1, {d})" if self.is_rare() else "clone()",
                f"movedim({d}, {self.dim(rank)})",
            ]
        )
        return self.add(f"{x}.{f}")

    def make_slice(self, x):
        r, parts = self.random, []
        for size in self.values[x].shape:
            start = r.randint(-size - 1, size + 1)
            parts.append(
                r.choice(
                    [":", "1:", ":-1", "::2", "1::3", f"{start}:", "None", "...", "-1", "0"]
                    + [f"{start}:{r.randint(-size - 1, size + 2)}:{r.choice([1, 2, 3])}"]
                )
            )
        return self.add(f"{x}[{', '.join(parts) or '...'}]")

    def make_joined(self, x):
        r, y = self.random, self.pick()
        d = self.dim(self.values[x].dim())
        f = r.choice(
            [f"torch.cat([{x}, {y}], {d})", f"torch.stack([{x}, {y}], {d})"]
            + [f"torch.cat([{x}, {x}, {x}], {d})", f"torch.cat([{x}[:0], {x}])"]
        )
        return self.add(f)

    def make_parts(self, x):
        r, d = self.random, self.dim(self.values[x].dim())
        f = r.choice([f"split({r.choice([1, 2, 3])}, {d})", f"chunk({r.choice([2, 3])}, {d})", f"unbind({d})"])
        if self.values[x].dim() and self.values[x].shape[d] > 13:
            f = f"chunk(2, {d})"
        return self.add(f"{x}.{f}")

    def make_pad(self, x):
        r = self.random
        amounts = [r.choice([0, 1, 2, -1]) for _ in range(2 * r.randint(1, max(1, self.values[x].dim())))]
        mode = "reflect" if self.is_rare() else "constant"
        value = f", value={r.choice([0, 0.5, -1, 3])}" if mode == "constant" else ""
        return self.add(f"F.pad({x}, {amounts}, mode='{mode}'{value})")

    def make_index(self, x):
        shape, r = list(self.values[x].shape), self.random
        if not shape or not all(shape):
            return False
        d = r.randrange(len(shape))
        count = r.choice([1, 3, 7])
        name = f"x{len(self.program.inputs)}"
        dtype = r.choice([torch.int64, torch.int64, torch.int32])
        low = r.choice([0, -shape[d]])
        f = r.choice(["index_select", "index", "gather", "embedding", "mask", "pair"])
        if f == "pair" and len(shape) > 1:
            index = torch.randint(0, min(shape[0], shape[-1]), (count,), generator=self.generator)
            self.program.inputs.append(index.to(dtype))
            self.values[name] = self.scope[name] = self.program.inputs[-1]
            return self.add(f"{x}[{name}, ..., {name}]" if r.random() < 0.5 else f"{x}[{name}, {name}]")
        if f == "gather":
            at = [min(s, 3) for s in shape]
            index, low = torch.randint(0, shape[d], at, generator=self.generator), 0
        elif f == "index":
            index = torch.randint(low, shape[d], r.choice([(count,), (2, count)]), generator=self.generator)
        else:
            d = 0 if f == "embedding" else d
            index = torch.randint(0, shape[d], (count,), generator=self.generator)
        self.program.inputs.append(index.to(dtype))
        self.values[name] = self.scope[name] = self.program.inputs[-1]
        text = {
            "index_select": f"torch.index_select({x}, {d}, {name})",
            "gather": f"torch.gather({x}, {d}, {name})",
            "embedding": f"F.embedding({name}, {x})",
        }
        return self.add(text.get(f, f"{x}[{', '.join([':'] * d + [name])}]"))

    def make_masked(self, x):
        r, y = self.random, self.pick()
        other = r.choice(["0", "1.5", x])
        value = r.choice(["0", "-1e9", "float('-inf')"])
        f = r.choice([f"torch.where({y} > 0, {x}, {other})", f"{x}.masked_fill({y} > 0, {value})"])
        return self.add(f"torch.tril({x})" if self.is_rare() else f)

    def make_attention(self, x):
        shape, r = list(self.values[x].shape), self.random
        if len(shape) < 2:
            return False
        dtype = self.values[x].dtype
        keys = self.size()
        k = self.add_input([*shape[:-2], keys, shape[-1]], dtype)
        v = self.add_input([*shape[:-2], keys, shape[-1]], dtype)
        way = r.choice(["plain", "causal", "bool", "float", "scale"])
        extra = ""
        if way == "causal":
            extra = ", is_causal=True"
        elif way == "scale":
            extra = ", scale=0.3"
        elif way != "plain":
            mask = [shape[-2], keys] if r.random() < 0.5 else [*[1 for _ in shape[:-2]], shape[-2], keys]
            extra = f", attn_mask={self.add_input(mask, torch.bool if way == 'bool' else dtype)}"
        return self.add(f"F.scaled_dot_product_attention({x}, {k}, {v}{extra})")

    def make_factory(self, x):
        r = self.random
        f = r.choice(
            [
                f"torch.arange({x}.shape[-1])",
                f"torch.arange(0, 7, 2, dtype=torch.float32)",
                f"torch.zeros_like({x})",
                f"torch.full_like({x}, 2)",
                f"torch.ones({x}.shape)",
                f"{x}.new_full(({x}.shape[0], 3), 0.5)",
                f"torch.zeros({x}.shape[-1], dtype=torch.int64)",
            ]
        )
        return self.add(f)

    def make(self) -> Program:
        r = self.random
        self.program.dynamic = r.random() < 0.3
        edges = self.program.has_edges = r.random() < 0.2
        shape = [self.size() for _ in range(r.choice([0, 1, 2, 2, 3, 3, 4, 4, 5]))]
        while torch.Size(shape).numel() > MAX_ELEMENTS // 4:
            shape[r.randrange(len(shape))] = r.choice([1, 2, 3])
        self.add_input(shape, r.choice(FLOATS * 3 + INTS), edges)
        if r.random() < 0.5:
            self.add_input(shape, r.choice(FLOATS * 3 + INTS), edges)
        wanted, tries = r.choice([1, 2, 3, 4, 6, 9]), 0
        while len(self.program.lines) < wanted and tries < 60:
            tries += 1
            self.step()
        names = [n for n in self.values if n.startswith("v")]
        self.program.results = names[-1:]
        if len(names) > 2 and r.random() < 0.5:
            self.program.results.append(r.choice(names[:-1]))
        # Inputs of statements that were left out stay: unused ones are a case.
        return self.program


def difference(actual, expected, dtype) -> str | None:
    """What is wrong with `actual`, where `expected` is eager's result; `dtype`
    is the least exact one that the program computes in."""
    if actual.dtype != expected.dtype:
        return f"dtype {actual.dtype} instead of {expected.dtype}"
    if actual.shape != expected.shape:
        return f"shape {tuple(actual.shape)} instead of {tuple(expected.shape)}"
    if not expected.numel():
        return None
    if not expected.dtype.is_floating_point:
        wrong = (actual != expected).sum().item()
        # Comparisons of values that are rounded differently may differ.
        return f"{wrong} of {expected.numel()} elements differ" if wrong else None
    a, e = actual.double(), expected.double()
    kind = lambda t: torch.where(t.isnan(), 3, torch.where(t.isinf(), t.sign(), 0))  # noqa: E731
    other = kind(a) != kind(e)
    if other.any():
        at = tuple(other.nonzero()[0].tolist())
        return f"{a[at].item()} instead of {e[at].item()} at {at}"
    finite = e.isfinite()
    if not finite.any():
        return None
    scale = e[finite].abs().max().item()
    error = (a - e)[finite].abs().max().item()
    if error > TOLERANCE[dtype] * scale and error > 1e-5:
        at = tuple(torch.where(finite, (a - e).abs(), 0).eq(error).nonzero()[0].tolist())
        return f"error {error:.2e} at {at}: {a[at].item()} instead of {e[at].item()} (largest {scale:.2e})"
    return None


_libc = ctypes.CDLL(None, use_errno=True)


def guarded(x: torch.Tensor) -> torch.Tensor:
    """A copy of a contiguous tensor behind whose last byte a page begins that
    cannot be read: a kernel that reads too far crashes."""
    if not x.numel() or not x.is_contiguous():
        return x
    page, size = mmap.PAGESIZE, x.numel() * x.element_size()
    room = -(-size // page) * page
    memory = mmap.mmap(-1, room + page)
    start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    if _libc.mprotect(ctypes.c_void_p(start + room), page, 0):
        return x
    copy = torch.frombuffer(memory, dtype=x.dtype, count=x.numel(), offset=room - size)
    return copy.view(x.shape).copy_(x)


class _GuardedTorch:
    """torch, for ourc.model: what it allocates is guarded as well."""

    def __getattr__(self, name):
        return getattr(torch, name)

    def empty(self, shape, dtype, device=None):
        return guarded(torch.empty(shape, dtype=dtype, device=device))


def with_other_size(inputs: list[torch.Tensor]) -> list[torch.Tensor] | None:
    """The inputs with two more rows wherever the first input's rows are."""
    if not inputs[0].dim() or inputs[0].shape[0] < 2:
        return None
    rows = inputs[0].shape[0]
    return [
        torch.cat([x, x[:2]]) if x.dim() and x.shape[0] == rows else x for x in inputs
    ]


def in_f64(function, inputs, expected) -> list:
    """The results computed in f64, rounded to the types of eager's."""
    try:
        wide = function(*[x.double() if x.is_floating_point() else x for x in inputs])
    except Exception:  # mixed types that the program names
        return [None] * len(expected)
    return [x.to(e.dtype) if x.shape == e.shape else None for x, e in zip(wide, expected)]


def check(program: Program, options: dict) -> tuple[str, str]:
    """("ok" | "refused" | "wrong" | "error", what)."""
    import ourc

    function = program.function()
    torch._dynamo.reset()
    compiled = torch.compile(
        function, backend="ourc", fullgraph=True, dynamic=program.dynamic, options=options
    )
    calls = [program.inputs]
    if program.dynamic:
        calls.append(with_other_size(program.inputs) or program.inputs)
    with torch.no_grad():
        for inputs in calls:
            try:
                expected = function(*inputs)
            except Exception:  # the program is tied to its sizes
                continue
            kept = [x.clone() for x in inputs]
            try:
                actual = compiled(*map(guarded, inputs))
            except Exception as error:  # of any kind
                text = str(error)
                if isinstance(error, torch._dynamo.exc.BackendCompilerFailed):
                    text = str(error.inner_exception)
                # An operator, or an argument of one, at the user's line.
                if "' is not supported" in text or text.startswith("ourc cannot import this graph"):
                    return "refused", text
                if isinstance(error, (torch._dynamo.exc.Unsupported, torch._dynamo.exc.UserError)):
                    return "refused", f"torch: {type(error).__name__}"
                return "error", f"{type(error).__name__}: {text}"
            for x, k in zip(inputs, kept):
                if not torch.equal(x.nan_to_num(), k.nan_to_num()):
                    return "error", "an input was changed"
            exact = in_f64(function, inputs, expected)
            for name, a, e, x in zip(program.results, actual, expected, exact):
                what = difference(a, e, program.dtype)
                # Eager's own error may be the larger one.
                if what and (x is None or difference(a, x, program.dtype)):
                    return "wrong", f"{name}: {what}"
    return "ok", ""


def work(seeds, options) -> None:
    import ourc.model

    ourc.model.torch = _GuardedTorch()
    torch.set_num_threads(2)
    for seed in seeds:
        print(f"@begin {seed}", flush=True)
        program = Maker(seed).make()
        status, what = check(program, options) if program.results else ("ok", "")
        print(f"@end {status}", flush=True)
        if status != "ok":
            print(program.describe() + what, flush=True)
        print("@done", flush=True)


def run(first: int, count: int, options: dict, seconds: float = 1e9, timeout: int = 120, at_least: int = 0):
    """Yields (seed, status, text) for each program, until `seconds` have passed
    since the first one and `at_least` compiled and agreed; those that end the
    process or hang are "crash" and "hang"."""
    deadline, seed, agreed = None, first, 0
    while seed < first + count:
        worker = subprocess.Popen(
            [sys.executable, __file__, "--worker", str(seed), str(first + count - seed)]
            + [f"--option={k}={v}" for k, v in options.items()],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
        status, lines, current = None, [], seed
        signal.signal(signal.SIGALRM, lambda *_: worker.kill())
        for line in worker.stdout:
            signal.alarm(timeout)
            if line.startswith("@begin"):
                current, status, lines = int(line.split()[1]), None, []
            elif line.startswith("@end"):
                status = line.split()[1]
            elif line.startswith("@done"):
                yield current, status, "".join(lines)
                completed = status
                seed, status = current + 1, "done"
                deadline = deadline or time.time() + seconds
                agreed += completed == "ok"
                if time.time() > deadline and agreed >= at_least:
                    signal.alarm(0)
                    worker.kill()
                    worker.wait()
                    return
            else:
                lines.append(line)
        signal.alarm(0)
        code = worker.wait()
        if status != "done" and seed < first + count:
            program = Maker(seed).make().describe()
            kind = "hang" if code == -signal.SIGKILL else f"crash ({code})"
            yield seed, kind, program + "".join(lines[-30:])
            seed += 1


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--target")
    parser.add_argument("--show-refused", action="store_true")
    parser.add_argument("--worker", nargs=2, type=int)
    parser.add_argument("--option", action="append", default=[])
    given = parser.parse_args()
    options = dict(o.split("=", 1) for o in given.option)
    if given.worker:
        work(range(given.worker[0], sum(given.worker)), options)
        return 0
    if given.target:
        options["target"] = given.target
    counts: collections.Counter = collections.Counter()
    for seed, status, text in run(given.seed, given.count, options, given.seconds):
        counts[status] += 1
        if status == "refused":
            if given.show_refused:
                print(text, flush=True)
        elif status != "ok":
            print(f"==== {status}\n{text}", flush=True)
    print(", ".join(f"{n} {status}" for status, n in sorted(counts.items())))
    return 1 if set(counts) - {"ok", "refused"} else 0


if __name__ == "__main__":
    sys.exit(main())
