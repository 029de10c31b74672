"""What this machine sustains in matrix products, in FLOP/s: the rate in the paper's estimate of training cost (§6.1).

    python train/bench/sustained.py
"""

import time

import torch

SIZE = 2048
ROUNDS = 12

for kind in (torch.float32, torch.bfloat16):
    a = torch.randn(SIZE, SIZE).to(kind)
    b = torch.randn(SIZE, SIZE).to(kind)
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.perf_counter()
        torch.mm(a, b)
        best = min(best, time.perf_counter() - start)
    print(f"{str(kind).removeprefix('torch.')}: {2 * SIZE**3 / best:.2e} FLOP/s, {torch.get_num_threads()} threads")
