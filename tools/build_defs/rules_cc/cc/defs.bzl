"""The names that Bazel's own repositories load from rules_cc, bound to Bazel's native rules."""

cc_library = native.cc_library
cc_binary = native.cc_binary
cc_test = native.cc_test
cc_import = native.cc_import
cc_toolchain = native.cc_toolchain
cc_toolchain_suite = native.cc_toolchain_suite

def cc_flags_supplier(name, **_kwargs):
    native.genrule(name = name + "_unused", outs = [name + ".unused"], cmd = "touch $@")

def compiler_flag(name, **_kwargs):
    native.filegroup(name = name)
