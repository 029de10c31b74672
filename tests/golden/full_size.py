"""Writes a model folder of opus-mt's size with random weights: 6 + 6 layers, d_model 512, 58 101 pieces.

    pip install --require-hashes -r train/requirements.txt -r tests/golden/requirements.txt
    python tests/golden/full_size.py models/en-de FOLDER [--legacy]

The SentencePiece model is that of the folder named first; the vocabulary has its pieces, and others that no text is made
of. With --legacy the weights are a pytorch_model.bin as of 2020. What it translates makes no sense, but it takes as long
to load and to compute as any opus-mt model does: see tools/measure-model.mjs.
"""

import json
import pathlib
import shutil
import sys

import torch
from transformers import GenerationConfig, MarianConfig, MarianMTModel

SIZE = 58101
tokenizer, folder = (pathlib.Path(path) for path in sys.argv[1:3])
folder.mkdir(parents=True, exist_ok=True)
vocabulary = json.loads((tokenizer / "vocab.json").read_text(encoding="utf-8"))
pieces = [piece for piece, _ in sorted(vocabulary.items(), key=lambda item: item[1]) if piece != "<pad>"]
pieces += [f"▁{number}·" for number in range(SIZE - 1 - len(pieces))] + ["<pad>"]
(folder / "vocab.json").write_text(json.dumps({piece: i for i, piece in enumerate(pieces)}, ensure_ascii=False), encoding="utf-8")
for name in ("source.spm", "target.spm"):
    shutil.copy(tokenizer / "source.spm", folder / name)
torch.manual_seed(1)
model = MarianMTModel(
    MarianConfig(
        vocab_size=SIZE,
        d_model=512,
        encoder_layers=6,
        decoder_layers=6,
        encoder_attention_heads=8,
        decoder_attention_heads=8,
        encoder_ffn_dim=2048,
        decoder_ffn_dim=2048,
        activation_function="swish",
        max_position_embeddings=512,
        scale_embedding=True,
        pad_token_id=SIZE - 1,
        decoder_start_token_id=SIZE - 1,
        eos_token_id=0,
        forced_eos_token_id=0,
    )
)
model.generation_config = GenerationConfig(
    num_beams=4, max_length=512, decoder_start_token_id=SIZE - 1, eos_token_id=0, pad_token_id=SIZE - 1, forced_eos_token_id=0, bad_words_ids=[[SIZE - 1]]
)
model.save_pretrained(folder)
if "--legacy" in sys.argv:
    torch.save(model.state_dict(), folder / "pytorch_model.bin", _use_new_zipfile_serialization=False)
    (folder / "model.safetensors").unlink()
print(folder, sum(p.numel() for p in model.parameters()), "parameters")
