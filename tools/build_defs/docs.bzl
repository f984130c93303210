"""Reference pages from TableGen, checked in under docs/generated and compared in every test run."""

_LLVM = "/usr/lib/llvm-22"

def generated_doc(name, td, flags, deps):
    """One page, and a test that the checked-in copy is what TableGen says now.

    Args:
      name: the page is <name>.md.
      td: the TableGen file.
      flags: mlir-tblgen's flags.
      deps: td_library targets that `td` includes.
    """
    fresh = name + ".fresh.md"
    native.genrule(
        name = name + "_fresh",
        srcs = [td] + deps,
        outs = [fresh],
        cmd = "%s/bin/mlir-tblgen %s -I . -I %s/include $(location %s) -o $@" % (_LLVM, flags, _LLVM, td),
        message = "TableGen documentation",
    )
    native.sh_test(
        name = name + "_drift_test",
        srcs = ["compare.sh"],
        args = ["$(location %s)" % fresh, "$(location %s.md)" % name],
        data = [fresh, name + ".md"],
        size = "small",
    )
