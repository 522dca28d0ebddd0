"""Training of the maximum-entropy reordering model: ours, scikit-learn and liblinear.

    python bench/reordering.py [--sentences 6000] [--held-out 1000] [--variance 0.1] [--data FOLDER]

Table 2 and Figure 1 of Alrajeh & Niranjan (2014) on the phrase pairs of Multi30k: CPU seconds of
training, its largest memory (with Python and the examples) and the error on sentences that were
held out. Every classifier runs in a process of its own on the same examples, with one thread.
scikit-learn has the same objective (saga); liblinear has no multinomial one and trains a classifier
per class.
"""

import argparse
import json
import lzma
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from measure import measured
from shared_data import add_data_option

from tunesmith.corpus import Bitext
from tunesmith.formats.pharaoh import Links, read_links
from tunesmith.reorder import DualTraining, ExampleExtraction, ExampleSet, PrimalTraining

DUALS = (0.1, 1.0, 0.01)
PRIMAL_PASSES = 10
ROWS = {
    "primal": "primal, SGD",
    **{f"dual {tolerance}": f"dual, ε = {tolerance}" for tolerance in DUALS},
    "saga": "scikit-learn, saga",
    "liblinear": "scikit-learn, liblinear (one class against the rest)",
}


def write_examples(data, folder, sentences, held_out):
    """Examples of training sentences, and of held-out ones with the same features."""
    sides = []
    for side in ("de", "en"):
        with lzma.open(data / "multi30k" / f"train.{side}.xz", "rt", encoding="utf-8") as stream:
            sides.append([line.rstrip("\n") for line in stream])
    every = read_links(data / "alignments-multi30k" / "aligned.grow-diag-final-and.gz")
    links = [every[number] for number in range(held_out + sentences)]

    def part(begin, end):
        bitext = Bitext.from_lines(sides[0][begin:end], sides[1][begin:end])
        return bitext, Links.from_lists(links[begin:end])

    extraction = ExampleExtraction(engine=1)
    start = time.process_time()
    train = extraction.build(*part(held_out, held_out + sentences), folder / "train.bin")
    seconds = time.process_time() - start
    extraction.build_like(
        *part(0, held_out), folder / "held.bin", words=train.words, keys=train.keys
    )
    size = (folder / "train.bin").stat().st_size / 1e6
    print(
        f"{len(train):,} phrase pairs of {sentences:,} sentences, {len(train.keys):,} features: "
        f"{seconds:.1f} CPU s, {size:.0f} MB"
    )


def matrix(examples):
    """The same for scikit-learn."""
    from scipy.sparse import csr_matrix

    size = (len(examples), examples.feature_count)
    ones = np.ones(len(examples.features), dtype=np.float64)
    return csr_matrix((ones, examples.features.astype(np.int32), examples.offsets), size)


def scikit_weights(kind, examples, variance):
    """Weights by feature and class."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.multiclass import OneVsRestClassifier

    shared = {"C": variance, "fit_intercept": False}
    table = matrix(examples)
    if kind == "saga":
        return LogisticRegression(solver="saga", **shared).fit(table, examples.classes).coef_.T
    rest = OneVsRestClassifier(LogisticRegression(solver="liblinear", **shared))
    fitted = rest.fit(table, examples.classes)
    return np.stack([one.coef_[0] for one in fitted.estimators_], axis=1)


def work(name, folder, variance):
    """Train one classifier, and leave what came out in a file."""
    examples = ExampleSet(folder / "train.bin").towards("previous")
    start = time.process_time()
    passes = []
    if name in ("saga", "liblinear"):
        weights = scikit_weights(name, examples, variance)
    else:
        training = (
            PrimalTraining(variance=variance, passes=PRIMAL_PASSES, averaged=True, engine=1)
            if name == "primal"
            else DualTraining(variance=variance, tolerance=float(name.split()[1]), engine=1)
        )
        result = training.fit(examples)
        weights, passes = result.weights, [row.active / len(examples) for row in result.passes]
    seconds = time.process_time() - start
    held = ExampleSet(folder / "held.bin").towards("previous")
    found = {"seconds": seconds, "active": passes, "error": held.error_rate(weights)}
    (folder / f"{name}.json").write_text(json.dumps(found))


def main():
    """Print the table and the figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sentences", type=int, default=6000)
    parser.add_argument("--held-out", type=int, default=1000)
    parser.add_argument("--variance", type=float, default=0.1)
    parser.add_argument("--work", nargs=2, help=argparse.SUPPRESS)
    add_data_option(parser)
    arguments = parser.parse_args()
    if arguments.work:
        work(arguments.work[0], Path(arguments.work[1]), arguments.variance)
        return
    with TemporaryDirectory() as name:
        folder = Path(name)
        write_examples(arguments.data, folder, arguments.sentences, arguments.held_out)
        found = {}
        print(f"{'classifier':52} {'CPU s':>7} {'MB':>6} {'error':>8}")
        for row, title in ROWS.items():
            command = [sys.executable, __file__, "--work", row, name]
            *_, megabytes = measured([*command, "--variance", arguments.variance])
            found[row] = json.loads((folder / f"{row}.json").read_text())
            seconds, error = found[row]["seconds"], found[row]["error"]
            print(f"{title:52} {seconds:7.2f} {megabytes:6.0f} {error:8.2%}", flush=True)
        print("\nactive after pass     1      2      3      5     10     20")
        for tolerance in DUALS:
            active = found[f"dual {tolerance}"]["active"]
            shown = [active[min(number, len(active)) - 1] for number in (1, 2, 3, 5, 10, 20)]
            print(f"ε = {tolerance:<14}" + "".join(f"{share:7.1%}" for share in shown))


if __name__ == "__main__":
    main()
