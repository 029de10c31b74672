"""Writes a made-up corpus of N pairs: `python3 train/bench/corpus.py 1000000 > pairs.tsv`.

Sentences of two to four made-up words; the other side has the same words in capitals."""

import random
import sys

count = int(sys.argv[1])
draw = random.Random(1)
syllables = [a + b for a in "bdfgklmnprst" for b in "aeiou"]
words = ["".join(draw.choices(syllables, k=draw.randint(1, 3))) for _ in range(5000)]
# Sentences are cut from one long row of words: drawing each word would take longer than reading them.
row = " ".join(draw.choices(words, k=200_000)).split(" ")
for start in range(count):
    at = start * 7919 % (len(row) - 8)
    sentence = " ".join(row[at : at + 2 + start % 3])
    sys.stdout.write(f"{sentence}\t{sentence.upper()}\n")
