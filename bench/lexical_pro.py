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

import numpy as np
from learning_methods import HeldOut

from tunesmith import _core
from tunesmith.base.weights import Weights
from tunesmith.corpus import Bitext
from tunesmith.decode import PhraseDecoder, SearchOptions
from tunesmith.features import LexicalModel
from tunesmith.formats.text import read_lines
from tunesmith.metrics import Bleu
from tunesmith.model import TranslationModel
from tunesmith.tune import make_tuner
from tunesmith.tune.pool import PoolBuilder


class Chosen:
    """The heaviest features of a learned model, and how often each is in a translation."""

    def __init__(self, learned: LexicalModel, decoder: PhraseDecoder, count: int) -> None:
        keys, weights = learned.entries()
        heaviest = np.argsort(-np.abs(weights), kind="stable")[:count]
        empty = learned.native.averaged(0.0)
        empty.add(keys, -weights)
        self.empty, self.meta = empty.averaged(0.0), learned.meta
        self.decoder, self.keys = decoder, keys[heaviest]
        self.place = {int(key): i for i, key in enumerate(self.keys)}
        self.marker = self.with_weights(np.ones(count))

    def with_weights(self, weights: np.ndarray) -> LexicalModel:
        native = self.empty.averaged(0.0)
        if len(weights):
            native.add(self.keys, weights.astype(np.float32))
        return LexicalModel(native, self.meta)

    def native(self, lexical: LexicalModel):
        models = [lm.native for lm in self.decoder.model.language_models]
        return self.decoder.native_with(models, lexical.native)

    def counts(self, native, line: str, derivation) -> Counter[int]:
        steps = [
            [step.begin, step.end, step.target_begin, step.target_end, step.table, step.rule]
            for step in derivation.steps
        ]
        sentence = (line.split(), [], [], [], [])
        return Counter(
            self.place[key]
            for step in _core.lexical_derivation_names(
                native, sentence, steps, derivation.text, self.meta["levels"]
            )
            for key, _, _ in step
        )


def add_lists(builder, chosen: Chosen, dev: list[str], weights: Weights, theta, size: int):
    decoder, names = chosen.decoder, chosen.decoder.model.feature_names
    decoder.native = chosen.native(chosen.with_weights(theta))
    output = decoder.decode(dev, np.array([*weights.vector(names), 1.0]), size=size)
    marker = chosen.native(chosen.marker)
    offsets, ids, values = [0], [], []
    for sentence, line in enumerate(dev):
        for row in range(*map(int, output.offsets[sentence : sentence + 2])):
            found = chosen.counts(marker, line, output.derivation(row)) if len(theta) else {}
            ids += found.keys()
            values += found.values()
            offsets.append(len(ids))
    builder.add(
        np.repeat(np.arange(len(dev)), np.diff(output.offsets)),
        output.texts,
        output.features[:, : len(names)],
        names,
        (np.array(offsets), np.array(ids, np.int64), np.array(values, float)),
        [f"{key:016x}" for key in chosen.keys.tolist()],
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
    search = replace(SearchOptions.of_model(model), pop_limit=200)
    print(f"load {os.getloadavg()[0]:.1f}; {len(held.pairs):,} pairs held out")
    for count in arguments.features:
        begin = time.process_time()
        decoder = PhraseDecoder(model, search=search, threads=arguments.threads)
        chosen = Chosen(learned, decoder, count)
        weights, theta, pool = model.weights, np.zeros(count), None
        for _ in range(arguments.iterations):
            builder = PoolBuilder(metric, references, dense=model.feature_names)
            if pool is not None:
                builder.add_pool(pool)
            add_lists(builder, chosen, dev, weights, theta, arguments.size)
            pool = builder.finish()
            found = make_tuner("pro").fit(pool, metric, weights, keep_better_start=False)
            weights = Weights({name: found.weights.get(name, 0.0) for name in model.feature_names})
            theta = np.array([found.weights.get(f"{key:016x}", 0.0) for key in chosen.keys])
        held.model = model.with_weights(weights, Path(f"{arguments.tuned}.pro-{count}"))
        score, ratio = held.score(chosen.with_weights(theta))
        print(
            f"pro, {count:,} lexical features: lists {found.score:.2f}, held out {score:.2f}, "
            f"length {ratio:.3f}, {time.process_time() - begin:.0f} CPU s",
            flush=True,
        )


if __name__ == "__main__":
    main()
