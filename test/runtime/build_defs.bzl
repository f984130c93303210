"""Tests of the runtime: one GoogleTest a library."""

def runtime_cc_test(name, deps = [], **kwargs):
    """A GoogleTest of <name>.cpp.

    Args:
      name: the test's name, that of its source.
      deps: the libraries under test.
      **kwargs: passed to cc_test.
    """
    native.cc_test(
        name = name,
        srcs = [name + ".cpp"],
        size = kwargs.pop("size", "small"),
        deps = deps + ["@gtest//:gtest_main"],
        **kwargs
    )
