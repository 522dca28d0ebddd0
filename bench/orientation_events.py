"""Where phrases go on held-out text: the prior of classes, the lexicalised model, the classifier.

    python bench/orientation_events.py WORK [--held-out 3000] [--features paper edges …]
        [--word-classes 0 100] [--variances 0.1] [--orientation word] [--cutoff 10]

WORK is the work folder of a `tunesmith train` (`--work`): its text and word links. The last pairs
are held out; everything is estimated from the others. All are asked about the same events: the
phrase pairs of the held-out text that the other pairs have too, so that a decoder could use them;
and of these, the ones that occur at most five times there. The lexicalised model is smoothed as
phrase tables have it. Loss is the mean of − log p(class) in nats, error the share of wrong classes.
"""

import argparse
import time
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from scipy.sparse import csr_matrix
from scipy.special import log_softmax

from tunesmith.corpus import Bitext
from tunesmith.formats.pharaoh import links_file, read_links
from tunesmith.grammar import PhraseExtraction
from tunesmith.reorder import DualTraining, ExampleExtraction
from tunesmith.reorder.example_set import FEATURES

RARE = 5


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("work", type=Path)
    parser.add_argument("--held-out", type=int, default=3000)
    parser.add_argument("--features", nargs="+", default=list(FEATURES))
    parser.add_argument("--word-classes", nargs="+", type=int, default=[0])
    parser.add_argument("--variances", nargs="+", type=float, default=[0.1])
    parser.add_argument("--orientation", default="word")
    parser.add_argument("--max-length", type=int, default=7)
    parser.add_argument("--cutoff", type=int, default=10)
    options = parser.parse_args()
    bitext = Bitext.load(options.work / "corpus" / "bitext.bin")
    links = read_links(links_file(options.work / "align"))
    pairs = np.arange(len(bitext))
    parts = [pairs[: -options.held_out], pairs[-options.held_out :]]
    texts = [(bitext.select(part), links.select(part)) for part in parts]
    extraction = ExampleExtraction(
        engine=1, orientation=options.orientation, cutoff=options.cutoff,
        max_length=options.max_length,
    )  # fmt: skip
    with TemporaryDirectory() as folder:
        events = Events(extraction, texts, Path(folder))
        events.print_known()
        for features in options.features:
            for classes in options.word_classes:
                chosen = replace(extraction, features=features, word_classes=classes)
                for variance in options.variances:
                    events.print_classifier(chosen, variance, Path(folder))


def examples_of(extraction, texts, folder):
    """Of the text to learn from, and of the held-out one with the same features."""
    train = extraction.build(*texts[0], folder / "train.bin")
    held = extraction.build_like(*texts[1], folder / "held.bin", words=train.words, keys=train.keys)
    return train, held


def matrix(examples):
    size = (len(examples), examples.feature_count)
    ones = np.ones(len(examples.features))
    return csr_matrix((ones, examples.features.astype(np.int32), examples.offsets), size)


class Events:
    """What is asked, and the answers that need no training."""

    def __init__(self, extraction, texts, folder):
        self.texts = texts
        whole = replace(extraction, features="phrases", cutoff=0)
        train, held = examples_of(whole, texts, folder)
        # The keys of phrase pairs are behind all others.
        first = int(np.searchsorted(train.keys, np.uint64(12 << 60)))
        self.answers = {}
        for side in ("previous", "next"):
            known, asked = train.towards(side), held.towards(side)
            of_class = np.eye(3)[known.classes]
            counts = matrix(known)[:, first:].T @ of_class
            prior = np.log(of_class.mean(axis=0))
            rows = matrix(asked)[:, first:]
            self.known = np.diff(rows.indptr) == 1
            own = np.zeros((len(asked.classes), 3))
            own[self.known] = counts[rows.indices]
            smoothing = PhraseExtraction().reordering_smoothing
            table = np.log(own + smoothing) - np.log((own + smoothing).sum(axis=1, keepdims=True))
            self.rare = self.known & (own.sum(axis=1) <= RARE)
            self.answers[side] = (asked.classes, np.broadcast_to(prior, table.shape), table)

    def print_known(self):
        print(
            f"{self.known.sum():,} of {len(self.known):,} held-out phrase pairs are known, "
            f"{self.rare.sum():,} of them rare (at most {RARE} times)"
        )
        print(f"{'':44} {'previous: loss':>15} {'error':>7} {'rare':>7}  {'next: loss':>11} …")
        for number, name in enumerate(("prior of classes", "lexicalised"), 1):
            self._print(name, {side: found[number] for side, found in self.answers.items()})

    def print_classifier(self, extraction, variance, folder):
        train, held = examples_of(extraction, self.texts, folder)
        logs, seconds = {}, 0.0
        for side in self.answers:
            start = time.process_time()
            result = DualTraining(variance=variance, engine=1).fit(train.towards(side))
            seconds += time.process_time() - start
            logs[side] = log_softmax(matrix(held.towards(side)) @ result.weights, axis=1)
        name = f"{extraction.features}, {extraction.word_classes} classes, σ² {variance}"
        self._print(name, logs, f"{len(train.keys):,} features, {seconds:.1f} s")
        for side, found in self.answers.items():
            logs[side] = np.logaddexp(logs[side], found[2]) - np.log(2)
        self._print("  mixed with the lexicalised one", logs)

    def _print(self, name, logs, more=""):
        line = f"{name:44}"
        for side, values in logs.items():
            classes = self.answers[side][0]
            right = values[np.arange(len(values)), classes]
            wrong = values.argmax(axis=1) != classes
            line += (
                f" {-right[self.known].mean():8.4f} {wrong[self.known].mean():7.2%} "
                f"{-right[self.rare].mean():7.4f} {wrong[self.rare].mean():7.2%} "
            )
        print(line, more, flush=True)


if __name__ == "__main__":
    main()
