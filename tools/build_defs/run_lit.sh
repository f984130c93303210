#!/usr/bin/env bash
# Runs lit over one folder of the test tree; the working directory is the root of the runfiles.
set -eu
path=/usr/lib/llvm-22/bin
for tool in $OURC_TOOLS; do path="$PWD/$(dirname "$tool"):$path"; done
export OURC_TOOL_PATH="$path" OURC_LIT_OUT="${TEST_TMPDIR:-/tmp/ourc-lit}/lit"
xunit=()
if [ -n "${TEST_UNDECLARED_OUTPUTS_DIR:-}" ]; then xunit=(--xunit-xml-output "$TEST_UNDECLARED_OUTPUTS_DIR/lit.xml"); fi
exec python3 /usr/lib/llvm-22/bin/lit -sv -j2 "${xunit[@]}" "$PWD/$1"
