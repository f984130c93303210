# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From a saved torch.export program to an artifact:

    python -m ourc.compile model.pt2 -o model.so [--target=cpu:native]

writes model.so, which needs neither Python nor LLVM, and model.safetensors
beside it.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import torch
from torch.export.graph_signature import InputKind, OutputKind

from .errors import CompileError, OurcError
from .importer import ComputedResult, ImportedGraph, PlaceholderInfo, import_graph
from .options import check_options


def import_program(program: torch.export.ExportedProgram) -> ImportedGraph:
    """Imports an exported program as a module for an artifact: every user input
    is an argument and every result a tensor of its own. A buffer that the
    program overwrites is an input too, which each call updates in place: the
    state is the caller's."""
    program = _decompose(program)
    signature = program.graph_signature
    inputs = list(signature.input_specs)
    updated = {}
    for position, spec in enumerate(signature.output_specs):
        if spec.kind == OutputKind.USER_OUTPUT:
            continue
        names = [_name_of(i, spec.kind) for i in inputs]
        if spec.target not in names:
            raise CompileError(
                "an artifact cannot keep the program's "
                f"{spec.kind.name.lower().replace('_', ' ')} of '{spec.target}'"
            )
        updated[position] = names.index(spec.target)
    infos = [
        PlaceholderInfo(
            name=spec.target or spec.arg.name,
            is_parameter=spec.kind != InputKind.USER_INPUT and position not in updated.values(),
            frozen=True,
        )
        for position, spec in enumerate(inputs)
    ]
    imported = import_graph(
        program.graph_module,
        infos,
        program.range_constraints,
        keep_unused_inputs=True,
        results_alias=False,
        updated=updated,
    )
    for position, result in enumerate(imported.results):
        if not isinstance(result, ComputedResult):
            raise CompileError(
                f"result {position} of the program is no tensor; an artifact "
                "returns tensors"
            )
    return imported


# What an output of these kinds says the new value of.
_UPDATED_INPUTS = {
    OutputKind.BUFFER_MUTATION: InputKind.BUFFER,
    OutputKind.USER_INPUT_MUTATION: InputKind.USER_INPUT,
}


def _name_of(spec, kind: OutputKind) -> str | None:
    """The name by which an output of this kind knows the input, if it can."""
    if spec.kind != _UPDATED_INPUTS.get(kind):
        return None
    return spec.target or spec.arg.name


def program_weights(
    program: torch.export.ExportedProgram, imported: ImportedGraph
) -> dict[str, torch.Tensor]:
    """The parameters that the imported module reads, by name."""
    weights = {}
    for parameter in imported.parameters:
        if parameter.attribute is not None:
            value = imported.constants[parameter.attribute]
        elif parameter.name in program.state_dict:
            value = program.state_dict[parameter.name]
        else:
            value = program.constants[parameter.name]
        # Tied weights are written twice: the file format knows no aliases.
        weights[parameter.name] = value.detach().cpu().contiguous().clone()
    return weights


def compile_program(
    program: torch.export.ExportedProgram, output: str | Path, options: dict | None = None
) -> dict:
    """Writes `output` (a shared object) and its .safetensors file; returns the
    compiler's report."""
    from safetensors.torch import save_file

    from .model import Compilation

    output = Path(output)
    checked = check_options(options)
    imported = import_program(program)
    compilation = Compilation(imported.text, checked)
    compilation.write(str(output))
    save_file(program_weights(program, imported), output.with_suffix(".safetensors"))
    return compilation.report()


def _decompose(program: torch.export.ExportedProgram) -> torch.export.ExportedProgram:
    """Takes apart what torch.compile takes apart too (ops that are implicitly
    composites of others), so that both ways meet the compiler with the same
    ops."""
    from torch._export.utils import _collect_all_valid_cia_ops, _get_decomp_for_cia

    table = {op: _get_decomp_for_cia(op) for op in _collect_all_valid_cia_ops()}
    with torch.no_grad():
        return program.run_decompositions(table)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m ourc.compile",
        description="Compiles a saved torch.export program into a shared object.",
    )
    parser.add_argument("program", help="a file written by torch.export.save")
    parser.add_argument("-o", "--output", required=True, help="the artifact, *.so")
    parser.add_argument("--target", help='default "cpu:native"')
    parser.add_argument("--dump-kernels", metavar="DIR", help="each kernel's IR and assembly")
    parser.add_argument("--no-pack", action="store_true", help="leave weights as they are")
    parser.add_argument(
        "--strict",
        action="store_true",
        help="no algorithms that round otherwise (Winograd), and bf16 and f16 rounded after each operation",
    )
    parser.add_argument("--report", action="store_true", help="print the compiler's report")
    parser.add_argument(
        "--emit-mlir",
        action="store_true",
        help="write the imported module as text to the output instead",
    )
    given = parser.parse_args(arguments)
    options = {}
    if given.target:
        options["target"] = given.target
    if given.dump_kernels:
        options["dump_kernels"] = given.dump_kernels
    if given.no_pack:
        options["pack"] = False
    if given.strict:
        options["strict"] = True
    try:
        program = torch.export.load(given.program)
        if given.emit_mlir:
            Path(given.output).write_text(import_program(program).text)
            return 0
        report = compile_program(program, given.output, options)
    except (OurcError, OSError) as error:
        print(f"ourc.compile: error: {error}".rstrip(), file=sys.stderr)
        return 1
    if given.report:
        print(json.dumps(report, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
