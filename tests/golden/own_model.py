"""Opens a model of ours in `transformers`, exported in f32 and f16, and compares the translations.

    pip install --require-hashes -r train/requirements.txt -r tests/golden/requirements.txt
    cargo build --release -p translucent-cli
    python tests/golden/own_model.py target/release/translucent models/en-de SOURCE_FILE [LINES]

Converts the folder with `translucent convert`, translates the lines with `translucent translate` and with MarianTokenizer
and MarianMTModel, greedily and with beam 4 (length penalty 1, no early stopping), and counts lines that differ: it
fails if there are any.
"""

import itertools
import pathlib
import subprocess
import sys
import tempfile

import torch
from transformers import MarianMTModel, MarianTokenizer

program, folder, source_file, *rest = sys.argv[1:]
count = int(rest[0]) if rest else 100
with open(source_file, encoding="utf-8") as file:
    lines = [line.rstrip("\n") for line in itertools.islice(file, count)]


def ours(model, beam):
    command = [program, "translate", "--model", model, "--beam", str(beam), "--length-penalty", "1"]
    done = subprocess.run(command, input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def theirs(tokenizer, model, beam):
    for line in lines:
        inputs = tokenizer(line, return_tensors="pt")
        with torch.no_grad():
            ids = model.generate(
                **inputs,
                num_beams=beam,
                length_penalty=1.0,
                early_stopping=False,
                do_sample=False,
                # The start symbol counts; input length + 50 is ours.
                max_length=1 + inputs.input_ids.shape[1] + 50,
            )
        yield tokenizer.decode(ids[0], skip_special_tokens=True, clean_up_tokenization_spaces=False)


failed = 0
for dtype in ("f32", "f16"):
    with tempfile.TemporaryDirectory() as exported:
        subprocess.run([program, "convert", "--model", folder, "--output", exported, "--dtype", dtype], check=True)
        size = (pathlib.Path(exported) / "model.safetensors").stat().st_size
        tokenizer = MarianTokenizer.from_pretrained(exported)
        # f16 says how the numbers are stored; both sides compute in 32 bits.
        model = MarianMTModel.from_pretrained(exported, dtype=torch.float32).eval()
        for beam in (1, 4):
            pairs = list(zip(ours(exported, beam), theirs(tokenizer, model, beam), lines, strict=True))
            different = [pair for pair in pairs if pair[0] != pair[1]]
            print(f"{dtype} ({size} bytes), beam {beam}: {len(pairs) - len(different)} of {len(pairs)} the same")
            for a, b, line in different[:5]:
                print(f"  {line!r}\n    ours   {a!r}\n    theirs {b!r}")
            failed += len(different)
sys.exit(failed > 0)
