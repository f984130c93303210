# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.compile(backend="ourc"): values, aliasing, mutation, refusals."""

import threading

import pytest
import torch

import ourc
from numerics import assert_close, double


def run(function, *args, **kwargs):
    """The compiled function's result without gradients."""
    compiled = torch.compile(function, backend="ourc", fullgraph=True, **kwargs)
    with torch.no_grad():
        return compiled(*args)


def newest():
    return ourc.compilations()[-1]


def aten_ops(function, *args):
    """The ATen ops that run in one call."""
    with torch.no_grad(), torch.profiler.profile() as profile:
        function(*args)
    return {e.key for e in profile.key_averages() if e.key.startswith("aten::")}


def mlp():
    return torch.nn.Sequential(
        torch.nn.Linear(13, 32), torch.nn.GELU(), torch.nn.LayerNorm(32), torch.nn.Linear(32, 7)
    )


def test_mlp():
    model, x = mlp(), torch.randn(5, 13)
    assert_close(run(model, x), double(model)(double(x)))


def test_inference_mode():
    model, x = mlp(), torch.randn(5, 13)
    compiled = torch.compile(model, backend="ourc", fullgraph=True)
    with torch.inference_mode():
        assert_close(compiled(x), double(model)(double(x)))
        assert_close(compiled(x), double(model)(double(x)))


def test_no_aten_kernel_runs():
    model, x = mlp(), torch.randn(5, 13)
    compiled = torch.compile(model, backend="ourc", fullgraph=True)
    with torch.no_grad():
        compiled(x)
    # Memory of results is torch's, and views are no kernels.
    assert aten_ops(compiled, x) <= {"aten::empty", "aten::as_strided", "aten::permute"}
    assert "aten::addmm" in aten_ops(model, x)  # the check can see kernels


def test_results_are_not_reused():
    compiled = torch.compile(lambda x: x + 1, backend="ourc", fullgraph=True)
    first = compiled(torch.zeros(9))
    second = compiled(torch.ones(9))
    assert first.tolist() == [1.0] * 9 and second.tolist() == [2.0] * 9


def test_structured_results():
    def function(x):
        return {"sum": x.sum(), "none": None, "size": x.shape[0], "pair": (x + 1, [x * 2])}

    x = torch.randn(4, 3)
    result = run(function, x, dynamic=True)
    assert result["none"] is None and result["size"] == 4
    assert torch.equal(result["pair"][0], x + 1) and torch.equal(result["pair"][1][0], x * 2)
    assert_close(result["sum"], double(x).sum())


def test_results_alias_as_in_eager():
    def function(x):
        y = x * 2
        return y, y.view(-1), y[1:, 2:], y.t()

    y, flat, corner, transposed = run(function, torch.randn(5, 8))
    y.fill_(3.0)
    assert (flat == 3).all() and (corner == 3).all() and (transposed == 3).all()
    assert transposed.stride() == (1, 8) and corner.stride() == (8, 1)


def test_views_of_inputs():
    x = torch.randn(5, 8)
    transposed, tail = run(lambda x: (x.t(), x[2:, 1:]), x)
    assert transposed.data_ptr() == x.data_ptr()
    assert torch.equal(transposed, x.t()) and torch.equal(tail, x[2:, 1:])
    assert tail.data_ptr() == x[2:, 1:].data_ptr()


def test_views_of_offset_inputs():
    base = torch.randn(64)
    x = base[8:48].view(5, 8)
    (tail,) = run(lambda x: (x[1:],), x)
    assert torch.equal(tail, x[1:]) and tail.data_ptr() == x[1:].data_ptr()


def test_result_is_an_input_or_a_parameter():
    model = mlp()
    x = torch.randn(3, 13)

    def function(x):
        return x, model(x), model[0].weight

    same, _, weight = run(function, x)
    assert torch.equal(same, x) and same.data_ptr() == x.data_ptr()
    assert weight.data_ptr() == model[0].weight.data_ptr()


def test_strides_of_results_are_eagers():
    def function(x):
        return (x + 1).permute(2, 0, 1), (x * 2).transpose(0, 1)

    x = torch.randn(3, 5, 7)
    for actual, expected in zip(run(function, x), function(x)):
        assert actual.stride() == expected.stride()
        assert torch.equal(actual, expected)


def test_mutated_inputs():
    def function(x, y):
        x.add_(y)
        return x * 2

    x, y = torch.randn(4, 4), torch.randn(4, 4)
    mine, theirs = x.clone(), x.clone()
    result, expected = run(function, mine, y), function(theirs, y)
    assert torch.equal(result, expected) and torch.equal(mine, theirs)


