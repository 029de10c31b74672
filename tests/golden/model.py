"""Golden values of the model: a plain implementation of the paper in PyTorch, in double precision.

For each configuration it draws random weights and writes, beside this script,
  model_<name>.safetensors  the weights under Marian's names, and golden.<i>.<what> for each sentence i:
                            memory, logits, encoder_self, decoder_self, cross; golden.positions
  model_<name>.json         the configuration, the sentences, and what a beam search finds

The configuration that Marian can express is also compared with transformers' MarianMTModel, if
transformers can be imported. Needs torch and safetensors:

  python tests/golden/model.py
"""

import json
import math
from pathlib import Path

import torch
from safetensors.torch import save_file

HERE = Path(__file__).parent
TINY = dict(
    vocab_size=53, target_vocab_size=None, d_model=16, n_heads=2, d_k=8, d_v=8, d_ff=32,
    encoder_layers=2, decoder_layers=2, dropout=0.1, attention_dropout=0.0, activation_dropout=0.0,
    label_smoothing=0.1, activation="relu", positions="sinusoidal_halves", max_positions=64,
    compatibility="scaled_dot_product", neighbourhood=None, scale_embedding=True, share_embeddings=True,
    normalize_before=False, normalize_embedding=False, pad_id=52, eos_id=0, decoder_start_id=52,
    forced_eos_id=0, banned_ids=[52],
)
CONFIGS = {
    "marian": dict(activation="swish"),
    "paper": dict(positions="sinusoidal_interleaved", n_heads=4, d_k=5, d_v=3, encoder_layers=3, decoder_layers=1),
    "additive": dict(positions="learned", compatibility="additive", n_heads=3, d_model=12, d_k=4, d_v=4),
    "restricted": dict(
        compatibility="dot_product", neighbourhood=4, n_heads=1, d_k=8, d_v=16,
        share_embeddings=False, target_vocab_size=61, decoder_start_id=60, pad_id=52, banned_ids=[60],
    ),
    "before": dict(normalize_before=True, normalize_embedding=True, n_heads=8, d_k=2, d_v=2),
}
# Added to the end mark's bias, so that translations of different lengths come out.
END_PUSH = {"marian": 0.7, "paper": 0.9, "additive": 1.5, "restricted": 0.0, "before": 2.1}
SOURCES = [[5, 17, 3, 42, 8, 8, 30, 0], [44, 0], [7, 7, 7, 12, 31, 32, 33, 50, 1, 21, 11, 0]]
TARGETS = [[9, 33, 2, 51, 51, 4, 20, 0], [12, 0], [40, 3, 3, 18, 25, 0]]


