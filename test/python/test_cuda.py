# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""target="cuda:…": the code for NVIDIA GPUs, by the product's own runtime over the tests' driver.

Torch has no GPU here, so tensors are the CPU's, which the runtime copies, or stand-ins for
torch's CUDA tensors whose memory is the driver's. The driver is chosen before the library opens
it, so each group of tests is a process of its own."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
import torch

import ourc.device
from ourc import CompileError

ROOT = Path(__file__).resolve().parents[2]
DOUBLE = ROOT / "bazel-bin/test/runtime/cuda/libcuda_double.so"

PREAMBLE = f"""
import sys
sys.path[:0] = [{str(ROOT / "python")!r}, {str(ROOT / "test/python")!r}]
import torch, ourc
import torch.nn.functional as F
from numerics import assert_close, double
from torch import nn
torch.manual_seed(0)

def run(function, *args, target="cuda:sm_90", **kwargs):
    torch._dynamo.reset()
    compiled = torch.compile(function, backend="ourc", fullgraph=True, options={{"target": target}}, **kwargs)
    with torch.no_grad():
        return compiled(*args)

def check(function, *args, tolerance=2e-3, **kwargs):
    with torch.no_grad():
        reference = (double(function) if isinstance(function, nn.Module) else function)(*map(double, args))
    assert_close(run(function, *args, **kwargs), reference, tolerance)
"""


