"""Golden values of `src/learn`: gradients and a hundred steps of training in plain PyTorch, double precision.

For each configuration it draws random weights and pairs and writes learn_<name>.safetensors beside this script:
`weight.<name>`, `gradient.<name>` of the first batch, `masks` (dropout factors of one step, in the order of the forward
pass: source embeddings, sub-layers of the encoder, target embeddings, sub-layers of the decoder; the same at every
step), and in the metadata the configuration, the batches and the loss of every step. Needs torch and safetensors:

  python tests/golden/learn.py
"""

import json
import math
from pathlib import Path

import torch
import torch.nn.functional as F
from safetensors.torch import save_file

BASE = dict(
    vocab_size=23, target_vocab_size=None, d_model=16, n_heads=2, d_k=8, d_v=8, d_ff=24,
    encoder_layers=2, decoder_layers=2, dropout=0.0, attention_dropout=0.0, activation_dropout=0.0,
    label_smoothing=0.1, activation="relu", positions="sinusoidal_interleaved", max_positions=12,
    compatibility="scaled_dot_product", neighbourhood=None, scale_embedding=True, share_embeddings=True,
    normalize_before=False, normalize_embedding=False, pad_id=22, eos_id=0, decoder_start_id=22,
    forced_eos_id=0, banned_ids=[22],
)
CONFIGS = {
    "paper": dict(n_heads=4, d_k=4, d_v=3, encoder_layers=3, decoder_layers=1),
    "dropout": dict(dropout=0.25, positions="sinusoidal_halves"),
    "additive": dict(compatibility="additive", positions="learned", label_smoothing=0.0),
    "unscaled": dict(compatibility="dot_product", n_heads=8, d_k=2, d_v=2),
    "restricted": dict(neighbourhood=2, d_k=5),
    "orderless": dict(positions="none", encoder_layers=1),
}
STEPS, BATCHES, PAIRS, WARMUP, FACTOR = 100, 4, 3, 50, 0.1


def weights(c, g):
    made = {}

    def put(name, *shape, scale, centre=0.0):
        made[name] = centre + scale * torch.randn(*shape, generator=g)

    def linear(name, outputs, inputs):
        put(f"{name}.weight", outputs, inputs, scale=math.sqrt(2 / (outputs + inputs)))
        put(f"{name}.bias", outputs, scale=0.1)

    def norm(name):
        put(f"{name}.weight", c["d_model"], scale=0.1, centre=1.0)
        put(f"{name}.bias", c["d_model"], scale=0.1)

    put("model.shared.weight", c["vocab_size"], c["d_model"], scale=c["d_model"] ** -0.5)
    for stack in ("encoder", "decoder"):
        if c["positions"] == "learned":
            put(f"model.{stack}.embed_positions.weight", c["max_positions"], c["d_model"], scale=0.5)
        for i in range(c[f"{stack}_layers"]):
            at = f"model.{stack}.layers.{i}"
            for attention in ("self_attn", "encoder_attn")[: 1 if stack == "encoder" else 2]:
                linear(f"{at}.{attention}.q_proj", c["n_heads"] * c["d_k"], c["d_model"])
                linear(f"{at}.{attention}.k_proj", c["n_heads"] * c["d_k"], c["d_model"])
                linear(f"{at}.{attention}.v_proj", c["n_heads"] * c["d_v"], c["d_model"])
                linear(f"{at}.{attention}.out_proj", c["d_model"], c["n_heads"] * c["d_v"])
                if c["compatibility"] == "additive":
                    put(f"{at}.{attention}.additive.weight", c["n_heads"], c["d_k"], scale=1.0)
                norm(f"{at}.{attention}_layer_norm")
            linear(f"{at}.fc1", c["d_ff"], c["d_model"])
            linear(f"{at}.fc2", c["d_model"], c["d_ff"])
            norm(f"{at}.final_layer_norm")
    return {name: value.float().double().requires_grad_() for name, value in made.items()}


