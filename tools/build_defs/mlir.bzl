"""Macros for code that includes MLIR: TableGen outputs and libraries over the precompiled headers."""

_LLVM = "/usr/lib/llvm-22"
_PCH_COPTS = ["-include-pch", "$(BINDIR)/tools/build_defs/pch/mlir.pch"]
_PCH_DEPS = ["//tools/build_defs/pch:mlir_pch", "@llvm//:mlir"]

def mlir_cc_library(name, srcs = [], hdrs = [], deps = [], copts = [], **kwargs):
    """A cc_library whose sources see MLIR through the precompiled headers.

    Linked whole, so that libOurc.so offers all of it to programs that embed ourc.
    """
    native.cc_library(
        name = name,
        alwayslink = True,
        srcs = srcs,
        hdrs = hdrs,
        copts = _PCH_COPTS + copts,
        deps = deps + _PCH_DEPS,
        **kwargs
    )

def mlir_cc_binary(name, srcs = [], deps = [], copts = [], **kwargs):
    """A cc_binary whose sources see MLIR through the precompiled headers."""
    native.cc_binary(
        name = name,
        srcs = srcs,
        copts = _PCH_COPTS + copts,
        deps = deps + _PCH_DEPS,
        **kwargs
    )

def mlir_cc_test(name, srcs = [], deps = [], copts = [], **kwargs):
    """A GoogleTest over code that includes MLIR."""
    native.cc_test(
        name = name,
        srcs = srcs,
        copts = _PCH_COPTS + copts,
        deps = deps + _PCH_DEPS + ["@gtest//:gtest_main"],
        **kwargs
    )

def td_library(name, srcs, deps = [], **kwargs):
    """TableGen files that others include; list what they include in deps."""
    native.filegroup(name = name, srcs = srcs + deps, **kwargs)

def gentbl(name, td, outs, deps = [], **kwargs):
    """Runs mlir-tblgen on `td` once for each output.

    Args:
      name: a cc_library that carries the outputs.
      td: the TableGen file.
      outs: {output file: "-gen-… flags"}.
      deps: td_library targets that `td` includes, or edits there do not rebuild.
    """
    for out, flags in outs.items():
        native.genrule(
            name = name + "_" + out.replace("/", "_").replace(".", "_"),
            srcs = depset([td] + deps).to_list(),
            outs = [out],
            cmd = "%s/bin/mlir-tblgen %s -I . -I %s/include $(location %s) -o $@" % (_LLVM, flags, _LLVM, td),
            message = "TableGen",
        )
    native.cc_library(name = name, textual_hdrs = outs.keys(), **kwargs)

def dialect_gentbl(name, td, dialect, stem, attrs = False, enums = False, types = False, deps = [], **kwargs):
    """The usual outputs of one dialect: <stem>Dialect, <stem>Ops and, on request, <stem>Attrs, <stem>Enums, <stem>Types.

    Args:
      name: a cc_library that carries the outputs.
      td: the TableGen file that includes all of the dialect.
      dialect: the dialect's namespace in the IR.
      stem: the prefix of the generated files.
      attrs: whether the dialect defines attributes.
      enums: whether the dialect defines enums.
      types: whether the dialect defines types.
      deps: td_library targets that `td` includes.
    """
    outs = {
        stem + "Dialect.h.inc": "-gen-dialect-decls -dialect=" + dialect,
        stem + "Dialect.cpp.inc": "-gen-dialect-defs -dialect=" + dialect,
        stem + "Ops.h.inc": "-gen-op-decls -dialect=" + dialect,
        stem + "Ops.cpp.inc": "-gen-op-defs -dialect=" + dialect,
    }
    if attrs:
        outs[stem + "Attrs.h.inc"] = "-gen-attrdef-decls -attrdefs-dialect=" + dialect
        outs[stem + "Attrs.cpp.inc"] = "-gen-attrdef-defs -attrdefs-dialect=" + dialect
    if enums:
        outs[stem + "Enums.h.inc"] = "-gen-enum-decls"
        outs[stem + "Enums.cpp.inc"] = "-gen-enum-defs"
    if types:
        outs[stem + "Types.h.inc"] = "-gen-typedef-decls -typedefs-dialect=" + dialect
        outs[stem + "Types.cpp.inc"] = "-gen-typedef-defs -typedefs-dialect=" + dialect
    gentbl(name, td, outs, deps, **kwargs)

def passes_gentbl(name, td, group, deps = [], **kwargs):
    """Passes.h.inc of one Passes.td; `group` names the registration function (register<group>Passes).

    Args:
      name: a cc_library that carries the output.
      td: the Passes.td.
      group: the name of the group of passes.
      deps: td_library targets that `td` includes.
    """
    native.exports_files([td])  # docs/generated makes a page of it
    gentbl(name, td, {"Passes.h.inc": "-gen-pass-decls -name " + group}, deps, **kwargs)
