# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is measured: ourc and its peers, each behind the same three functions."""

from __future__ import annotations

import fcntl
import importlib.metadata
import os
import re
import time
from pathlib import Path

import torch
import zoo


def reason(error: Exception) -> str:
    """An error in one line: its first lines that say something, without the
    folders of files."""
    text = re.sub(r"/(?:[^\s/:'\"]+/)+", "", str(error))
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return f"{type(error).__name__}: {' '.join(lines[:2])}"[:300]


class Engine:
    """`cache`: a folder that outlives the process, or None to begin with
    nothing."""

    packages: tuple[str, ...] = ("torch",)

    def __init__(self, threads: int, cache: str | None):
        self.threads = threads
        self.cache = Path(cache) if cache else None
        self.prepared = 0.0

    @classmethod
    def version(cls) -> str:
        return ", ".join(f"{name} {importlib.metadata.version(name)}" for name in cls.packages)

    def prepare(self, model, inputs):
        """Everything before the first call."""
        raise NotImplementedError

    def call(self):
        """One call; the first result."""
        raise NotImplementedError

    def compile_seconds(self, first: float, steady: float) -> dict:
        """`compile_s`: the time until the first result, less a steady call and
        what any compiler behind torch.compile has to pay to Dynamo and AOT
        autograd; `phases`: where it went."""
        return {"compile_s": self.prepared + first - steady, "phases": {"prepare": self.prepared}}


class Eager(Engine):
    def prepare(self, model, inputs):
        self.function, self.inputs = model, inputs

    def call(self):
        return self.function(*self.inputs)

    def compile_seconds(self, first, steady):
        return {"compile_s": 0.0, "phases": {}}


class Compiled(Eager):
    """Through torch.compile."""

    def compile_function(self, model):
        raise NotImplementedError

    def backend_seconds(self) -> dict[str, float]:
        """Seconds in the backend, behind Dynamo and AOT autograd, by phase."""
        raise NotImplementedError

    def prepare(self, model, inputs):
        super().prepare(self.compile_function(model), inputs)

    def compile_seconds(self, first, steady):
        from torch._dynamo.utils import compilation_time_metrics

        phases = self.backend_seconds()
        whole = sum(compilation_time_metrics["_compile.compile_inner"])
        tracing = whole - sum(phases.values())
        phases["first call"] = first - steady - whole
        return {"compile_s": first - steady - tracing, "phases": phases, "tracing_s": tracing}


class Inductor(Compiled):
    def compile_function(self, model):
        return torch.compile(model, fullgraph=True)

    def backend_seconds(self):
        from torch._dynamo.utils import compilation_time_metrics

        parts = {"joint passes": "_recursive_joint_graph_passes", "compile": "compile_fx_inner"}
        return {name: sum(compilation_time_metrics.get(key, [])) for name, key in parts.items()}


class InductorTuned(Inductor):
    def compile_function(self, model):
        import torch._inductor.config

        torch._inductor.config.freezing = True
        return torch.compile(model, fullgraph=True, mode="max-autotune")


class Ourc(Compiled):
    def compile_function(self, model):
        import ourc  # noqa: F401

        return torch.compile(model, backend="ourc", fullgraph=True)

    def backend_seconds(self):
        import ourc

        phases: dict[str, float] = {}
        for graph in ourc.compilations():
            for name, seconds in graph.seconds.items():
                if name != "total":
                    phases[name] = phases.get(name, 0.0) + seconds
        return phases


class OurcArtifact(Engine):
    """Compiled ahead of time, called without Dynamo and its guards, as the
    engines behind ONNX are; exporting is not counted."""

    def prepare(self, model, inputs):
        import ourc
        from ourc.compile import compile_program

        model, inputs = zoo.functional(model, inputs)
        program = torch.export.export(model, inputs)
        path = Path(os.environ["BENCHMARK_SCRATCH"]) / "model.so"
        start = time.perf_counter()
        self.report = compile_program(program, path)
        self.artifact = ourc.load(path)
        self.prepared = time.perf_counter() - start
        self.inputs = flat(inputs)

    def call(self):
        return self.artifact(*self.inputs)[0]

    def compile_seconds(self, first, steady):
        shown = super().compile_seconds(first, steady)
        shown["phases"] = {n: s for n, s in self.report["phases"].items() if n != "total"}
        return shown