def on_double(tmp_path, text, architecture="90"):
    """Runs a program over the driver double; in the end that holds nothing."""
    log = tmp_path / "log"
    environment = dict(
        os.environ,
        OURC_CUDA_DRIVER=str(DOUBLE),
        OURC_DOUBLE_LOG=str(log),
        OURC_DOUBLE_ARCHITECTURE=architecture,
        OURC_CACHE_DIR="off",
        HF_HUB_OFFLINE="1",
    )
    done = subprocess.run(
        [sys.executable, "-c", PREAMBLE + textwrap.dedent(text)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    lines = log.read_text().splitlines()
    assert lines[-1].endswith("misuse: none")
    return lines


def test_models(tmp_path):
    lines = on_double(
        tmp_path,
        """
        class Block(nn.Module):
            def __init__(self):
                super().__init__()
                self.norm, self.up, self.down = nn.LayerNorm(72), nn.Linear(72, 100), nn.Linear(100, 72)

            def forward(self, x):
                return x + self.down(F.gelu(self.up(self.norm(x))))

        check(Block().half().eval(), torch.randn(2, 13, 72).half())
        check(Block().eval(), torch.randn(3, 7, 72), tolerance=1e-5)
        check(Block().bfloat16().eval(), torch.randn(1, 1, 72).bfloat16(), tolerance=1.6e-2)
        q, k, v = (torch.randn(2, 3, 19, 16).half() for _ in range(3))
        check(lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True), q, k, v)
        for dtype, tolerance in ((torch.float16, 3e-3), (torch.float32, 1e-5)):
            convolution = nn.Conv2d(16, 24, 3, stride=2, padding=1).to(dtype).eval()
            check(convolution, torch.randn(2, 16, 9, 7).to(dtype), tolerance=tolerance)
        # Strided inputs are made dense on the way.
        check(torch.matmul, torch.randn(40, 33).half().t(), torch.randn(40, 24).half())
        # One program for all lengths, with weights that change in between.
        block = Block().eval()
        compiled = torch.compile(block, backend="ourc", dynamic=True, options={"target": "cuda:sm_90"})
        with torch.no_grad():
            for length in (5, 17, 9):
                x = torch.randn(2, length, 72)
                assert_close(compiled(x), double(block)(x.double()), 1e-5)
                block.up.weight.mul_(1.5)
        """,
    )
    assert lines.count("cuLaunchKernel") > 20


def test_weights_that_are_not_frozen_are_copied_anew(tmp_path):
    on_double(
        tmp_path,
        """
        layer = nn.Linear(8, 8)
        compiled = torch.compile(layer, backend="ourc", options={"target": "cuda:sm_90"})
        for _ in range(3):
            x = torch.randn(4, 8)
            assert_close(compiled(x).detach(), double(layer)(x.double()).detach(), 1e-5)
            with torch.no_grad():
                layer.weight.add_(1)
        """,
    )


def test_an_artifact_of_an_exported_program(tmp_path):
    on_double(
        tmp_path,
        f"""
        from pathlib import Path
        import ourc.compile
        folder = Path({str(tmp_path)!r})
        model = nn.Sequential(nn.Linear(16, 24), nn.ReLU(), nn.Linear(24, 5)).eval()
        x = torch.randn(3, 16)
        torch.export.save(torch.export.export(model, (x,)), folder / "model.pt2")
        assert ourc.compile.main([str(folder / "model.pt2"), "-o", str(folder / "model.so"), "--target=cuda:sm_80"]) == 0
        artifact = ourc.load(folder / "model.so")
        assert artifact.describe()["target"] == "cuda:sm_80"
        with torch.no_grad():
            assert_close(artifact(x)[0], double(model)(x.double()), 1e-5)
        """,
        architecture="80",
    )


# Tensors as torch has them on a machine with a GPU, as far as a compiled graph looks.
STAND_INS = f"""
import ctypes
import ourc.model
driver = ctypes.CDLL({str(DOUBLE)!r})
driver.ourc_double_allocate.restype = ctypes.c_uint64
driver.ourc_double_allocate.argtypes = [ctypes.c_uint64]
driver.ourc_double_peek.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64]
driver.ourc_double_poke.argtypes = [ctypes.c_uint64, ctypes.c_void_p, ctypes.c_uint64]
made = []

class OnGPU:
    is_cuda, device = True, torch.device("cuda", 0)
    _version = 0

    def __init__(self, like, address=None):
        self.like = like  # shape and strides
        self.address = address or driver.ourc_double_allocate(max(like.untyped_storage().nbytes(), 1))
        made.append(self)

    @staticmethod
    def of(tensor):
        it = OnGPU(tensor)
        driver.ourc_double_poke(it.address, tensor.data_ptr(), tensor.untyped_storage().nbytes())
        return it

    def cpu(self):
        driver.ourc_double_peek(self.like.data_ptr(), self.address, self.like.untyped_storage().nbytes())
        return self.like.clone()

    shape = property(lambda self: self.like.shape)
    dtype = property(lambda self: self.like.dtype)
    def data_ptr(self): return self.address
    def stride(self): return self.like.stride()
    def dim(self): return self.like.dim()
    def is_inference(self): return False
    def is_neg(self): return False
    def is_conj(self): return False
    def is_contiguous(self): return self.like.is_contiguous()
    def permute(self, order): return OnGPU(self.like.permute(order), self.address)
    def contiguous(self):
        if self.is_contiguous(): return self
        return OnGPU.of(self.cpu().contiguous())

real_empty = torch.empty
def empty(shape, dtype=None, device=None):
    assert device == torch.device("cuda", 0)
    return OnGPU(real_empty(shape, dtype=dtype))

class FakeTorch:
    def __getattr__(self, name): return empty if name == "empty" else getattr(torch, name)
ourc.model.torch = FakeTorch()
ourc.model.stream_of = lambda device: None

def graph_of(function, *inputs, mode=None):
    # What Dynamo gives for CUDA tensors: the graph of fake ones.
    from torch._subclasses import FakeTensorMode
    from torch.fx.experimental.proxy_tensor import make_fx
    from ourc.importer import PlaceholderInfo, import_graph
    with FakeTensorMode() as fakes, torch.no_grad():
        fake = [torch.empty_strided(i.shape, i.stride(), dtype=i.dtype, device="cuda") for i in inputs]
        graph = make_fx(function)(*fake)
    infos = [PlaceholderInfo(f"x{{i}}", False, False) for i in range(len(inputs))]
    imported = import_graph(graph, infos, {{}})
    assert imported.device == torch.device("cuda", 0)
    options = ourc.device.with_target({{}}, imported.device)
    assert options["target"] == "cuda:sm_90"
    return ourc.model.CompiledGraph(imported, options, mode == "reduce-overhead")
torch.cuda.get_device_capability = lambda device: (9, 0)
"""


def test_tensors_of_the_gpu(tmp_path):
    lines = on_double(
        tmp_path,
        STAND_INS
        + textwrap.dedent("""
        a, b = torch.randn(33, 72).half(), torch.randn(40, 72).half()
        graph = graph_of(lambda a, b: torch.softmax(a @ b.t(), -1), a, b)
        expected = torch.softmax(a.double() @ b.double().t(), -1)
        for _ in range(2):
            (result,) = graph([OnGPU.of(a), OnGPU.of(b)])
            assert isinstance(result, OnGPU)
            assert_close(result.cpu(), expected, 2e-3)
        # Not as dense as when it was compiled: made so on the GPU.
        (result,) = graph([OnGPU.of(a.t().contiguous().t()), OnGPU.of(b)])
        assert_close(result.cpu(), expected, 2e-3)
        """),
    )
    # Nothing was copied to or from the GPU, and nothing waited for.
    assert not any(line.startswith("cuMemcpy") for line in lines)
    assert "cuStreamSynchronize" not in lines


def test_cuda_graphs(tmp_path):
    on_double(
        tmp_path,
        STAND_INS
        + textwrap.dedent("""
        a = torch.randn(4, 9)
        graph = graph_of(lambda a: torch.softmax(a, -1).exp(), a, mode="reduce-overhead")
        assert graph.graphs["on"]
        for _ in range(4):
            (result,) = graph([OnGPU.of(a)])
            assert_close(result.cpu(), torch.softmax(a.double(), -1).exp(), 1e-5)
        counts = graph.graphs
        assert counts["captures"] == 1 and counts["updates"] == 2 and counts["replays"] == 3, counts
        assert counts["reason"] == "first call: it loads the kernels"
        """),
    )


@pytest.mark.parametrize(
    "capability, target",
    [((8, 0), "cuda:sm_80"), ((8, 6), "cuda:sm_80"), ((8, 9), "cuda:sm_89"), ((9, 0), "cuda:sm_90"), ((12, 0), "cuda:sm_100")],
)
def test_target_of_a_gpu(capability, target):
    assert ourc.device.target_of(capability) == target


def test_what_is_refused():
    with pytest.raises(CompileError, match="compute capability 7.5 is too old: 8.0 or later is right"):
        ourc.device.target_of((7, 5))
    with pytest.raises(CompileError, match="are on cuda:1, where a program for 'cpu:native' cannot run"):
        ourc.device.with_target({"target": "cpu:native"}, torch.device("cuda", 1))
    with pytest.raises(Exception, match="ourc has no mode 'max-autotune'"):
        torch.compile(torch.relu, backend="ourc", mode="max-autotune")(torch.ones(2))


def test_no_driver():
    text = PREAMBLE + "run(torch.relu, torch.ones(3))"
    environment = dict(os.environ, OURC_CUDA_DRIVER="/nowhere/libcuda.so.1")
    done = subprocess.run([sys.executable, "-c", text], env=environment, capture_output=True, text=True, timeout=300)
    assert "no NVIDIA driver: /nowhere/libcuda.so.1" in done.stderr