@pytest.mark.parametrize(
    "make",
    [
        lambda: torch.randn(8, 6).t(),
        lambda: torch.randn(12, 8)[::2],
        lambda: torch.randn(6, 16)[:, ::2],
        lambda: torch.randn(6, 1).expand(6, 8),
        lambda: torch.randn(100)[3:51].view(6, 8),
    ],
    ids=["transposed", "rows", "columns", "expanded", "offset"],
)
def test_strided_inputs(make):
    x = make()
    model = torch.nn.Linear(8, 5)
    assert_close(run(lambda x: model(x) + x.sum(), x), double(model)(double(x)) + double(x).sum())


def test_strided_parameters():
    model = torch.nn.Linear(8, 5)
    model.weight = torch.nn.Parameter(torch.randn(8, 5).t())
    x = torch.randn(3, 8)
    assert_close(run(model, x), double(model)(double(x)))


def test_zero_size_inputs():
    x = torch.randn(0, 8)
    model = torch.nn.Linear(8, 5)
    assert run(model, x).shape == (0, 5)
    assert run(lambda x: x.sum(), x).item() == 0.0
    assert run(lambda x: x.sum(0), x).tolist() == [0.0] * 8


def test_zero_size_of_a_dynamic_dimension():
    model = torch.nn.Linear(8, 5)
    with ourc.dynamic_sizes():
        compiled = torch.compile(model, backend="ourc", fullgraph=True, dynamic=True)
        with torch.no_grad():
            compiled(torch.randn(3, 8))
            try:
                assert compiled(torch.randn(0, 8)).shape == (0, 5)
            except ourc.OurcError as error:
                assert "input" in str(error) and "0" in str(error)


def test_scalars():
    x = torch.tensor(3.0)
    assert run(lambda x: x * x + 1, x).item() == 10.0


def test_many_sizes_one_compile():
    model = mlp()
    reference = double(model)
    before = len(ourc.compilations())
    with ourc.dynamic_sizes(), torch.no_grad():
        compiled = torch.compile(model, backend="ourc", fullgraph=True, dynamic=True)
        for batch in (3, 1, 7, 13, 64, 65, 200):
            x = torch.randn(batch, 13)
            assert_close(compiled(x), reference(double(x)))
    assert len(ourc.compilations()) == before + 1


def test_integer_arguments():
    compiled = torch.compile(
        lambda x, n: x.sum() * torch.arange(n), backend="ourc", fullgraph=True, dynamic=True
    )
    for n in (9, 5, 17):
        x = torch.ones(4)
        assert compiled(x, n).tolist() == [4.0 * i for i in range(n)]


def test_training_forward_runs_and_backward_is_refused():
    model, x = mlp(), torch.randn(5, 13)
    compiled = torch.compile(model, backend="ourc", fullgraph=True)
    result = compiled(x)
    assert_close(result.detach(), double(model)(double(x)).detach())
    with pytest.raises(ourc.CompileError, match="cannot compile backward graphs"):
        result.sum().backward()


def test_unsupported_ops_are_all_named():
    def function(x):
        y = torch.linalg.det(x)  # a line that is named
        return torch.special.bessel_j0(x) + y  # another one

    with pytest.raises(ourc.CompileError) as error:
        run(function, torch.randn(3, 3))
    text = str(error.value)
    assert "bessel_j0" in text and "_linalg_det" in text
    lines = open(__file__).read().splitlines()
    for comment in ("a line that is named", "another one"):
        (line,) = [n for n, t in enumerate(lines, 1) if t.endswith("# " + comment)]
        assert f"{line}" in text and "test_backend.py" in text


def test_index_out_of_bounds_is_an_error():
    table = torch.nn.Embedding(10, 4)
    compiled = torch.compile(table, backend="ourc", fullgraph=True)
    with torch.no_grad():
        assert torch.equal(compiled(torch.tensor([1, 9])), table(torch.tensor([1, 9])))
        for index in (10, -1, 2**40):
            with pytest.raises(ourc.OurcError):
                compiled(torch.tensor([1, index]))
        assert torch.equal(compiled(torch.tensor([0, 3])), table(torch.tensor([0, 3])))


def test_wrong_arguments_after_compiling():
    """Dynamo guards what was compiled; another type compiles another graph."""
    compiled = torch.compile(lambda x: x + 1, backend="ourc", fullgraph=True)
    assert torch.equal(compiled(torch.ones(3)), torch.full((3,), 2.0))
    assert torch.equal(compiled(torch.ones(3, dtype=torch.int64)), torch.tensor([2, 2, 2]))
    assert torch.equal(compiled(torch.ones(2, 2)), torch.full((2, 2), 2.0))


