"""Every tuner on lists as given: a neural system's and Moses', tuned and held out.

    python bench/list_tuners.py [--data FOLDER] [--seeds 3] [--threads 1] [--sets nmt moses]

`nbest-nmt` val from all weights 1, `nbest/moses-de-en` (runs 1 to 3) from Moses' start weights.
Held out: each half scored with weights of the other, mean over the seeds that split. Tuners of
sentence-level gains have a second line, with the first kind of gain alone (for BLEU add-1): what
trying both kinds changes.
"""

import argparse

from shared_data import add_data_option

from tunesmith.base.parameters import parameters_of
from tunesmith.formats.weights import read_weights
from tunesmith.metrics import Bleu
from tunesmith.tune import TUNERS, make_tuner, tuner_class
from tunesmith.tune.held_out import held_out
from tunesmith.tune.pool import read_pool

BLEU = Bleu(tokenize="none")


def nmt(data):
    pool = read_pool(data / "nbest-nmt" / "nbest.val.tsv.gz", data / "multi30k" / "val.en", BLEU)
    return pool, None


def moses(data):
    folder = data / "nbest" / "moses-de-en"
    lists = [folder / f"run{number}.nbest.xz" for number in (1, 2, 3)]
    pool = read_pool(lists, folder / "val.ref.en", BLEU, drop_sparse=True)
    return pool, read_weights(folder / "start.weights")


SETS = {"nmt": nmt, "moses": moses}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_data_option(parser)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--sets", nargs="+", choices=SETS, default=list(SETS))
    arguments = parser.parse_args()
    for title in arguments.sets:
        pool, start = SETS[title](arguments.data)
        first = BLEU.score(pool.stats_of(pool.offsets[:-1]))
        print(f"{title}: {pool.rows:,} hypotheses, first entries {first:.2f}")
        print(f"{'':24}{'start':>8}{'tuned':>8}{'held out':>10}")
        for name in TUNERS:
            has_gain = "gain" in {field.name for field in parameters_of(tuner_class(name))}
            for options in ({}, {"gain": "own"}) if has_gain else ({},):
                tuners = [
                    make_tuner(name, seed=seed, engine=arguments.threads, **options)
                    for seed in range(1, arguments.seeds + 1)
                ]
                result = tuners[0].fit(pool, BLEU, start)
                held = [held_out(tuner, pool, BLEU, start).score for tuner in tuners]
                line = f"{name}{', gain=own' if options else ''}"
                mean = sum(held) / len(held)
                print(
                    f"{line:24}{result.start_score:8.2f}{result.score:8.2f}{mean:10.2f}", flush=True
                )


if __name__ == "__main__":
    main()
