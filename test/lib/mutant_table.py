# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which faults of GPU kernels the SIMT machine finds.

mutant_table.py [--write] [--every=N] [--seeds=N] FOLDER TABLE: runs gpu-mutants on each kernel of FOLDER that says
`// MUTANTS: options`. A mutant that no seed finds must be listed in FOLDER/equivalent_mutants.txt with the reason why
it is the same kernel, and what is listed there must not be found. A comparison that has the same value in every
execution, changed or not, needs no entry:

  matmul_odd  drop-predicate 17-24,30  the reason, to the end of the line

With --write the table is written; it needs all mutants. Otherwise it is compared: each line of the table must agree
with what was run, which may be a sample (--every=4, one mutant in four).
"""

import argparse
import re
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

KINDS = ["drop-sync", "shift-wait", "drop-stage", "shift-stage", "drop-predicate", "shift-predicate"]


SAME = ("survived", "never differs")


def read_equivalents(path):
    """{(kernel, kind, number): reason}"""
    known = {}
    for line in path.read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        kernel, kind, numbers, reason = line.split(None, 3)
        for part in numbers.split(","):
            first, _, last = part.partition("-")
            for number in range(int(first), int(last or first) + 1):
                known[kernel, kind, number] = reason
    return known


def run_kernel(path, options, seeds, every):
    """The lines of gpu-mutants: [(kind, number, how, message)]."""
    command = ["gpu-mutants", str(path), f"--seeds={seeds}", f"--every={every}", *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=20000)
    lines = done.stdout.splitlines()
    if done.returncode or not lines or "clean over" not in lines[0]:
        sys.exit(f"{path.name}: {done.stdout[:500]}{done.stderr[-2000:]}")
    found = []
    for line in lines[1:]:
        name, how, message = (line.split("\t") + ["", ""])[:3]
        kind, number, _ = name.split(" ", 2)
        found.append((kind, int(number), how, message))
    return found


def make_table(results, equivalents, seeds):
    rows = [
        "# Mutants of GPU kernels",
        "",
        "Made by `python3 test/lib/mutant_table.py --write test/integration/simt docs/design/gpu-mutants.md` (the tools must be",
        f"on PATH). Every kernel ran clean over {seeds} seeds before. made / caught / equivalent, by kind of fault",
        "(`-ourc-mutate-gpu`):",
        "",
        "| kernel | " + " | ".join(KINDS) + " |",
        "| --- |" + " --- |" * len(KINDS),
    ]
    total = defaultdict(Counter)
    how_found, same = Counter(), 0
    for kernel, found in results.items():
        cells = []
        for kind in KINDS:
            of_kind = [entry for entry in found if entry[0] == kind]
            equal = sum(how in SAME for _, _, how, _ in of_kind)
            caught = len(of_kind) - equal
            total[kind].update(made=len(of_kind), caught=caught, equal=equal)
            cells.append(f"{len(of_kind)} / {caught} / {equal}" if of_kind else "")
        how_found.update(how for _, _, how, _ in found if how not in SAME)
        same += sum(how == "never differs" for _, _, how, _ in found)
        rows.append(f"| {kernel} | " + " | ".join(cells) + " |")
    cells = [f"{total[kind]['made']} / {total[kind]['caught']} / {total[kind]['equal']}" for kind in KINDS]
    rows += ["| all | " + " | ".join(cells) + " |", "", "Found by:", ""]
    rows += [f"- {how}: {count}" for how, count in how_found.most_common()]
    rows += ["", "Equivalent, because", ""]
    reasons = Counter({"the comparison has the same value in every execution at these sizes (probed)": same})
    for (kernel, kind, number), reason in equivalents.items():
        reasons[reason] += 1
    rows += [f"- {reason}: {count}" for reason, count in reasons.most_common()]
    return "\n".join(rows) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("table", type=Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--kernel", action="append", default=[])
    parser.add_argument("--log", type=Path)
    args = parser.parse_args()
    equivalents = read_equivalents(args.folder / "equivalent_mutants.txt")
    results, wrong = {}, []
    for path in sorted(args.folder.glob("*.mlir")):
        options = re.search(r"^// MUTANTS: (.*)$", path.read_text(), re.M)
        if not options or (args.kernel and path.stem not in args.kernel):
            continue
        found = results[path.stem] = run_kernel(path, options[1].split(), args.seeds, args.every)
        for kind, number, how, message in found:
            listed = (path.stem, kind, number) in equivalents
            if (how == "survived") != listed:
                wrong.append(f"{path.stem} {kind} {number}: {how}, {'but' if listed else 'not'} listed as equivalent {message}")
        if args.log:
            with args.log.open("a") as log:
                log.writelines(f"{path.stem}\t{kind}\t{n}\t{how}\t{message}\n" for kind, n, how, message in found)
        print(f"{path.stem}: {len(found)} mutants, {sum(f[2] in SAME for f in found)} equivalent or not found", flush=True)
    print("\n".join(wrong))
    table = make_table(results, equivalents, args.seeds)
    if args.write:
        args.table.write_text(table)
    else:
        recorded = args.table.read_text()
        for kernel, found in results.items():
            row = re.search(rf"^\| {kernel} \| (.*) \|$", recorded, re.M)
            cells = row[1].split(" | ") if row else []
            for kind, cell in zip(KINDS, cells):
                made = int(cell.split(" / ")[0]) if cell.strip() else 0
                numbers = [number for k, number, _, _ in found if k == kind]
                if len(numbers) != len(range(0, made, args.every)):
                    wrong.append(f"{kernel}: the table says {made} {kind}")
            if not cells:
                wrong.append(f"{kernel}: not in the table")
        print("\n".join(wrong))
    sys.exit(bool(wrong))


main()
