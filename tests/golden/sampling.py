"""Golden values of sampling: what the warpers of `transformers` leave of a row of logits.

Writes sampling.json: rows of logits, and for each case a row, the settings, the pieces that remain (likeliest first)
with their probabilities, and the piece that a uniform number stands for when the probabilities are added up in that order.

Needs torch and transformers:

  python tests/golden/sampling.py
"""

import json
from pathlib import Path

import torch
from transformers.generation.logits_process import (
    LogitsProcessorList,
    TemperatureLogitsWarper,
    TopKLogitsWarper,
    TopPLogitsWarper,
)

HERE = Path(__file__).parent
VOCAB = 43
CASES = [
    # temperature, top_k, top_p
    (1.0, 0, 1.0),
    (0.3, 0, 1.0),
    (2.5, 0, 1.0),
    (1.0, 1, 1.0),
    (1.0, 7, 1.0),
    (1.0, 200, 1.0),
    (1.0, 0, 0.05),
    (1.0, 0, 0.5),
    (1.0, 0, 0.95),
    (0.7, 12, 0.9),
    (1.8, 20, 0.6),
    (0.05, 3, 0.999),
]


def main():
    generator = torch.Generator().manual_seed(20)
    # Multiples of 1/256 are exact in f32 and short in JSON; no two of a row are equal.
    rows = [torch.randperm(1500, generator=generator)[:VOCAB] / 256 * spread for spread in (1, 2, 4)]
    cases = []
    for index, row in enumerate(rows):
        for temperature, top_k, top_p in CASES:
            warpers = LogitsProcessorList([TemperatureLogitsWarper(temperature)] if temperature != 1.0 else [])
            if top_k:
                warpers.append(TopKLogitsWarper(top_k))
            if top_p < 1.0:
                warpers.append(TopPLogitsWarper(top_p))
            warped = warpers(torch.zeros(1, 1, dtype=torch.long), row[None].double())[0]
            shares = warped.softmax(0)
            order = [int(id) for id in shares.argsort(descending=True) if shares[id] > 0]
            ends = shares[order].cumsum(0)
            # Inside each interval, away from its ends.
            draws = []
            for at in sorted({0, 1, len(order) // 2, len(order) - 1}):
                if at < len(order) and shares[order[at]] > 1e-4:
                    draws.append([float(ends[at] - shares[order[at]] / 3), order[at]])
            cases.append(
                {
                    "row": index,
                    "temperature": temperature,
                    "top_k": top_k,
                    "top_p": top_p,
                    "kept": order,
                    "shares": [float(f"{shares[id]:.9g}") for id in order],
                    "draws": draws,
                }
            )
    rows = [[float(x) for x in row] for row in rows]
    lines = ",\n".join(json.dumps(case) for case in cases)
    (HERE / "sampling.json").write_text(f'{{"rows": {json.dumps(rows)},\n"cases": [\n{lines}\n]}}\n')


if __name__ == "__main__":
    main()