def draw_weights(c, end_push, generator):
    """Random tensors under Marian's names."""
    weights = {}

    def put(name, *shape, scale=None, centre=0.0):
        scale = scale or math.sqrt(2.0 / sum(shape))
        weights[name] = (centre + scale * torch.randn(*shape, generator=generator)).float()

    def linear(name, outputs, inputs):
        put(f"{name}.weight", outputs, inputs)
        put(f"{name}.bias", outputs, scale=0.1)

    def norm(name):
        put(f"{name}.weight", c["d_model"], scale=0.1, centre=1.0)
        put(f"{name}.bias", c["d_model"], scale=0.1)

    def attention(name):
        linear(f"{name}.q_proj", c["n_heads"] * c["d_k"], c["d_model"])
        linear(f"{name}.k_proj", c["n_heads"] * c["d_k"], c["d_model"])
        linear(f"{name}.v_proj", c["n_heads"] * c["d_v"], c["d_model"])
        linear(f"{name}.out_proj", c["d_model"], c["n_heads"] * c["d_v"])
        if c["compatibility"] == "additive":
            put(f"{name}.additive.weight", c["n_heads"], c["d_k"], scale=1.0)
        norm(f"{name}_layer_norm")

    target_vocab = c["target_vocab_size"] or c["vocab_size"]
    spread = 1.5 / math.sqrt(c["d_model"])
    if c["share_embeddings"]:
        put("model.shared.weight", c["vocab_size"], c["d_model"], scale=spread)
    else:
        put("model.encoder.embed_tokens.weight", c["vocab_size"], c["d_model"], scale=spread)
        put("model.decoder.embed_tokens.weight", target_vocab, c["d_model"], scale=spread)
        put("lm_head.weight", target_vocab, c["d_model"], scale=spread)
    put("final_logits_bias", 1, target_vocab, scale=0.1)
    weights["final_logits_bias"][0, c["eos_id"]] += end_push
    for stack in ["encoder", "decoder"]:
        if c["positions"] == "learned":
            put(f"model.{stack}.embed_positions.weight", c["max_positions"], c["d_model"], scale=0.5)
        if c["normalize_embedding"]:
            norm(f"model.{stack}.layernorm_embedding")
        for layer in range(c[f"{stack}_layers"]):
            name = f"model.{stack}.layers.{layer}"
            attention(f"{name}.self_attn")
            if stack == "decoder":
                attention(f"{name}.encoder_attn")
            linear(f"{name}.fc1", c["d_ff"], c["d_model"])
            linear(f"{name}.fc2", c["d_model"], c["d_ff"])
            norm(f"{name}.final_layer_norm")
        if c["normalize_before"]:
            norm(f"model.{stack}.layer_norm")
    return weights


