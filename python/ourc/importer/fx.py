# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From an FX graph of ATen ops to a module of `aten.call` operations.

The importer knows no op: argument names and the number of results come from
each op's schema, shapes and element types from the values that tracing left in
node.meta["val"]. Which ops can be compiled is the compiler's business.
"""

from __future__ import annotations

import math
import operator
import time
from dataclasses import dataclass

import sympy
import torch
from torch.fx.experimental.symbolic_shapes import free_symbols

from ..dtypes import ELEMENT_TYPES, dtype_name
from ..errors import CompileError
from .locations import LocationTable, quote, user_frame
from .program import Argument, ComputedResult, ImportedGraph, Update
from .results import covers_storage, memory_order, plan_results
from .sizes import SizeEmitter, Symbol, UnsupportedSize, bounds_of, size_of

# Checks of what tracing has already settled: they compute nothing.
_TRACE_TIME_CHECKS = {
    "aten::_assert_tensor_metadata",
    "aten::_assert_scalar",
    "aten::sym_constrain_range",
    "aten::sym_constrain_range_for_size",
}


# The new value of an argument, at the end of a functional graph.
_COPY_BACK = "aten::copy_"


class _Unsupported(ValueError):
    """One reason why a node cannot be imported."""


@dataclass(frozen=True)
class PlaceholderInfo:
    """What the caller knows of a placeholder that the graph does not say."""

    name: str
    is_parameter: bool = False
    frozen: bool = False


def import_graph(
    gm: torch.fx.GraphModule,
    placeholders: list[PlaceholderInfo],
    value_ranges=None,
    *,
    keep_unused_inputs: bool = False,
    results_alias: bool = True,
    updated: dict[int, int] | None = None,
) -> ImportedGraph:
    """Imports `gm`. `placeholders` is parallel to the graph's placeholders,
    `value_ranges` maps torch's symbols to their ranges. Where `results_alias`,
    results that torch makes as views are views of arguments or of other
    results, and arguments and results have torch's strides; else each is a
    row-major tensor of its own. `updated` has, by the position of an output,
    that of the placeholder whose new value it is. Raises CompileError with one line for each node that cannot be
    imported."""
    importer = _GraphImporter(gm, placeholders, value_ranges or {}, keep_unused_inputs)
    return importer.run(results_alias, updated or {})


def updated_placeholders(gm: torch.fx.GraphModule) -> dict[torch.fx.Node, int]:
    """The nodes that copy a new value back to a placeholder, and its position."""
    inputs = [n for n in gm.graph.nodes if n.op == "placeholder"]
    return {n: inputs.index(n.args[0]) for n in gm.graph.nodes if _is_copy_back(n)}


class _GraphImporter:
    def __init__(self, gm, placeholders, value_ranges, keep_unused_inputs):
        self.gm = gm
        self.placeholders = placeholders
        self.value_ranges = value_ranges
        self.keep_unused_inputs = keep_unused_inputs
        self.keep_layouts = False
        self.locations = LocationTable()
        self.body: list[str] = []
        self.arguments: list[Argument] = []
        self.argument_text: list[str] = []
        self.device: torch.device | None = None  # the GPU of its tensors
        self.symbols: dict[sympy.Symbol, Symbol] = {}
        self.bindings: dict[sympy.Symbol, tuple[int, int | None]] = {}
        self.sizes = SizeEmitter(self._emit, self.symbols)
        self.values: dict[torch.fx.Node, str | list[str]] = {}
        self.errors: list[str] = []
        self.num_ops = 0
        self.num_values = 0

    # -- the walk ----------------------------------------------------------

    def run(self, results_alias, updated) -> ImportedGraph:
        started = time.perf_counter()
        self.keep_layouts = results_alias
        nodes = list(self.gm.graph.nodes)
        inputs = [n for n in nodes if n.op == "placeholder"]
        output = nodes[-1].args[0]
        outputs = output if isinstance(output, (tuple, list)) else (output,)
        copies = updated_placeholders(self.gm)
        # (new value, position of the argument, who copies it)
        writes = [(n.args[1], position, n) for n, position in copies.items()]
        writes += [(outputs[o], position, outputs[o]) for o, position in updated.items()]
        outputs = [o for i, o in enumerate(outputs) if i not in updated]
        results = plan_results(inputs, outputs, results_alias)
        live = self._live_nodes(nodes, outputs, results, writes)
        live.update(inputs[position] for _, position, _ in writes)
        for position, node in enumerate(inputs):
            self._placeholder(position, node, node in live)
        for node in nodes:
            if node.op == "get_attr" and node in live:
                self._constant(node)
        self._bind_remaining_symbols([n for n in nodes if n in live])
        for node in nodes:
            if node not in live or node.op in ("placeholder", "get_attr", "output"):
                continue
            if node in copies:
                continue
            try:
                if node.op != "call_function":
                    raise _Unsupported(f"a node of kind {node.op} ({node.target})")
                self._call(node)
            except (_Unsupported, UnsupportedSize) as error:
                self.errors.append(_where(node) + str(error))
                self.values[node] = "%invalid"
        if self.errors:
            raise CompileError(
                "ourc cannot import this graph:\n  " + "\n  ".join(self.errors)
            )
        returned = [
            self._in_order(output, result.order)
            for output, result in zip(outputs, results)
            if isinstance(result, ComputedResult)
        ]
        updates = []
        for source, position, node in writes:
            returned.append(self._new_value(inputs[position], source, node))
            updates.append(self._update(inputs[position], position, len(returned) - 1))
        return ImportedGraph(
            text=self._module(returned, results, updates),
            symbols=list(self.symbols.values()),
            arguments=self.arguments,
            results=results,
            bindings=self.bindings,
            num_ops=self.num_ops,
            seconds=time.perf_counter() - started,
            constants={
                a.attribute: _attribute(self.gm, a.attribute)
                for a in self.arguments
                if a.attribute is not None
            },
            updates=updates,
            device=self.device,
        )

    def _live_nodes(self, nodes, outputs, results, writes) -> set[torch.fx.Node]:
        """The nodes that a computed result needs, and those that return nothing
        or write an argument and so are there for what they do."""
        live: set[torch.fx.Node] = set()
        pending = [
            output
            for output, result in zip(outputs, results)
            if isinstance(result, ComputedResult)
        ]
        pending += [source for source, _, _ in writes]
        for node in nodes:
            schema = getattr(node.target, "_schema", None)
            if node.op == "call_function" and schema is not None:
                if not schema.returns and schema.name not in _TRACE_TIME_CHECKS:
                    pending.append(node)
        while pending:
            node = pending.pop()
            if node not in live:
                live.add(node)
                pending.extend(node.all_input_nodes)
        return live

    def _module(self, returned, results, updates) -> str:
        names, types = [v for v, _ in returned], [t for _, t in returned]
        signature = []
        for result in results:
            if isinstance(result, ComputedResult):
                attributes = f"ourc.name = {quote(result.name)}"
                if ELEMENT_TYPES[result.dtype].unsigned:
                    attributes += ", ourc.unsigned"
                signature.append(f"{types[result.index]} {{{attributes}}}")
        places = {a.position: i for i, a in enumerate(self.arguments)}
        for update in updates:
            attributes = f"ourc.name = {quote(update.name)}"
            if ELEMENT_TYPES[update.dtype].unsigned:
                attributes += ", ourc.unsigned"
            if update.in_place:
                attributes += f", ourc.updates = {places[update.position]} : i64"
                if update.layout:
                    attributes += f", {update.layout}"
            signature.append(f"{types[update.index]} {{{attributes}}}")
        lines = ["module {"]
        lines += ["  " + s.definition() for s in self.symbols.values()]
        lines.append("  func.func @main(")
        lines.append(",\n".join("    " + a for a in self.argument_text))
        lines.append(f"  ) -> ({', '.join(signature)}) {{")
        lines += ["    " + line for line in self.body]
        values = f" {', '.join(names)} : {', '.join(types)}" if names else ""
        lines += [f"    return{values}", "  }", "}"]
        return "\n".join(lines + self.locations.definitions()) + "\n"

    def _emit(self, text: str, location: str):
        self.body.append(f"{text} {location}")

    # -- arguments ---------------------------------------------------------

    def _placeholder(self, position: int, node: torch.fx.Node, live: bool):
        value, info = node.meta.get("val"), self.placeholders[position]
        if isinstance(value, torch.SymInt):
            expr = value.node.expr
            if isinstance(expr, sympy.Symbol):
                self.bindings[expr] = (position, None)
            return
        if not isinstance(value, torch.Tensor):
            return  # a constant of the trace: used by value where at all
        keep = self.keep_unused_inputs and not info.is_parameter
        if not live and not keep:
            return
        kind = "parameter" if info.is_parameter else "input"
        argument = Argument(
            kind, info.name, position, value.dtype, (), frozen=info.frozen
        )
        self._add_argument(node, argument, value)

    def _constant(self, node: torch.fx.Node):
        value = _attribute(self.gm, node.target)
        if not isinstance(value, torch.Tensor):
            self.errors.append(
                f"{_where(node)}the constant '{node.target}' is no tensor"
            )
            return
        argument = Argument(
            "parameter", node.target, None, value.dtype, (), node.target, frozen=True
        )
        node.meta.setdefault("val", value)
        self._add_argument(node, argument, value)

    def _add_argument(self, node, argument: Argument, value: torch.Tensor):
        try:
            self._check_device(argument, value.device)
            if value.layout != torch.strided:
                raise _Unsupported(
                    f"{argument.kind} '{argument.name}' has layout "
                    f"{value.layout}; only dense tensors can be passed"
                )
            dims = []
            for dim, raw in enumerate(value.shape):
                size = size_of(raw)
                if not isinstance(size, int):
                    size = self._argument_symbol(argument, dim, size)
                dims.append(size)
            argument.shape = tuple(dims)
            element = self._element_type(value.dtype)
        except _Unsupported as error:
            self.errors.append(_where(node) + str(error))
            self.values[node] = "%invalid"
            return
        attributes = []
        if argument.kind == "parameter":
            attributes.append(f"ourc.parameter = {quote(argument.name)}")
            if argument.frozen:
                attributes.append("ourc.frozen")
        else:
            attributes.append(f"ourc.name = {quote(argument.name)}")
        shape = self._shape_attribute(argument.shape)
        if shape:
            attributes.append(shape)
        if element.unsigned:
            attributes.append("ourc.unsigned")
        layout = self._layout(value)
        if layout:
            attributes.append(layout)
            argument.order = memory_order(value)
        name = f"%arg{len(self.arguments)}"
        self.argument_text.append(
            f"{name}: {self._tensor_type(value.dtype, argument.shape)} "
            f"{{{', '.join(attributes)}}}"
        )
        self.values[node] = name
        self.arguments.append(argument)

    def _check_device(self, argument: Argument, device: torch.device):
        """All tensors are on the CPU, or on one GPU; scalars may be on either."""
        if device.type == "cpu":
            return
        if device.type != "cuda":
            raise _Unsupported(
                f"{argument.kind} '{argument.name}' is on device {device}; ourc "
                "compiles programs whose tensors are on the CPU or a CUDA device"
            )
        if self.device is None:
            self.device = device
        if self.device != device:
            raise _Unsupported(
                f"{argument.kind} '{argument.name}' is on device {device}, others "
                f"are on {self.device}; all must be on one"
            )

    def _argument_symbol(self, argument: Argument, dim: int, size) -> sympy.Symbol:
        """The symbol of a dynamic dimension of an argument. A compound size
        gets a symbol of its own: the argument's dimension defines it."""
        symbol = size if isinstance(size, sympy.Symbol) else sympy.Symbol(str(size))
        if symbol not in self.symbols:
            name = _symbol_name(f"{argument.name}_dim{dim}")
            taken = {s.name for s in self.symbols.values()}
            while name in taken:
                name += "_"
            low, high = bounds_of(self.value_ranges.get(symbol))
            self.symbols[symbol] = Symbol(name, symbol, low, high)
            if argument.position is not None:
                self.bindings.setdefault(symbol, (argument.position, dim))
        return symbol

    def _bind_remaining_symbols(self, nodes):
        """Symbols that no dimension defines, but an integer of the caller."""
        used = set()
        for node in nodes:
            for value in _flat(node.meta.get("val")):
                if isinstance(value, (torch.Tensor, torch.SymInt)):
                    used |= free_symbols(value)
        for symbol, (position, dim) in list(self.bindings.items()):
            if symbol in self.symbols or symbol not in used or dim is not None:
                continue
            info = self.placeholders[position]
            argument = Argument("size", info.name, position, torch.int8, (symbol, 0))
            name = _symbol_name(info.name)
            low, high = bounds_of(self.value_ranges.get(symbol))
            self.symbols[symbol] = Symbol(name, symbol, low, high)
            self.argument_text.append(
                f"%arg{len(self.arguments)}: tensor<?x0xi8> "
                f"{{ourc.name = {quote(info.name)}, "
                f"{self._shape_attribute(argument.shape)}}}"
            )
            self.arguments.append(argument)

    # -- operations --------------------------------------------------------

    def _call(self, node: torch.fx.Node):
        if node.target is operator.getitem:
            source, index = node.args
            results = self.values.get(source)
            if not isinstance(results, list):
                if results == "%invalid":
                    self.values[node] = results
                    return
                raise _Unsupported("indexing of something that is no op's result")
            self.values[node] = results[index]
            return
        value = node.meta.get("val")
        if isinstance(value, (torch.SymInt, torch.SymFloat, torch.SymBool)):
            return  # emitted from its expression where it is used
        if not isinstance(node.target, torch._ops.OpOverload):
            raise _Unsupported(
                f"'{node.target}' is no ATen op; only ops with a schema can be compiled"
            )
        schema = node.target._schema
        location = self.locations.reference(user_frame(node.meta.get("stack_trace")))
        operands: dict[str, str] = {}  # types by name, in order of first mention
        arguments = []
        addresses_memory = any(a.name == "storage_offset" for a in schema.arguments)
        for index, formal in enumerate(schema.arguments):
            if index < len(node.args):
                actual = node.args[index]
            elif formal.name in node.kwargs:
                actual = node.kwargs[formal.name]
            else:
                continue
            if actual is None:
                continue
            if addresses_memory and isinstance(actual, torch.fx.Node):
                text = self._memory_of(actual, operands, formal.name)
            else:
                text = self._argument(actual, operands, location, formal.name)
            arguments.append(f"{formal.name} = {text}")
        types = [self._result_type(v) for v in _flat(value, keep_none=True)]
        multiple = isinstance(value, (tuple, list))
        name = f"%{self.num_values}"
        self.num_values += 1
        if multiple:
            self.values[node] = [f"{name}#{i}" for i in range(len(types))]
            left = f"{name}:{len(types)} = " if types else ""
        else:
            self.values[node] = name
            left = f"{name} = " if types else ""
        result = types[0] if len(types) == 1 else f"({', '.join(types)})"
        operand_types = ", ".join(operands.values())
        self._emit(
            f"{left}aten.call {quote(_op_name(node.target))}({', '.join(arguments)})"
            f" : ({operand_types}) -> {result}",
            location,
        )
        self.num_ops += 1

    def _argument(self, actual, operands, location, formal) -> str:
        """The text of one actual argument; appends the operands it holds."""
        if isinstance(actual, (list, tuple)):
            items = [self._argument(a, operands, location, formal) for a in actual]
            return "[" + ", ".join(items) + "]"
        if isinstance(actual, torch.fx.Node):
            value = actual.meta.get("val")
            if isinstance(value, torch.Tensor):
                name = self.values[actual]
                operands[name] = self._result_type(value)
                return name
            actual = value
        if isinstance(actual, torch.SymInt):
            size = size_of(actual)
            if isinstance(size, int):
                return str(size)
            name = self.sizes.value(size, location)
            operands[name] = "index"
            return name
        return _literal(actual, formal)

    def _memory_of(self, node, operands, formal) -> str:
        """The argument of an op that reads by strides: a row-major tensor of
        the elements in the order in which they lie in memory."""
        value = node.meta["val"]
        if not covers_storage(value):
            raise _Unsupported(
                f"argument '{formal}' is part of a larger tensor, whose other "
                "elements could be read by strides; call contiguous() first"
            )
        name, kind = self._in_order(node, memory_order(value))
        operands[name] = kind
        return name

    def _result_type(self, value) -> str:
        if value is None:
            return "none"
        if isinstance(value, (int, torch.SymInt)):
            return "index"
        if not isinstance(value, torch.Tensor):
            raise _Unsupported(f"a result of type {type(value).__name__}")
        return self._tensor_type(value.dtype, tuple(size_of(d) for d in value.shape))

    def _tensor_type(self, dtype: torch.dtype, shape: tuple) -> str:
        dims = "".join(f"{d}x" if isinstance(d, int) else "?x" for d in shape)
        return f"tensor<{dims}{self._element_type(dtype).mlir}>"

    def _element_type(self, dtype: torch.dtype):
        if dtype not in ELEMENT_TYPES:
            known = ", ".join(dtype_name(d) for d in ELEMENT_TYPES)
            raise _Unsupported(
                f"element type {dtype_name(dtype)} is not supported; supported: {known}"
            )
        return ELEMENT_TYPES[dtype]

    def _shape_attribute(self, shape: tuple) -> str | None:
        if all(isinstance(d, int) for d in shape):
            return None
        dims = [
            str(d) if isinstance(d, int) else f"@{self.symbols[d].name}" for d in shape
        ]
        return f"ourc.shape = [{', '.join(dims)}]"

    def _layout(self, value: torch.Tensor) -> str | None:
        """The attribute of a dense tensor that is not row-major."""
        order = memory_order(value) if self.keep_layouts else None
        if order is None or order == tuple(range(len(order))):
            return None
        return f"ourc.layout = array<i64: {', '.join(map(str, order))}>"

    # -- results -----------------------------------------------------------

    def _new_value(self, target, source, node: torch.fx.Node):
        """(value, type) of the new value of the argument `target`, as its type
        has it; `node` is where the user asks for it."""
        kind = self._result_type(target.meta["val"])
        given = self._result_type(source.meta["val"])
        if given == kind:
            return self.values[source], kind
        name = f"%{self.num_values}"
        self.num_values += 1
        operands = f"self = {self.values[target]}, src = {self.values[source]}"
        self._emit(
            f'{name} = aten.call "copy.default"({operands}) : ({kind}, {given}) -> {kind}',
            self.locations.reference(user_frame(node.meta.get("stack_trace"))),
        )
        return name, kind

    def _update(self, node: torch.fx.Node, position: int, index: int) -> Update:
        value = node.meta["val"]
        shape = tuple(size_of(d) for d in value.shape)
        name = self.placeholders[position].name
        in_place = memory_order(value) is not None
        layout = self._layout(value)
        return Update(index, position, name, value.dtype, shape, in_place, layout)

    def _in_order(self, node: torch.fx.Node, order: tuple[int, ...]):
        """(value, type) of an output with its dimensions in memory order, so
        that a contiguous buffer of the program is the user's strided tensor."""
        name, value = self.values[node], node.meta["val"]
        kind = self._result_type(value)
        if order == tuple(range(len(order))):
            return name, kind
        shape = tuple(size_of(value.shape[d]) for d in order)
        permuted = self._tensor_type(value.dtype, shape)
        result = f"%{self.num_values}"
        self.num_values += 1
        self._emit(
            f'{result} = aten.call "permute.default"(self = {name}, '
            f"dims = [{', '.join(map(str, order))}]) : ({kind}) -> {permuted}",
            self.locations.reference(user_frame(node.meta.get("stack_trace"))),
        )
        return result, permuted


