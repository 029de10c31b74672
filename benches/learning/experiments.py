"""The experiments of the Learning tab over five seeds: steps to 99 % exact match on 200 held-out inputs, or the share reached.

    cargo build --release -p translucent-cli
    python benches/learning/experiments.py > benches/learning/experiments.tsv
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

SEEDS = "1,2,3,4,5"
STEPS = 700
ROOT = Path(__file__).parents[2]
# The pairs that the page sets up, in its own words.
FEW_PAIRS = "import { FEW_PAIRS } from './www/tabs/learning/few-pairs.js'; console.log(FEW_PAIRS);"
PAIRS = "FEW_PAIRS.tsv"
ARMS = {
    "reverse": ["reverse"],
    "reverse, no positions": ["reverse", "--positions", "none"],
    "sort": ["sort"],
    "sort, no positions": ["sort", "--positions", "none"],
    "reverse, one head": ["reverse", "--heads", "1"],
    "reverse, unscaled": ["reverse", "--attention", "unscaled"],
    "reverse, no warm-up": ["reverse", "--warmup-steps", "0"],
    "reverse, no label smoothing": ["reverse", "--label-smoothing", "0"],
    "reverse, one head, unscaled": ["reverse", "--heads", "1", "--attention", "unscaled"],
    "few pairs": ["--pairs", PAIRS],
    "few pairs, dropout 0.2": ["--pairs", PAIRS, "--dropout", "0.2"],
}


def runs(program, args):
    with tempfile.TemporaryDirectory() as folder:
        pairs = Path(folder) / PAIRS
        if PAIRS in args:
            node = ["node", "--input-type=module", "--eval", FEW_PAIRS]
            pairs.write_text(subprocess.run(node, check=True, capture_output=True, text=True, cwd=ROOT).stdout)
        return trained(program, [pairs if arg == PAIRS else arg for arg in args])


def trained(program, args):
    command = [program, "learn", *args, "--seeds", SEEDS, "--steps", str(STEPS), "--every", "25", "--until", "0.99"]
    head, *lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    rows = [dict(zip(head.split("\t"), map(float, line.split("\t")))) for line in lines]
    return [[row for row in rows if row["seed"] == seed] for seed in sorted({row["seed"] for row in rows})]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default=ROOT / "target/release/translucent")
    parser.add_argument("--only", choices=ARMS, nargs="*", default=list(ARMS))
    args = parser.parse_args()
    print("arm", "reached 99 %", "steps to 99 %: median", "least", "most", "exact at the end: median", "least", "most", "nll at the end: median", sep="\t")
    for name in args.only:
        found = runs(args.program, ARMS[name])
        steps = [run[-1]["step"] for run in found if run[-1]["exact"] >= 0.99]
        exact = [run[-1]["exact"] for run in found]
        nll = statistics.median(run[-1]["held_out_nll"] for run in found)
        spread = [f"{statistics.median(steps):.0f}", f"{min(steps):.0f}", f"{max(steps):.0f}"] if steps else ["–"] * 3
        print(name, f"{len(steps)} of {len(found)}", *spread, f"{statistics.median(exact):.3f}", f"{min(exact):.3f}", f"{max(exact):.3f}", f"{nll:.3f}", sep="\t")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