class Model:
    """The paper's section 3, one sentence at a time."""

    def __init__(self, config, weights):
        self.c = config
        self.w = {name: value.double() for name, value in weights.items()}

    def linear(self, name, x):
        return x @ self.w[f"{name}.weight"].T + self.w[f"{name}.bias"]

    def norm(self, name, x):
        mean = x.mean(-1, keepdim=True)
        variance = ((x - mean) ** 2).mean(-1, keepdim=True)
        return (x - mean) / torch.sqrt(variance + 1e-5) * self.w[f"{name}.weight"] + self.w[f"{name}.bias"]

    def positions(self, stack):
        c = self.c
        if c["positions"] == "learned":
            return self.w[f"model.{stack}.embed_positions.weight"]
        position = torch.arange(c["max_positions"], dtype=torch.float64)[:, None]
        angle = position / 10000 ** (torch.arange(0, c["d_model"], 2, dtype=torch.float64) / c["d_model"])
        if c["positions"] == "sinusoidal_halves":
            return torch.cat([angle.sin(), angle.cos()], dim=1)
        return torch.stack([angle.sin(), angle.cos()], dim=2).reshape(c["max_positions"], c["d_model"])

    def embed(self, stack, ids):
        c = self.c
        table = "model.shared.weight" if c["share_embeddings"] else f"model.{stack}.embed_tokens.weight"
        x = self.w[table][ids] * (math.sqrt(c["d_model"]) if c["scale_embedding"] else 1.0)
        x = x + self.positions(stack)[: len(ids)]
        return self.norm(f"model.{stack}.layernorm_embedding", x) if c["normalize_embedding"] else x

    def attention(self, name, x, memory, mask):
        """Multi-head attention; mask (queries, keys) is true where a query must not look."""
        c = self.c
        heads = []
        weights = []
        q, k, v = (self.linear(f"{name}.{part}_proj", y) for part, y in [("q", x), ("k", memory), ("v", memory)])
        for head in range(c["n_heads"]):
            query = q[:, head * c["d_k"] : (head + 1) * c["d_k"]]
            key = k[:, head * c["d_k"] : (head + 1) * c["d_k"]]
            value = v[:, head * c["d_v"] : (head + 1) * c["d_v"]]
            if c["compatibility"] == "additive":
                hidden = torch.tanh(query[:, None, :] + key[None, :, :])
                scores = hidden @ self.w[f"{name}.additive.weight"][head]
            else:
                scores = query @ key.T
                if c["compatibility"] == "scaled_dot_product":
                    scores = scores / math.sqrt(c["d_k"])
            weight = torch.softmax(scores.masked_fill(mask, -math.inf), dim=-1)
            weights.append(weight)
            heads.append(weight @ value)
        return self.linear(f"{name}.out_proj", torch.cat(heads, dim=-1)), torch.stack(weights)

    def feed_forward(self, name, x):
        hidden = self.linear(f"{name}.fc1", x)
        hidden = torch.relu(hidden) if self.c["activation"] == "relu" else hidden * torch.sigmoid(hidden)
        return self.linear(f"{name}.fc2", hidden)

    def residual(self, norm, x, sublayer):
        if self.c["normalize_before"]:
            return x + sublayer(self.norm(norm, x))
        return self.norm(norm, x + sublayer(x))

    def self_mask(self, length, causal):
        i, j = torch.arange(length)[:, None], torch.arange(length)[None, :]
        mask = torch.zeros(length, length, dtype=torch.bool)
        if causal:
            mask |= j > i
        if self.c["neighbourhood"]:
            mask |= (i - j).abs() > self.c["neighbourhood"] // 2
        return mask

    def stack(self, stack, ids, memory=None):
        """Output of a stack and the attention weights of its layers, by name of the attention."""
        x = self.embed(stack, ids)
        mask = self.self_mask(len(ids), causal=stack == "decoder")
        maps = {"self_attn": [], "encoder_attn": []}

        def attend(name, kind, memory, mask):
            def sublayer(x):
                out, weights = self.attention(name, x, x if memory is None else memory, mask)
                maps[kind].append(weights)
                return out

            return sublayer

        for layer in range(self.c[f"{stack}_layers"]):
            name = f"model.{stack}.layers.{layer}"
            at = f"{name}.self_attn"
            x = self.residual(f"{at}_layer_norm", x, attend(at, "self_attn", None, mask))
            if memory is not None:
                at = f"{name}.encoder_attn"
                nothing = torch.zeros(len(ids), len(memory), dtype=torch.bool)
                x = self.residual(f"{at}_layer_norm", x, attend(at, "encoder_attn", memory, nothing))
            x = self.residual(f"{name}.final_layer_norm", x, lambda x: self.feed_forward(name, x))
        if self.c["normalize_before"]:
            x = self.norm(f"model.{stack}.layer_norm", x)
        return x, {kind: torch.stack(weights) for kind, weights in maps.items() if weights}

    def logits(self, memory, read):
        """Logits (len, vocab) after the pieces read, and the decoder's attention weights."""
        x, maps = self.stack("decoder", read, memory)
        table = self.w["model.shared.weight" if self.c["share_embeddings"] else "lm_head.weight"]
        return x @ table.T + self.w["final_logits_bias"], maps


def beam_search(model, source, beam=4, alpha=0.6):
    """The paper's search (section 6.1), nothing cached, nothing ended early: the best whole translations."""
    c = model.c
    memory, _ = model.stack("encoder", source)
    longest = min(len(source) + 50, c["max_positions"])
    open_hypotheses = [([], [])]
    finished = []
    for length in range(1, longest + 1):
        candidates = []
        for tokens, logprobs in open_hypotheses:
            logits, _ = model.logits(memory, [c["decoder_start_id"]] + tokens)
            row = torch.log_softmax(logits[-1], dim=-1).tolist()
            for token, logprob in enumerate(row):
                if length == longest and token != c["forced_eos_id"]:
                    continue
                if token not in c["banned_ids"]:
                    candidates.append((tokens + [token], logprobs + [logprob]))
        candidates.sort(key=lambda candidate: -sum(candidate[1]))
        open_hypotheses = []
        for rank, (tokens, logprobs) in enumerate(candidates[: 2 * beam]):
            if tokens[-1] == c["eos_id"]:
                if rank < beam:
                    finished.append((sum(logprobs) / ((5 + length) / 6) ** alpha, tokens, logprobs))
            elif len(open_hypotheses) < beam:
                open_hypotheses.append((tokens, logprobs))
        if not open_hypotheses:
            break
    finished.sort(key=lambda found: -found[0])
    return [dict(score=score, tokens=tokens, logprobs=logprobs) for score, tokens, logprobs in finished[:beam]]


