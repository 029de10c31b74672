"""MarianMT models with random weights, and what `transformers` computes with them, for tests/marian.rs.

    pip install --require-hashes -r train/requirements.txt -r tests/golden/requirements.txt
    python tests/golden/marian.py            # the committed ones: tests/golden/marian/*.safetensors, *.json
    python tests/golden/marian.py FOLDER     # whole folders, up to the sizes of opus-mt; then
    MARIAN_FOLDERS=FOLDER cargo test --release --test marian

Weights that a generator in the test can make as well are not committed: every tensor is filled with a stream of
SplitMix64 numbers whose seed is made of the tensor's name. So the files hold only what came out.
"""

import json
import pathlib
import sys

import numpy
import torch
import transformers
from safetensors.numpy import save_file
from transformers import GenerationConfig, MarianConfig, MarianMTModel

HERE = pathlib.Path(__file__).parent / "marian"
EOS = 0

# name, layers, d_model, heads, d_ff, vocabulary, target vocabulary, activation, shared, tied, type, file; heads and d_ff of
# both stacks, or a pair
MODELS = {
    "relu_tied": dict(layers=(1, 2), d_model=64, heads=4, d_ff=96, vocab=61, act="relu"),
    "swish_tied": dict(layers=(3, 2), d_model=64, heads=8, d_ff=128, vocab=97, act="swish"),
    "untied": dict(layers=(2, 1), d_model=64, heads=2, d_ff=64, vocab=61, act="relu", shared=False, tied=False),
    "shared_untied": dict(layers=(1, 1), d_model=64, heads=4, d_ff=64, vocab=61, act="swish", tied=False),
    "two_vocabularies": dict(layers=(2, 2), d_model=64, heads=4, d_ff=80, vocab=83, target=59, act="swish", shared=False),
    "half": dict(layers=(2, 3), d_model=64, heads=4, d_ff=96, vocab=61, act="swish", dtype=torch.float16),
    "brain": dict(layers=(1, 1), d_model=64, heads=4, d_ff=64, vocab=61, act="relu", dtype=torch.bfloat16, scale=False),
    "unequal": dict(layers=(2, 2), d_model=64, heads=(8, 2), d_ff=(112, 64), vocab=61, act="swish"),
    "unequal_two": dict(layers=(1, 2), d_model=64, heads=(2, 4), d_ff=96, vocab=83, target=59, act="relu", shared=False),
    # Only with FOLDER.
    "wide": dict(layers=(6, 6), d_model=512, heads=8, d_ff=2048, vocab=2000, act="swish", large=True),
    "legacy": dict(layers=(2, 2), d_model=256, heads=8, d_ff=512, vocab=900, act="swish", file="legacy", large=True),
    "zip": dict(layers=(4, 2), d_model=128, heads=8, d_ff=512, vocab=900, target=700, act="relu", shared=False, file="zip", large=True),
}

MASK = (1 << 64) - 1


def splitmix(seed, count):
    """Uniform in [-1, 1), as src/checkpoint/tensors.rs makes them."""
    step = numpy.uint64(0x9E3779B97F4A7C15)
    with numpy.errstate(over="ignore"):
        z = numpy.uint64(seed) + step * numpy.arange(1, count + 1, dtype=numpy.uint64)
        z = (z ^ (z >> numpy.uint64(30))) * numpy.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> numpy.uint64(27))) * numpy.uint64(0x94D049BB133111EB)
        z ^= z >> numpy.uint64(31)
    return (z >> numpy.uint64(40)).astype(numpy.float32) / numpy.float32(1 << 23) - numpy.float32(1)


def seed_of(name):
    """FNV-1a of a tensor's name."""
    value = 0xCBF29CE484222325
    for byte in name.encode():
        value = (value ^ byte) * 0x100000001B3 & MASK
    return value


def fill(name, tensor, eos=EOS, end=35):
    """Values of a tensor by its name: matrices within Glorot's bound, gains around 1."""
    shape = tuple(tensor.shape)
    values = torch.from_numpy(splitmix(seed_of(name), tensor.numel()).copy()).reshape(shape)
    if name.endswith("layer_norm.weight"):
        return 1 + 0.1 * values
    if name == "final_logits_bias":
        # Without it hardly any translation would end before it must.
        values[0, eos] = end
    if "bias" in name:
        return 0.1 * values
    bound = 0.3 if "embed" in name or "shared" in name or "lm_head" in name else (6 / sum(shape)) ** 0.5
    return values * torch.tensor(bound, dtype=torch.float32)


def pair(value):
    """A value for both stacks, or the encoder's and the decoder's."""
    return value if isinstance(value, tuple) else (value, value)


