"""Folders for our own engine: MarianMT models with random weights, and what `standard_graphs.py` exports.

The length is forced by the weights alone, as in `marian_models.py`: `final_logits_bias` forbids the end mark, so a search
runs until the `maxExtra` of its request is used up.

usage: python engine_models.py OUTPUT [S M]   -> OUTPUT/S-f32, OUTPUT/M-f32"""

import json
import os
import sys

import torch
from transformers import MarianConfig, MarianMTModel

from shapes import SHAPES, sentencepiece_model


def main(output, names):
    for name in names or SHAPES:
        shape = SHAPES[name]
        folder = os.path.join(output, f"{name}-f32")
        eos, pad = 0, shape.vocab_size - 1
        torch.manual_seed(1)
        config = MarianConfig(
            vocab_size=shape.vocab_size, d_model=shape.d_model,
            encoder_layers=shape.encoder_layers, decoder_layers=shape.decoder_layers,
            encoder_attention_heads=shape.n_heads, decoder_attention_heads=shape.n_heads,
            encoder_ffn_dim=shape.d_ff, decoder_ffn_dim=shape.d_ff,
            activation_function="relu", max_position_embeddings=512, scale_embedding=True,
            pad_token_id=pad, eos_token_id=eos, bos_token_id=None, decoder_start_token_id=pad, forced_eos_token_id=None,
            share_encoder_decoder_embeddings=True, tie_word_embeddings=True, num_beams=1,
        )
        model = MarianMTModel(config).eval()
        for weight in model.parameters():
            if weight.dim() > 1 and weight.requires_grad:
                torch.nn.init.normal_(weight, std=0.05)
        model.generation_config.forced_eos_token_id = None
        model.generation_config.bad_words_ids = [[pad]]
        model.final_logits_bias[0, eos] = -1e4
        model.save_pretrained(folder)

        spm = sentencepiece_model(shape.vocab_size)
        for side in ("source", "target"):
            with open(os.path.join(folder, f"{side}.spm"), "wb") as file:
                file.write(spm.SerializeToString())
        # As in every Marian folder the last id is <pad>; the word that has it in the SentencePiece model is not spoken.
        pieces = [piece.piece for piece in spm.pieces[:-1]] + ["<pad>"]
        for file, content in {
            "vocab.json": {piece: i for i, piece in enumerate(pieces)},
            "tokenizer_config.json": {"source_lang": "en", "target_lang": "de"},
        }.items():
            with open(os.path.join(folder, file), "w") as out:
                json.dump(content, out, ensure_ascii=False)
        print(folder, sum(weight.numel() for weight in model.parameters()), "parameters")


main(sys.argv[1], sys.argv[2:])
