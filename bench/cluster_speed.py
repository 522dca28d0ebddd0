"""Claim: 500 word clusters take less than 5 CPU seconds on Multi30k, 60 on 300k Europarl lines.

`tunesmith clusters` from the text file to the cluster file: CPU and wall seconds, and memory.
Europarl is raw here, lower-cased: words with punctuation at them make the vocabulary larger.

    python bench/cluster_speed.py [--data FOLDER] [--classes 500] [--threads 2]
"""

import argparse
import lzma
import os
import sys
import tempfile
from itertools import islice
from pathlib import Path

from measure import measured
from shared_data import add_data_option

TEXTS = (
    ("multi30k/train.en.xz", 29_000, 5.0),
    ("multi30k/train.de.xz", 29_000, 5.0),
    ("europarl-4way/train.de.xz", 300_000, 60.0),
)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_data_option(parser)
    parser.add_argument("--classes", type=int, default=500)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    program = Path(sys.executable).with_name("tunesmith")
    head = f"{'text':28} {'words':>9} {'CPU s':>7} {'wall s':>7} {'MB':>6}"
    print(f"{head}  load {os.getloadavg()[0]:.1f}")
    kept = True
    with tempfile.TemporaryDirectory() as folder:
        text, out = Path(folder, "text"), Path(folder, "clusters")
        for name, lines, claim in TEXTS:
            with lzma.open(options.data / name, "rt", encoding="utf-8") as stream:
                text.write_text("".join(islice(stream, lines)).lower(), encoding="utf-8")
            cpu, wall, memory = measured(
                [program, "clusters", "--text", text, "--classes", options.classes,
                 "--threads", options.threads, "--out", out]
            )  # fmt: skip
            words = sum(1 for _ in out.open(encoding="utf-8"))
            kept &= options.classes > 500 or cpu < claim
            print(f"{name:28} {words:9,} {cpu:7.1f} {wall:7.1f} {memory:6.0f}", flush=True)
    print(f"claim {'kept' if kept else 'BROKEN'}")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
