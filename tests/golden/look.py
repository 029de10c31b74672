"""Golden values of looking into the model: interventions, value-weighted norms, and the arithmetic of one weight.

Takes the weights that model.py drew and computes, with its plain PyTorch model in double precision, for every
configuration and its first sentence

  look.safetensors  <config>.norms.<attention>            ‖α·v·W^O‖ of every weight
                    <config>.<intervention>.logits        under each intervention of look.json
                    <config>.cell.<attention>.<what>      the steps behind one weight
  look.json         the interventions and cells

Needs torch and safetensors:

  python tests/golden/look.py
"""

import json
import math

import torch
from safetensors.torch import load_file, save_file

from model import CONFIGS, HERE, SOURCES, TARGETS, TINY, Model

KINDS = {"encoder.self_attn": "encoderSelf", "decoder.self_attn": "decoderSelf", "decoder.encoder_attn": "cross"}
# Every layer and head that they name is there in every configuration.
INTERVENTIONS = {
    "head_off": {"heads": [{"kind": "cross", "layer": 0, "head": 0, "change": "off"}]},
    "layer_uniform": {"heads": [{"kind": "encoderSelf", "layer": 0, "change": "uniform"}]},
    "decoder_uniform": {"heads": [{"kind": "decoderSelf", "change": "uniform"}]},
    "only": {"heads": [{"kind": "encoderSelf", "layer": 1, "head": 0, "change": "only"}]},
    "unscaled": {"heads": [{"change": "unscaled"}]},
    "neighbourhood": {"neighbourhood": 3},
    "zeroed": {"positions": "zeroed"},
    "shuffled": {"positions": "shuffled", "seed": 5},
}
CELLS = {
    "encoderSelf": {"kind": "encoderSelf", "layer": 1, "head": 0, "query": 3, "key": 2},
    "decoderSelf": {"kind": "decoderSelf", "layer": 0, "head": 0, "query": 4, "key": 6},
    "cross": {"kind": "cross", "layer": 0, "head": 0, "query": 5, "key": 1},
}


def splitmix(state):
    """Numbers of 64 bits (splitmix64)."""
    mask = (1 << 64) - 1
    while True:
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        yield z ^ (z >> 31)


def shuffled(length, seed):
    """Fisher and Yates."""
    numbers = splitmix(seed)
    order = list(range(length))
    for last in range(length - 1, 0, -1):
        other = next(numbers) % (last + 1)
        order[last], order[other] = order[other], order[last]
    return order


class Looked(Model):
    """The model with an intervention, and all that passes by."""

    def __init__(self, config, weights, intervention, source_length):
        super().__init__(config, weights)
        self.i = intervention
        self.source_length = source_length
        self.seen = {}

    def positions(self, stack):
        table = super().positions(stack)
        match self.i.get("positions"):
            case "zeroed":
                return torch.zeros_like(table)
            case "shuffled":
                order = shuffled(self.source_length, self.i.get("seed", 0))
                return torch.cat([table[order], table[self.source_length :]])
        return table

    def self_mask(self, length, causal):
        mask = super().self_mask(length, causal)
        if "neighbourhood" in self.i:
            i, j = torch.arange(length)[:, None], torch.arange(length)[None, :]
            mask = (j > i) if causal else torch.zeros_like(mask)
            mask |= (i - j).abs() > self.i["neighbourhood"] // 2
        return mask

    def changes(self, kind, layer, head):
        for change in self.i.get("heads", []):
            if change.get("kind", kind) == kind and change.get("layer", layer) == layer:
                named = change.get("head", head) == head
                if change["change"] == "only":
                    if not named:
                        yield "off"
                elif named:
                    yield change["change"]

    def attention(self, name, x, memory, mask):
        c = self.c
        _, stack, _, layer, part = name.split(".")
        kind = KINDS[f"{stack}.{part}"]
        q, k, v = (self.linear(f"{name}.{part}_proj", y) for part, y in [("q", x), ("k", memory), ("v", memory)])
        heads, weights, norms = [], [], []
        for head in range(c["n_heads"]):
            keys, vals = slice(head * c["d_k"], (head + 1) * c["d_k"]), slice(head * c["d_v"], (head + 1) * c["d_v"])
            changes = set(self.changes(kind, int(layer), head))
            if c["compatibility"] == "additive":
                terms = torch.tanh(q[:, None, keys] + k[None, :, keys]) * self.w[f"{name}.additive.weight"][head]
            else:
                terms = q[:, None, keys] * k[None, :, keys]
            divide = c["compatibility"] == "scaled_dot_product" and "unscaled" not in changes
            scores = terms.sum(-1) / (math.sqrt(c["d_k"]) if divide else 1.0)
            weight = torch.softmax(scores.masked_fill(mask, -math.inf), dim=-1)
            if "uniform" in changes:
                weight = (~mask).double() / (~mask).sum(-1, keepdim=True)
            if "off" in changes:
                weight = torch.zeros_like(weight)
            weights.append(weight)
            heads.append(weight @ v[:, vals])
            # What each value becomes through this head's columns of W^O.
            through = v[:, vals] @ self.w[f"{name}.out_proj.weight"][:, vals].T
            norms.append(weight * through.norm(dim=-1)[None, :])
            self.seen[(kind, int(layer), head)] = dict(
                query=q[:, keys], key=k[:, keys], values=v[:, vals], products=terms, scores=scores, weights=weight,
                norms=norms[-1], head_output=heads[-1] @ self.w[f"{name}.out_proj.weight"][:, vals].T,
            )
        concatenation = torch.cat(heads, dim=-1)
        output = self.linear(f"{name}.out_proj", concatenation)
        self.seen[(kind, int(layer))] = dict(x=x, memory=memory, concatenation=concatenation, output=output, mask=mask)
        self.seen.setdefault(("norms", kind), []).append(torch.stack(norms))
        return output, torch.stack(weights)

    def feed_forward(self, name, x):
        _, stack, _, layer = name.split(".")
        output = super().feed_forward(name, x)
        self.seen[("ffn", stack, int(layer))] = dict(
            input=x, inner=self.linear(f"{name}.fc1", x), output=output,
        )
        return output

    def residual(self, norm, x, sublayer):
        out = super().residual(norm, x, sublayer)
        self.seen[("residual", norm)] = dict(x=x, out=out)
        return out


