"""The tree keeps its own rules: licence headers, format, documented and tested passes, files of one idea."""

import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
MAX_LINES = 900


def tracked(*patterns):
    listing = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "-z", "--", *patterns], check=True, capture_output=True, text=True
    ).stdout
    return [ROOT / name for name in listing.split("\0") if name and (ROOT / name).exists()]


def relative(paths):
    return [str(path.relative_to(ROOT)) for path in paths]


def pass_groups():
    return tracked("*Passes.td")


def flags(passes_td):
    return re.findall(r'^def \w+\s*:\s*(?:Interface)?Pass<\s*"([^"]+)"', passes_td.read_text(), re.M)


def test_sources_carry_the_licence():
    sources = tracked("*.cpp", "*.h", "*.td")
    assert sources
    bare = [s for s in sources if "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception" not in s.read_text()[:1500]]
    bare = [s for s in bare if s.name != "mlir.pch.h"]
    assert not bare, relative(bare)


def test_cpp_is_formatted():
    sources = [str(s) for s in tracked("*.cpp", "*.h")]
    result = subprocess.run(
        ["clang-format-22", "--dry-run", "-Werror", *sources], cwd=ROOT, capture_output=True, text=True
    )
    wrong = sorted({line.split(":")[0] for line in result.stderr.splitlines() if "error:" in line})
    assert not wrong, wrong


def test_files_hold_one_idea():
    long = [s for s in tracked("*.cpp", "*.h", "*.td", "*.py", "*.bzl") if s.read_text().count("\n") > MAX_LINES]
    assert not long, relative(long)


@pytest.mark.parametrize("group", pass_groups(), ids=lambda p: str(p.parent.relative_to(ROOT)))
def test_passes_are_prefixed_documented_and_tested(group):
    folder = group.parent.relative_to(ROOT)
    assert flags(group), f"{group} defines no pass"
    pages = (ROOT / "docs/generated/BUILD.bazel").read_text()
    if folder.parts[0] != "test":
        assert f'"{folder}"' in pages, f"docs/generated/BUILD.bazel has no page for {folder}"
    tests = "\n".join(t.read_text() for t in tracked("test/*.mlir", "test/*.test", "test/*.py", "test/*.cpp"))
    for flag in flags(group):
        assert flag.startswith("ourc-") or (folder.parts[0] == "test" and flag.startswith("test-")), flag
        assert re.search(rf"{re.escape(flag)}(?![\w-])", tests), f"no test runs {flag}"


def test_nothing_is_left_open():
    marks = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")
    open_ends = [s for s in tracked("*.cpp", "*.h", "*.td", "*.py", "*.bzl", "*.bazel") if marks.search(s.read_text())]
    open_ends = [s for s in open_ends if s != pathlib.Path(__file__).resolve()]
    assert not open_ends, relative(open_ends)
