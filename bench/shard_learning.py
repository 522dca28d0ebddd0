"""Learning on shards beside tuning: Table 2 of Simianer, Riezler & Dyer (2012).

    tunesmith train … --learner maxforce --out learned          # makes learned.work with its folds
    tunesmith train … --out tuned --work learned.work           # the same model before learning
    python bench/shard_learning.py learned.work tuned --dev val.de val.en --out FOLDER
        --test test_2016 test.de test.en [--test tatoeba …] [--every 3] [--only "1 " …]

Rows are the paper's algorithms (1 SGD, 2 MixSGD, 3 IterMixSGD, 4 IterSelSGD) by what a sentence's
step is (ranking, or expected BLEU) and features (rule ids, WordEdges; of hierarchical models also
source bigrams and shapes, which are the paper's). All learn on pairs of the
training set with models of folds, which have not seen them; after every epoch the dev set is
decoded to tune the dense weights and the scale of what was learned, and says which epoch is kept.
Row 0 is the dense model, tuned on the dev set alone. Texts are as the model was trained on.
`--every 3` learns from every third pair. p is of approximate randomisation; marks are rows of equal
step and features that a row differs from (p < 0.05, first test set). A killed run goes on with the
row it was at.
"""

import argparse
import json
import os
import shutil
import time
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from tunesmith.corpus import Bitext
from tunesmith.decode import SearchOptions, open_decoder
from tunesmith.decode.grouped import GROUP, GroupedDecoder
from tunesmith.evaluate import approximate_randomisation
from tunesmith.features import LexicalFeatures
from tunesmith.formats.text import read_lines
from tunesmith.learn import Maxforce
from tunesmith.metrics import Bleu
from tunesmith.model import TranslationModel
from tunesmith.model.files import LEXICAL_FEATURE
from tunesmith.train.learning import LearnOptions, side_classes
from tunesmith.train.rule_learning import rule_templates
from tunesmith.tune import make_tuner
from tunesmith.tune.loop import TuningLoop
from tunesmith.tune.sources import DecoderSource

METRIC = Bleu(tokenize="none")
STEPS = {
    "ranking": Maxforce(method="ranking"),
    "expected": Maxforce(method="expected"),
    # As the paper has it: all weights from 0, and the dev set only says which epoch is the best.
    "paper": Maxforce(
        method="ranking",
        list_size=100,
        batch=1,
        dense="all",
        dense_weights="from-zero",
        patience=0,
    ),
}
ALGORITHMS = {
    "1 SGD": {"shard_size": 0},
    "2 MixSGD": {"mixing": "mix"},
    "3 IterMixSGD": {"mixing": "iter-mix"},
    "4 IterSelSGD": {"mixing": "iter-select"},
}
NO_FEATURES = LexicalFeatures(rule_ids=False, edges=False, shapes=False)
FEATURES = {
    "phrase": {
        "id": replace(NO_FEATURES, rule_ids=True),
        "edges": replace(NO_FEATURES, edges=True),
        "id, edges": replace(NO_FEATURES, rule_ids=True, edges=True),
    },
    "hiero": {
        "id": replace(NO_FEATURES, rule_ids=True),
        "bigrams": replace(NO_FEATURES, source_bigrams=True),
        "shape": replace(NO_FEATURES, shapes=True),
        "id, bigrams, shape": replace(NO_FEATURES, rule_ids=True, source_bigrams=True, shapes=True),
        "edges": replace(NO_FEATURES, edges=True),
        "id, edges": replace(NO_FEATURES, rule_ids=True, edges=True),
    },
}
DENSE = "0 dense, dev"


