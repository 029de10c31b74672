"""Lines a second of the command `translucent translate` beside CTranslate2 and onnxruntime outside the browser: the same weights in int8, one
thread, greedily and with beam 4, one line at a time and 64, in turns.

usage: python native.py TRANSLUCENT INT8_FOLDER F32_FOLDER CACHE ROUNDS < LINES   (the folder of dequantize.py)
prints one JSON object: {"ctranslate2": version, …, "lines": …, "speeds": {side: {"beam 1, batch 1": lines a second, …}}}"""

import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import time

translucent, int8, f32, cache, rounds = sys.argv[1:]
lines = [line.strip() for line in sys.stdin if line.strip()]
BEAMS, BATCHES = (1, 4), (1, 64)
LONGEST = 100

if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})

# Imported after the pinning: their thread pools ask for the cores at once.
import ctranslate2  # noqa: E402
import ctranslate2.converters.transformers as converters  # noqa: E402
import numpy  # noqa: E402
import onnxruntime  # noqa: E402
import sentencepiece  # noqa: E402
import torch  # noqa: E402
from optimum.onnxruntime import ORTModelForSeq2SeqLM  # noqa: E402
from transformers import MarianTokenizer  # noqa: E402

torch.set_num_threads(1)

# The architecture is Marian's; the name in our folders is not, as they may hold more than Marian can.
marian = os.path.join(cache, "native-marian")
shutil.copytree(f32, marian, dirs_exist_ok=True)
with open(os.path.join(marian, "config.json")) as file:
    config = json.load(file) | {"model_type": "marian", "architectures": ["MarianMTModel"]}
with open(os.path.join(marian, "config.json"), "w") as file:
    json.dump(config, file)



class Loader(converters.MarianMTLoader):
    """Marian's decoder begins with zeros, ours with the embedding of the padding: without that its translations are garbage."""

    def set_decoder(self, spec, decoder):
        super().set_decoder(spec, decoder)
        spec.start_from_zero_embedding = False

    def set_config(self, config, model, tokenizer):
        super().set_config(config, model, tokenizer)
        config.decoder_start_token = tokenizer.pad_token

    def get_vocabulary(self, model, tokenizer):
        return converters.BartLoader.get_vocabulary(self, model, tokenizer)

    def _remove_pad_weights(self, spec):
        projection = spec.decoder.projection
        projection.bias = numpy.zeros(projection.weight.shape[0], dtype=numpy.float32)
        projection.bias[-1] = -1e4  # Padding is never predicted.


converters._MODEL_LOADERS["MarianConfig"] = Loader()
converted = os.path.join(cache, "native-ctranslate2")
if not os.path.exists(os.path.join(converted, "model.bin")):
    ctranslate2.converters.TransformersConverter(marian).convert(converted, quantization="int8", force=True)
graphs = os.path.join(cache, "native-onnx")
if not os.path.exists(os.path.join(graphs, "decoder_with_past_model_quantized.onnx")):
    here = os.path.dirname(os.path.abspath(__file__))
    subprocess.run([sys.executable, os.path.join(here, "standard_graphs.py"), marian, graphs], check=True, stdout=sys.stderr)

pieces = sentencepiece.SentencePieceProcessor(model_file=os.path.join(f32, "source.spm"))
translator = ctranslate2.Translator(converted, device="cpu", compute_type="int8", inter_threads=1, intra_threads=1)
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = 1
graph = ORTModelForSeq2SeqLM.from_pretrained(
    graphs,
    encoder_file_name="encoder_model_quantized.onnx",
    decoder_file_name="decoder_model_quantized.onnx",
    decoder_with_past_file_name="decoder_with_past_model_quantized.onnx",
    session_options=options,
)
tokenizer = MarianTokenizer.from_pretrained(marian)


def batches(batch):
    return [lines[start : start + batch] for start in range(0, len(lines), batch)]


def with_ctranslate2(beam, batch):
    found = []
    for part in batches(batch):
        tokens = [pieces.encode(line, out_type=str) + ["</s>"] for line in part]
        results = translator.translate_batch(tokens, beam_size=beam, max_decoding_length=LONGEST)
        found += [pieces.decode(result.hypotheses[0]) for result in results]
    return found


def with_onnxruntime(beam, batch):
    found = []
    for part in batches(batch):
        inputs = tokenizer(part, return_tensors="pt", padding=True)
        ids = graph.generate(**inputs, num_beams=beam, max_new_tokens=LONGEST)
        found += tokenizer.batch_decode(ids, skip_special_tokens=True)
    return found


def with_translucent(beam, batch):
    arguments = ["translate", "--model", int8, "--threads", "1", "--beam", str(beam), "--batch", str(batch)]
    run = subprocess.run([translucent, *arguments], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
    return run.stdout.splitlines(), float(re.search(r"([\d.]+) lines/s", run.stderr)[1])


def timed(translate, beam, batch):
    begun = time.perf_counter()
    found = translate(beam, batch)
    return found, len(lines) / (time.perf_counter() - begun)


sides = {
    "translucent": with_translucent,
    "ctranslate2": lambda *how: timed(with_ctranslate2, *how),
    "onnxruntime": lambda *how: timed(with_onnxruntime, *how),
}
speeds, same = {side: {} for side in sides}, {}
for beam in BEAMS:
    for batch in BATCHES:
        how = f"beam {beam}, batch {batch}"
        measured = {side: [] for side in sides}
        outputs = {}
        for _ in range(int(rounds)):
            for side, translate in sides.items():
                outputs[side], speed = translate(beam, batch)
                measured[side].append(speed)
        for side, values in measured.items():
            speeds[side][how] = statistics.median(values)
        ours = outputs["translucent"]
        for side in ("ctranslate2", "onnxruntime"):
            alike = sum(a.strip() == b.strip() for a, b in zip(ours, outputs[side]))
            same.setdefault(side, {})[how] = alike / len(lines)
versions = {"ctranslate2": ctranslate2.__version__, "onnxruntime": onnxruntime.__version__}
print(json.dumps({"versions": versions, "lines": len(lines), "speeds": speeds, "same": same}))
