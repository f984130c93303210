# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From torch.export to an artifact, and the artifact in and out of Python."""

import os
import subprocess

import numpy as np
import pytest
import torch

import models
import ourc
import ourc.compile
from conftest import ROOT
from numerics import assert_close, double


class Small(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(8, 5)
        self.tied = self.fc.weight
        self.register_buffer("offset", torch.randn(5), persistent=False)

    def forward(self, x, unused):
        return torch.relu(self.fc(x) + self.offset), x @ self.tied.t()


def save(model, args, path, dynamic_shapes=None):
    with torch.no_grad(), ourc.dynamic_sizes():
        program = torch.export.export(model.eval(), args, dynamic_shapes=dynamic_shapes)
    torch.export.save(program, path)
    return program


@pytest.fixture
def small(tmp_path):
    model = Small()
    batch = torch.export.Dim("batch", min=1, max=64)
    args = (torch.randn(3, 8), torch.randn(2))
    save(model, args, tmp_path / "small.pt2", ({0: batch}, None))
    return model, tmp_path / "small.pt2"


def test_import_keeps_the_signature(small, ourc_opt):
    _, path = small
    imported = ourc.compile.import_program(torch.export.load(path))
    assert [a.name for a in imported.inputs] == ["x", "unused"]
    assert {p.name for p in imported.parameters} == {"fc.weight", "fc.bias", "offset"}
    assert all(p.frozen for p in imported.parameters)
    (symbol,) = imported.symbols
    assert (symbol.name, symbol.min, symbol.max) == ("x_dim0", 1, 64)
    ourc_opt(imported.text)


def test_emit_mlir(small, tmp_path, ourc_opt):
    _, path = small
    text = tmp_path / "small.mlir"
    assert ourc.compile.main([str(path), "-o", str(text), "--emit-mlir"]) == 0
    assert "func.func @main" in ourc_opt(text.read_text())


class Cached(torch.nn.Module):
    """Writes a row into a cache that it keeps and into one that it is given."""

    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(4, 4)
        self.register_buffer("kept", torch.zeros(6, 4))

    def forward(self, given, position, row):
        row = self.fc(row)
        self.kept.index_copy_(0, position, row)
        given.index_copy_(0, position, row * 2)
        return self.kept.sum(0) + given.sum(0)


def test_state_is_an_input_that_is_updated(tmp_path):
    model = Cached().eval()
    example = (torch.zeros(6, 4), torch.tensor([0]), torch.zeros(1, 4))
    save(model, example, tmp_path / "cached.pt2")
    output = tmp_path / "cached.so"
    imported = ourc.compile.import_program(torch.export.load(tmp_path / "cached.pt2"))
    assert sorted(a.name for a in imported.inputs) == ["given", "kept", "position", "row"]
    assert {p.name for p in imported.parameters} == {"fc.weight", "fc.bias"}
    assert ourc.compile.main([str(tmp_path / "cached.pt2"), "-o", str(output)]) == 0

    artifact = ourc.load(output)
    state = {"kept": torch.zeros(6, 4), "given": torch.zeros(6, 4)}
    given = torch.zeros(6, 4)
    with torch.no_grad():
        for step in (1, 4, 1):
            call = dict(state, position=torch.tensor([step]), row=torch.randn(1, 4))
            results = artifact(*(call[a.name] for a in imported.inputs))
            expected = model(given, call["position"], call["row"])
            assert_close(results[0], expected)
            torch.testing.assert_close(state["kept"], model.kept)
            torch.testing.assert_close(state["given"], given)
            assert {r.data_ptr() for r in results[1:]} == {s.data_ptr() for s in state.values()}
        call["position"], call["row"] = torch.tensor([2]), torch.randn(1, 4)
        expected = model(given, call["position"], call["row"])
    alone = run_alone(output, [call[a.name] for a in imported.inputs], tmp_path)
    assert_close(alone, expected)


def test_missing_program_is_an_error(tmp_path, capsys):
    code = ourc.compile.main([str(tmp_path / "none.pt2"), "-o", str(tmp_path / "o.so")])
    assert code == 1 and "ourc.compile: error:" in capsys.readouterr().err


def test_artifact(small, tmp_path):
    model, path = small
    output = tmp_path / "small.so"
    dump = tmp_path / "kernels"
    code = ourc.compile.main(
        [str(path), "-o", str(output), "--target=cpu:native", f"--dump-kernels={dump}"]
    )
    assert code == 0 and output.exists() and any(dump.iterdir())
    artifact = ourc.load(output)
    for batch in (1, 3, 64):
        x, unused = torch.randn(batch, 8), torch.randn(2)
        expected = double(model)(double(x), double(unused))
        actual = artifact(x, unused)
        for a, e in zip(actual, expected, strict=True):
            assert_close(a, e.detach())


def test_sizes_out_of_bounds_are_refused_by_name(small, tmp_path):
    _, path = small
    ourc.compile.compile_program(torch.export.load(path), tmp_path / "small.so")
    artifact = ourc.load(tmp_path / "small.so")
    with pytest.raises(ourc.OurcError) as error:
        artifact(torch.randn(65, 8), torch.randn(2))
    for word in ("x", "65", "64"):
        assert word in str(error.value)


@pytest.mark.parametrize(
    "inputs, words",
    [
        ((torch.ones(3, 8),), ("2", "1")),
        ((torch.ones(3, 9), torch.ones(2)), ("x", "9", "8")),
        ((torch.ones(3, 8, 1), torch.ones(2)), ("x", "3", "2")),
        ((torch.ones(3, 8, dtype=torch.float64), torch.ones(2)), ("x", "float32")),
    ],
    ids=["count", "shape", "rank", "type"],
)
def test_wrong_arguments_of_an_artifact(small, tmp_path, inputs, words):
    _, path = small
    ourc.compile.compile_program(torch.export.load(path), tmp_path / "small.so")
    artifact = ourc.load(tmp_path / "small.so")
    with pytest.raises(ourc.OurcError) as error:
        artifact(*inputs)
    for word in words:
        assert word in str(error.value), str(error.value)


def test_missing_weights_are_named(small, tmp_path):
    from safetensors.torch import load_file, save_file

    _, path = small
    ourc.compile.compile_program(torch.export.load(path), tmp_path / "small.so")
    weights = load_file(tmp_path / "small.safetensors")
    weights.pop("fc.bias")
    save_file(weights, tmp_path / "less.safetensors")
    with pytest.raises(ourc.OurcError, match="fc.bias"):
        ourc.load(tmp_path / "small.so", tmp_path / "less.safetensors")


def run_alone(artifact, inputs, folder):
    """The results by ourc-run alone."""
    tool = ROOT / "bazel-bin/tools/ourc-run/ourc-run"
    command = [str(tool), str(artifact)]
    for number, value in enumerate(inputs):
        np.save(folder / f"in{number}.npy", value.numpy())
        command += ["--input", str(folder / f"in{number}.npy")]
    command += ["--output", str(folder / "out.npy")]
    environment = {"PATH": os.environ["PATH"]}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120)
    assert done.returncode == 0, done.stderr
    return torch.from_numpy(np.load(folder / "out.npy"))


