"""Golden values of `src/learn/attribution` in plain PyTorch, double precision: gradient × input, integrated gradients, leaving
pieces out, and rollout of attention. Weights and configurations are those of learn_<name>.safetensors; writes
attribution.json beside this script. Needs torch and safetensors:

  python tests/golden/attribution.py
"""

import json
import math
from pathlib import Path

import torch
from learn import Net
from safetensors import safe_open

HERE = Path(__file__).parent
CASES = {
    "paper": dict(source=[5, 9, 9, 3, 14, 0], target=[7, 2, 11, 4, 0], step=3),
    "additive": dict(source=[8, 1, 12, 20, 0], target=[6, 13, 0], step=2),
    "restricted": dict(source=[4, 17, 2, 2, 19, 10, 0], target=[3, 16, 21], step=0),
}
STEPS = 1000


class Probe(Net):
    """The model with embeddings multiplied by `share`; each stack's are leaves with a gradient."""

    def embed(self, stack, sentences):
        positions = super().embed(stack, sentences)
        table = self.w["model.shared.weight"]
        embedded = table[torch.tensor(sentences[0])] * math.sqrt(self.c["d_model"])
        self.inputs[stack] = (embedded * self.share).detach().requires_grad_()
        return self.inputs[stack] + (positions - embedded).detach()

    def logprob(self, source, target, step, bias, share=1.0):
        self.inputs, self.share = {}, share
        # The pair as `logits` takes it: without the source's end mark.
        logits = self.logits([(source[:-1], target[:step])])[-1] + bias
        return logits.log_softmax(-1)[target[step]]

    def times_input(self, *case, share=1.0):
        """Gradient at that share, times the whole input."""
        logprob = self.logprob(*case, share=share)
        logprob.backward()
        scale = math.sqrt(self.c["d_model"])
        source, target, step, _ = case
        ids = {"encoder": source, "decoder": [self.c["decoder_start_id"], *target[:step]]}
        table = self.w["model.shared.weight"].detach()
        found = [(self.inputs[stack].grad * table[torch.tensor(ids[stack])] * scale).sum(-1) for stack in ids]
        return logprob.item(), torch.cat(found)


def rollout(net, n, m):
    """Last row over (source, target inputs) of the product of all layers' maps, each half itself and half its heads' mean."""
    c, eye = net.c, lambda size: torch.eye(size).double()
    memory = eye(m)
    for i in range(c["encoder_layers"]):
        memory = (eye(m) + net.maps[f"model.encoder.layers.{i}.self_attn"].mean(0)) / 2 @ memory
    state = torch.cat([torch.zeros(n, m).double(), eye(n)], 1)
    memory = torch.cat([memory, torch.zeros(m, n).double()], 1)
    for i in range(c["decoder_layers"]):
        state = (eye(n) + net.maps[f"model.decoder.layers.{i}.self_attn"].mean(0)) / 2 @ state
        state = state / 2 + net.maps[f"model.decoder.layers.{i}.encoder_attn"].mean(0) @ memory / 2
    return state[-1]


def main():
    found = {}
    for seed, (name, case) in enumerate(CASES.items()):
        with safe_open(HERE / f"learn_{name}.safetensors", "pt") as file:
            c = json.loads(file.metadata()["about"])["config"]
            names = [key for key in file.keys() if key.startswith("weight.")]
            w = {key.removeprefix("weight."): file.get_tensor(key).double() for key in names}
        bias = 0.5 * torch.randn(c["vocab_size"], generator=torch.Generator().manual_seed(seed)).double()
        net = Probe(c, w, None)
        source, target, step = case.values()
        asked = (source, target, step, bias)
        whole, gradient_input = net.times_input(*asked)
        n, m = step + 1, len(source)
        rolled = rollout(net, n, m)
        cross = [net.maps[f"model.decoder.layers.{i}.encoder_attn"][:, -1] for i in range(c["decoder_layers"])]
        integrated = sum(net.times_input(*asked, share=(k + 0.5) / STEPS)[1] for k in range(STEPS)) / STEPS
        # Without the end mark the source ends with its last piece, which `logprob` would take for the mark.
        left_out = [net.logprob([*source[:i], *source[i + 1 :]], *asked[1:]).item() for i in range(m - 1)]
        found[name] = case | dict(
            bias=bias.tolist(),
            logprob=whole,
            baseline=net.logprob(*asked, share=0.0).item(),
            gradient_input=gradient_input.tolist(),
            integrated=integrated.tolist(),
            left_out=[whole - logprob for logprob in left_out],
            mean=torch.cat(cross).mean(0).tolist(),
            rollout=rolled.tolist(),
        )
        print(name, whole, sum(found[name]["integrated"]), whole - found[name]["baseline"])
    (HERE / "attribution.json").write_text(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
