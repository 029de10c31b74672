"""Training steps per second of `translucent learn` beside PyTorch eager: one thread each, the same small model, batch size and
task (reverse, N = 2, d_model = 64, h = 4, d_ff = 128, 64 pairs), in turns. Seconds are CPU seconds of the process, so that
other work on the machine counts less. The last line says which share of the machine's f32 peak that is: multiply-adds of the
matrix products of a step (attention's too, no padding), against those that torch does in a product of 2048 × 2048 matrices.

    cargo build --release -p translucent-cli
    python benches/learning/speed.py            # needs torch
"""

import argparse
import os
import resource
import statistics
import subprocess
import time
from pathlib import Path

os.environ["OMP_NUM_THREADS"] = "1"
import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)
LAYERS, WIDTH, HEADS, INNER, BATCH, VOCAB = 2, 64, 4, 128, 64, 29
START, END = VOCAB - 1, 0


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v, self.out = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.norm = nn.LayerNorm(WIDTH)

    def forward(self, x, memory, mask):
        def split(y):
            return y.unflatten(-1, (HEADS, -1)).transpose(1, 2)

        heads = F.scaled_dot_product_attention(split(self.q(x)), split(self.k(memory)), split(self.v(memory)), attn_mask=mask)
        return self.norm(x + self.out(heads.transpose(1, 2).flatten(2)))


class FeedForward(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner, self.outer, self.norm = nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH), nn.LayerNorm(WIDTH)

    def forward(self, x):
        return self.norm(x + self.outer(self.inner(x).relu()))


class Transformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(VOCAB, WIDTH)
        nn.init.normal_(self.table.weight, std=WIDTH**-0.5)
        angle = torch.arange(64)[:, None] / 10000 ** (torch.arange(0, WIDTH, 2) / WIDTH)
        self.register_buffer("positions", torch.stack([angle.sin(), angle.cos()], 2).flatten(1))
        self.encoder = nn.ModuleList(nn.ModuleList([Attention(), FeedForward()]) for _ in range(LAYERS))
        self.decoder = nn.ModuleList(nn.ModuleList([Attention(), Attention(), FeedForward()]) for _ in range(LAYERS))

    def embed(self, ids):
        return self.table(ids) * WIDTH**0.5 + self.positions[: ids.shape[1]]

    def forward(self, source, source_mask, target):
        x = self.embed(source)
        for attention, network in self.encoder:
            x = network(attention(x, x, source_mask))
        y = self.embed(target)
        causal = torch.ones(target.shape[1], target.shape[1], dtype=torch.bool).tril()
        for attention, cross, network in self.decoder:
            y = network(cross(attention(y, y, causal), x, source_mask))
        return y @ self.table.weight.T


def batch():
    lengths = torch.randint(4, 13, (BATCH,)).tolist()
    source = [torch.randint(2, VOCAB - 1, (n,)) for n in lengths]
    pad = nn.utils.rnn.pad_sequence
    end, start = torch.tensor([END]), torch.tensor([START])
    sources = pad([torch.cat([s, end]) for s in source], batch_first=True)
    real = pad([torch.ones(len(s) + 1, dtype=torch.bool) for s in source], batch_first=True)
    targets = pad([torch.cat([start, s.flip(0)]) for s in source], batch_first=True)
    gold = pad([torch.cat([s.flip(0), end]) for s in source], batch_first=True, padding_value=-100)
    return sources, real[:, None, None], targets, gold


def pytorch(steps):
    torch.manual_seed(1)
    model = Transformer()
    optimiser = torch.optim.Adam(model.parameters(), lr=1e-3, betas=(0.9, 0.98), eps=1e-9)
    data = [batch() for _ in range(20)]

    def run(count):
        for i in range(count):
            source, mask, target, gold = data[i % len(data)]
            loss = F.cross_entropy(model(source, mask, target).flatten(0, 1), gold.flatten(), label_smoothing=0.1)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()

    run(10)
    start = time.process_time()
    run(steps)
    return steps / (time.process_time() - start)


def native(program, steps):
    def seconds(count):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        count = str(count)
        subprocess.run([program, "learn", "reverse", "--steps", count, "--every", count, "--held-out", "1", "--until", "2"], check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    return steps / (seconds(steps + 1) - seconds(1))


def operations(batches=200):
    """Floating-point operations of a step: a multiply-add is two, and the backward pass twice the forward pass."""
    generator = torch.Generator().manual_seed(1)
    sources = torch.randint(4, 13, (batches, BATCH), generator=generator).double() + 1
    tokens, squares = sources.sum(1).mean(), (sources**2).sum(1).mean()
    encoder = tokens * (4 * WIDTH**2 + 2 * WIDTH * INNER) + squares * 2 * WIDTH
    # Of the masked attention half is computed.
    decoder = tokens * (8 * WIDTH**2 + 2 * WIDTH * INNER) + squares * 3 * WIDTH
    return float(2 * 3 * (LAYERS * (encoder + decoder) + tokens * VOCAB * WIDTH))


def peak(size=2048, times=8):
    """Floating-point operations per CPU second of one thread in a large product."""
    a = torch.randn(size, size)
    torch.mm(a, a)
    start = time.process_time()
    for _ in range(times):
        torch.mm(a, a)
    return 2 * size**3 * times / (time.process_time() - start)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default=Path(__file__).parents[2] / "target/release/translucent")
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    ours, theirs, peaks = [], [], []
    for _ in range(args.rounds):
        ours.append(native(args.program, args.steps))
        theirs.append(pytorch(args.steps))
        peaks.append(peak())
        print(f"translucent {ours[-1]:.1f} steps/s, PyTorch {theirs[-1]:.1f} steps/s", flush=True)
    a, b = statistics.median(ours), statistics.median(theirs)
    print(f"median: translucent {a:.1f}, PyTorch {b:.1f}, ratio {a / b:.2f}")
    rate, most = a * operations(), statistics.median(peaks)
    print(f"products of a step: {operations() / 1e9:.2f} Gop, {rate / 1e9:.1f} Gop/s, {100 * rate / most:.0f} % of {most / 1e9:.1f} Gop/s")


if __name__ == "__main__":
    main()