def compare_with_transformers(config, weights):
    """Largest difference between this file's model and transformers' Marian; None without transformers."""
    try:
        from transformers import MarianConfig, MarianMTModel
    except ImportError:
        return None
    marian = MarianMTModel(MarianConfig(
        vocab_size=config["vocab_size"], d_model=config["d_model"],
        encoder_layers=config["encoder_layers"], decoder_layers=config["decoder_layers"],
        encoder_attention_heads=config["n_heads"], decoder_attention_heads=config["n_heads"],
        encoder_ffn_dim=config["d_ff"], decoder_ffn_dim=config["d_ff"],
        activation_function=config["activation"], max_position_embeddings=config["max_positions"],
        scale_embedding=config["scale_embedding"], pad_token_id=config["pad_id"], eos_token_id=config["eos_id"],
        decoder_start_token_id=config["decoder_start_id"], attn_implementation="eager",
    )).eval()
    _, unexpected = marian.load_state_dict(weights, strict=False)
    assert not unexpected, unexpected
    marian.tie_weights()
    model = Model(config, weights)
    worst = 0.0
    for source, target in zip(SOURCES, TARGETS):
        read = [config["decoder_start_id"]] + target[:-1]
        with torch.no_grad():
            theirs = marian(
                input_ids=torch.tensor([source]), decoder_input_ids=torch.tensor([read]), output_attentions=True,
            )
        memory, encoder_maps = model.stack("encoder", source)
        logits, maps = model.logits(memory, read)
        for ours, other in [
            (memory, theirs.encoder_last_hidden_state[0]),
            (logits, theirs.logits[0]),
            (encoder_maps["self_attn"], torch.cat(theirs.encoder_attentions)),
            (maps["self_attn"], torch.cat(theirs.decoder_attentions)),
            (maps["encoder_attn"], torch.cat(theirs.cross_attentions)),
        ]:
            assert ours.shape == other.shape, (ours.shape, other.shape)
            worst = max(worst, (ours - other).abs().max().item())
    return worst


def main():
    for seed, (name, changes) in enumerate(CONFIGS.items()):
        config = {**TINY, **changes}
        weights = draw_weights(config, END_PUSH[name], torch.Generator().manual_seed(1000 + seed))
        model = Model(config, weights)
        golden = {"golden.positions": model.positions("encoder")}
        translations = []
        for i, (source, target) in enumerate(zip(SOURCES, TARGETS)):
            memory, encoder_maps = model.stack("encoder", source)
            logits, maps = model.logits(memory, [config["decoder_start_id"]] + target[:-1])
            golden |= {
                f"golden.{i}.memory": memory,
                f"golden.{i}.logits": logits,
                f"golden.{i}.encoder_self": encoder_maps["self_attn"],
                f"golden.{i}.decoder_self": maps["self_attn"],
                f"golden.{i}.cross": maps["encoder_attn"],
            }
            translations.append(beam_search(model, source))
        tensors = weights | {key: value.float().contiguous() for key, value in golden.items()}
        save_file(tensors, HERE / f"model_{name}.safetensors")
        facts = dict(config=config, sources=SOURCES, targets=TARGETS, beam=4, alpha=0.6, translations=translations)
        (HERE / f"model_{name}.json").write_text(json.dumps(facts) + "\n")
        print(name, "lengths", [[len(found["tokens"]) for found in n_best] for n_best in translations])
        if name == "marian":
            print("  largest difference from transformers:", compare_with_transformers(config, weights))


if __name__ == "__main__":
    main()
