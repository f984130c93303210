#!/usr/bin/env bash
# Fails when docs/tour.md is not what the tools print now.
python3 "$1" "$2" "$3" | diff -u "$4" - && exit 0
echo "docs/tour.md is out of date: run scripts/docs" >&2
exit 1