def build(spec):
    pad = min(spec["vocab"], spec.get("target", spec["vocab"])) - 1
    config = MarianConfig(
        vocab_size=spec["vocab"],
        decoder_vocab_size=spec.get("target", spec["vocab"]),
        d_model=spec["d_model"],
        encoder_layers=spec["layers"][0],
        decoder_layers=spec["layers"][1],
        encoder_attention_heads=pair(spec["heads"])[0],
        decoder_attention_heads=pair(spec["heads"])[1],
        encoder_ffn_dim=pair(spec["d_ff"])[0],
        decoder_ffn_dim=pair(spec["d_ff"])[1],
        activation_function=spec["act"],
        max_position_embeddings=128,
        scale_embedding=spec.get("scale", True),
        share_encoder_decoder_embeddings=spec.get("shared", True),
        tie_word_embeddings=spec.get("tied", True),
        pad_token_id=pad,
        eos_token_id=EOS,
        decoder_start_token_id=pad,
        forced_eos_token_id=EOS,
        dropout=0.0,
    )
    model = MarianMTModel(config).eval()
    with torch.no_grad():
        seen = set()
        for name, tensor in model.state_dict(keep_vars=True).items():
            if "embed_positions" in name or tensor.data_ptr() in seen:
                continue
            seen.add(tensor.data_ptr())
            tensor.copy_(fill(name, tensor).to(spec.get("dtype", torch.float32)).float())
    model.generation_config = GenerationConfig(
        num_beams=4,
        max_length=128,
        decoder_start_token_id=pad,
        eos_token_id=EOS,
        pad_token_id=pad,
        forced_eos_token_id=EOS,
        bad_words_ids=[[pad]],
    )
    model.set_attn_implementation("eager")
    return model, pad


def compute(model, pad, spec, sources, targets):
    """Forward passes with all attentions, and the pieces that `generate` finds."""
    arrays, found = {}, []
    for i, (source, target) in enumerate(zip(sources, targets)):
        with torch.no_grad():
            out = model(
                input_ids=torch.tensor([source]),
                decoder_input_ids=torch.tensor([[pad] + target[:-1]]),
                output_attentions=True,
            )
        stack = lambda blocks: torch.cat(blocks).numpy()
        arrays |= {
            f"{i}.memory": out.encoder_last_hidden_state[0].numpy(),
            f"{i}.logits": out.logits[0].numpy(),
            f"{i}.encoder_self": stack(out.encoder_attentions),
            f"{i}.decoder_self": stack(out.decoder_attentions),
            f"{i}.cross": stack(out.cross_attentions),
        }
        translations = {}
        for beams in (1, 4, 6):
            with torch.no_grad():
                ids = model.generate(
                    torch.tensor([source]), num_beams=beams, max_length=1 + len(source) + spec.get("extra", 12), do_sample=False
                )[0].tolist()[1:]
            end = ids.index(EOS) + 1 if EOS in ids else len(ids)
            translations[beams] = ids[:end]
        found.append(translations)
    return {name: numpy.ascontiguousarray(array, dtype=numpy.float32) for name, array in arrays.items()}, found


def save(model, spec, folder):
    """The whole folder, as `save_pretrained` or, for `file`, as older versions of torch and transformers wrote it."""
    dtype = spec.get("dtype", torch.float32)
    if "file" not in spec:
        model.to(dtype).save_pretrained(folder)
        return
    model.config.save_pretrained(folder)
    model.generation_config.save_pretrained(folder)
    # As in 2020: every name, the tied ones and the tables of positions too.
    state = model.state_dict()
    torch.save(state, folder / "pytorch_model.bin", _use_new_zipfile_serialization=spec["file"] == "zip")


def main():
    torch.set_num_threads(1)
    large = len(sys.argv) > 1
    root = pathlib.Path(sys.argv[1]) if large else HERE
    for name, spec in MODELS.items():
        if spec.get("large") and not large:
            continue
        folder = root / name
        folder.mkdir(parents=True, exist_ok=True)
        model, pad = build(spec)
        generator = torch.Generator().manual_seed(len(name))
        draw = lambda size, length: torch.randint(1, size - 1, (length,), generator=generator).tolist() + [EOS]
        sources = [draw(pad + 1, length) for length in (1, 5, 9)]
        targets = [draw(pad + 1, length) for length in (2, 6, 4)]
        arrays, found = compute(model, pad, spec, sources, targets)
        facts = {
            "made_with": {"transformers": transformers.__version__, "torch": torch.__version__},
            "max_extra": spec.get("extra", 12),
            "sources": sources,
            "targets": targets,
            "translations": [{str(beams): ids for beams, ids in row.items()} for row in found],
        }
        (folder / "facts.json").write_text(json.dumps(facts) + "\n")
        save_file(arrays, folder / "golden.safetensors")
        if large:
            save(model, spec, folder)
        else:
            # The weights are made again in the test; config and names are those of save_pretrained.
            save(model, spec, folder)
            from safetensors import safe_open

            with safe_open(folder / "model.safetensors", "pt") as file:
                tensors = {key: {"shape": list(file.get_tensor(key).shape), "dtype": str(file.get_tensor(key).dtype)} for key in file.keys()}
            (folder / "tensors.json").write_text(json.dumps(tensors, indent=0) + "\n")
            (folder / "model.safetensors").unlink()
        ends = [[len(ids) for ids in row.values()] for row in found]
        differ = sum(len({tuple(ids) for ids in row.values()}) > 1 for row in found)
        print(name, sum(p.numel() for p in model.parameters()), "parameters, lengths found", ends, "beams differ in", differ)


if __name__ == "__main__":
    main()
