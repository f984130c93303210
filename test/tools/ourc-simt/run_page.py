# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the commands of a page and compares what they print.

run_page.py PAGE: a block ```mlir NAME is a file, ```sh are commands, ```text after them is their output.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path


def main():
    blocks = re.findall(r"^```(\w+) ?(\S*)\n(.*?)^```$", Path(sys.argv[1]).read_text(), re.M | re.S)
    printed, failures, compared = "", 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for kind, name, text in blocks:
            if kind == "mlir":
                (Path(folder) / name).write_text(text)
            elif kind == "sh":
                done = subprocess.run(
                    ["bash", "-c", text], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300
                )
                printed = done.stdout
            elif kind == "text":
                compared += 1
                if printed != text:
                    failures += 1
                    print(f"the page says:\n{text}but this was printed:\n{printed}")
    print(f"{compared} outputs compared, {failures} differ")
    return failures or not compared


sys.exit(main())
