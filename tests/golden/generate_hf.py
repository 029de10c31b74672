"""Translations by `transformers` of a tiny Marian model, for tests/search_hf.rs.

    pip install --require-hashes -r train/requirements.txt -r tests/golden/requirements.txt
    python tests/golden/generate_hf.py

The model is trained for some seconds on a made-up language whose pieces are dropped, doubled and swapped at
random: so it is unsure, and beams of different width find different translations of different lengths.

Writes hf/: the model folder (config, generation_config, model.safetensors) and cases.json, which holds for
every case the source, the options of `generate`, and the sequences (without start symbol) with their scores.
"""

import json
import pathlib

import torch
import transformers
from transformers import GenerationConfig, MarianConfig, MarianMTModel

FOLDER = pathlib.Path(__file__).parent / "hf"
VOCAB = 60
EOS, UNK, PAD = 0, 1, VOCAB - 1


def model():
    torch.manual_seed(20240607)
    config = MarianConfig(
        vocab_size=VOCAB,
        d_model=24,
        encoder_layers=2,
        decoder_layers=3,
        encoder_attention_heads=3,
        decoder_attention_heads=3,
        encoder_ffn_dim=40,
        decoder_ffn_dim=40,
        activation_function="swish",
        max_position_embeddings=64,
        scale_embedding=True,
        share_encoder_decoder_embeddings=True,
        tie_word_embeddings=True,
        static_position_embeddings=True,
        pad_token_id=PAD,
        eos_token_id=EOS,
        decoder_start_token_id=PAD,
        forced_eos_token_id=EOS,
        bad_words_ids=[[PAD]],
        dropout=0.0,
        init_std=0.1,
    )
    model = MarianMTModel(config)
    train(model)
    return model.eval()


def pair(generator):
    """A source, and a target that is its image with noise."""
    r = lambda: torch.rand((), generator=generator).item()
    source = torch.randint(2, PAD, (1 + int(r() * 12),), generator=generator).tolist()
    target = []
    for t in source:
        image = 2 + (t * 7) % (PAD - 2)
        if r() < 0.2:
            image = 2 + (t * 11) % (PAD - 2)
        target += [image] * (0 if r() < 0.15 else 2 if r() < 0.2 else 1)
        if len(target) > 1 and r() < 0.2:
            target[-2:] = target[:-3:-1]
    return source + [EOS], target + [EOS]


def train(model):
    generator = torch.Generator().manual_seed(3)
    optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)
    pad = lambda rows, fill: torch.tensor([row + [fill] * (max(map(len, rows)) - len(row)) for row in rows])
    for step in range(STEPS):
        sources, targets = zip(*(pair(generator) for _ in range(32)))
        inputs = pad([[PAD] + t[:-1] for t in targets], PAD)
        source = pad(sources, PAD)
        out = model(input_ids=source, attention_mask=(source != PAD).long(), decoder_input_ids=inputs)
        loss = torch.nn.functional.cross_entropy(out.logits.transpose(1, 2), pad(targets, -100))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 100 == 0:
            print("step", step, "loss", loss.item())


STEPS = 600


def main():
    torch.set_num_threads(1)
    FOLDER.mkdir(exist_ok=True)
    net = model()
    generator = torch.Generator().manual_seed(7)
    sources = []
    for length in [1, 2, 3, 4, 5, 6, 8, 10, 12, 14]:
        ids = torch.randint(2, PAD, (length,), generator=generator).tolist() + [EOS]
        sources.append(ids)
    variants = []
    for beams in [1, 4, 6]:
        variants.append(dict(num_beams=beams))
    for stop in [True, False, "never"]:
        for penalty in [0.0, 0.6, 1.0, 2.0, -0.5]:
            variants.append(dict(num_beams=4, early_stopping=stop, length_penalty=penalty, num_return_sequences=3))
    variants.append(dict(num_beams=1, no_repeat_ngram_size=2))
    variants.append(dict(num_beams=4, no_repeat_ngram_size=1))
    variants.append(dict(num_beams=6, no_repeat_ngram_size=3, num_return_sequences=6))
    variants.append(dict(num_beams=4, prefix=3, num_return_sequences=4))
    variants.append(dict(num_beams=1, prefix=2))
    variants.append(dict(num_beams=6, prefix=2, early_stopping=True, length_penalty=1.4))
    # As the folders of opus-mt ask for.
    variants.append(dict(num_beams=4, renormalize_logits=True, num_return_sequences=4))
    variants.append(dict(num_beams=6, renormalize_logits=True, no_repeat_ngram_size=1, num_return_sequences=6))

    cases = []
    for s, source in enumerate(sources):
        for v, variant in enumerate(variants):
            if (s + v) % 2 and v >= 3:
                continue
            variant = dict(variant)
            prefix = torch.randint(1, PAD, (variant.pop("prefix", 0),), generator=generator).tolist()
            extra = [6, 12, 50][(s + v) % 3]
            generation = GenerationConfig(
                max_length=min(1 + len(source) + extra, 65),
                decoder_start_token_id=PAD,
                eos_token_id=EOS,
                pad_token_id=PAD,
                forced_eos_token_id=EOS,
                bad_words_ids=[[PAD]],
                output_scores=True,
                return_dict_in_generate=True,
                do_sample=False,
                **variant,
            )
            # Positions end at 64: a longer decoder input would read beyond the table.
            generation.max_length = min(generation.max_length, 64)
            with torch.no_grad():
                out = net.generate(
                    torch.tensor([source]),
                    decoder_input_ids=torch.tensor([[PAD] + prefix]),
                    generation_config=generation,
                )
            sequences = []
            for row in out.sequences.tolist():
                row = row[1:]
                end = next((i + 1 for i, t in enumerate(row) if t == EOS), len(row))
                assert all(t == PAD for t in row[end:])
                sequences.append(row[:end])
            scores = out.sequences_scores.tolist() if "sequences_scores" in out else None
            cases.append(
                dict(
                    source=source,
                    prefix=prefix,
                    max_extra=generation.max_length - 1 - len(source),
                    beam=generation.num_beams,
                    n_best=variant.get("num_return_sequences", 1),
                    length_penalty=variant.get("length_penalty", 1.0),
                    early_stopping={True: "yes", False: "no", "never": "never"}[variant.get("early_stopping", False)],
                    no_repeat_ngram=variant.get("no_repeat_ngram_size", 0),
                    renormalize=variant.get("renormalize_logits", False),
                    sequences=sequences,
                    scores=scores,
                )
            )
    # The folder as `transformers` writes it.
    net.generation_config = GenerationConfig(
        max_length=64,
        num_beams=4,
        decoder_start_token_id=PAD,
        eos_token_id=EOS,
        pad_token_id=PAD,
        forced_eos_token_id=EOS,
        bad_words_ids=[[PAD]],
    )
    net.save_pretrained(FOLDER)
    text = ",\n".join(json.dumps(case) for case in cases)
    header = json.dumps({"transformers": transformers.__version__, "torch": torch.__version__})
    (FOLDER / "cases.json").write_text(f'{{"made_with": {header}, "cases": [\n{text}\n]}}\n')
    lengths = sorted(len(s) for c in cases for s in c["sequences"])
    print(len(cases), "cases, lengths", lengths[:: max(1, len(lengths) // 20)])
    first = {}
    for c in cases:
        first.setdefault(tuple(c["source"]), {})[c["beam"]] = c["sequences"][0]
    print("greedy differs from beam 4 in", sum(d.get(1) != d.get(4) for d in first.values()), "of", len(first))


if __name__ == "__main__":
    main()
