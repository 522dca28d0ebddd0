"""Claims: per core and with one Python call for each sentence, `score` and `full_scores` are faster
than the kenlm package's; with all sentences at once, 1.5 and 3 times as fast; and a binary model is
loaded in less than 50 ms.

Both ways are shown, because they are two uses. "a call each": ours and kenlm's get one sentence a
call, and all results are kept. "all at once": `scores` and `word_scores` take the whole list; the
kenlm package has no call for many sentences, so its side is again a call each.

Multi30k train.en (29k sentences), the 4-gram model of moses-model, one core. kenlm loads the same
ARPA file into its probing model. Ours and theirs run in turns; medians of CPU seconds, of wall
clock for loading.

    python bench/lm_query.py [--data FOLDER] [--rounds 7]
"""

import argparse
import os
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

# (what, how): how many times as fast as kenlm.
CLAIMS = {
    ("score", "a call each"): 1.0,
    ("score", "all at once"): 1.5,
    ("full_scores", "a call each"): 1.0,
    ("full_scores", "all at once"): 3.0,
}
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

        theirs = {
            "score": lambda: [peer.score(line) for line in lines],
            "full_scores": lambda: [list(peer.full_scores(line)) for line in lines],
        }
        work = {
            ("score", "a call each"): lambda: [ours.score(line) for line in lines],
            ("score", "all at once"): lambda: ours.scores(lines, engine=1),
            ("full_scores", "a call each"): lambda: [ours.full_scores(line) for line in lines],
            ("full_scores", "all at once"): lambda: ours.word_scores(lines, engine=1),
        }
        assert list(map(ours.score, lines)) == ours.scores(lines).tolist()
        own, other = ({key: [] for key in functions} for functions in (work, theirs))
        for _ in range(arguments.rounds):
            for (what, how), function in work.items():
                own[what, how].append(cpu_seconds(function))
                if how == "a call each":
                    other[what].append(cpu_seconds(theirs[what]))
        load = [wall_seconds(lambda: NgramLM.load(binary)) for _ in range(3 * arguments.rounds)]

    missed = False
    print(f"load {os.getloadavg()[0]:.1f}; both run here, in turns; medians of CPU time")
    for (what, how), claim in CLAIMS.items():
        mine, peers = statistics.median(own[what, how]), statistics.median(other[what])
        missed |= peers / mine < claim
        print(
            f"{what}, {how}: {words / mine / 1e6:.2f}M words/s, kenlm's calls "
            f"{words / peers / 1e6:.2f}M words/s, {peers / mine:.2f} times as fast (claim: {claim})"
        )
    milliseconds = statistics.median(load) * 1e3
    missed |= milliseconds >= LOAD_MS
    print(f"load of the binary: {milliseconds:.1f} ms (claim: under {LOAD_MS:.0f} ms)")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
