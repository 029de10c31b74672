"""Writes tests/golden/spm/: SentencePiece models of several kinds, varied lines, and what the original makes of them.

    pip install --require-hashes -r train/requirements.txt -r tests/golden/requirements.txt
    python tests/golden/spm.py            # the committed goldens
    python tests/golden/spm.py 10000      # as many lines; then: cargo test --test spm

The models are written without the 240 KB of nmt_nfkc's character map; the test adds it again from
train/assets/nmt_nfkc.bin (messages of a protobuf may follow each other and are merged).
"""

import io
import json
import random
import sys
import tempfile
from pathlib import Path

import sentencepiece as spm
from sentencepiece import sentencepiece_model_pb2 as pb

FOLDER = Path(__file__).parent / "spm"
CHARSMAP = (Path(__file__).parents[2] / "train/assets/nmt_nfkc.bin").read_bytes()
COUNT = int(sys.argv[1]) if len(sys.argv) > 1 else 400
rng = random.Random(7)

SENTENCES = """A girl in a red coat is reading a book under the old tree.
Two dogs run through the shallow water, barking and playing happily.
The man doesn't know whether he'll arrive before 18:45 or after.
Prices rose by 3.5 % in 2019, and by 12,000 units in the year 2020.
We'll see one another again at the end of the week, won't we?
"Come here," she said, "and look at the well-known e-mail!"
Ein Mädchen im roten Mantel liest ein Buch unter dem alten Baum.
Zwei Hunde laufen bellend durch das flache Wasser und spielen.
Die Straßenbahn fährt über die große Brücke; danach hält sie am Rathaus.
Die Preise stiegen 2019 um 3,5 % und im Jahr 2020 um 12 000 Stück.
„Komm her“, sagte sie, „und sieh dir die wohlbekannte E-Mail an!“
Une fille en manteau rouge lit un livre sous le vieil arbre, n'est-ce pas ?
Où étiez-vous l'été dernier ? À la plage, près du phare, naturellement.
Девочка в красном пальто читает книгу под старым деревом.
Ένα κορίτσι διαβάζει ένα βιβλίο κάτω από το παλιό δέντρο.
少女が古い木の下で本を読んでいます。コーヒーを飲みたい。
一个女孩在老树下看书。我们明天再见。
한 소녀가 오래된 나무 아래에서 책을 읽고 있습니다.
फिर मिलेंगे, मेरे दोस्त। यह एक किताब है।
فتاة تقرأ كتابا تحت الشجرة القديمة.
ילדה קוראת ספר מתחת לעץ הזקן.""".splitlines()

FIXED = [
    "", " ", "   ", "\t", "\n", "\r\n", "\u00a0", "\u3000", "\u200b", "\ufeff", "\0", "a\0b", "▁", "▁▁", "a▁b", " ▁ ", "▁a",
    "a", "ä", "ß", "ẞ", " a", "a ", "  a  b  ", "a\tb", "a\nb", "a\u00a0b", "a\u3000b", "a\u200bb", "a\u00adb", "\ufeffa",
    "Hello world", "hello  world", "HELLO WORLD", "Straße", "STRASSE", "Ａ Ｂ Ｃ １２３", "ｶﾞｷﾞｸﾞ", "ﾊﾟｿｺﾝ", "㍿㍻", "①②③", "½ ¼ ¾", "ﬁ ﬂ ﬀ ﬃ", "Å Å Å",
    "e\u0301", "\u0301", "\u0301\u0301\u0301", "a\u0301\u0327b", "n\u0303", "Z\u0335\u0321a\u0352\u0347l\u0330\u0363g\u0356o", "q\u0307\u0323",
    "👍", "👍🏽", "👨‍👩‍👧‍👦", "🇩🇪🇫🇷", "❤️", "1️⃣", "😀😀😀", "a😀b", "☃ snow", "𝔘𝔫𝔦𝔠𝔬𝔡𝔢", "𝟎𝟏𝟐", "ℌ ℝ ℤ", "™ © ®", "№ 5", "…", "‥", "a…b", "„“”‚‘’", "«»", "– — ―", "−5 ± 3",
    "don't", "don’t", "e-mail", "3.14159", "1,000,000", "20 000", "a/b", "C++", "x = y²", "H₂O", "10⁻³", "50€", "£5", "¥", "°C", "‰",
    "</s>", "<s>", "<unk>", "<pad>", "a</s>b", "<0x41>", "a<0x0A>b", ">>de<< Hello", ">> de << Hello", ">>xx<<", ">>", "<<",
    "Привет, мир!", "Ελλάδα", "שלום", "مرحبا بالعالم", "नमस्ते", "สวัสดีชาวโลก", "你好，世界！", "こんにちは", "カタカナ", "안녕하세요", "ខ្មែរ", "မြန်မာ", "ქართული", "ԱՐԵՎ", "አማርኛ",
    "\u1100\u1161\u11a8", "각", "\u0958", "\u09c7\u09be", "لا ﻻ ﷺ", "\u202eabc\u202c", "a\u200db", "a\u200cb", "\u2028", "\u2029", "a\u0085b", "\x01\x02\x1f\x7f", "a\x0bb\x0cc",
    "\ufffd", "\ufffe", "\uffff", "\U0010ffff", "\ue000", "\U000e0041", "\ufe0f", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "-" * 40, "." * 17, "?!?!?!", "((((", "ab" * 30,
    "user@example.com", "https://example.com/a?b=c&d=e#f", "#hashtag @name", "<b>bold</b>", "&amp; &lt;", "{\"a\": [1, 2]}", "SYMBOL", "a SYMBOL b", "xSYMBOLy", "SYM BOL", "SYMBOLSYMBOL",
]

