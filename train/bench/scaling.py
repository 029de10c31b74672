"""A model of data-parallel training on many nodes, from what one machine measured: `python3 train/bench/scaling.py`.

A step is the gradients of a rank's batches, then one ring all-reduce that nothing overlaps:

    step = batches * compute + add + 2 * (n - 1) / n * bytes / bandwidth + 2 * (n - 1) * latency

Measured, model S (7.6 million parameters) with a rank on each of two cores of a Zen 4: `compute`, `add`, `bytes`.
Assumed: the bandwidth is the network's nominal one, all nodes are as fast as this machine, a batch takes the same time everywhere."""

COMPUTE = 0.594  # seconds for a batch of 2 048 positions on one core
ADD = 0.033  # seconds to add the gradients of two ranks of one machine, waiting included
BYTES = {"f32": 30.3e6, "bf16": 15.2e6}
LATENCY = 20e-6  # seconds a message, of a network without special hardware

print("| nodes | batches a rank | network | gradients | step, s | efficiency |")
print("|--:|--:|--:|---|--:|--:|")
for nodes in (4, 64):
    for batches in (1, 4):
        for gigabits in (10, 100):
            for name, size in BYTES.items():
                ring = 2 * (nodes - 1) / nodes * size / (gigabits * 1e9 / 8) + 2 * (nodes - 1) * LATENCY
                compute = batches * COMPUTE
                step = compute + ADD + ring
                print(f"| {nodes} | {batches} | {gigabits} Gbit/s | {name} | {step:.3f} | {compute / step:.0%} |")
