"""Claim: kb-mira is five times as fast as Moses' extractor and kbmira, and ends higher.

The whole command `tunesmith tune`, process start and reading included, on the unpacked Moses lists
of runs 1 to 3 with 60 passes and 2 threads; medians of wall-clock and CPU seconds. Moses took 3.6 s
(3.0 s extractor, 0.6 s kbmira) and ended at 40.34, measured once on an idle machine of this kind.
Every other gradient tuner runs once, for its score. The score is sacreBLEU's, of the hypotheses
that `tunesmith rerank` chooses from the lists joined by sentence.

    python bench/gradient_tuners.py [--data FOLDER] [--rounds 5]
"""

import argparse
import os
import statistics
import sys
import tempfile
from pathlib import Path

import sacrebleu
from measure import timed_verb
from shared_data import add_data_option, joined, moses_lists

MOSES_SECONDS, MOSES_SCORE = 3.6, 40.34
FACTOR = 5.0
TUNERS = ("pro", "risk", "svm", "ramp")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_data_option(parser)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    folder = arguments.data / "nbest" / "moses-de-en"
    references = (folder / "val.ref.en").read_text().splitlines()

    with tempfile.TemporaryDirectory() as scratch:
        work = Path(scratch)
        lists = moses_lists(folder, work)
        everything = joined(lists, work / "all.nbest")

        def tune(tuner, *options):
            return timed_verb(
                *("tune", "--quiet", "--tuner", tuner, "--threads", "2"),
                *("--nbest", *lists, "--refs", folder / "val.ref.en"),
                *("--start", folder / "start.weights", "--out", work / "w.tsv", *options),
            )

        def score():
            out = work / "best"
            weights = work / "w.tsv"
            timed_verb("rerank", "--nbest", everything, "--weights", weights, "--out", out)
            best = out.read_text().splitlines()
            return sacrebleu.corpus_bleu(best, [references], tokenize="none", force=True).score

        failed = False
        print(f"{'':34}  wall     CPU    BLEU   (load {os.getloadavg()[0]:.1f})")
        title = "Moses extractor, kbmira (recorded)"
        print(f"{title:34} {MOSES_SECONDS:5.2f} s          {MOSES_SCORE:.2f}")
        for title, options in (
            ("kb-mira, 60 passes", ("--no-held-out",)),
            ("kb-mira, 60 passes, and estimate", ()),
        ):
            times = [tune("kb-mira", "--passes", "60", *options) for _ in range(arguments.rounds)]
            wall, cpu = (statistics.median(values) for values in zip(*times, strict=True))
            reached = score()
            ratio = MOSES_SECONDS / wall
            print(
                f"{title:34} {wall:5.2f} s {cpu:5.2f} s  {reached:.2f}   "
                f"{ratio:.1f} times faster than recorded"
            )
            failed |= reached < MOSES_SCORE or (bool(options) and ratio < FACTOR)
        for tuner in TUNERS:
            wall, cpu = tune(tuner)
            print(f"{tuner + ', and estimate':34} {wall:5.2f} s {cpu:5.2f} s  {score():.2f}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