class Exported(Engine):
    """Through ONNX; exporting is not counted, as tracing is not elsewhere."""

    def example(self, model, inputs):
        return zoo.functional(model, inputs)

    def export(self, model, inputs) -> str:
        folder = self.cache / inputs_dtype(model) if self.cache else Path(os.environ["BENCHMARK_SCRATCH"])
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / "model.onnx"
        with open(folder / "lock", "w") as lock:  # engines that load at once share the export
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not (folder / "complete").exists():
                torch.onnx.export(model, inputs, str(path), dynamo=True, external_data=True, verbose=False)
                (folder / "complete").touch()
        return str(path)


def inputs_dtype(model) -> str:
    return str(next(model.parameters()).dtype).split(".")[1]


def flat(inputs) -> list:
    return [part for value in inputs for part in (value if isinstance(value, (list, tuple)) else [value])]


class OnnxRuntime(Exported):
    packages = ("onnxruntime", "onnx", "onnxscript")

    def prepare(self, model, inputs):
        import onnxruntime

        model, inputs = self.example(model, inputs)
        path = self.export(model, inputs)
        start = time.perf_counter()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self.threads
        self.session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        self.prepared = time.perf_counter() - start
        self.binding = self.session.io_binding()
        values = flat(inputs)
        wanted = self.session.get_inputs()
        if len(wanted) != len(values):
            raise RuntimeError(f"the export has {len(wanted)} inputs, the model {len(values)}")
        self.kept = []
        for slot, value in zip(wanted, values):
            # bf16 is no NumPy type: bind memory.
            value = value.contiguous()
            self.kept.append(value)
            kinds = {torch.float32: 1, torch.int64: 7, torch.bfloat16: 16, torch.bool: 9}
            self.binding.bind_input(
                slot.name, "cpu", 0, kinds[value.dtype], tuple(value.shape), value.data_ptr()
            )
        for slot in self.session.get_outputs():
            self.binding.bind_output(slot.name, "cpu")

    def call(self):
        self.session.run_with_iobinding(self.binding)
        result = self.binding.get_outputs()[0]
        if result.data_type() == "tensor(bfloat16)":
            import ctypes

            size = 1
            for d in result.shape():
                size *= d
            raw = (ctypes.c_uint16 * size).from_address(result.data_ptr())
            return torch.frombuffer(raw, dtype=torch.bfloat16).view(result.shape())
        return torch.from_numpy(result.numpy())


class OpenVINO(Exported):
    packages = ("openvino",)

    def prepare(self, model, inputs):
        import openvino

        narrow = next(model.parameters()).dtype == torch.bfloat16
        # Its plugin takes f32 models and computes in the type that it is told; it
        # rounds weights itself, so one export serves both types.
        model, inputs = self.example(
            model.float(), tuple(x.float() if x.is_floating_point() else x for x in inputs)
        )
        core = openvino.Core()
        path = self.export(model, inputs)
        start = time.perf_counter()
        compiled = core.compile_model(
            core.read_model(path),
            "CPU",
            {
                "INFERENCE_NUM_THREADS": self.threads,
                "PERFORMANCE_HINT": "LATENCY",
                "INFERENCE_PRECISION_HINT": "bf16" if narrow else "f32",
            },
        )
        self.request = compiled.create_infer_request()
        self.prepared = time.perf_counter() - start
        self.kept = [value.numpy() for value in flat(inputs)]
        for index, value in enumerate(self.kept):
            self.request.set_input_tensor(index, openvino.Tensor(value, shared_memory=True))

    def call(self):
        self.request.infer()
        return torch.from_numpy(self.request.get_output_tensor(0).data)


ENGINES = {
    "eager": Eager,
    "inductor": Inductor,
    "inductor-tuned": InductorTuned,
    "openvino": OpenVINO,
    "onnxruntime": OnnxRuntime,
    "ourc": Ourc,
    "ourc-artifact": OurcArtifact,
}
