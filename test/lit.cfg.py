"""lit configuration of all suites under test/; paths come from tools/build_defs/run_lit.sh."""

import os

import lit.formats

config.name = "ourc"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".mlir", ".test"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.environ.get("OURC_LIT_OUT", "/tmp/ourc-lit")
config.environment["PATH"] = os.environ.get("OURC_TOOL_PATH", "") + ":" + os.environ["PATH"]
config.environment["FILECHECK_OPTS"] = "--enable-var-scope"
for variable in ("OURC_PTXAS", "CUDA_HOME", "OURC_PYTHON"):
    if variable in os.environ:
        config.environment[variable] = os.environ[variable]

config.substitutions.append(("%python", os.environ.get("OURC_PYTHON", "python3")))
config.substitutions.append(("%testlib", os.path.join(os.path.dirname(__file__), "lib")))

for folder in config.environment["PATH"].split(":"):
    double = os.path.join(folder, "libcuda_double.so")
    if os.path.exists(double):
        config.substitutions.append(("%double", folder))
    plugin = os.path.join(folder, "libOurcPlugin.so")
    if os.path.exists(plugin):
        config.substitutions.append(("%ourc_plugin", plugin))
        break
