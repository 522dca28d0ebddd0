"""Claim: svm-1-slack does better on new sentences if it may choose the oracle, unlike the paper's.

Held-out BLEU of four-fold estimates on Moses' lists, with the default and with `rivals_only`
(Algorithm 4 of Hayashi et al. 2009), on all sentences and on a different 200 of them for each seed.

    python bench/slack_oracle.py [--data FOLDER] [--seeds 3]
"""

import argparse
import sys
import tempfile
from pathlib import Path

from shared_data import add_data_option, moses_lists

from tunesmith.engine import ALL_CORES
from tunesmith.formats.weights import read_weights
from tunesmith.metrics import Bleu
from tunesmith.tune import make_tuner
from tunesmith.tune.held_out import held_out
from tunesmith.tune.pool import read_pool

FEW = 200


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_data_option(parser)
    parser.add_argument("--seeds", type=int, default=3)
    arguments = parser.parse_args()
    folder = arguments.data / "nbest" / "moses-de-en"
    metric, start = Bleu(tokenize="none"), read_weights(folder / "start.weights")
    ahead = []
    with tempfile.TemporaryDirectory() as scratch:
        lists = moses_lists(folder, Path(scratch))
        print(f"{'lists':>5} {'sentences':>9}  with the oracle  rivals_only   (means)")
        for names in (lists[:1], lists):
            pool = read_pool(names, folder / "val.ref.en", metric)
            for sentences in (pool.sentences, FEW):
                means = [0.0, 0.0]
                for seed in range(1, arguments.seeds + 1):
                    first = 0 if sentences > FEW else (seed - 1) * FEW
                    part = pool.select(range(first, first + sentences))
                    for way in (False, True):
                        tuner = make_tuner(
                            "svm-1-slack", seed=seed, engine=ALL_CORES, rivals_only=way
                        )
                        score = held_out(tuner, part, metric, start, parts=4).score
                        means[way] += score / arguments.seeds
                print(
                    f"{len(names):5} {sentences:9,} {means[0]:16.2f} {means[1]:12.2f}", flush=True
                )
                if sentences > FEW:
                    ahead.append(means[0] > means[1])
    sys.exit(0 if all(ahead) else 1)


if __name__ == "__main__":
    main()
