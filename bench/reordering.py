"""Training of the maximum-entropy reordering model: ours, scikit-learn and liblinear.

    python bench/reordering.py [--corpus multi30k|europarl] [--pairs 28000] [--held-out 1000]
        [--features paper] [--variance 0.1] [--peer-passes 100] [--out FOLDER] [--data FOLDER]

Table 2 and Figure 1 of Alrajeh & Niranjan (2014): CPU seconds of training, its largest memory (with
Python and the examples), the objective (per cent above the best that any of them found) and the
error on sentences that were held out. Every classifier runs in a process of its own on the same
examples, with one thread. Averaged SGD has no end of its own: it has a row for each number of
passes. scikit-learn has the same objective (saga); liblinear has no multinomial one and trains a
classifier per class (its own package if it is installed, else scikit-learn's copy). The links of
Multi30k are fast_align's, those of Europarl (es-en) our aligner's. A killed run goes on where it
was if it is given the same --out.
"""

import argparse
import json
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from measure import measured
from shared_data import add_data_option

from tunesmith.align import Aligner
from tunesmith.corpus import Bitext
from tunesmith.corpus.preprocess import Preprocessor
from tunesmith.corpus.tokenizers import MosesTokenizer
from tunesmith.formats.pharaoh import read_links
from tunesmith.formats.text import read_lines
from tunesmith.reorder import DualTraining, ExampleExtraction, ExampleSet, PrimalTraining
from tunesmith.reorder.example_set import FEATURES

PRIMALS = (1, 2, 3, 5, 10, 20, 40)
DUALS = (0.1, 1.0, 0.01)
ROWS = {
    **{f"primal {passes}": f"primal, averaged SGD, passes: {passes}" for passes in PRIMALS},
    **{f"dual {tolerance}": f"dual, ε = {tolerance}" for tolerance in DUALS},
    "paper 0.1": "dual, ε = 0.1, first step 0.5 (the paper's)",
    "saga": "scikit-learn, saga",
    "liblinear": "liblinear (one class against the rest)",
}
SHOWN_PASSES = (1, 2, 3, 4, 5, 6, 8, 10, 20)
NEAR = 0.002  # of error, to the best of the primal


def write_examples(options, folder):
    """Examples of training sentences, and of held-out ones with the same features."""
    bitext, links = {"multi30k": multi30k, "europarl": europarl}[options.corpus](options)
    pairs = np.arange(options.held_out + options.pairs)
    held, others = pairs[: options.held_out], pairs[options.held_out :]
    extraction = ExampleExtraction(engine=1, features=options.features)
    start = time.process_time()
    train = extraction.build(bitext.select(others), links.select(others), folder / "train.bin")
    seconds = time.process_time() - start
    extraction.build_like(
        bitext.select(held), links.select(held), folder / "held.bin",
        words=train.words, keys=train.keys,
    )  # fmt: skip
    size = (folder / "train.bin").stat().st_size / 1e6
    print(
        f"{len(train):,} phrase pairs of {options.pairs:,} sentences, {len(train.keys):,} "
        f"features: {seconds:.1f} CPU s, {size:.0f} MB",
        flush=True,
    )


def multi30k(options):
    sides = [read_lines(options.data / "multi30k" / f"train.{side}.xz") for side in ("de", "en")]
    links = read_links(options.data / "alignments-multi30k" / "aligned.grow-diag-final-and.gz")
    return Bitext.from_lines(*sides), links


def europarl(options):
    sides = []
    for language in ("es", "en"):
        lines = read_lines(options.data / "europarl-4way" / f"train.{language}.xz")
        lines = lines[: options.held_out + options.pairs]
        prepared = Preprocessor(MosesTokenizer(language)).encode(lines, engine=1)
        sides.append([line.lower() for line in prepared])
    bitext = Bitext.from_lines(*sides)
    aligner = Aligner(symmetrisation="grow-diag-final-and", engine=1)
    return bitext, aligner.fit(bitext).align(bitext)


def matrix(examples):
    """The same for scikit-learn."""
    from scipy.sparse import csr_matrix

    size = (len(examples), examples.feature_count)
    ones = np.ones(len(examples.features), dtype=np.float64)
    offsets = examples.offsets.astype(np.int32)
    return csr_matrix((ones, examples.features.astype(np.int32), offsets), size)


def saga_weights(examples, variance, passes):
    from sklearn.linear_model import LogisticRegression

    fitted = LogisticRegression(solver="saga", C=variance, fit_intercept=False, max_iter=passes)
    return fitted.fit(matrix(examples), examples.classes).coef_.T


def liblinear_weights(examples, variance):
    try:
        from liblinear.liblinearutil import parameter, problem, train
    except ImportError:
        from sklearn.linear_model import LogisticRegression
        from sklearn.multiclass import OneVsRestClassifier

        one = LogisticRegression(solver="liblinear", C=variance, fit_intercept=False)
        fitted = OneVsRestClassifier(one).fit(matrix(examples), examples.classes)
        return np.stack([one.coef_[0] for one in fitted.estimators_], axis=1)
    task = problem(examples.classes.astype(np.float64), matrix(examples))
    model = train(task, parameter(f"-s 0 -c {variance} -q"))
    size = (examples.feature_count, len(examples.class_names))
    flat = np.ctypeslib.as_array(model.w, shape=(size[0] * size[1],)).reshape(size)
    return np.array(flat[:, np.argsort(model.get_labels())])