class Net:
    """The model with one tape of dropout factors; sentences of a batch are computed one by one, without padding."""

    def __init__(self, c, w, masks):
        self.c, self.w, self.masks = c, w, masks
        # Weights (h, queries, keys) of each attention for the last sentence.
        self.maps = {}

    def linear(self, name, x):
        return F.linear(x, self.w[f"{name}.weight"], self.w[f"{name}.bias"])

    def residual(self, name, x, sublayer):
        summed = x + self.drop(sublayer)
        return F.layer_norm(summed, (self.c["d_model"],), self.w[f"{name}.weight"], self.w[f"{name}.bias"], 1e-5)

    def drop(self, x):
        if self.masks is None:
            return x
        rows = sum(len(sentence) for sentence in x) if isinstance(x, list) else len(x)
        mask = self.masks[self.at : self.at + rows * self.c["d_model"]].view(rows, -1)
        self.at += mask.numel()
        return x * mask

    def embed(self, stack, sentences):
        c, d = self.c, self.c["d_model"]
        rows = []
        for ids in sentences:
            x = self.w["model.shared.weight"][torch.tensor(ids)] * math.sqrt(d)
            if c["positions"] == "learned":
                x = x + self.w[f"model.{stack}.embed_positions.weight"][: len(ids)]
            elif c["positions"] != "none":
                angle = torch.arange(len(ids)).double()[:, None] / 10000 ** (2 * torch.arange(d // 2).double() / d)
                if c["positions"] == "sinusoidal_halves":
                    x = x + torch.cat([angle.sin(), angle.cos()], 1)
                else:
                    x = x + torch.stack([angle.sin(), angle.cos()], 2).flatten(1)
            rows.append(x)
        return self.drop(torch.cat(rows))

    def attention(self, name, x, memory, queries, keys, causal, near):
        c = self.c

        def split(part, y):
            return self.linear(f"{name}.{part}", y).unflatten(-1, (c["n_heads"], -1)).transpose(0, 1)

        q, k, v = split("q_proj", x), split("k_proj", memory), split("v_proj", memory)
        out, qs, ks = [], 0, 0
        for n, m in zip(queries, keys):
            qi, ki, vi = q[:, qs : qs + n], k[:, ks : ks + m], v[:, ks : ks + m]
            qs, ks = qs + n, ks + m
            if c["compatibility"] == "additive":
                hidden = (qi[:, :, None] + ki[:, None]).tanh()
                scores = (hidden * self.w[f"{name}.additive.weight"][:, None, None]).sum(-1)
            else:
                scale = c["d_k"] ** -0.5 if c["compatibility"] == "scaled_dot_product" else 1.0
                scores = qi @ ki.transpose(-1, -2) * scale
            distance = torch.arange(n)[:, None] - torch.arange(m)[None]
            seen = torch.ones(n, m, dtype=torch.bool)
            if causal:
                seen &= distance >= 0
            if near and c["neighbourhood"] is not None:
                seen &= distance.abs() <= c["neighbourhood"] // 2
            weights = scores.masked_fill(~seen, -math.inf).softmax(-1)
            self.maps[name] = weights
            out.append((weights @ vi).transpose(0, 1).flatten(1))
        return self.linear(f"{name}.out_proj", torch.cat(out))

    def feed_forward(self, at, x):
        return self.residual(f"{at}.final_layer_norm", x, self.linear(f"{at}.fc2", self.linear(f"{at}.fc1", x).relu()))

    def logits(self, pairs):
        c, self.at = self.c, 0
        sources = [source + [c["eos_id"]] for source, _ in pairs]
        inputs = [[c["decoder_start_id"]] + target for _, target in pairs]
        n, m = [len(s) for s in sources], [len(t) for t in inputs]
        x = self.embed("encoder", sources)
        for i in range(c["encoder_layers"]):
            at = f"model.encoder.layers.{i}"
            name = f"{at}.self_attn"
            x = self.residual(f"{name}_layer_norm", x, self.attention(name, x, x, n, n, False, True))
            x = self.feed_forward(at, x)
        y = self.embed("decoder", inputs)
        for i in range(c["decoder_layers"]):
            at = f"model.decoder.layers.{i}"
            name = f"{at}.self_attn"
            y = self.residual(f"{name}_layer_norm", y, self.attention(name, y, y, m, m, True, True))
            name = f"{at}.encoder_attn"
            y = self.residual(f"{name}_layer_norm", y, self.attention(name, y, x, m, n, False, False))
            y = self.feed_forward(at, y)
        return y @ self.w["model.shared.weight"].T

    def loss(self, pairs):
        c = self.c
        gold = torch.tensor([id for _, target in pairs for id in target + [c["eos_id"]]])
        criterion = torch.nn.CrossEntropyLoss(label_smoothing=c["label_smoothing"])
        return criterion(self.logits(pairs), gold)


def batches(c, g):
    """Lengths are the same in every batch, so that one tape of masks fits all; they differ within a batch."""

    def sentence(length):
        return torch.randint(1, c["vocab_size"] - 1, (length,), generator=g).tolist()

    return [[(sentence(3 + 2 * i), sentence(7 - 2 * i)) for i in range(PAIRS)] for _ in range(BATCHES)]


def masks(c, pairs, g):
    if c["dropout"] == 0:
        return None
    source = sum(len(s) + 1 for s, _ in pairs)
    target = sum(len(t) + 1 for _, t in pairs)
    rows = source * (1 + 2 * c["encoder_layers"]) + target * (1 + 3 * c["decoder_layers"])
    kept = torch.rand(rows * c["d_model"], generator=g) >= c["dropout"]
    return (kept / (1 - c["dropout"])).float().double()


def main():
    for seed, (name, changes) in enumerate(CONFIGS.items()):
        c = BASE | changes
        g = torch.Generator().manual_seed(seed)
        w = weights(c, g)
        data = batches(c, g)
        tape = masks(c, data[0], g)
        net = Net(c, w, tape)
        tensors = {f"weight.{key}": value.detach().float() for key, value in w.items()}
        if tape is not None:
            tensors["masks"] = tape.float()
        optimiser = torch.optim.Adam(w.values(), lr=1.0, betas=(0.9, 0.98), eps=1e-9)
        losses = []
        for step in range(1, STEPS + 1):
            optimiser.zero_grad()
            loss = net.loss(data[(step - 1) % BATCHES])
            loss.backward()
            if step == 1:
                tensors |= {f"gradient.{key}": v.grad.float().clone() for key, v in w.items()}
            rate = FACTOR * c["d_model"] ** -0.5 * min(step**-0.5, step * WARMUP**-1.5)
            optimiser.param_groups[0]["lr"] = rate
            optimiser.step()
            losses.append(loss.item())
        about = dict(config=c, batches=data, warmup=WARMUP, factor=FACTOR, losses=losses)
        save_file(tensors, Path(__file__).with_name(f"learn_{name}.safetensors"), {"about": json.dumps(about)})
        print(name, losses[0], losses[-1])


if __name__ == "__main__":
    main()
