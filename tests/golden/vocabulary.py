"""Golden vocabulary: what sentencepiece's own BPE trainer learns from the text below.

    pip install --require-hashes -r train/requirements.txt -r tests/golden/requirements.txt
    python tests/golden/vocabulary.py        # writes vocabulary.txt and vocabulary_pieces.json beside itself

The text is made here (templates over word lists, seeded), so that it belongs to the project.
"""

import json
import random
from pathlib import Path

import sentencepiece

HERE = Path(__file__).parent
SIZE = 600

SUBJECTS = [
    ("the old teacher", "der alte Lehrer"),
    ("my younger sister", "meine jüngere Schwester"),
    ("a quiet neighbour", "ein stiller Nachbar"),
    ("the gardener", "die Gärtnerin"),
    ("our new colleague", "unsere neue Kollegin"),
    ("the baker's daughter", "die Tochter des Bäckers"),
]
VERBS = [
    ("reads", "liest"),
    ("finds", "findet"),
    ("forgets", "vergisst"),
    ("carries", "trägt"),
    ("describes", "beschreibt"),
    ("opens", "öffnet"),
]
OBJECTS = [
    ("the newspaper", "die Zeitung"),
    ("a heavy suitcase", "einen schweren Koffer"),
    ("three letters", "drei Briefe"),
    ("the narrow street", "die schmale Straße"),
    ("a forgotten melody", "eine vergessene Melodie"),
    ("the weather report of 1984", "den Wetterbericht von 1984"),
]
ENDS = [
    ("every morning.", "jeden Morgen."),
    ("in the kitchen!", "in der Küche!"),
    ("at 7:30, as always.", "um 7:30 Uhr, wie immer."),
    ("because it rains.", "weil es regnet."),
    ("without a word …", "ohne ein Wort …"),
    ("for 12 €?", "für 12 €?"),
]


def lines():
    rng = random.Random(1984)
    for _ in range(220):
        parts = [rng.choice(words) for words in (SUBJECTS, VERBS, OBJECTS, ENDS)]
        for language in (0, 1):
            sentence = " ".join(part[language] for part in parts)
            yield sentence[0].upper() + sentence[1:]
    yield "Ｆｕｌｌ－ｗｉｄｔｈ ﬁgures ①②③ and   odd\u00a0spaces"


def main():
    text = HERE / "vocabulary.txt"
    text.write_text("\n".join(lines()) + "\n", encoding="utf-8")
    prefix = HERE / "vocabulary_scratch"
    sentencepiece.SentencePieceTrainer.train(
        input=str(text),
        model_prefix=str(prefix),
        model_type="bpe",
        vocab_size=SIZE - 1,  # <pad> is no piece of the model
        byte_fallback=True,
        character_coverage=0.9995,
        normalization_rule_name="nmt_nfkc",
        bos_id=-1,
        eos_id=0,
        unk_id=1,
        pad_id=-1,
    )
    model = sentencepiece.SentencePieceProcessor(model_file=f"{prefix}.model")
    pieces = [model.id_to_piece(i) for i in range(model.get_piece_size())]
    probe = "The gardener's suitcase: schwere Briefe für 345 € — 漢字"
    golden = {"pieces": pieces, "probe": probe, "probe_ids": model.encode(probe)}
    out = HERE / "vocabulary_pieces.json"
    out.write_text(json.dumps(golden, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")
    for suffix in (".model", ".vocab"):
        Path(f"{prefix}{suffix}").unlink()


if __name__ == "__main__":
    main()
