"""Golden values of the trainer: loss, gradients and three steps of Adam of a tiny model, in plain PyTorch.

Writes train_step.safetensors beside this script: `weight.<name>` before, `gradient.<name>` of the first step,
`after.<name>` after three steps on the same batch with gradients clipped to norm CLIP; the rest stands in the
file's metadata. Everything is computed in double precision. Needs torch and safetensors:

  python tests/golden/train_step.py
"""

import json
import math
from pathlib import Path

import torch
import torch.nn.functional as F
from safetensors.torch import save_file

C = dict(
    vocab_size=29, target_vocab_size=None, d_model=12, n_heads=2, d_k=5, d_v=3, d_ff=20,
    encoder_layers=2, decoder_layers=1, dropout=0.0, attention_dropout=0.0, activation_dropout=0.0,
    label_smoothing=0.1, activation="relu", positions="sinusoidal_interleaved", max_positions=64,
    compatibility="scaled_dot_product", neighbourhood=None, scale_embedding=True, share_embeddings=True,
    normalize_before=False, normalize_embedding=False, pad_id=28, eos_id=0, decoder_start_id=28,
    forced_eos_id=0, banned_ids=[28],
)
WARMUP, CLIP, STEPS = 7, 0.5, 3
# Without start and end marks; lengths differ on both sides, so that padding must not count.
PAIRS = [([5, 17, 3, 9, 9], [4, 12, 2]), ([8, 2], [20, 21, 22, 23, 7, 6]), ([11, 13, 27], [3])]


def weights(generator):
    c, made = C, {}

    def linear(name, outputs, inputs):
        scale = math.sqrt(2 / (outputs + inputs))
        made[f"{name}.weight"] = torch.randn(outputs, inputs, generator=generator) * scale
        made[f"{name}.bias"] = torch.randn(outputs, generator=generator) * 0.1

    def norm(name):
        made[f"{name}.weight"] = 1 + torch.randn(c["d_model"], generator=generator) * 0.1
        made[f"{name}.bias"] = torch.randn(c["d_model"], generator=generator) * 0.1

    made["model.shared.weight"] = torch.randn(c["vocab_size"], c["d_model"], generator=generator) * c["d_model"] ** -0.5
    for stack in ("encoder", "decoder"):
        for i in range(c[f"{stack}_layers"]):
            at = f"model.{stack}.layers.{i}"
            for attention in ("self_attn", "encoder_attn")[: 1 if stack == "encoder" else 2]:
                linear(f"{at}.{attention}.q_proj", c["n_heads"] * c["d_k"], c["d_model"])
                linear(f"{at}.{attention}.k_proj", c["n_heads"] * c["d_k"], c["d_model"])
                linear(f"{at}.{attention}.v_proj", c["n_heads"] * c["d_v"], c["d_model"])
                linear(f"{at}.{attention}.out_proj", c["d_model"], c["n_heads"] * c["d_v"])
                norm(f"{at}.{attention}_layer_norm")
            linear(f"{at}.fc1", c["d_ff"], c["d_model"])
            linear(f"{at}.fc2", c["d_model"], c["d_ff"])
            norm(f"{at}.final_layer_norm")
    return {name: value.float().double().requires_grad_() for name, value in made.items()}


def positions(length):
    d = C["d_model"]
    table = torch.zeros(length, d, dtype=torch.double)
    for p in range(length):
        for i in range(d // 2):
            angle = p / 10000 ** (2 * i / d)
            table[p, 2 * i], table[p, 2 * i + 1] = math.sin(angle), math.cos(angle)
    return table


def linear(w, name, x):
    return F.linear(x, w[f"{name}.weight"], w[f"{name}.bias"])


def norm(w, name, x):
    return F.layer_norm(x, (C["d_model"],), w[f"{name}.weight"], w[f"{name}.bias"], 1e-5)


def attention(w, name, x, memory, visible):
    def split(part, y):
        return linear(w, f"{name}.{part}", y).unflatten(-1, (C["n_heads"], -1)).transpose(-3, -2)

    q, k, v = split("q_proj", x), split("k_proj", memory), split("v_proj", memory)
    scores = q @ k.transpose(-1, -2) / math.sqrt(C["d_k"])
    heads = scores.masked_fill(~visible, -math.inf).softmax(-1) @ v
    return linear(w, f"{name}.out_proj", heads.transpose(-3, -2).flatten(-2))


def feed_forward(w, at, x):
    return norm(w, f"{at}.final_layer_norm", x + linear(w, f"{at}.fc2", linear(w, f"{at}.fc1", x).relu()))


def embed(w, ids):
    return w["model.shared.weight"][ids] * math.sqrt(C["d_model"]) + positions(len(ids))


def loss(w):
    """Every sentence by itself: no padding at all."""
    logits, gold = [], []
    for source, target in PAIRS:
        x = embed(w, torch.tensor(source + [C["eos_id"]]))
        everything = torch.ones(len(x), len(x), dtype=torch.bool)
        for i in range(C["encoder_layers"]):
            at = f"model.encoder.layers.{i}"
            x = norm(w, f"{at}.self_attn_layer_norm", x + attention(w, f"{at}.self_attn", x, x, everything))
            x = feed_forward(w, at, x)
        y = embed(w, torch.tensor([C["decoder_start_id"]] + target))
        causal = torch.ones(len(y), len(y), dtype=torch.bool).tril()
        for i in range(C["decoder_layers"]):
            at = f"model.decoder.layers.{i}"
            y = norm(w, f"{at}.self_attn_layer_norm", y + attention(w, f"{at}.self_attn", y, y, causal))
            seen = torch.ones(len(y), len(x), dtype=torch.bool)
            y = norm(w, f"{at}.encoder_attn_layer_norm", y + attention(w, f"{at}.encoder_attn", y, x, seen))
            y = feed_forward(w, at, y)
        logits.append(y @ w["model.shared.weight"].T)
        gold += target + [C["eos_id"]]
    return torch.nn.CrossEntropyLoss(label_smoothing=C["label_smoothing"])(torch.cat(logits), torch.tensor(gold))


def main():
    w = weights(torch.Generator().manual_seed(3))
    tensors = {f"weight.{name}": value.detach().float() for name, value in w.items()}
    optimiser = torch.optim.Adam(w.values(), lr=1.0, betas=(0.9, 0.98), eps=1e-9)
    losses, norms = [], []
    for step in range(1, STEPS + 1):
        optimiser.zero_grad()
        value = loss(w)
        value.backward()
        if step == 1:
            tensors |= {f"gradient.{name}": v.grad.float().clone() for name, v in w.items()}
        norms.append(torch.nn.utils.clip_grad_norm_(w.values(), CLIP).item())
        rate = C["d_model"] ** -0.5 * min(step**-0.5, step * WARMUP**-1.5)
        optimiser.param_groups[0]["lr"] = rate
        optimiser.step()
        losses.append(value.item())
    assert max(norms) > CLIP, "clipping must be at work"
    tensors |= {f"after.{name}": value.detach().float() for name, value in w.items()}
    about = dict(config=C, pairs=PAIRS, warmup=WARMUP, clip=CLIP, losses=losses, norms=norms)
    save_file(tensors, Path(__file__).with_suffix(".safetensors"), {"about": json.dumps(about)})
    print(losses, norms)


if __name__ == "__main__":
    main()
