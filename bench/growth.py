"""Claim: time and memory grow about linearly with the text: 30k to 603k pairs of Europarl es-en.

Each size is one process; CPU is user + system seconds, memory its largest resident set. "Growth" is
the exponent x of size^x between one row and the row before; the claim is that none exceeds 1.15.

    python bench/growth.py [--data FOLDER] [--parts align] [--sizes 30000 100000 300000 603000]
"""

import argparse
import itertools
import math
import sys
import tempfile
from pathlib import Path

from measure import measured
from shared_data import add_data_option, europarl_lines

LIMIT = 1.15
TUNESMITH = [sys.executable, "-m", "tunesmith.cli.main"]

# What is measured: the arguments of a command for one size of text.
PARTS = {
    "align": lambda text, out, threads: [
        *("align", "--quiet", "--threads", threads),
        *("--src", f"{text}.es", "--tgt", f"{text}.en"),
        *("--out", f"{out}.links", "--model-out", f"{out}.align"),
    ],
}


def make_text(data, folder, sizes):
    """Return the first pairs of the corpus, for each size."""
    for side in ("es", "en"):
        for size in sizes:
            with open(folder / f"{size}.{side}", "w", encoding="utf-8") as out:
                for line in itertools.islice(europarl_lines(data, side), size):
                    out.write(f"{line}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    add_data_option(parser)
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    sizes = [30_000, 100_000, 300_000, 603_000]
    parser.add_argument("--sizes", nargs="+", type=int, default=sizes)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    held = True
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        make_text(arguments.data, folder, arguments.sizes)
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
