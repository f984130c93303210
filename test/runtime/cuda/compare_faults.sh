#!/usr/bin/env bash
# Fails when the checked-in table is not what the driver of the tests shows now.
set -eu
"$1" >"$TEST_TMPDIR/faults.md"
if diff -u "$2" "$TEST_TMPDIR/faults.md"; then exit 0; fi
echo "docs/design/gpu-driver-faults.md is out of date: run scripts/docs" >&2
exit 1
