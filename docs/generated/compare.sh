#!/usr/bin/env bash
# Fails when a checked-in reference page is not what TableGen makes of the sources now.
if diff -u "$2" "$1"; then exit 0; fi
echo "docs/generated is out of date: run scripts/docs" >&2
exit 1
