"""Claims: scoring whole sentences is 1.5 times as fast per core as the kenlm package's `score`,
per-word scores with n-gram lengths 3 times as fast as its `full_scores`, and a binary model is
loaded in less than 50 ms.

Multi30k train.en (29k sentences), the 4-gram model of moses-model, one core. kenlm loads the same
ARPA file into its probing model. Ours and theirs in turn; medians of CPU seconds, of wall clock
for loading.

    python bench/lm_query.py [--data FOLDER] [--rounds 7]
"""

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path

import kenlm
import numpy as np
from shared_data import add_data_option

from tunesmith.formats.text import read_bytes, read_lines
from tunesmith.lm import NgramLM

CLAIMS = {"score": 1.5, "full_scores": 3.0}
LOAD_MS = 50.0


def cpu_seconds(function):
    start = time.process_time()
    function()
    return time.process_time() - start


def wall_seconds(function):
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_data_option(parser)
    parser.add_argument("--rounds", type=int, default=7)
    arguments = parser.parse_args()
    data = arguments.data

    lines = read_lines(data / "multi30k" / "train.en.xz")
    words = sum(len(line.split()) + 1 for line in lines)
    with tempfile.TemporaryDirectory() as folder:
        arpa, binary = Path(folder) / "lm.arpa", Path(folder) / "lm.bin"
        arpa.write_bytes(read_bytes(data / "moses-model" / "lm.arpa.gz"))
        NgramLM.load(arpa).save(binary)
        peer, ours = kenlm.Model(str(arpa)), NgramLM.load(binary)
        np.testing.assert_allclose(
            ours.scores(lines), [peer.score(line) for line in lines], rtol=1e-5
        )

        work = {
            "score": (
                lambda: ours.scores(lines),
                lambda: [peer.score(line) for line in lines],
            ),
            "full_scores": (
                lambda: ours.word_scores(lines),
                lambda: [list(peer.full_scores(line)) for line in lines],
            ),
        }
        times = {name: ([], []) for name in work}
        for _ in range(arguments.rounds):
            for name, pair in work.items():
                for seconds, function in zip(times[name], pair, strict=True):
                    seconds.append(cpu_seconds(function))
        load = [wall_seconds(lambda: NgramLM.load(binary)) for _ in range(3 * arguments.rounds)]

    missed = False
    for name, (own, other) in times.items():
        own, other = statistics.median(own), statistics.median(other)
        missed |= other / own < CLAIMS[name]
        print(
            f"{name}: {words / own / 1e6:.2f}M words/s, kenlm {words / other / 1e6:.2f}M words/s, "
            f"{other / own:.2f} times as fast (claim: {CLAIMS[name]})"
        )
    milliseconds = statistics.median(load) * 1e3
    missed |= milliseconds >= LOAD_MS
    print(f"load of the binary: {milliseconds:.1f} ms (claim: under {LOAD_MS:.0f} ms)")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
