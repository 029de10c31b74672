"""Opens a model folder of ours in `transformers` and prints ln P of given translations, as `translucent score` does:
the two must agree, ids and all.

    pip install --require-hashes -r train/requirements.txt -r tests/golden/requirements.txt
    python tests/golden/transformers_scores.py MODEL_FOLDER SOURCE_FILE TARGET_FILE
"""

import sys

import torch
from transformers import MarianMTModel, MarianTokenizer

folder, source_file, target_file = sys.argv[1:]
tokenizer = MarianTokenizer.from_pretrained(folder)
model = MarianMTModel.from_pretrained(folder).eval()
start = torch.tensor([[model.config.decoder_start_token_id]])
with open(source_file, encoding="utf-8") as sources, open(target_file, encoding="utf-8") as targets:
    for source, target in zip(sources, targets, strict=True):
        source_ids = tokenizer(source.rstrip("\n"), return_tensors="pt")
        target_ids = tokenizer(text_target=target.rstrip("\n"), return_tensors="pt").input_ids
        with torch.no_grad():
            logits = model(**source_ids, decoder_input_ids=torch.cat([start, target_ids[:, :-1]], 1)).logits
        logprobs = torch.log_softmax(logits[0].double(), -1).gather(1, target_ids[0][:, None])
        print(logprobs.sum().item())