def test_pack_can_be_switched_off():
    model, x = torch.nn.Linear(64, 48), torch.randn(9, 64)
    expected = double(model)(double(x))
    assert_close(run(model, x), expected)
    packed = newest().memory()["prepared_bytes"]
    torch._dynamo.reset()
    assert_close(run(model, x, options={"pack": False}), expected)
    assert newest().memory()["prepared_bytes"] == 0
    assert packed >= 64 * 48 * 4


def test_target_avx2():
    model, x = mlp(), torch.randn(5, 13)
    assert_close(run(model, x, options={"target": "cpu:x86-64-v3"}), double(model)(double(x)))
    assert newest().report["target"].startswith("cpu:x86-64-v3")


def test_unknown_target_is_refused():
    with pytest.raises(ourc.CompileError, match="tpu"):
        run(lambda x: x + 1, torch.ones(3), options={"target": "tpu"})


def test_dump_kernels(tmp_path):
    run(mlp(), torch.randn(5, 13), options={"dump_kernels": str(tmp_path / "kernels")})
    assert any((tmp_path / "kernels").iterdir())


def test_nothing_is_allocated_in_the_second_call():
    model, x = mlp(), torch.randn(5, 13)
    compiled = torch.compile(model, backend="ourc", fullgraph=True)
    with torch.no_grad():
        compiled(x)
        before = newest().memory()["allocations"]
        compiled(x)
    assert newest().memory()["allocations"] == before


def test_threads_share_a_model():
    model = mlp()
    compiled = torch.compile(model, backend="ourc", fullgraph=True, dynamic=False)
    inputs = [torch.randn(5, 13) for _ in range(8)]
    with torch.no_grad():
        compiled(inputs[0])
        expected = [double(model)(double(x)) for x in inputs]
    errors = []

    def work(index):
        try:
            with torch.no_grad():
                for _ in range(20):
                    assert_close(compiled(inputs[index]), expected[index])
        except BaseException as error:  # noqa: BLE001 - reported by the test
            errors.append(error)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(len(inputs))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors, errors[0]


def test_explain():
    def function(x):
        return torch.nn.functional.gelu(x * 2) + 1

    explanation = ourc.explain(function, torch.randn(4, 32))
    (graph,) = explanation.graphs
    text = str(explanation)
    assert f"{graph.num_aten_ops} ATen ops in" in text and graph.num_aten_ops == 3
    assert "test_backend.py" in text
    for word in ("arena", "prepared weights", "seconds", "target cpu"):
        assert word in text, word
    assert graph.seconds["total"] > 0


def test_explain_measures_kernels():
    linear = torch.nn.Linear(64, 96).eval()
    explanation = ourc.explain(
        lambda x: torch.softmax(linear(x), -1).sum(), torch.randn(32, 64), measure=True, runs=3
    )
    (graph,), (times,) = explanation.graphs, explanation.times
    assert sum(kernel.launches for kernel in times) == len(graph.report["sequence"])
    assert [k.seconds for k in times] == sorted((k.seconds for k in times), reverse=True)
    product = max(times, key=lambda kernel: kernel.flops)
    assert product.flops >= 2 * 32 * 64 * 96
    # The weight may be packed: at least the input, the bias and the weight are read.
    assert product.bytes >= 4 * (32 * 64 + 96 + 64 * 96)
    assert 0 < product.floor and product.limit in ("compute", "memory")
    assert any("test_backend.py" in place for place in product.locations)
    text = str(explanation)
    for word in ("peaks measured", "of limit", product.name, "sum of floors"):
        assert word in text, word


def test_explain_counts_attention():
    q = torch.randn(2, 3, 32, 16)
    explanation = ourc.explain(
        torch.nn.functional.scaled_dot_product_attention, q, q, q, measure=True, runs=2
    )
    (times,) = explanation.times
    products = 2 * 2 * 3 * 32 * 32 * (16 + 16)
    assert products <= sum(kernel.flops for kernel in times) <= 1.2 * products


def test_kernels_in_torch_profiler():
    compiled = torch.compile(
        lambda x: torch.nn.functional.gelu(x * 2) + 1, backend="ourc", fullgraph=True
    )
    x = torch.randn(4, 32)
    compiled(x)
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profiler:
        compiled(x)
    launches = len(ourc.compilations()[-1].report["sequence"])
    shown = [event for event in profiler.events() if event.name.startswith("ourc::")]
    assert len(shown) == launches and launches > 0
    assert all("test_backend.py" in event.name for event in shown)
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profiler:
        pass
    assert not [event for event in profiler.events() if event.name.startswith("ourc::")]