RANGES = [
    (0x20, 0x7E), (0x20, 0x7E), (0xA0, 0xFF), (0x100, 0x17F), (0x180, 0x24F), (0x250, 0x2FF), (0x300, 0x36F), (0x370, 0x3FF), (0x400, 0x4FF),
    (0x531, 0x586), (0x5B0, 0x5F4), (0x600, 0x6FF), (0x900, 0x97F), (0x980, 0x9FE), (0xE01, 0xE5B), (0x10A0, 0x10FF), (0x1100, 0x11FF),
    (0x1200, 0x137C), (0x1780, 0x17F9), (0x1E00, 0x1EFF), (0x1F00, 0x1FFE), (0x2000, 0x206F), (0x2070, 0x209C), (0x20A0, 0x20BF),
    (0x2100, 0x218B), (0x2190, 0x22FF), (0x2460, 0x24FF), (0x2500, 0x25FF), (0x2600, 0x27BF), (0x3000, 0x303F), (0x3040, 0x30FF),
    (0x3130, 0x318E), (0x3200, 0x33FF), (0x4E00, 0x9FFF), (0xAC00, 0xD7A3), (0xE000, 0xE0FF), (0xF900, 0xFAD9), (0xFB00, 0xFB4F),
    (0xFB50, 0xFDFF), (0xFE00, 0xFE6F), (0xFE70, 0xFEFF), (0xFF01, 0xFFEE), (0xFFF0, 0xFFFD), (0x1D400, 0x1D7FF), (0x1F000, 0x1F02B),
    (0x1F100, 0x1F1FF), (0x1F300, 0x1F64F), (0x1F680, 0x1F6FF), (0x1F900, 0x1F9FF), (0x20000, 0x2A6DF), (0x2F800, 0x2FA1D), (0xE0020, 0xE007F),
]
ODD = list(" \t\n\u00a0\u2002\u2009\u200b\u200d\u3000\ufeff\u00ad▁\0\x01\x1b\u0301\u0308\ufe0f") + ["  ", " \u0301", "SYMBOL", "</s>"]


def character():
    low, high = rng.choice(RANGES)
    return chr(rng.randint(low, high))


def script_run():
    low, high = rng.choice(RANGES)
    return "".join(chr(rng.randint(low, high)) for _ in range(rng.randint(1, 6)))


def line():
    words = " ".join(rng.choices(SENTENCES, k=2)).split()
    kind = rng.randrange(5)
    if kind == 0:  # known words in any order
        return " ".join(rng.choices(words, k=rng.randint(1, 12)))
    if kind == 1:  # runs of single scripts
        return rng.choice(["", " "]).join(script_run() for _ in range(rng.randint(1, 6)))
    if kind == 2:  # any characters
        return "".join(rng.choice([character, lambda: rng.choice(ODD)])() for _ in range(rng.randint(1, 16)))
    text = list(rng.choice(SENTENCES))
    if kind == 3:  # typing errors and odd characters in known sentences
        for _ in range(rng.randint(1, 6)):
            at = rng.randrange(len(text))
            text[at] = rng.choice(["", text[at] * 2, text[at].swapcase(), character(), rng.choice(ODD)])
        return "".join(text)
    start = rng.randrange(len(text))  # full width, decomposed or mangled parts of sentences
    part = "".join(text[start : start + rng.randint(1, 20)])
    if rng.random() < 0.5:
        return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in part)
    return "".join(c + rng.choice(["", "", "\u0301", "\u0323", "\u200d"]) for c in part)


def train(name, charsmap=True, unused=0, **options):
    """Trains a model and writes it without its character map."""
    model = io.BytesIO()
    spm.SentencePieceTrainer.train(
        sentence_iterator=iter(SENTENCES * 20),
        model_writer=model,
        hard_vocab_limit=False,
        minloglevel=2,
        normalization_rule_name="nmt_nfkc" if charsmap else "identity",
        num_threads=1,
        **options,
    )
    proto = pb.ModelProto()
    proto.ParseFromString(model.getvalue())
    normal = [p for p in proto.pieces if p.type == pb.ModelProto.SentencePiece.NORMAL and len(p.piece) > 1]
    for piece in rng.sample(normal, unused):
        piece.type = pb.ModelProto.SentencePiece.UNUSED
    whole = proto.SerializeToString()
    if charsmap:
        assert proto.normalizer_spec.precompiled_charsmap == CHARSMAP
        proto.normalizer_spec.ClearField("precompiled_charsmap")
    (FOLDER / f"{name}.model").write_bytes(proto.SerializeToString())
    return whole