class Lesson:
    """Models, texts, and how a row is learned, tuned and scored."""

    def __init__(self, given: argparse.Namespace) -> None:
        self.given, self.threads = given, given.threads
        self.model = TranslationModel.load(given.model)
        bitext = Bitext.load(given.work / "corpus" / "bitext.bin")
        sources, targets = list(bitext.source.lines()), list(bitext.target.lines())
        some = [line if i % given.every == 0 else "" for i, line in enumerate(sources)]
        self.pairs = Bitext.from_lines(some, targets)  # empty ones are not learned from
        count = len(list((given.work / "folds").glob("fold-*")))
        names = [given.work / "folds" / f"fold-{i}" for i in range(count)]
        self.folds = [TranslationModel.load(name) for name in names]
        self.sides = [
            side_classes(text, "", "", LearnOptions(), self.threads)
            for text in (bitext.source, bitext.target)
        ]
        self.dev = self.encoded(0, given.dev[0]), [self.encoded(1, given.dev[1])]
        self.search = replace(SearchOptions.of_model(self.model), pop_limit=given.pop_limit)

    def encoded(self, side, path):
        """A text in the model's own tokens: German compounds are cut, say."""
        return self.model.preprocessors[side].encode(read_lines(path), engine=self.threads)

    def opened(self, model):
        return open_decoder(model, search=self.search, engine=self.threads)

    def tuned(self, decoder, weights, iterations, folder):
        """Dense weights and the scale of what was learned, and BLEU of the dev set."""
        loop = TuningLoop(
            DecoderSource(decoder, self.dev[0]),
            make_tuner("kb-mira", in_loop=True, engine=self.threads),
            METRIC,
            self.dev[1],
            iterations=iterations,
            size=100,
            patience=3,
        )
        return loop.run(weights, folder)

    def learn(self, learner, features, folder):
        """Epochs, and the last tuning: a decoder, its weights, and what there is to tell."""
        begin = time.process_time()
        options = replace(
            learner, epochs=self.given.epochs, folds=len(self.folds), engine=self.threads
        )
        result, decoder, weights, told = self.fit(options, features, folder)
        score = result.dev_score
        if learner.dense_weights == "tuned":
            last = self.tuned(decoder, weights, self.given.retune, folder / "retuned")
            weights, score = last.weights, last.score
        kept = 1 + max(range(len(result.epochs)), key=lambda i: result.epochs[i].dev_score)
        told |= {
            "epoch": kept,
            "dev": score,
            "epochs": [round(epoch.dev_score, 2) for epoch in result.epochs],
            "scale": weights.get(self.group, 1.0),
            "seconds": time.process_time() - begin,
        }
        return decoder, weights, told

    def row(self, name, learner, features):
        """What a row has on all sets: from files, or learned now."""
        folder = self.given.out / name.replace(" ", "_").replace(",", "")
        result = folder / "result.json"
        if not result.exists():
            folder.mkdir(parents=True, exist_ok=True)
            if learner is None:
                decoder, weights = self.opened(self.model), self.model.weights
                begin = time.process_time()
                last = self.tuned(decoder, weights, self.given.retune, folder / "retuned")
                weights = last.weights
                told = {"features": len(self.model.feature_names), "epoch": 0, "dev": last.score}
                told["seconds"] = time.process_time() - begin
            else:
                decoder, weights, told = self.learn(learner, features, folder)
            for test, source, *_ in self.given.test:
                best = decoder.decode(self.encoded(0, source), weights).best()
                output = self.model.preprocessors[1].decode(list(best), engine=self.threads)
                (folder / f"{test}.out").write_text("".join(f"{line}\n" for line in output))
            result.write_text(json.dumps(told))
        return json.loads(result.read_text()), {
            test: METRIC.stats(
                read_lines(folder / f"{test}.out"),
                None,
                METRIC.prepare([read_lines(reference) for reference in references]),
            )
            for test, _, *references in self.given.test
        }


class PhraseLesson(Lesson):
    """Lexical features, inside phrase-based search."""

    group = LEXICAL_FEATURE

    def fit(self, options, features, folder):
        def judged(learned, weights):
            with TemporaryDirectory(dir=folder) as place:
                decoder = self.opened(self.model.taught(learned))
                result = self.tuned(decoder, weights, self.given.epoch_tuning, Path(place))
            return result.score, result.weights

        result = options.fit(
            self.model,
            features.build(*self.sides),
            self.pairs,
            self.dev,
            folds=self.folds,
            judge=judged if options.dense_weights == "tuned" else None,
            folder=folder / "state",
        )
        decoder = self.opened(self.model.taught(result.lexical))
        return result, decoder, result.weights, {"features": len(result.lexical)}


