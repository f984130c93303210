# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The two models that this compiler is measured by, against f64."""

import pytest
import torch

import models
import ourc
from numerics import assert_close, double, relative_max


def compile_counted(model, **kwargs):
    before = {c.serial for c in ourc.compilations()}
    compiled = torch.compile(model, backend="ourc", fullgraph=True, **kwargs)
    # Those of other tests may be collected meanwhile.
    return compiled, lambda: len([c for c in ourc.compilations() if c.serial not in before])


def test_sentence_encoder():
    model = models.sentence_encoder()
    ids, mask = models.sentence_batch()
    compiled, count = compile_counted(model)
    with torch.no_grad():
        actual, reference = compiled(ids, mask), double(model)(ids, mask)
    assert_close(actual, reference)
    assert relative_max(actual, reference) <= 1e-5
    assert count() == 1


def test_sentence_encoder_one_compile_for_all_sizes():
    model = models.sentence_encoder(dynamic=True)
    reference = double(model)
    with ourc.dynamic_sizes(), torch.no_grad():
        compiled, count = compile_counted(model, dynamic=True)
        for sizes in ((1, 128), (3, 17), (1, 1), (2, 5), (1, 128)):
            ids, mask = models.token_batch(*sizes)
            actual, expected = compiled(ids, mask), reference(ids, mask)
            assert_close(actual, expected)
            assert relative_max(actual, expected) <= 1e-5
    assert count() == 1


@pytest.fixture(scope="module")
def resnet():
    model = models.resnet50()
    x = torch.randn(1, 3, 224, 224, generator=torch.Generator().manual_seed(1))
    with torch.no_grad():
        return model, x, double(model)(double(x))


def test_resnet50(resnet):
    model, x, expected = resnet
    compiled, count = compile_counted(model)
    with torch.no_grad():
        assert_close(compiled(x), expected)
        graph = ourc.compilations()[-1]
        before = graph.memory()["allocations"]
        assert_close(compiled(x), expected)
        assert graph.memory()["allocations"] == before
    assert count() == 1
    memory = graph.memory()
    assert memory["arena_bytes"] <= 1.10 * memory["lower_bound"]
    # Batch norms are folded into the weights that @init prepares.
    assert len(graph.report["kernels"]) < graph.num_aten_ops / 2
    assert not any("batch_norm" in k["name"] for k in graph.report["kernels"])


def test_resnet50_avx2(resnet):
    model, x, expected = resnet
    compiled, _ = compile_counted(model, options={"target": "cpu:x86-64-v3"})
    with torch.no_grad():
        assert_close(compiled(x), expected)


def test_resnet50_after_its_statistics_changed(resnet):
    model, x, _ = resnet
    compiled, _ = compile_counted(model)
    with torch.no_grad():
        compiled(x)
        model.bn1.running_mean.add_(0.1)
        assert_close(compiled(x), double(model)(double(x)))
        model.bn1.running_mean.sub_(0.1)
