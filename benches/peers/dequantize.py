"""A folder of ours with the same weights in f32 in place of int8: what is left of the difference is the rounding of activations.

usage: python dequantize.py INT8_FOLDER F32_FOLDER"""

import json
import os
import shutil
import sys

from safetensors.torch import load_file, save_file

source, target = sys.argv[1:]
shutil.copytree(source, target, dirs_exist_ok=True)
tensors = load_file(os.path.join(source, "model.safetensors"))
SCALE = "_scale"
scales = {name.removesuffix(SCALE): scale for name, scale in tensors.items() if name.endswith(SCALE)}
plain = {
    name: tensor.float() * scales[name][:, None] if name in scales else tensor
    for name, tensor in tensors.items()
    if not name.endswith(SCALE)
}
save_file(plain, os.path.join(target, "model.safetensors"))
path = os.path.join(target, "config.json")
with open(path) as file:
    config = json.load(file)
del config["quantization"]
with open(path, "w") as file:
    json.dump(config, file, indent=2)
