"""MarianMT models of random valid configurations, and what `transformers` computes with them, for tests/marian_random.rs.

    pip install --require-hashes -r train/requirements.txt -r tests/golden/requirements.txt
    python tests/golden/marian_random.py              # the committed ones: tests/golden/marian_random.json
    python tests/golden/marian_random.py 500 FILE     # as many others; then
    MARIAN_RANDOM=FILE cargo test --release --test marian_random

A seed gives a configuration (sizes, activation, shared and tied tables, ids, types of the weights), the options of `generate`, and
three sources. Weights are made as in marian.py, by the test too. Of the logits some are written, and the logarithm of the sum of
all exponentials.
"""

import json
import pathlib
import random
import sys

import torch
import transformers
from marian import fill
from transformers import GenerationConfig, MarianConfig, MarianMTModel

TYPES = {"F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}
# Logits of each step that are written.
LOGITS = 3
# Part of the models whose decoder has heads and a width of its own.
OWN_DECODER = 0.6
# Bias of the end mark, as `fill` takes it: translations end at various lengths.
END = 15


def configuration(draw):
    """A configuration that MarianMT can have, as keyword arguments, and the type of its weights."""
    d_model = draw.choice([8, 12, 20, 24, 30, 40, 48, 64])
    stack = lambda: (draw.choice([n for n in (1, 2, 3, 4, 5, 6, 8) if d_model % n == 0]), draw.choice([1, 7, 24, 40, 64, 130]))
    encoder = stack()
    decoder = stack() if draw.random() < OWN_DECODER else encoder
    vocab = draw.randint(20, 90)
    shared = draw.random() < 0.5
    target = vocab if shared or draw.random() < 0.3 else draw.randint(20, 90)
    least = min(vocab, target)
    eos, pad = draw.sample(range(least), 2)
    start = draw.choice([pad, pad, draw.randrange(target)])
    config = dict(
        vocab_size=vocab,
        decoder_vocab_size=target,
        d_model=d_model,
        encoder_layers=draw.randint(1, 3),
        decoder_layers=draw.randint(1, 3),
        encoder_attention_heads=encoder[0],
        decoder_attention_heads=decoder[0],
        encoder_ffn_dim=encoder[1],
        decoder_ffn_dim=decoder[1],
        activation_function=draw.choice(["relu", "swish", "silu"]),
        max_position_embeddings=draw.choice([40, 64, 100]),
        scale_embedding=draw.random() < 0.5,
        share_encoder_decoder_embeddings=shared,
        tie_word_embeddings=draw.random() < 0.7,
        pad_token_id=pad,
        eos_token_id=eos,
        decoder_start_token_id=start,
        forced_eos_token_id=draw.choice([eos, eos, None]),
        dropout=0.0,
    )
    return config, draw.choice(["F32", "F32", "F16", "BF16"])


def options(draw, config):
    """Options of `generate`, as a generation_config.json has them."""
    beams = draw.choice([1, 2, 3, 4, 6])
    eos = config["eos_token_id"]
    others = [i for i in range(config["decoder_vocab_size"]) if i not in (eos, config["pad_token_id"])]
    banned = draw.choice([[], [config["pad_token_id"]], [config["pad_token_id"], *draw.sample(others, 3)]])
    found = dict(
        num_beams=beams,
        max_length=config["max_position_embeddings"],
        decoder_start_token_id=config["decoder_start_token_id"],
        eos_token_id=eos,
        pad_token_id=config["pad_token_id"],
        no_repeat_ngram_size=draw.choice([0, 0, 0, 1, 2, 3]),
        renormalize_logits=draw.random() < 0.4,
        forced_eos_token_id=config["forced_eos_token_id"],
        bad_words_ids=[[i] for i in banned] or None,
    )
    if beams > 1:
        found["length_penalty"] = draw.choice([1.0, 1.0, 0.0, 0.6, 1.4, -0.5])
        found["early_stopping"] = draw.choice([False, True, "never"])
    return found


def build(config, eos, dtype):
    model = MarianMTModel(MarianConfig(**config)).eval()
    with torch.no_grad():
        seen = set()
        for name, tensor in model.state_dict(keep_vars=True).items():
            if "embed_positions" in name or tensor.data_ptr() in seen:
                continue
            seen.add(tensor.data_ptr())
            tensor.copy_(fill(name, tensor, eos, END).to(dtype).float())
    model.set_attn_implementation("eager")
    return model


def case(model, config, generation, draw):
    """A source with some logits for a given target, and the n best that `generate` finds."""
    eos = config["eos_token_id"]
    drawn = lambda vocab, length: [draw.choice([i for i in range(vocab) if i != eos]) for _ in range(length)] + [eos]
    source = drawn(config["vocab_size"], draw.choice([1, 3, 6, 11]))
    target = drawn(config["decoder_vocab_size"], draw.choice([2, 5, 8]))
    extra = draw.choice([2, 9, 14])
    with torch.no_grad():
        logits = model(
            input_ids=torch.tensor([source]), decoder_input_ids=torch.tensor([[config["decoder_start_token_id"]] + target[:-1]])
        ).logits[0]
        beams = generation["num_beams"]
        out = model.generate(
            torch.tensor([source]),
            # A source may hold the padding id: it is a piece like others.
            attention_mask=torch.ones(1, len(source), dtype=torch.long),
            generation_config=GenerationConfig(
                **{**generation, "max_length": 1 + len(source) + extra},
                num_return_sequences=min(beams, 3),
                do_sample=False,
                return_dict_in_generate=True,
                output_scores=True,
            ),
        )
    rows = [row[1:] for row in out.sequences.tolist()]
    ids = draw.sample(range(config["decoder_vocab_size"]), LOGITS)
    short = lambda value: float(f"{value:.6g}")
    return {
        "source": source,
        "target": target,
        "ids": ids,
        "logits": [[short(row[i].item()) for i in ids] + [short(row.logsumexp(0).item())] for row in logits],
        "max_extra": extra,
        "found": [row[: row.index(eos) + 1] if eos in row else row for row in rows],
        "scores": [short(score) for score in out.sequences_scores.tolist()] if beams > 1 else None,
    }


def main():
    torch.set_num_threads(1)
    count, path = (int(sys.argv[1]), sys.argv[2]) if len(sys.argv) > 1 else (24, pathlib.Path(__file__).with_suffix(".json"))
    models = []
    for seed in range(count):
        draw = random.Random(seed)
        config, dtype = configuration(draw)
        generation = options(draw, config)
        model = build(config, config["eos_token_id"], TYPES[dtype])
        cases = [case(model, config, generation, draw) for _ in range(3)]
        models.append(
            {
                "dtype": dtype,
                # Where a folder says nothing of banned pieces, padding is banned here, as in older versions of transformers.
                "config": {"model_type": "marian", "bad_words_ids": None, **config},
                "generation": {key: value for key, value in generation.items() if value is not None},
                "cases": cases,
            }
        )
    made = {"transformers": transformers.__version__, "torch": torch.__version__}
    lines = ",\n".join(json.dumps(model) for model in models)
    pathlib.Path(path).write_text(f'{{"made_with": {json.dumps(made)}, "models": [\n{lines}\n]}}\n')
    print(len(models), "models")


main()