def run(config, weights, intervention):
    source, target = SOURCES[0], TARGETS[0]
    model = Looked(config, weights, intervention, len(source))
    memory, _ = model.stack("encoder", source)
    logits, _ = model.logits(memory, [config["decoder_start_id"]] + target[:-1])
    return logits, model


def cell_values(model, cell):
    """The steps behind one weight, from what passed by."""
    kind, layer, head, i, j = (cell[key] for key in ["kind", "layer", "head", "query", "key"])
    stack = "encoder" if kind == "encoderSelf" else "decoder"
    name = f"model.{stack}.layers.{layer}"
    norm = f"{name}.{'encoder_attn' if kind == 'cross' else 'self_attn'}_layer_norm"
    one, all_heads = model.seen[(kind, layer, head)], model.seen[(kind, layer)]
    around, ffn = model.seen[("residual", norm)], model.seen[("ffn", stack, layer)]
    after = model.seen[("residual", f"{name}.final_layer_norm")]
    return dict(
        x_query=all_heads["x"][i], x_key=all_heads["memory"][j], query=one["query"][i], key=one["key"][j],
        value=one["values"][j], products=one["products"][i, j], scores=one["scores"][i],
        mask=(~all_heads["mask"][i]).double(), weights=one["weights"][i], values=one["values"],
        contributions=one["weights"][i][:, None] * one["values"], norms=one["norms"][i],
        head=one["weights"][i] @ one["values"], concatenation=all_heads["concatenation"][i],
        head_output=one["head_output"][i], output=all_heads["output"][i], residual=around["x"][i],
        residual_sum=around["x"][i] + all_heads["output"][i], feed_forward_input=ffn["input"][i],
        feed_forward_inner=ffn["inner"][i], feed_forward_output=ffn["output"][i],
        feed_forward_sum=after["x"][i] + ffn["output"][i], layer_output=after["out"][i],
    )


def main():
    values = {}
    for name, changes in CONFIGS.items():
        config = {**TINY, **changes}
        tensors = load_file(HERE / f"model_{name}.safetensors")
        weights = {key: value for key, value in tensors.items() if not key.startswith("golden.")}
        logits, model = run(config, weights, {})
        assert (logits - tensors["golden.0.logits"]).abs().max() < 1e-4, name
        for kind in KINDS.values():
            values[f"{name}.norms.{kind}"] = torch.stack(model.seen[("norms", kind)])
        for kind, cell in CELLS.items():
            for what, value in cell_values(model, cell).items():
                values[f"{name}.cell.{kind}.{what}"] = value
        for which, intervention in INTERVENTIONS.items():
            changed, _ = run(config, weights, intervention)
            values[f"{name}.{which}.logits"] = changed
            print(f"{name:10} {which:16} logits move by up to {(changed - logits).abs().max():.3f}")
    save_file({key: value.float().contiguous() for key, value in values.items()}, HERE / "look.safetensors")
    facts = dict(interventions=INTERVENTIONS, cells=CELLS)
    (HERE / "look.json").write_text(json.dumps(facts, indent=1) + "\n")


if __name__ == "__main__":
    main()