class RuleLesson(Lesson):
    """Sparse features of hierarchical rules, from the lists of a chart."""

    group = GROUP

    def fit(self, options, features, folder):
        edges = features.build(*self.sides) if features.edges else None
        templates = rule_templates(features, edges)

        def taught(model, name):
            shutil.rmtree(folder / name, ignore_errors=True)  # of a killed run
            return model.with_templates(templates, self.model.weights, folder / name)

        decoder = self.opened(taught(self.model, "model"))
        beam = replace(self.search, pop_limit=options.beam)
        folds = [
            open_decoder(taught(fold, f"fold-{i}"), search=beam, engine=self.threads)
            for i, fold in enumerate(self.folds)
        ]

        def judged(found):
            grouped = GroupedDecoder.of_weights(decoder, found.weights)
            start = grouped.start(found.weights)
            with TemporaryDirectory(dir=folder) as place:
                result = self.tuned(grouped, start, self.given.epoch_tuning, Path(place))
            return result.score, grouped.whole(result.weights)

        result = options.fit_decoder(
            decoder,
            self.pairs,
            self.dev,
            self.model.weights,
            folds=folds,
            judge=judged if options.dense_weights == "tuned" else None,
            folder=folder / "state",
        )
        grouped = GroupedDecoder.of_weights(decoder, result.weights)
        told = {"features": sum(weight != 0 for weight in grouped.sparse.values())}
        return result, grouped, grouped.start(result.weights), told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("work", type=Path)
    parser.add_argument("model")
    parser.add_argument("--dev", nargs=2, required=True, metavar=("SOURCE", "REFERENCE"))
    parser.add_argument(
        "--test", nargs="+", action="append", metavar=("NAME", "SOURCE REFERENCE"), required=True
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--only", nargs="*", default=[""], help="rows that have one of these")
    parser.add_argument("--steps", nargs="*", choices=STEPS, default=list(STEPS))
    parser.add_argument("--features", nargs="*", help="of rows; default: all there are")
    parser.add_argument("--keep", nargs="*", type=int, default=[100_000], help="K of algorithm 4")
    parser.add_argument("--rate", type=float, default=0.0, help="of ranking; 0: the default")
    parser.add_argument("--list-size", type=int, default=20, help="of ranking")
    parser.add_argument("--shard-size", type=int, default=1000)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--epoch-tuning", type=int, default=2)
    parser.add_argument("--retune", type=int, default=5)
    parser.add_argument("--pop-limit", type=int, default=200, help="of all searches but learning")
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    if not all(len(test) > 2 for test in given.test):
        parser.error("--test wants a name, a source and one or more references")
    kind = TranslationModel.load(given.model).kind
    lesson = {"phrase": PhraseLesson, "hiero": RuleLesson}[kind](given)
    rows = {DENSE: (None, None), **learned_rows(given, FEATURES[kind])}
    print(f"load {os.getloadavg()[0]:.1f}; every {given.every}. pair", flush=True)
    found = {}
    for name, (learner, features) in rows.items():
        found[name] = lesson.row(name, learner, features)
        print_row(name, found, given)
    print_marks(found, given)


def learned_rows(given, known):
    """Learner and features of all rows that are asked for, by name."""
    rows = {}
    for step in given.steps:
        for features in given.features or known:
            for algorithm, mixing in ALGORITHMS.items():
                for keep in given.keep if algorithm.startswith("4") else [0]:
                    own = {"shard_size": given.shard_size, **mixing}
                    if keep:
                        own["keep"] = keep
                    if step == "ranking":
                        own |= {"rate": given.rate, "list_size": given.list_size}
                    name = f"{algorithm} {step}, {features}" + (f", K {keep:,}" if keep else "")
                    if any(part in name for part in given.only):
                        rows[name] = (replace(STEPS[step], **own), known[features])
    return rows


def print_row(name, found, given):
    """A line of the table, each test set with the p of its difference from row 0."""
    told, stats = found[name]
    line = f"{name:40} {told['features']:>10,} dev {told['dev']:.2f} @{told['epoch']}"
    for test, own in stats.items():
        line += f"  {test} {METRIC.score(own.sum(axis=0)):.2f}"
        if name != DENSE:
            line += f" (p = {p_value(found[DENSE][1][test], own, given):.4f})"
    extra = f", epochs {told['epochs']}, scale {told['scale']:.2f}" if "epochs" in told else ""
    print(f"{line}; {told['seconds']:.0f} CPU s{extra}", flush=True)


def print_marks(found, given):
    """Which rows of equal step and features differ."""
    test = given.test[0][0]
    for name, (_, stats) in found.items():
        group = name.split(" ", 2)[2].split(", K")[0]
        others = [
            other
            for other in found
            if other != name
            and other.split(" ", 2)[2].split(", K")[0] == group
            and p_value(found[other][1][test], stats[test], given) < 0.05
        ]
        if others:
            print(f"{name}: differs from {'; '.join(others)}")


def p_value(one, other, given):
    return approximate_randomisation(METRIC, one, other, engine=given.threads).p_value


if __name__ == "__main__":
    main()