def _is_copy_back(node: torch.fx.Node) -> bool:
    schema = getattr(node.target, "_schema", None)
    if schema is None or schema.name != _COPY_BACK:
        return False
    return isinstance(node.args[0], torch.fx.Node) and node.args[0].op == "placeholder"


def _op_name(target: torch._ops.OpOverload) -> str:
    """`linear.default` for aten's ops, `space::op.overload` for others."""
    name = target._schema.name.removeprefix("aten::")
    return f"{name}.{target._overloadname}"


def _literal(value, formal: str) -> str:
    """A Python constant as an MLIR attribute."""
    if value is None:
        return "unit"  # an absent element of a list
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        if math.isfinite(value):
            return f"{value:.17e}"
        bits = torch.tensor(value, dtype=torch.float64).view(torch.int64).item()
        return f"0x{bits & (2**64 - 1):016X} : f64"
    if isinstance(value, str):
        return quote(value)
    if isinstance(value, torch.dtype):
        return quote(dtype_name(value))
    if isinstance(value, (torch.device, torch.layout, torch.memory_format)):
        return quote(str(value).removeprefix("torch."))
    raise _Unsupported(
        f"argument '{formal}' has the value {value} of type {type(value).__name__}, "
        "which is no constant, tensor or size"
    )


def _flat(value, keep_none: bool = False) -> list:
    if isinstance(value, (tuple, list)):
        return [v for v in value if keep_none or v is not None]
    return [] if value is None else [value]


def _attribute(gm: torch.fx.GraphModule, target: str):
    value = gm
    for part in target.split("."):
        value = getattr(value, part)
    return value


def _symbol_name(name: str) -> str:
    text = "".join(c if c.isalnum() and c.isascii() else "_" for c in name)
    return text if text and not text[0].isdigit() else "s_" + text


def _where(node: torch.fx.Node) -> str:
    frame = user_frame(node.meta.get("stack_trace"))
    return f"{frame[0]}:{frame[1]}: " if frame else f"in node '{node.name}': "