FOLDER.mkdir(exist_ok=True)
bytes_too = {"byte_fallback": True, "character_coverage": 0.98}
models = {
    # Ours: BPE, unknown characters as bytes.
    "bpe_bytes": train("bpe_bytes", model_type="bpe", vocab_size=800, **bytes_too),
    # Merges that are taken apart again, a piece that always wins, unknown characters.
    "bpe_unused": train(
        "bpe_unused", model_type="bpe", vocab_size=600, character_coverage=0.98, unused=60, user_defined_symbols=["SYMBOL", "@"], control_symbols=[">>de<<"]
    ),
    # Pieces over several words, text as it is.
    "bpe_phrases": train("bpe_phrases", charsmap=False, model_type="bpe", vocab_size=900, character_coverage=0.98, split_by_whitespace=False),
    "bpe_raw": train(
        "bpe_raw", charsmap=False, model_type="bpe", vocab_size=800, add_dummy_prefix=False, remove_extra_whitespaces=False, **bytes_too
    ),
    # Opus-MT's: unigram, unknown characters.
    "unigram": train("unigram", model_type="unigram", vocab_size=600, character_coverage=0.98),
    "unigram_bytes": train("unigram_bytes", model_type="unigram", vocab_size=800, user_defined_symbols=["SYMBOL", "@"], unused=20, **bytes_too),
    "unigram_suffix": train(
        "unigram_suffix", model_type="unigram", vocab_size=600, character_coverage=0.98, treat_whitespace_as_suffix=True, remove_extra_whitespaces=False
    ),
}

lines = FIXED + [line() for _ in range(COUNT - len(FIXED))]
processors = {name: spm.SentencePieceProcessor(model_proto=model) for name, model in models.items()}


def segmentation(processor, text):
    """Ids, with the text itself in the place of the unknown piece."""
    pieces = processor.encode(text, return_type="proto").pieces
    return [p.piece if p.id == processor.unk_id() else p.id for p in pieces]


def starts(processor, text):
    """Where in the text each piece starts, in bytes."""
    return [p.begin for p in processor.encode(text, return_type="proto").pieces]


def marian(source, target):
    """What transformers' MarianTokenizer makes of lines and ids, with a vocabulary of both sides' pieces."""
    from transformers import MarianTokenizer

    texts = [p.id_to_piece(i) for p in (processors[source], processors[target]) for i in range(p.get_piece_size())]
    pieces = dict.fromkeys(["</s>", "<unk>", *sorted(set(texts) - {"</s>", "<unk>", "<s>"}), ">>de<<", "<pad>"])
    vocabulary = {piece: index for index, piece in enumerate(pieces)}
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        (folder / "source.spm").write_bytes(models[source])
        (folder / "target.spm").write_bytes(models[target])
        (folder / "vocab.json").write_text(json.dumps(vocabulary))
        tokenizer = MarianTokenizer(*(str(folder / name) for name in ("source.spm", "target.spm", "vocab.json")))
    # Ours takes special pieces for the text that they are.
    plain = [text for text in lines if not any(special in text for special in ("</s>", "<unk>", "<pad>"))]
    plain = plain[:: max(1, COUNT // 200)]
    plain += [">>de<< Hello", ">>de<<", ">>de<<Zwei Hunde", ">>xx<< Hello", ">>xx<<", ">>de<<>>de<< a", " >>de<< a", ">>de<", ">> a << b"]
    decoded = []
    for _ in range(100):
        ids = rng.choices(range(len(vocabulary)), k=rng.randint(0, 8))
        # Bytes of characters, some of them cut off.
        run = "".join(rng.choice("äß€😀日a▁") for _ in range(rng.randint(0, 3))).encode()
        run = run[rng.randrange(2) : len(run) - rng.randrange(2)]
        ids += [vocabulary.get(f"<0x{byte:02X}>", 0) for byte in run] + rng.choices(range(len(vocabulary)), k=rng.randint(0, 4))
        decoded.append((ids, tokenizer.decode(ids, skip_special_tokens=True, clean_up_tokenization_spaces=False, use_source_tokenizer=False)))
    encoded = [(text, tokenizer(text).input_ids) for text in plain]
    targets = [(text, tokenizer(text_target=text).input_ids) for text in plain]
    return {"source": source, "target": target, "vocabulary": list(vocabulary), "encoded": encoded, "targets": targets, "decoded": decoded}


def write(name, value):
    rows = ",\n".join(f"{json.dumps(k)}: {json.dumps(v, ensure_ascii=False, separators=(',', ':'))}" for k, v in value.items())
    (FOLDER / name).write_text("{\n" + rows + "\n}\n")


write("lines.json", {"lines": lines, "starts": [starts(processors["bpe_bytes"], text) for text in lines]})
write("segmentations.json", {name: [segmentation(p, text) for text in lines] for name, p in processors.items()})
write("normalized.json", {"nmt_nfkc": [processors["bpe_bytes"].normalize(text) for text in lines]})
write("marian.json", {"joint": marian("bpe_bytes", "bpe_bytes"), "two": marian("unigram", "bpe_bytes")})
