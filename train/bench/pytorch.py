"""The trainer's counterpart in PyTorch, as usually written: the same model, the same batches, the same schedule.

    python pytorch.py BATCHES --precision bf16 [--measure-from STEP] [--save FILE]

BATCHES is the folder that `translucent-train speed` or `translucent-train batches` writes. Prints one JSON object: target tokens a
second over the steps from --measure-from on, peak memory in bytes, and the mean loss of the last 50 steps.
With --save the weights go into a file that `translucent-train export --weights FILE` takes.
"""
import argparse
import json
import math
import resource
import struct
import time

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


def read_safetensors(path):
    """Arrays by name, and the metadata."""
    with open(path, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
        data = file.read()
    kinds = {"U16": np.uint16, "U32": np.uint32, "F32": np.float32}
    metadata = header.pop("__metadata__", {})
    arrays = {
        name: np.frombuffer(data[slice(*entry["data_offsets"])], kinds[entry["dtype"]]).reshape(entry["shape"])
        for name, entry in header.items()
    }
    return arrays, metadata


def write_safetensors(path, arrays, metadata):
    header, blocks, at = {"__metadata__": metadata}, [], 0
    for name, array in arrays.items():
        block = np.ascontiguousarray(array, np.float32).tobytes()
        header[name] = {"dtype": "F32", "shape": list(array.shape), "data_offsets": [at, at + len(block)]}
        blocks.append(block)
        at += len(block)
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + b"".join(blocks))


class Attention(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.h = h
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (nn.Linear(d, d) for _ in range(4))

    def forward(self, x, memory, mask):
        split = lambda t: t.unflatten(-1, (self.h, -1)).transpose(1, 2)
        q, k, v = split(self.q_proj(x)), split(self.k_proj(memory)), split(self.v_proj(memory))
        scores = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1]) + mask
        return self.out_proj((torch.softmax(scores, -1) @ v).transpose(1, 2).flatten(-2))


class Layer(nn.Module):
    """Names as in transformers' Marian, so that the weights need no renaming."""

    def __init__(self, d, h, d_ff, dropout, decoder):
        super().__init__()
        self.self_attn, self.self_attn_layer_norm = Attention(d, h), nn.LayerNorm(d)
        if decoder:
            self.encoder_attn, self.encoder_attn_layer_norm = Attention(d, h), nn.LayerNorm(d)
        self.fc1, self.fc2, self.final_layer_norm = nn.Linear(d, d_ff), nn.Linear(d_ff, d), nn.LayerNorm(d)
        self.dropout, self.decoder = dropout, decoder

    def forward(self, x, mask, memory=None, memory_mask=None):
        drop = lambda t: F.dropout(t, self.dropout, self.training)
        x = self.self_attn_layer_norm(x + drop(self.self_attn(x, x, mask)))
        if self.decoder:
            x = self.encoder_attn_layer_norm(x + drop(self.encoder_attn(x, memory, memory_mask)))
        return self.final_layer_norm(x + drop(self.fc2(F.relu(self.fc1(x)))))


class Stack(nn.Module):
    def __init__(self, layers, *shape):
        super().__init__()
        self.layers = nn.ModuleList(Layer(*shape) for _ in range(layers))


class Model(nn.Module):
    def __init__(self, c):
        super().__init__()
        d = c["d_model"]
        self.shared = nn.Embedding(c["vocab_size"], d)
        self.encoder = Stack(c["encoder_layers"], d, c["n_heads"], c["d_ff"], c["dropout"], False)
        self.decoder = Stack(c["decoder_layers"], d, c["n_heads"], c["d_ff"], c["dropout"], True)
        position = torch.arange(c["max_positions"])[:, None]
        angle = position / 10000 ** (torch.arange(0, d, 2)[None] / d)
        if c["positions"] == "sinusoidal_halves":
            table = torch.cat([angle.sin(), angle.cos()], -1)
        else:
            table = torch.stack([angle.sin(), angle.cos()], -1).flatten(-2)
        self.register_buffer("positions", table, persistent=False)
        self.scale, self.dropout = math.sqrt(d), c["dropout"]

    def embed(self, ids):
        x = self.shared(ids) * self.scale + self.positions[: ids.shape[1]]
        return F.dropout(x, self.dropout, self.training)

    def forward(self, source, padding, target_in):
        mask = torch.zeros(padding.shape).masked_fill(padding, -torch.inf)[:, None, None]
        causal = torch.full((target_in.shape[1],) * 2, -torch.inf).triu(1)
        x = self.embed(source)
        for layer in self.encoder.layers:
            x = layer(x, mask)
        y = self.embed(target_in)
        for layer in self.decoder.layers:
            y = layer(y, causal, x, mask)
        return y @ self.shared.weight.t()


