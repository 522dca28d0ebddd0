"""Claim: time and memory grow about linearly with the text: 30k, 100k, 300k, 1M phrasebook pairs.

Each size is one process; CPU is user + system seconds, memory its largest resident set. "Growth" is
the exponent x of size^x between one row and the row before; the claim is that none exceeds 1.15.

    python bench/growth.py [--parts align] [--sizes 30000 100000 300000 1000000] [--threads 2]
"""

import argparse
import itertools
import math
import subprocess
import sys
import tempfile
from pathlib import Path

from measure import measured

LIMIT = 1.15
TUNESMITH = [sys.executable, "-m", "tunesmith.cli.main"]

# What is measured: the arguments of a command for one size of text.
PARTS = {
    "align": lambda text, out, threads: [
        *("align", "--quiet", "--threads", threads),
        *("--src", f"{text}.de", "--tgt", f"{text}.en"),
        *("--out", f"{out}.links", "--model-out", f"{out}.align"),
    ],
}


def make_text(folder, sizes):
    """The largest corpus, and its beginnings."""
    command = [*TUNESMITH, "phrasebook", str(max(sizes)), str(folder / "all"), "--lowercase"]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    for side in ("de", "en"):
        for size in sizes:
            with (
                open(folder / f"all.{side}", encoding="utf-8") as stream,
                open(folder / f"{size}.{side}", "w", encoding="utf-8") as out,
            ):
                out.writelines(itertools.islice(stream, size))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument(
        "--sizes", nargs="+", type=int, default=[30_000, 100_000, 300_000, 1_000_000]
    )
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    held = True
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        make_text(folder, arguments.sizes)
        for part in arguments.parts:
            print("part      pairs      CPU s   wall s      MB   growth of CPU, of memory")
            rows = []
            for size in sorted(arguments.sizes):
                cost = measured(
                    [
                        *TUNESMITH,
                        *PARTS[part](folder / str(size), folder / "out", arguments.threads),
                    ]
                )
                rows.append((size, *cost))
                growth = ""
                if len(rows) > 1:
                    cpu, memory = exponents(*rows[-2:])
                    growth = f"{cpu:8.2f}  {memory:8.2f}"
                cpu, wall, memory = cost
                line = f"{part:8} {size:>9,}  {cpu:8.1f}  {wall:7.1f}  {memory:6.0f}"
                print(f"{line} {growth}", flush=True)
            held &= all(
                exponent <= LIMIT
                for pair in itertools.pairwise(rows)
                for exponent in exponents(*pair)
            )
    print("claim", "held" if held else "NOT held")
    return 0 if held else 1


def exponents(before, after):
    """How CPU time and memory grow with the size between two rows."""
    factor = math.log(after[0] / before[0])
    return math.log(after[1] / before[1]) / factor, math.log(after[3] / before[3]) / factor


if __name__ == "__main__":
    sys.exit(main())
