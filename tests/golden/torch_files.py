"""Writes tests/golden/torch/: small files of `torch.save` in both of its formats, for tests/torch_files.rs.

    pip install --require-hashes -r train/requirements.txt -r tests/golden/requirements.txt
    python tests/golden/torch_files.py

zip.bin and legacy.bin hold the same state dict: parameters, tensors that share a storage, that are transposed, cut out,
expanded, half precision; values.json says what is in them. The others are what must be refused.
"""

import json
import pathlib

import torch

FOLDER = pathlib.Path(__file__).parent / "torch"


def state_dict():
    base = torch.arange(24, dtype=torch.float32).reshape(4, 6) / 8 - 1
    linear = torch.nn.Linear(3, 2)
    with torch.no_grad():
        linear.weight.copy_(torch.tensor([[1.5, -2, 0.25], [3, -0.125, 7]]))
        linear.bias.copy_(torch.tensor([0.5, -0.5]))
    state = linear.state_dict()  # an OrderedDict with _metadata, as models have
    state["parameter"] = linear.weight
    state["whole"] = base
    state["same"] = base
    state["transposed"] = base.t()
    state["column"] = base[:, 2]
    state["block"] = base[1:3, 2:5]
    state["expanded"] = torch.tensor([[2.0], [3.0]]).expand(2, 3)
    state["scalar"] = torch.tensor(4.5)
    state["empty"] = torch.zeros(0, 3)
    state["half"] = torch.tensor([[0.5, -1.25], [65504, 1e-7]]).half()
    state["brain"] = torch.tensor([1.0, -3.140625, 1e30]).bfloat16()
    return state


class Evil:
    def __reduce__(self):
        import os

        return os.system, ("echo never",)


def main():
    FOLDER.mkdir(exist_ok=True)
    state = state_dict()
    torch.save(state, FOLDER / "zip.bin")
    torch.save(state, FOLDER / "legacy.bin", _use_new_zipfile_serialization=False)
    values = {
        name: {"shape": list(tensor.shape), "values": tensor.detach().float().flatten().tolist()}
        for name, tensor in state.items()
    }
    lines = ",\n".join(f" {json.dumps(name)}: {json.dumps(value)}" for name, value in values.items())
    (FOLDER / "values.json").write_text("{\n" + lines + "\n}\n")
    torch.save({"w": torch.zeros(2, dtype=torch.int64)}, FOLDER / "integers.bin")
    torch.save({"w": Evil()}, FOLDER / "evil.bin")
    torch.save({"w": Evil()}, FOLDER / "evil_legacy.bin", _use_new_zipfile_serialization=False)
    torch.save({"w": torch.zeros(2)}, FOLDER / "protocol4.bin", pickle_protocol=4)
    torch.save({"model": {"w": torch.zeros(2)}}, FOLDER / "nested.bin")
    torch.save([torch.zeros(2)], FOLDER / "list.bin")
    for file in sorted(FOLDER.iterdir()):
        print(file.name, file.stat().st_size)


main()
