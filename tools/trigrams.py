"""Writes src/text/language/trigrams.rs: for the commonest trigrams of English, German and French how many bits each costs in
each of them.

    python tools/trigrams.py ENGLISH GERMAN FRENCH > src/text/language/trigrams.rs

Each file has one sentence a line. The table that is committed was made of the Tatoeba, Multi30k and news pairs that the models were
trained on; it holds counts of three letters, no text.
"""
import collections
import math
import re
import sys

KEPT = 1000
LANGUAGES = ["en", "de", "fr"]


def trigrams(line):
    letters = " " + re.sub(r"[^a-zà-öø-ÿœ]+", " ", line.lower().replace("’", "'")).strip() + " "
    return [letters[i : i + 3] for i in range(len(letters) - 2)]


counts = []
for path in sys.argv[1:4]:
    counter = collections.Counter()
    for line in open(path, encoding="utf-8"):
        counter.update(trigrams(line))
    counts.append(counter)
totals = [sum(counter.values()) for counter in counts]


def bits(trigram):
    return [-math.log2((c[trigram] + 0.5) / (t + 1)) for c, t in zip(counts, totals)]


def worth(trigram):
    """How much it tells: its frequency times the spread of its bits."""
    costs = bits(trigram)
    return sum(c[trigram] / t for c, t in zip(counts, totals)) * (max(costs) - min(costs))


kept = sorted(sorted(set().union(*counts), key=worth, reverse=True)[:KEPT])
print("//! Bits of the trigrams that tell languages apart, times 8. Written by tools/trigrams.py.\n")
print("use super::key;\n")
print("/// Trigrams in order, each with its bits × 8 in English, German and French.")
print(f"pub(super) const TRIGRAMS: [(u32, [u8; 3]); {len(kept)}] = [")
for trigram in kept:
    print(f'    (key("{trigram}"), {[min(255, round(8 * b)) for b in bits(trigram)]}),')
print("];")
