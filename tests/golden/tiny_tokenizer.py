"""Writes tests/golden/tokenizer/: a joint SentencePiece BPE model of a few hundred pieces for tests that need
any tokenizer at all. No normalisation, so that the file is small.

    pip install sentencepiece==0.2.1
    python tests/golden/tiny_tokenizer.py
"""

import io
import json
from pathlib import Path

import sentencepiece as spm

SENTENCES = """A girl reads a book under the old tree.
Two dogs run through the water and play.
The man in the blue shirt is riding a bicycle.
Three children are sitting on a bench and eating ice cream.
We will see you again at the end of the week.
An old woman sells flowers at the market.
Ein Mädchen liest ein Buch unter dem alten Baum.
Zwei Hunde laufen durch das Wasser und spielen.
Der Mann im blauen Hemd fährt Fahrrad.
Drei Kinder sitzen auf einer Bank und essen Eis.
Wir sehen uns am Ende der Woche wieder.
Eine alte Frau verkauft Blumen auf dem Markt.""".splitlines()

folder = Path(__file__).parent / "tokenizer"
folder.mkdir(exist_ok=True)
model = io.BytesIO()
spm.SentencePieceTrainer.train(
    sentence_iterator=iter(SENTENCES),
    model_writer=model,
    model_type="bpe",
    vocab_size=420,
    byte_fallback=True,
    character_coverage=1.0,
    normalization_rule_name="identity",
    eos_id=0,
    unk_id=1,
    bos_id=-1,
    pad_id=-1,
    minloglevel=2,
)
(folder / "source.spm").write_bytes(model.getvalue())
processor = spm.SentencePieceProcessor(model_proto=model.getvalue())
vocab = {processor.id_to_piece(i): i for i in range(len(processor))}
vocab["<pad>"] = len(vocab)
(folder / "vocab.json").write_text(json.dumps(vocab, ensure_ascii=False), encoding="utf-8")
