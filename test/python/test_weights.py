# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Weights that change between calls."""

import copy

import pytest
import torch

import ourc
from numerics import assert_close, double


def make():
    model = torch.nn.Sequential(torch.nn.Linear(40, 50), torch.nn.ReLU(), torch.nn.Linear(50, 20))
    return model, torch.compile(model, backend="ourc", fullgraph=True), torch.randn(6, 40)


def check(model, compiled, x):
    with torch.no_grad():
        assert_close(compiled(x), double(model)(double(x)))


def newest():
    return ourc.compilations()[-1]


def test_unchanged_weights_are_bound_once():
    model, compiled, x = make()
    for _ in range(5):
        check(model, compiled, x)
    assert newest().parameter_bindings == 1


def optimizer_step(model):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    with torch.enable_grad():
        model(torch.randn(4, 40)).square().sum().backward()
    optimizer.step()


def load_state(model):
    state = copy.deepcopy(model.state_dict())
    model.load_state_dict({k: v * 3 for k, v in state.items()})


def data_mul(model):
    model[0].weight.data.mul_(2.0)


def data_replaced(model):
    model[2].weight.data = torch.randn_like(model[2].weight)


def numpy_write(model):
    model[2].weight.detach().numpy()[:] *= 2


def bias_only(model):
    model[2].bias.data.add_(1.0)


def parameter_replaced(model):
    model[0].weight = torch.nn.Parameter(torch.randn(50, 40))


CHANGES = [
    optimizer_step,
    load_state,
    data_mul,
    data_replaced,
    numpy_write,
    bias_only,
    parameter_replaced,
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda f: f.__name__)
def test_changes_are_noticed(change):
    model, compiled, x = make()
    check(model, compiled, x)
    before = double(model)(double(x))
    change(model)
    assert not torch.allclose(double(model)(double(x)), before), "nothing changed"
    check(model, compiled, x)
    change(model)
    check(model, compiled, x)
    check(model, compiled, x)


@pytest.mark.parametrize("change", CHANGES, ids=lambda f: f.__name__)
def test_changes_with_grad_enabled(change):
    model, compiled, x = make()
    for _ in range(2):
        assert_close(compiled(x).detach(), double(model)(double(x)).detach())
        change(model)
    assert_close(compiled(x).detach(), double(model)(double(x)).detach())


def test_inference_tensors_have_no_version():
    with torch.inference_mode():
        model = torch.nn.Linear(40, 20)
        compiled = torch.compile(model, backend="ourc", fullgraph=True)
        x = torch.randn(6, 40)
        assert_close(compiled(x), double(model)(double(x)))
        model.weight.mul_(2)
        assert_close(compiled(x), double(model)(double(x)))


def test_refresh_after_a_write_between_the_samples():
    model, compiled, x = make()
    check(model, compiled, x)
    model[0].weight.detach().numpy()[17, 3] += 5.0
    newest().refresh()
    check(model, compiled, x)


def test_tied_weights():
    class Tied(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.first = torch.nn.Linear(20, 20)
            self.second = torch.nn.Linear(20, 20)
            self.second.weight = self.first.weight

        def forward(self, x):
            return self.second(self.first(x))

    model = Tied()
    compiled = torch.compile(model, backend="ourc", fullgraph=True)
    x = torch.randn(3, 20)
    check(model, compiled, x)
    model.first.weight.data.mul_(-1)
    check(model, compiled, x)


def test_running_statistics():
    """Statistics fold into weights; they change like weights."""
    model = torch.nn.BatchNorm1d(8)
    reference = copy.deepcopy(model)
    x = torch.randn(16, 8)
    compiled = torch.compile(model.eval(), backend="ourc", fullgraph=True)
    for _ in range(2):
        with torch.no_grad():
            assert_close(compiled(x), double(reference.eval())(double(x)))
            for module in (model, reference):
                module.running_mean.add_(0.5)
                module.running_var.mul_(2)


def test_two_models_of_one_class():
    for _ in range(2):
        model, compiled, x = make()
        check(model, compiled, x)
    first, second = torch.nn.Linear(8, 8), torch.nn.Linear(8, 8)
    a, b = (torch.compile(m, backend="ourc", fullgraph=True) for m in (first, second))
    x = torch.randn(2, 8)
    for _ in range(2):
        check(first, a, x)
        check(second, b, x)


def test_parameters_that_die_are_bound_again():
    """A new tensor may have the identity, the memory and the version of one that has died."""
    from types import SimpleNamespace

    from ourc.weights import ParameterBinding

    binds = []
    library = SimpleNamespace(
        ourc_model_bind=lambda model, pointers, count: binds.append(count) or 0,
        ourc_sample_checksum=lambda buffers, sizes, count, samples: 0,
    )
    parameters = [SimpleNamespace(position=p, attribute=None, frozen=True) for p in (2, 0)]
    binding = ParameterBinding(library, None, parameters, {})
    arguments = [torch.ones(4), None, torch.zeros(3)]
    for _ in range(3):
        binding.update(arguments)
    assert binds == [2]
    memory = arguments[0].detach().numpy()
    for _ in range(3):
        arguments[0] = None
        arguments[0] = torch.from_numpy(memory)  # the same pointer and version
        binding.update(arguments)
    assert len(binds) == 4


def test_tied_weights_are_used_twice_and_packed_once():
    """A table that is looked up and multiplied with: one argument, which is read
    as it is by one and packed for the other; its columns fill no whole vector."""

    class Tied(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.table = torch.nn.Embedding(1009, 32)
            self.head = torch.nn.Linear(32, 1009, bias=False)
            self.head.weight = self.table.weight

        def forward(self, ids):
            return self.head(self.table(ids) * 2)

    torch.manual_seed(0)
    model = Tied().eval()
    ids = torch.randint(0, 1009, (2, 7))
    compiled = torch.compile(model, backend="ourc", fullgraph=True)
    with torch.no_grad():
        actual = compiled(ids)
    assert_close(actual, double(model)(ids).detach())
    graph = ourc.compilations()[-1]
    assert graph.text.count("ourc.parameter") == 1
    strategies = [k["strategy"] for k in graph.report["kernels"]]
    assert "contraction" in strategies
    packed = graph.memory()["prepared_bytes"]
    assert model.table.weight.nbytes <= packed < 1.2 * model.table.weight.nbytes
