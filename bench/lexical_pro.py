"""Is it the data or the learner? PRO on the dev set with the lexical features learned elsewhere.

Gives `pro` the heaviest features of a learned model as sparse features of its own, without their
weights, tunes them on the dev set, and scores pairs of the training set that no part of the model
has seen (as `bench/learning_methods.py` does). Yu et al. 2013, Table 5 and Figure 11.

    python bench/lexical_pro.py learned.work tuned learned [--features 0 3000 36000]
"""

import argparse
import os
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from learning_methods import HeldOut

from tunesmith import _core
from tunesmith.base.weights import Weights
from tunesmith.corpus import Bitext
from tunesmith.decode import KBest, SearchOptions, open_decoder
from tunesmith.features import LexicalModel
from tunesmith.formats.text import read_lines
from tunesmith.metrics import Bleu
from tunesmith.model import TranslationModel
from tunesmith.tune import make_tuner
from tunesmith.tune.pool import PoolBuilder


class Chosen:
    """The heaviest features of a learned model, and how often each is in a translation."""

    def __init__(self, model: TranslationModel, learned: LexicalModel, count: int, folder: Path):
        keys, weights = learned.entries()
        heaviest = np.argsort(-np.abs(weights), kind="stable")[:count]
        empty = learned.native.averaged(0.0)
        empty.add(keys, -weights)
        self.empty, self.meta = empty.averaged(0.0), learned.meta
        self.model, self.folder, self.keys = model, folder, keys[heaviest]
        self.place = {int(key): i for i, key in enumerate(self.keys)}
        # Features have names only where they have weights.
        self.marker = open_decoder(self.taught(model.weights, np.ones(count), "marker"))

    def lexical(self, theta: np.ndarray) -> LexicalModel:
        native = self.empty.averaged(0.0)
        if len(theta):
            native.add(self.keys, theta.astype(np.float32))
        return LexicalModel(native, self.meta)

    def taught(self, weights: Weights, theta: np.ndarray, name: str) -> TranslationModel:
        weights = Weights({**weights, "lexical": 1.0})
        return self.model.with_lexical(self.lexical(theta), weights, self.folder / name)

    def counts(self, line: str, derivation) -> Counter[int]:
        steps = [
            [step.begin, step.end, step.target_begin, step.target_end, step.table, step.rule]
            for step in derivation.steps
        ]
        named = _core.lexical_derivation_names(
            self.marker.native, _core.SourceSentence(line.split()), steps, derivation.text,
            self.meta["levels"],
        )  # fmt: skip
        return Counter(self.place[key] for step in named for key, _, _ in step)

    def add_lists(self, builder: PoolBuilder, dev: list[str], taught: TranslationModel, options):
        search = replace(SearchOptions.of_model(taught), pop_limit=200)
        output = open_decoder(taught, search=search, engine=options.threads).decode(
            dev, want=KBest(options.size)
        )
        offsets, ids, values = [0], [], []
        for sentence, line in enumerate(dev):
            for derivation in output.derivations(sentence):
                found = self.counts(line, derivation) if len(self.keys) else Counter()
                ids += found.keys()
                values += found.values()
                offsets.append(len(ids))
        names = self.model.feature_names
        builder.add(
            np.repeat(np.arange(len(dev)), np.diff(output.offsets)),
            output.texts,
            output.features[:, : len(names)],
            names,
            (np.array(offsets), np.array(ids, np.int64), np.array(values, float)),
            [f"{key:016x}" for key in self.keys.tolist()],
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("work", type=Path)
    parser.add_argument("tuned")
    parser.add_argument("learned")
    parser.add_argument("--features", type=int, nargs="*", default=[0, 3000, 36000])
    parser.add_argument("--iterations", type=int, default=5)
    parser.add_argument("--size", type=int, default=50)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    model = TranslationModel.load(arguments.tuned)
    learned = LexicalModel.load(Path(arguments.learned) / "lexical.bin")
    bitext = Bitext.load(arguments.work / "corpus" / "bitext.bin")
    folds = sorted(
        (arguments.work / "folds").glob("fold-*"), key=lambda path: int(path.name.split("-")[1])
    )
    held = HeldOut(
        model,
        [TranslationModel.load(path) for path in folds],
        list(bitext.source.lines()),
        list(bitext.target.lines()),
        arguments.threads,
    )
    dev = read_lines(arguments.work / "corpus" / "dev.source")
    references = [read_lines(arguments.work / "corpus" / "dev.reference0")]
    metric = Bleu(tokenize="none")
    print(f"load {os.getloadavg()[0]:.1f}; {len(held.pairs):,} pairs held out")
    for count in arguments.features:
        begin = time.process_time()
        with TemporaryDirectory() as temporary:
            chosen = Chosen(model, learned, count, Path(temporary))
            weights, theta, pool = model.weights, np.zeros(count), None
            for turn in range(arguments.iterations):
                builder = PoolBuilder(metric, references, dense=model.feature_names)
                if pool is not None:
                    builder.add_pool(pool)
                taught = chosen.taught(weights, theta, f"model-{turn}")
                chosen.add_lists(builder, dev, taught, arguments)
                pool = builder.finish()
                found = make_tuner("pro").fit(pool, metric, weights, keep_better_start=False)
                weights = Weights({n: found.weights.get(n, 0.0) for n in model.feature_names})
                theta = np.array([found.weights.get(f"{key:016x}", 0.0) for key in chosen.keys])
            held.model = model.with_weights(weights, Path(temporary) / "tuned")
            score, ratio = held.score(chosen.lexical(theta))
        print(
            f"pro, {count:,} lexical features: lists {found.score:.2f}, held out {score:.2f}, "
            f"length {ratio:.3f}, {time.process_time() - begin:.0f} CPU s",
            flush=True,
        )


if __name__ == "__main__":
    main()
