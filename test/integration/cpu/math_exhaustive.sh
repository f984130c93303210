#!/usr/bin/env bash
# Measures the elementary functions over all of f32.
set -eu
PATH=$PWD/test/lib:$PATH
exec "${OURC_PYTHON:-python3}" test/integration/cpu/math_cases.py "${TEST_TMPDIR:-/tmp/ourc-math}" --exhaustive
