"""What updates and what features gain most when lexical features are learned on the training set.

Learns from nine tenths of the pairs and scores the last tenth, every pair with the model of its
fold, which has not seen it: nothing is tuned on what is scored. Three tables: updates (Figure 8 of
Yu et al. 2013), features for expected BLEU, and features as the paper has them (Table 4, Figure
12): all weights learned by max-violation from 0, without what was tuned.

    tunesmith train … --learner maxforce --out learned          # makes learned.work with its folds
    tunesmith train … --out tuned --work learned.work           # the same model before learning
    python bench/learning_methods.py learned.work tuned [--only dense "+ rule ids"] [--pairs 6000]
"""

import argparse
import os
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from tunesmith.base.weights import Weights
from tunesmith.corpus import Bitext
from tunesmith.decode import SearchOptions, open_decoder
from tunesmith.features import LexicalFeatures, LexicalModel
from tunesmith.learn import Maxforce
from tunesmith.learn.folds import fold_numbers
from tunesmith.metrics import Bleu
from tunesmith.model import TranslationModel
from tunesmith.train.learning import LearnOptions, side_classes

METHODS = {
    name: (Maxforce(method=name), LexicalFeatures())
    for name in ("expected", "max-violation", "early", "standard", "local")
}
FEATURES = {
    "rule ids": (Maxforce(), LexicalFeatures(edges=False)),
    "WordEdges of words": (Maxforce(), LexicalFeatures(rule_ids=False, levels="word")),
    "WordEdges": (Maxforce(), LexicalFeatures(rule_ids=False)),
    "with the rule before": (Maxforce(), LexicalFeatures(rule_pairs=True, history=True)),
}
PAPER = Maxforce(
    method="max-violation", dense="all", dense_weights="from-zero", prefixes="all", dead_ends=True
)
NONE = LexicalFeatures(rule_ids=False, edges=False)
IDS = replace(NONE, rule_ids=True)
EDGES = replace(IDS, edges=True, source_edges=True)
TABLE_4 = {
    "dense": (PAPER, NONE),
    "+ rule ids": (PAPER, IDS),
    "+ WordEdges": (PAPER, EDGES),
    "+ non-local": (PAPER, replace(EDGES, rule_pairs=True, history=True)),
    "dense, not averaged": (replace(PAPER, average=False), NONE),
    "WordEdges, budget alone": (PAPER, replace(EDGES, max_atoms=0)),
    "WordEdges, completable": (replace(PAPER, dead_ends=False), EDGES),
    "WordEdges, longest": (replace(PAPER, prefixes="longest"), EDGES),
}
ROWS = {**METHODS, **FEATURES, **TABLE_4}
HELD_OUT = 10


class HeldOut:
    """The pairs that are not learned from, and how well they are translated."""

    def __init__(self, model, folds, sources, targets, most, threads):
        self.model, self.folds, self.threads = model, folds, threads
        self.sources, self.targets = sources, targets
        self.pairs = np.arange(HELD_OUT - 3, len(sources), HELD_OUT)[:most]
        text = Bitext.from_lines(sources, targets)
        self.numbers = fold_numbers(text, len(folds))[self.pairs]
        self.metric = Bleu(tokenize="none")
        self.search = replace(SearchOptions.of_model(model), pop_limit=200)

    def learned_from(self, most):
        """The sources, without those that are held out: empty ones are left alone."""
        rest = list(self.sources)
        rest[HELD_OUT - 3 :: HELD_OUT] = [""] * len(rest[HELD_OUT - 3 :: HELD_OUT])
        some = np.flatnonzero([bool(line) for line in rest])
        for pair in some[len(some) if most is None else most :]:
            rest[pair] = ""
        return rest

    def score(self, lexical, weights, change=0.0):
        """BLEU and length ratio, with the word penalty changed by so much."""
        made, wanted = [], []
        vector = weights.vector(self.model.decoder_names)
        vector[self.model.decoder_names.index("word_penalty")] += change
        for fold, model in enumerate(self.folds):
            pairs = self.pairs[self.numbers == fold]
            taught = model.taught(lexical)
            decoder = open_decoder(taught, search=self.search, engine=self.threads)
            output = decoder.decode([self.sources[p] for p in pairs], np.array([*vector, 1.0]))
            made += output.texts
            wanted += [self.targets[p] for p in pairs]
        words = [sum(len(text.split()) for text in texts) for texts in (made, wanted)]
        return self.metric.corpus_score(made, [wanted]), words[0] / words[1]

    def score_at(self, lexical, weights, ratio):
        """The same at a length ratio, so that nothing is gained by length alone."""
        first, found = self.score(lexical, weights)
        unit = sum(abs(weights[name]) for name in self.model.feature_names)
        step = (0.03 if found > ratio else -0.03) * unit
        _, other = self.score(lexical, weights, step)
        change = step * (ratio - found) / (other - found) if other != found else 0.0
        return first, found, self.score(lexical, weights, change)[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("work", type=Path)
    parser.add_argument("model")
    parser.add_argument("--only", nargs="*", default=list(ROWS), help=f"of: {', '.join(ROWS)}")
    parser.add_argument("--pairs", type=int, help="learn from the first of so many alone")
    parser.add_argument("--held-out", type=int, help="score the first of so many alone")
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    model = TranslationModel.load(arguments.model)
    bitext = Bitext.load(arguments.work / "corpus" / "bitext.bin")
    sources, targets = list(bitext.source.lines()), list(bitext.target.lines())
    count = len(list((arguments.work / "folds").glob("fold-*")))
    folds = [TranslationModel.load(arguments.work / "folds" / f"fold-{i}") for i in range(count)]
    sides = [
        side_classes(text, "", "", LearnOptions(), arguments.threads)
        for text in (bitext.source, bitext.target)
    ]
    held = HeldOut(model, folds, sources, targets, arguments.held_out, arguments.threads)
    dense, ratio = held.score(LexicalFeatures().build(*sides), model.weights)
    print(f"load {os.getloadavg()[0]:.1f}; {len(held.pairs):,} pairs held out")
    print(f"{'tuned on dev':25} BLEU {dense:.2f}, length {ratio:.3f}", flush=True)
    for name, (learner, features) in ROWS.items():
        if name not in arguments.only:
            continue
        begin = [time.process_time()]

        def judge(lexical: LexicalModel, weights: Weights, name=name, begin=begin):
            used = time.process_time() - begin[0]
            score, found, same = held.score_at(lexical, weights, ratio)
            print(
                f"{name:25} BLEU {score:.2f} ({score - dense:+.2f}), length {found:.3f}; "
                f"as long as dense {same:.2f} ({same - dense:+.2f}); "
                f"{len(lexical):,} features, {used:.0f} CPU s",
                flush=True,
            )
            begin[0] = time.process_time()
            return score, weights

        result = replace(
            learner, epochs=arguments.epochs, folds=count, patience=0, engine=arguments.threads
        ).fit(
            model, features.build(*sides),
            Bitext.from_lines(held.learned_from(arguments.pairs), targets),
            (sources[:1], [targets[:1]]), folds=folds, judge=judge,
        )  # fmt: skip
        for epoch in result.epochs:
            print(
                f"    epoch {epoch.number}: {epoch.updates:,} updates of {epoch.pairs:,} pairs, "
                f"{100 * epoch.invalid:.2f} % invalid, {100 * epoch.reached:.1f} % reached, "
                f"violation {epoch.violation:.3f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
