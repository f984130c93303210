# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The importer: what the text says of a graph. No compiler is needed."""

import re

import pytest
import torch

import models
import ourc
from ourc.importer import (
    AliasResult,
    ComputedResult,
    PlaceholderInfo,
    SizeResult,
    import_graph,
)


class Small(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(8, 4)
        self.register_buffer("scale", torch.ones(4))

    def forward(self, x):
        return self.fc(x) * self.scale


def line_of(marker):
    """The number of this file's line that ends with the comment `marker`."""
    with open(__file__) as file:
        for number, line in enumerate(file, 1):
            if line.rstrip().endswith(f"# {marker}"):
                return number
    raise AssertionError(marker)


def calls(text):
    return re.findall(r'aten\.call "([^"]+)"', text)


def test_backend_is_listed():
    assert "ourc" in torch._dynamo.list_backends()


def test_parameters_are_named_and_frozen_without_grad(imported, ourc_opt):
    graph = imported(Small(), torch.randn(5, 8))
    assert [p.name for p in graph.parameters] == ["fc.weight", "fc.bias", "scale"]
    assert all(p.frozen for p in graph.parameters)
    assert graph.text.count("ourc.frozen") == 3
    assert [i.name for i in graph.inputs] == ["x"]
    assert calls(graph.text) == ["t.default", "addmm.default", "mul.Tensor"]
    assert graph.num_ops == 3
    ourc_opt(graph.text)


def test_parameters_are_not_frozen_with_grad(imported, ourc_opt):
    graph = imported(Small(), torch.randn(5, 8), grad=True)
    assert {p.name for p in graph.parameters} == {"fc.weight", "fc.bias", "scale"}
    assert "ourc.frozen" not in graph.text
    ourc_opt(graph.text)


def test_parameters_are_frozen_in_inference_mode(imported):
    with torch.inference_mode():
        graph = imported(Small(), torch.randn(5, 8))
    assert all(p.frozen for p in graph.parameters)


def test_updated_buffers_are_inputs(imported):
    model = torch.nn.BatchNorm1d(4).train()
    graph = imported(model, torch.randn(5, 4))
    assert {p.name for p in graph.parameters} == {"weight", "bias"}


def test_locations_are_the_users_lines(imported, ourc_opt):
    def function(x):
        y = x * 2  # first line
        return torch.nn.functional.relu(y) + 1  # second line

    graph = imported(function, torch.randn(3))
    text = ourc_opt(graph.text, "--mlir-print-debuginfo")
    assert f'loc("{__file__}":{line_of("first line")}:0)' in text
    assert f'loc("{__file__}":{line_of("second line")}:0)' in text


def test_torch_frames_are_skipped(imported):
    graph = imported(torch.nn.Sequential(torch.nn.Linear(8, 4)), torch.randn(5, 8))
    assert "torch/nn/modules/linear.py" not in graph.text


def test_dynamic_sizes_are_symbols(imported, ourc_opt):
    def function(x):
        return x.view(-1) + torch.arange(x.shape[0] * x.shape[1])

    graph = imported(function, torch.randn(5, 7), dynamic=True)
    assert [s.name for s in graph.symbols] == ["x_dim0", "x_dim1"]
    assert all(s.min == 2 for s in graph.symbols)
    assert "ourc.shape = [@x_dim0, @x_dim1]" in graph.text
    assert "arith.muli" in graph.text
    assert "tensor<?x?xf32>" in graph.text
    ourc_opt(graph.text)


def test_dynamic_sizes_context_takes_all_sizes(imported):
    with ourc.dynamic_sizes():
        graph = imported(lambda x: x + 1, torch.randn(1, 1), dynamic=True)
    assert [(s.name, s.min) for s in graph.symbols] == [("x_dim0", 1), ("x_dim1", 1)]


def test_size_arithmetic(imported, ourc_opt):
    def function(x):
        n = x.shape[0]
        return torch.arange((n // 3) * 2 + n % 5 - 1 + max(n, 9) + min(n, 4))

    graph = imported(function, torch.randn(17), dynamic=True)
    for operation in ("floordivsi", "remsi", "addi", "muli", "maxsi", "minsi"):
        assert f"arith.{operation}" in graph.text, operation
    ourc_opt(graph.text)


def test_integer_arguments_become_sizes(imported, ourc_opt):
    graph = imported(lambda x, n: x.sum() * torch.arange(n), torch.randn(6), 9, dynamic=True)
    assert {a.name: a.kind for a in graph.inputs} == {"x": "input", "n": "size"}
    assert "tensor<?x0xi8>" in graph.text
    ourc_opt(graph.text)


def test_integers_that_only_results_need_are_not_passed(imported):
    graph = imported(lambda x, n: (x + 1, x.shape[0] + n), torch.randn(6), 9, dynamic=True)
    assert [a.name for a in graph.inputs] == ["x"]
    assert isinstance(graph.results[1], SizeResult)


def test_results_that_alias(imported):
    def function(x):
        y = x * 2
        return y, y.view(-1), x.t(), y[1:], (x + 1).t()

    graph = imported(function, torch.randn(5, 8))
    y, flat, transposed, tail, computed = graph.results
    assert isinstance(y, ComputedResult) and y.order == (0, 1)
    assert isinstance(flat, AliasResult) and (flat.of_argument, flat.of) == (False, 0)
    assert isinstance(transposed, AliasResult) and transposed.of_argument
    assert transposed.strides == (1, 8)
    assert isinstance(tail, AliasResult) and tail.offset == 8
    assert isinstance(computed, ComputedResult) and computed.order == (1, 0)
    # What only aliases need is not computed.
    assert calls(graph.text) == ["mul.Tensor", "add.Tensor", "t.default", "permute.default"]


def test_unused_inputs_are_not_arguments(imported):
    graph = imported(lambda x, y: x + 1, torch.randn(3), torch.randn(4))
    assert [a.name for a in graph.inputs] == ["x"]


def test_multiple_results_and_absent_arguments(imported, ourc_opt):
    graph = imported(
        lambda x: torch.nn.functional.layer_norm(x, (8,)), torch.randn(5, 8)
    )
    assert re.search(r'%0:3 = aten.call "native_layer_norm.default"', graph.text)
    assert "weight =" not in graph.text
    ourc_opt(graph.text)


def test_absent_elements_of_lists(imported, ourc_opt):
    index = torch.tensor([0, 2])
    graph = imported(lambda x, i: x[:, i], torch.randn(5, 8), index)
    assert "indices = [unit, %arg1]" in graph.text
    ourc_opt(graph.text)


def test_constants(imported, ourc_opt):
    def function(x):
        y = x.masked_fill(x > 0.5, float("-inf")).to(torch.float64) * 0.1
        return y.to(torch.float32, memory_format=torch.contiguous_format)

    graph = imported(function, torch.randn(5))
    assert "0xFFF0000000000000 : f64" in graph.text
    assert '"float64"' in graph.text and '"contiguous_format"' in graph.text
    assert "1.00000000000000006e-01" in graph.text
    ourc_opt(graph.text)


@pytest.mark.parametrize(
    "dtype, spelling",
    [
        (torch.float64, "f64"),
        (torch.float32, "f32"),
        (torch.float16, "f16"),
        (torch.bfloat16, "bf16"),
        (torch.int64, "i64"),
        (torch.int32, "i32"),
        (torch.int16, "i16"),
        (torch.int8, "i8"),
        (torch.uint8, "i8"),
        (torch.bool, "i1"),
    ],
    ids=str,
)
def test_element_types(imported, ourc_opt, dtype, spelling):
    graph = imported(lambda x: x.view(-1).clone(), torch.ones(2, 3).to(dtype))
    assert f"tensor<2x3x{spelling}>" in graph.text
    assert graph.text.count("ourc.unsigned") == (2 if dtype == torch.uint8 else 0)
    ourc_opt(graph.text)


def test_constant_tensors_are_frozen_parameters(ourc_opt):
    table = torch.tensor([1.0, 2.0, 3.0])
    graph = torch.fx.Graph()
    x, constant = graph.placeholder("x"), graph.get_attr("table")
    x.meta["val"] = torch.empty(3, device="cpu")
    total = graph.call_function(torch.ops.aten.add.Tensor, (x, constant))
    total.meta["val"] = torch.empty(3)
    graph.output((total,))
    module = torch.fx.GraphModule({"table": table}, graph)
    result = import_graph(module, [PlaceholderInfo("x")])
    (parameter,) = result.parameters
    assert (parameter.name, parameter.position) == ("table", None)
    assert parameter.frozen
    assert result.constants["table"] is module.table
    ourc_opt(result.text)


def test_unknown_option_names_the_valid_ones(imported):
    with pytest.raises(ourc.CompileError) as error:
        imported(lambda x: x + 1, torch.randn(3), options={"packs": True})
    for name in ("packs", "target", "pack", "threads", "dump_kernels"):
        assert name in str(error.value)


def test_option_of_wrong_type(imported):
    with pytest.raises(ourc.CompileError, match="'pack' takes a bool, got 1"):
        imported(lambda x: x + 1, torch.randn(3), options={"pack": 1})


def test_unknown_mode(imported):
    with pytest.raises(ourc.CompileError, match="no mode 'max-autotune'"):
        imported(lambda x: x + 1, torch.randn(3), mode="max-autotune")


def test_errors_name_every_node_with_its_line(imported):
    def function(x):
        y = x.to(torch.float8_e4m3fnuz)  # fnuz line
        z = x.to(torch.float8_e5m2fnuz)  # other fnuz line
        return y, z

    with pytest.raises(ourc.CompileError) as error:
        imported(function, torch.randn(3))
    text = str(error.value)
    assert f"{__file__}:{line_of('fnuz line')}: element type float8_e4m3fnuz" in text
    assert f"{__file__}:{line_of('other fnuz line')}: element type float8_e5m2fnuz" in text


def test_other_devices_are_refused_by_name(imported):
    with pytest.raises(ourc.CompileError, match="input 'x' is on device meta"):
        imported(lambda x: x + 1, torch.randn(3, device="meta"))


@torch._dynamo.config.patch(capture_dynamic_output_shape_ops=True)
def test_data_dependent_sizes_are_refused(imported):
    with pytest.raises(ourc.CompileError, match="depends on data"):
        imported(lambda x: torch.arange(x.nonzero().shape[0]) + 1, torch.randn(3))


def test_resnet50(imported, ourc_opt):
    graph = imported(models.resnet50(), torch.randn(1, 3, 224, 224))
    names = calls(graph.text)
    assert names.count("convolution.default") == 53
    assert names.count("_native_batch_norm_legit_no_training.default") == 53
    assert len(graph.parameters) == 53 * 5 + 2
    assert "torchvision/models/resnet.py" in graph.text
    ourc_opt(graph.text)


@pytest.mark.parametrize("sizes", [(3, 17), (1, 1)], ids=str)
def test_sentence_encoder_with_dynamic_sizes(imported, ourc_opt, sizes):
    model = models.sentence_encoder(dynamic=True)
    with ourc.dynamic_sizes():
        graph = imported(model, *models.token_batch(*sizes), dynamic=True)
    assert [s.name for s in graph.symbols][:2] == ["ids_dim0", "ids_dim1"]
    assert graph.symbols[0].min == 1
    names = calls(graph.text)
    assert names.count("_scaled_dot_product_flash_attention_for_cpu.default") == 6
    assert names.count("addmm.default") == 36
    assert len(graph.parameters) == 103
    ourc_opt(graph.text)