def batches(folder, plan):
    """Tensors of every batch: source, its padding, what the decoder reads, what it predicts (-100 where padded)."""
    arrays, _ = read_safetensors(f"{folder}/batches.safetensors")
    sides = []
    for side in ("source", "target"):
        sides.append(np.split(arrays[f"{side}.ids"].astype(np.int64), arrays[f"{side}.ends"][:-1].astype(np.int64)))
    start = 0
    for end in plan["ends"]:
        n = end - start
        source, target = sides[0][start:end], sides[1][start:end]
        width, depth = max(map(len, source)) + 1, max(map(len, target)) + 1
        src = np.full((n, width), plan["pad"])
        tin, out = np.full((n, depth), plan["pad"]), np.full((n, depth), -100)
        padding = np.ones((n, width), bool)
        for i, (s, t) in enumerate(zip(source, target)):
            src[i, : len(s)], src[i, len(s)], padding[i, : len(s) + 1] = s, plan["eos"], False
            tin[i, 0], tin[i, 1 : len(t) + 1] = plan["start"], t
            out[i, : len(t)], out[i, len(t)] = t, plan["eos"]
        yield tuple(map(torch.from_numpy, (src, padding, tin, out)))
        start = end


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("batches")
    arguments.add_argument("--precision", choices=("f32", "bf16"), default="bf16")
    arguments.add_argument("--threads", type=int, default=2)
    arguments.add_argument("--measure-from", type=int, default=0)
    arguments.add_argument("--save")
    a = arguments.parse_args()
    torch.set_num_threads(a.threads)
    torch.manual_seed(1)
    with open(f"{a.batches}/plan.json") as file:
        plan = json.load(file)
    config = plan["config"]
    weights, metadata = read_safetensors(f"{a.batches}/weights.safetensors")
    model = Model(config)
    state = {name.removeprefix("model."): torch.from_numpy(array.copy()) for name, array in weights.items()}
    model.load_state_dict(state)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.0, betas=(0.9, 0.98), eps=1e-9)
    stream, losses, tokens, begun = batches(a.batches, plan), [], 0, time.perf_counter()
    for step, rate in enumerate(plan["learning_rates"]):
        if step == a.measure_from:
            tokens, begun = 0, time.perf_counter()
        some = [next(stream) for _ in range(plan["accumulation"])]
        count = sum(int((out >= 0).sum()) for *_, out in some)
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.zero_grad(set_to_none=True)
        total = 0.0
        for source, padding, target_in, out in some:
            with torch.autocast("cpu", torch.bfloat16, enabled=a.precision == "bf16"):
                logits = model(source, padding, target_in)
                loss = F.cross_entropy(
                    logits.flatten(0, 1).float(), out.flatten(), ignore_index=-100,
                    label_smoothing=config["label_smoothing"], reduction="sum",
                ) / count
            loss.backward()
            total += loss.item()
        if plan["clip"] is not None:
            nn.utils.clip_grad_norm_(model.parameters(), plan["clip"])
        optimizer.step()
        tokens += count
        losses.append(total)
    seconds = time.perf_counter() - begun
    if a.save:
        header = json.loads(metadata["header"])
        header["counters"]["step"] = len(losses)
        arrays = {f"model.{name}": tensor.detach().numpy() for name, tensor in model.state_dict().items()}
        write_safetensors(a.save, arrays, {**metadata, "header": json.dumps(header)})
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    loss = sum(losses[-50:]) / len(losses[-50:])
    print(json.dumps({"tokens_per_second": tokens / seconds, "peak_memory": memory, "loss": loss}))


if __name__ == "__main__":
    main()
