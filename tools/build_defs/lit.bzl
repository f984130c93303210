"""lit suites: one Bazel test a folder, one result a file."""

def lit_suite(name, tools = ["//tools/ourc-opt"], data = [], srcs = None, size = "medium", **kwargs):
    """All lit files of this package.

    Args:
      name: the test's name.
      tools: binaries that RUN lines call; their folders go on PATH.
      data: further files that RUN lines read.
      srcs: the test files; all .mlir, .test and .py files below this package when not given.
      size: Bazel's test size.
      **kwargs: passed to sh_test.
    """
    if srcs == None:
        srcs = native.glob(["**/*.mlir", "**/*.test"])
    native.sh_test(
        name = name,
        srcs = ["//tools/build_defs:run_lit.sh"],
        args = [native.package_name()],
        data = srcs + tools + data + ["//test:lit_config"],
        env = {"OURC_TOOLS": " ".join(["$(rootpath %s)" % t for t in tools])},
        size = size,
        **kwargs
    )
