"""Marian's binary models for bergamot-translator: random int8 weights ('intgemm8') with activation multipliers, and the
vocabulary of `shapes.py`. The length is forced by an output bias that forbids the end mark.

S and M have the self-attention decoder of the paper; Sr is S with the cheaper recurrent decoder (SSRU) that Bergamot's
own models have.

usage: python marian_models.py OUTPUT   -> OUTPUT/{S,Sr,M}/{model.bin,vocab.spm}"""

import os
import struct
import sys

import numpy as np

from shapes import FIRST_WORD, SHAPES, sentencepiece_model

random = np.random.default_rng(1)
TYPES = {"f32": 0x404, "i8": 0x101, "intgemm8": 0x4101}
ALIGNMENT = 256

DESCRIPTION = """bert-train-type-embeddings: true
bert-type-vocab-size: 2
dec-cell: {cell}
dec-cell-base-depth: 2
dec-cell-high-depth: 1
dec-depth: {shape.decoder_layers}
dim-emb: {shape.d_model}
dim-rnn: 1024
dim-vocabs:
  - {shape.vocab_size}
  - {shape.vocab_size}
enc-cell: gru
enc-cell-depth: 1
enc-depth: {shape.encoder_layers}
enc-type: bidirectional
input-types: []
layer-normalization: false
lemma-dim-emb: 0
output-omit-bias: false
right-left: false
skip: false
tied-embeddings: false
tied-embeddings-all: true
tied-embeddings-src: false
transformer-aan-activation: swish
transformer-aan-depth: 2
transformer-aan-nogate: false
transformer-decoder-autoreg: {autoreg}
transformer-dim-aan: 2048
transformer-dim-ffn: {shape.d_ff}
transformer-ffn-activation: relu
transformer-ffn-depth: 2
transformer-guided-alignment-layer: last
transformer-heads: {shape.n_heads}
transformer-no-projection: false
transformer-pool: false
transformer-postprocess: dan
transformer-postprocess-emb: d
transformer-postprocess-top: ""
transformer-preprocess: ""
transformer-tied-layers:
  []
transformer-train-position-embeddings: false
type: transformer
ulr: false
ulr-dim-emb: 0
ulr-trainable-transformation: false
version: v1.10.25; random
"""


class Items:
    """The tensors of a model file, in order: name, type, shape, padded bytes."""

    def __init__(self):
        self.items = []

    def put(self, name, kind, shape, raw):
        self.items.append((name, TYPES[kind], shape, raw + b"\0" * (-len(raw) % ALIGNMENT)))

    def floats(self, name, shape, value):
        array = np.full(shape, value, "<f4") if np.isscalar(value) else value.astype("<f4")
        self.put(name, "f32", shape, array.tobytes())

    def int8(self, name, rows, columns, deviation):
        weights = np.clip(np.round(random.standard_normal((rows, columns)) * 30), -127, 127).astype(np.int8)
        self.put(name, "intgemm8", (rows, columns), weights.tobytes() + struct.pack("<f", 30.0 / deviation))

    def linear(self, weight, bias, rows, columns):
        self.int8(weight, rows, columns, rows**-0.5)
        self.floats(weight + "_QuantMultA", (1, 1), 30.0)
        self.floats(bias, (1, columns), 0.0)

    def write(self, path):
        head = struct.pack("<QQ", 1, len(self.items))
        for name, kind, shape, raw in self.items:
            head += struct.pack("<QQQQ", len(name.encode()) + 1, kind, len(shape), len(raw))
        for name, *_ in self.items:
            head += name.encode() + b"\0"
        for _, _, shape, _ in self.items:
            head += struct.pack(f"<{len(shape)}i", *shape)
        start = ((len(head) + 8) // ALIGNMENT + 1) * ALIGNMENT
        gap = start - len(head) - 8
        with open(path, "wb") as file:
            file.write(head + struct.pack("<Q", gap) + b"\0" * gap)
            for *_, raw in self.items:
                file.write(raw)


def model(path, shape, recurrent):
    out, d = Items(), shape.d_model

    def norm(prefix):
        out.floats(prefix + "_ln_scale", (1, d), 1.0)
        out.floats(prefix + "_ln_bias", (1, d), 0.0)

    def attention(prefix):
        for part in "qkvo":
            out.linear(f"{prefix}_W{part}", f"{prefix}_b{part}", d, d)
        norm(prefix + "_Wo")

    def feed_forward(prefix):
        out.linear(prefix + "_W1", prefix + "_b1", d, shape.d_ff)
        out.linear(prefix + "_W2", prefix + "_b2", shape.d_ff, d)
        norm(prefix + "_ffn")

    out.int8("Wemb", shape.vocab_size, d, d**0.5)
    for name in ("Wemb", "none"):
        out.floats(name + "_QuantMultA", (1, 1), 30.0)
    for layer in range(1, shape.encoder_layers + 1):
        attention(f"encoder_l{layer}_self")
        feed_forward(f"encoder_l{layer}_ffn")
    for layer in range(1, shape.decoder_layers + 1):
        if recurrent:
            prefix = f"decoder_l{layer}_rnn"
            for weight in (prefix + "_W", prefix + "_Wf"):
                out.int8(weight, d, d, d**-0.5)
                out.floats(weight + "_QuantMultA", (1, 1), 30.0)
            out.floats(prefix + "_bf", (1, d), 0.0)
            norm(prefix + "_ffn")
        else:
            attention(f"decoder_l{layer}_self")
        attention(f"decoder_l{layer}_context")
        feed_forward(f"decoder_l{layer}_ffn")
    bias = np.zeros((1, shape.vocab_size))
    bias[0, :FIRST_WORD] = -1e4  # never </s>, <unk> or single letters
    out.floats("decoder_ff_logit_out_b", (1, shape.vocab_size), bias)
    cell, autoreg = ("ssru", "rnn") if recurrent else ("gru", "self-attention")
    description = DESCRIPTION.format(shape=shape, cell=cell, autoreg=autoreg).encode() + b"\0"
    out.put("special:model.yml", "i8", (len(description),), description)
    out.write(path)


def main(output):
    for name, shape, recurrent in (("S", SHAPES["S"], False), ("Sr", SHAPES["S"], True), ("M", SHAPES["M"], False)):
        folder = os.path.join(output, name)
        os.makedirs(folder, exist_ok=True)
        model(os.path.join(folder, "model.bin"), shape, recurrent)
        with open(os.path.join(folder, "vocab.spm"), "wb") as file:
            file.write(sentencepiece_model(shape.vocab_size).SerializeToString())


main(sys.argv[1])
