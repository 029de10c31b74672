"""The shapes that are compared, the words of their vocabularies, and a SentencePiece model that makes one piece of each word."""

from dataclasses import dataclass

from sentencepiece import sentencepiece_model_pb2 as pb

LETTERS = "abcdefghijklmnopqrstuvwxyz"
# </s>, <unk>, the word mark alone and the letters stand before the words.
FIRST_WORD = 3 + len(LETTERS)


@dataclass(frozen=True)
class Shape:
    d_model: int
    n_heads: int
    d_ff: int
    encoder_layers: int
    decoder_layers: int
    vocab_size: int


SHAPES = {
    "S": Shape(256, 8, 1024, 3, 3, 8000),  # of the size that the page ships
    "M": Shape(512, 8, 2048, 6, 6, 16000),  # the paper's base model
}


def words(count):
    """Different words of four letters; `text` in browser/contestant.js speaks them."""
    return ["".join(LETTERS[i // 26**k % 26] for k in (3, 2, 1, 0)) for i in range(count)]


def sentencepiece_model(vocab_size):
    """A unigram model without normalisation, so that every program makes the same pieces of a text."""
    model = pb.ModelProto()

    def add(piece, score, kind):
        entry = model.pieces.add()
        entry.piece, entry.score, entry.type = piece, score, kind

    normal, unknown, control = 1, 2, 3
    add("</s>", 0, control)
    add("<unk>", 0, unknown)
    add("▁", -30, normal)
    for letter in LETTERS:
        add(letter, -30, normal)
    for i, word in enumerate(words(vocab_size - FIRST_WORD)):
        add("▁" + word, -10 - i * 1e-4, normal)
    trainer, normalizer = model.trainer_spec, model.normalizer_spec
    trainer.model_type, trainer.vocab_size = 1, vocab_size
    trainer.unk_id, trainer.eos_id, trainer.bos_id, trainer.pad_id = 1, 0, -1, -1
    normalizer.name = "identity"
    normalizer.add_dummy_prefix = normalizer.remove_extra_whitespaces = normalizer.escape_whitespaces = True
    assert len(model.pieces) == vocab_size
    return model
