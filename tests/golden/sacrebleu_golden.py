"""Writes sacrebleu.json: BLEU (13a, exponential smoothing) and chrF2 of small corpora, each also sentence by sentence.

    pip install --require-hashes -r train/requirements.txt -r tests/golden/requirements.txt
    python tests/golden/sacrebleu_golden.py
"""

import json
from pathlib import Path

import sacrebleu

PAIRS = [
    ("The cat sits on the mat.", "The cat is sitting on the mat."),
    ("Das Haus ist 1.250,50 Euro wert - fast geschenkt!", "Das Haus ist 1.250,50 Euro wert, also fast geschenkt!"),
    ("Er sagte: \"Komm bitte um 8:30 Uhr (pünktlich)\".", "Er sagte: „Komm bitte um 8.30 Uhr (pünktlich).“"),
    ("", "An empty hypothesis costs recall."),
    ("An empty reference costs precision.", ""),
    ("", ""),
    ("Straße, Übergröße & Äpfel", "Straße, Übergröße &amp; Äpfel"),
    ("Tom &quot;hört&quot; <skipped> 3-4 Lieder.", "Tom \"hört\" 3-4 Lieder."),
    ("日本語の文です。 Привет, мир! 👍🏽", "日本語の文。 Привет мир! 👍"),
    ("a", "a"),
    ("Ein  doppelter\u00a0Abstand\tund Tab ", " Ein doppelter Abstand und Tab"),
    ("U.S.A. v1.2.3, e.g. 10,000.00; 50%/50% [x] {y} ~z~ don't @home", "U.S.A. v1.2.3 e.g. 10,000; 50%/50% [x] {z} ~z~ don't at home"),
    ("Zwei Hunde rennen über die Wiese.", "Zwei Hunde laufen über eine grüne Wiese."),
    ("x-1-2.-3,.4 ...und,dann", "x-1 -2. -3, .4 ... und, dann"),
    ("separators\x1cof\x1dASCII\x85and\u2028others", "separators of ASCII and others"),
]


def measure(hypotheses, references):
    bleu = sacrebleu.corpus_bleu(hypotheses, [references])
    return {
        "hypotheses": hypotheses,
        "references": references,
        "bleu": bleu.score,
        "precisions": bleu.precisions,
        "brevity_penalty": bleu.bp,
        "chrf": sacrebleu.corpus_chrf(hypotheses, [references]).score,
    }


hypotheses, references = map(list, zip(*PAIRS))
cases = [measure(hypotheses, references), measure(references, hypotheses), measure(references, references)]
cases.append(measure(hypotheses[:2], references[:2]))
cases += [measure([h], [r]) for h, r in PAIRS]
path = Path(__file__).parent / "sacrebleu.json"
path.write_text(json.dumps(cases, ensure_ascii=True, indent=1) + "\n")