def test_sentence_encoder_artifact_for_all_sizes(tmp_path):
    model = models.sentence_encoder(dynamic=True)
    reference = double(model)
    batch = torch.export.Dim("batch", min=1, max=64)
    sequence = torch.export.Dim("sequence", min=1, max=512)
    dims = {0: batch, 1: sequence}
    save(model, models.token_batch(3, 17), tmp_path / "encoder.pt2", (dims, dims))
    output = tmp_path / "encoder.so"
    assert ourc.compile.main([str(tmp_path / "encoder.pt2"), "-o", str(output)]) == 0
    artifact = ourc.load(output)
    with torch.no_grad():
        for sizes in ((1, 128), (3, 17), (1, 1)):
            inputs = models.token_batch(*sizes)
            (actual,) = artifact(*inputs)
            assert_close(actual, reference(*inputs))
            assert torch.equal(run_alone(output, inputs, tmp_path), actual)
    with pytest.raises(ourc.OurcError, match="ids"):
        artifact(*models.token_batch(1, 513))
    with pytest.raises(ourc.OurcError, match="ids"):
        artifact(*models.token_batch(65, 4))


def imports(path):
    listing = subprocess.run(["nm", "-D", path], capture_output=True, text=True, check=True)
    lines = [line.split() for line in listing.stdout.splitlines()]
    return {parts[1].split("@")[0] for parts in lines if parts[0] in ("U", "w")}


def test_artifact_needs_neither_python_nor_llvm(small, tmp_path):
    _, path = small
    ourc.compile.compile_program(torch.export.load(path), tmp_path / "small.so")
    for binary in (tmp_path / "small.so", ROOT / "bazel-bin/tools/ourc-run/ourc-run"):
        linked = subprocess.run(["ldd", binary], capture_output=True, text=True, check=True)
        for word in ("python", "LLVM", "MLIR", "torch", "stdc++", "blas", "dnnl", "mkl"):
            assert word not in linked.stdout, linked.stdout