def ours(name, examples, variance):
    kind, value = name.split()
    if kind == "primal":
        training = PrimalTraining(variance=variance, passes=int(value), averaged=True, engine=1)
    else:
        rate = 0.5 if kind == "paper" else 0.0
        training = DualTraining(variance=variance, tolerance=float(value), rate=rate, engine=1)
    result = training.fit(examples)
    return result.weights, [row.active / len(examples) for row in result.passes]


def work(name, folder, options):
    """Train one classifier, and leave what came out in a file."""
    examples = ExampleSet(folder / "train.bin").towards("previous")
    start = time.process_time()
    passes = []
    if name == "saga":
        weights = saga_weights(examples, options.variance, options.peer_passes)
    elif name == "liblinear":
        weights = liblinear_weights(examples, options.variance)
    else:
        weights, passes = ours(name, examples, options.variance)
    seconds = time.process_time() - start
    held = ExampleSet(folder / "held.bin").towards("previous")
    flat = np.ascontiguousarray(weights).reshape(-1)
    objective = flat @ flat / (2 * options.variance) + examples.native.measure(flat, 1)[0]
    found = {"seconds": seconds, "active": passes, "error": held.error_rate(weights)}
    (folder / f"{name}.json").write_text(json.dumps(found | {"objective": objective}))


def measure_row(row, folder, options):
    """What a row costs and finds."""
    path = folder / f"{row}.cost.json"
    if not path.exists():
        command = [sys.executable, __file__, "--work", row, folder]
        command += ["--variance", options.variance, "--peer-passes", options.peer_passes]
        *_, megabytes = measured(command)
        found = json.loads((folder / f"{row}.json").read_text())
        path.write_text(json.dumps(found | {"megabytes": megabytes}))
    return json.loads(path.read_text())


def main():
    """Print the table and the figure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", choices=("multi30k", "europarl"), default="multi30k")
    parser.add_argument("--pairs", type=int, default=28_000)
    parser.add_argument("--held-out", type=int, default=1000)
    parser.add_argument("--features", choices=tuple(FEATURES), default="paper")
    parser.add_argument("--variance", type=float, default=0.1)
    parser.add_argument("--rows", nargs="+", choices=tuple(ROWS), default=list(ROWS))
    parser.add_argument("--peer-passes", type=int, default=100, help="of saga, at the most")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--work", nargs=2, help=argparse.SUPPRESS)
    add_data_option(parser)
    options = parser.parse_args()
    if options.work:
        work(options.work[0], Path(options.work[1]), options)
        return
    with TemporaryDirectory() as temporary:
        folder = options.out or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / "held.bin").exists():
            write_examples(options, folder)
        found = {row: measure_row(row, folder, options) for row in options.rows}
    print_table(found)
    print_figure(found)
    if "dual 0.1" in found and any(row.startswith("primal") for row in found):
        print_ratios(found)


def print_table(found):
    best = min(one["objective"] for row, one in found.items() if row != "liblinear")
    print(f"{'classifier':46} {'CPU s':>7} {'MB':>6} {'objective':>10} {'error':>8}")
    for row, one in found.items():
        above = "" if row == "liblinear" else f"+{one['objective'] / best - 1:.4%}"
        print(
            f"{ROWS[row]:46} {one['seconds']:7.2f} {one['megabytes']:6.0f} {above:>10} "
            f"{one['error']:8.2%}"
        )


def print_figure(found):
    print("\nactive after pass" + "".join(f"{number:8}" for number in SHOWN_PASSES))
    for row, one in found.items():
        if one["active"] and not row.startswith("primal"):
            active = [*one["active"], *[0.0] * max(SHOWN_PASSES)]
            shown = (f"{active[number - 1]:8.1%}" for number in SHOWN_PASSES)
            print(f"{row:17}" + "".join(shown))


def print_ratios(found):
    """The dual beside the primal that has as good an objective, and one that has as few errors."""
    dual = found["dual 0.1"]
    primals = {row: one for row, one in found.items() if row.startswith("primal")}
    least = min(one["error"] for one in primals.values())
    print(f"\ndual, ε = 0.1: {dual['error'] - least:+.2%} error beside the best of the primal")
    for what, enough in (
        ("as good an objective", lambda one: one["objective"] <= dual["objective"]),
        (f"an error within {NEAR:.1%} of its best", lambda one: one["error"] <= least + NEAR),
    ):
        row = next((row for row, one in primals.items() if enough(one)), None)
        ratio = "never" if row is None else f"{primals[row]['seconds'] / dual['seconds']:.2f}"
        print(f"primal with {what}: {row or 'none'}, {ratio} times the dual's seconds")


if __name__ == "__main__":
    main()
