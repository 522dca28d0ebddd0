"""How the language models of a training run are made: of all its text, or of a part."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

from tunesmith.base.atomic import atomic_text
from tunesmith.base.json_text import parse_json
from tunesmith.base.log import log
from tunesmith.corpus import Bitext, Sentences, WordClusters
from tunesmith.engine import EngineLike
from tunesmith.learn import LmEstimation
from tunesmith.lm import NgramLM
from tunesmith.lm.interpolation import MixtureWeights, interpolate, tune_weights
from tunesmith.train.options import LmOptions

CLUSTERS_FILE = "clusters.tsv"
# What several models of words are mixed by, and the model of monolingual text among them.
MIXTURE_FILE, MONO_FILE = "mixture.json", "mono.bin"
# A model that says less than this of the dev set is left out of the mixture.
LEAST_WEIGHT = 0.002


def write_clusters(text: Sentences, options: LmOptions, folder: Path, engine: EngineLike) -> None:
    """The word classes of a class-based model."""
    clusters = WordClusters.fit(text, classes=options.lm2_classes, engine=engine)
    clusters.save(folder / CLUSTERS_FILE)


def corpus_models(pairs: Bitext, *, order: int, engine: EngineLike) -> list[NgramLM]:
    """A model of the target side of each corpus."""
    texts = (pairs.of_corpus(number).target for number in range(pairs.corpora))
    return [NgramLM.fit(text, order=order, engine=engine) for text in texts]


def mixed(models: Sequence[NgramLM], weights: Sequence[float]) -> NgramLM:
    """The models interpolated, without those that say nearly nothing."""
    used = [(model, weight) for model, weight in zip(models, weights, strict=True) if weight]
    if len(used) == 1:
        return used[0][0]
    return interpolate([model for model, _ in used], [weight for _, weight in used])


def used_weights(found: MixtureWeights) -> list[float]:
    """Its weights, 0 for models that say nearly nothing."""
    kept = [weight if weight >= LEAST_WEIGHT else 0.0 for weight in found.weights]
    return [weight / sum(kept) for weight in kept]


def write_first(
    pairs: Bitext,
    mono: Path | None,
    references: Sequence[str],
    options: LmOptions,
    folder: Path,
    engine: EngineLike,
) -> None:
    """The model of words into `folder`: of one text, or of several interpolated on the dev set."""
    order = options.resolved_order(len(pairs.target.ids))
    models = corpus_models(pairs, order=order, engine=engine)
    if mono is not None:
        models.append(NgramLM.load(mono))
    if len(models) > 1:
        found = tune_weights(models, references, engine=engine)
        weights = used_weights(found)
        names = [f"corpus {number}" for number in range(1, pairs.corpora + 1)]
        names += ["mono"] if mono is not None else []
        for name, weight, alone in zip(names, weights, found.single, strict=True):
            log.info("lm: %s has weight %.3f; dev set's perplexity %.1f", name, weight, alone)
        log.info("lm: the dev set's perplexity is %.1f with all", found.perplexity)
        with atomic_text(folder / MIXTURE_FILE) as stream:
            json.dump({**asdict(found), "weights": weights}, stream, indent=1)
        if mono is not None:
            models[-1].save(folder / MONO_FILE)
        models = [mixed(models, weights)]
    models[0].save(folder / "lm.bin")


def first_estimation(
    folder: Path, pairs: Bitext, options: LmOptions, engine: EngineLike
) -> LmEstimation:
    """Word n-grams, of an order that suits the size of the whole text, mixed as in `folder`."""
    order = options.resolved_order(len(pairs.target.ids))
    path = folder / MIXTURE_FILE
    if not path.exists():
        return lambda part: NgramLM.fit(part.target, order=order, engine=engine)
    weights = parse_json(path.read_text(encoding="utf-8"))["weights"]
    has_mono = (folder / MONO_FILE).exists()

    def estimate(part: Bitext) -> NgramLM:
        models = corpus_models(part, order=order, engine=engine)
        return mixed([*models, NgramLM.load(folder / MONO_FILE)] if has_mono else models, weights)

    return estimate


def second_estimation(folder: Path, options: LmOptions, engine: EngineLike) -> LmEstimation:
    """The given model, or n-grams of the classes in `folder`."""
    if options.lm2:
        return lambda part: NgramLM.load(options.lm2)
    clusters = WordClusters.load(folder / CLUSTERS_FILE)
    classes = {word: clusters.bits(word) for word in clusters}
    return partial(_class_model, classes=classes, order=options.lm2_order, engine=engine)


def _class_model(
    part: Bitext, *, classes: dict[str, str | None], order: int, engine: EngineLike
) -> NgramLM:
    return NgramLM.fit(part.target, order=order, classes=classes, engine=engine)
