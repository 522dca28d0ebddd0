"""System combination by selection: 19 systems of WMT21 de-en, no scores, two references.

    python bench/wmt_selection.py [--data FOLDER] [--splits 10] [--threads 1]

`rerank-wmt`: outputs are merged (as by `tunesmith nbest merge --text`), features computed from the
texts alone, kb-mira tunes on a random half of the sentences, the other half is scored. The gain is
over the single system that is best on the half that was tuned on, BLEU (13a) of the other half.
The interval is that of the mean over the splits (t); splits share sentences, so it says how much
the split matters, not how much other texts would.
"""

import argparse
import lzma

import numpy as np
from scipy.stats import t
from shared_data import add_data_option

from tunesmith.metrics import Bleu
from tunesmith.rescore import add_features, parse_feature
from tunesmith.rescore.merging import SYSTEM, merge_systems, one_best
from tunesmith.tune import make_tuner
from tunesmith.tune.pool import read_pool

BLEU = Bleu()
MBR = "mbr:tokenize=13a"
ROWS = {
    "systems alone": [],
    "mbr alone": [MBR],
    "systems, agreement": ["agreement"],
    "systems, mbr": [MBR],
    "systems, mbr by BLEU and chrF": [MBR, "mbr:metric=chrf,name=mbr-chrf"],
    "systems and all": [
        MBR, "mbr:metric=chrf,name=mbr-chrf", "agreement", "length", "length-ratio", "copy",
    ],
}  # fmt: skip


def lines(path):
    return lzma.decompress(path.read_bytes()).decode().splitlines()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_data_option(parser)
    parser.add_argument("--splits", type=int, default=10)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    start = arguments.data / "rerank-wmt" / "newstest2021.de-en"
    outputs = {}
    for line in lines(start.with_name(start.name + ".cands.xz")):
        _, text, system = line.split(" ||| ")
        outputs.setdefault(system, []).append(text)
    references = [lines(start.with_name(f"{start.name}.ref{i}.en.xz")) for i in (0, 1)]
    sources = lines(start.with_name(start.name + ".src.de.xz"))
    merged = merge_systems(
        {system: one_best(texts) for system, texts in outputs.items()}, engine=arguments.threads
    )
    print(f"{len(outputs)} systems, {merged.sentences:,} sentences, {merged.rows:,} entries")
    print(f"{'':32}{'dev':>8}{'test':>8}{'best single':>13}{'gain':>8}   95 % of the mean")
    for title, kinds in ROWS.items():
        lists = add_features(merged, [parse_feature(k) for k in kinds], sources)
        pool = read_pool(lists, references, BLEU, engine=arguments.threads)
        print(f"{title:32}{table_line(title, pool, arguments)}", flush=True)


def table_line(title, pool, arguments):
    """Means over the splits."""
    systems = [i for i, name in enumerate(pool.names) if name.startswith(SYSTEM)]
    found = []
    for split in range(arguments.splits):
        order = np.random.default_rng(split).permutation(pool.sentences)
        half = pool.sentences // 2
        dev, test = pool.select(np.sort(order[:half])), pool.select(np.sort(order[half:]))

        def chosen_by(weights, test=test):
            return BLEU.score(test.stats_of(test.best(weights)))

        singles = np.eye(len(pool.names))[systems]
        best = max(singles, key=lambda one: BLEU.score(dev.stats_of(dev.best(one))))
        if title == "mbr alone":
            weights = np.eye(len(pool.names))[pool.names.index("mbr")]
            tuned = BLEU.score(dev.stats_of(dev.best(weights)))
        else:
            result = make_tuner("kb-mira", engine=arguments.threads).fit(dev, BLEU)
            weights, tuned = result.weights.vector(pool.names), result.score
        found.append((tuned, chosen_by(weights), chosen_by(best)))
    tuned, score, single = np.mean(found, axis=0)
    gains = np.array([test - one for _, test, one in found])
    width = t.ppf(0.975, len(gains) - 1) * gains.std(ddof=1) / np.sqrt(len(gains))
    return (
        f"{tuned:8.2f}{score:8.2f}{single:13.2f}{gains.mean():+8.2f}   "
        f"{gains.mean() - width:+.2f} to {gains.mean() + width:+.2f}"
    )


if __name__ == "__main__":
    main()
