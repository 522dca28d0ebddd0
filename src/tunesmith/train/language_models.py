"""How the language models of a training run are made: of all its text, or of a part."""

from functools import partial
from pathlib import Path

from tunesmith.corpus import Sentences, WordClusters
from tunesmith.engine import EngineLike
from tunesmith.learn import LmEstimation
from tunesmith.lm import NgramLM
from tunesmith.train.options import LmOptions

CLUSTERS_FILE = "clusters.tsv"


def write_clusters(text: Sentences, options: LmOptions, folder: Path, engine: EngineLike) -> None:
    """The word classes of a class-based model."""
    clusters = WordClusters.fit(text, classes=options.lm2_classes, engine=engine)
    clusters.save(folder / CLUSTERS_FILE)


def first_estimation(text: Sentences, options: LmOptions, engine: EngineLike) -> LmEstimation:
    """Word n-grams, of an order that suits the size of the whole text."""
    order = options.resolved_order(len(text.ids))
    return lambda part: NgramLM.fit(part, order=order, engine=engine)


def second_estimation(folder: Path, options: LmOptions, engine: EngineLike) -> LmEstimation:
    """The given model, or n-grams of the classes in `folder`."""
    if options.lm2:
        return lambda part: NgramLM.load(options.lm2)
    clusters = WordClusters.load(folder / CLUSTERS_FILE)
    classes = {word: clusters.bits(word) for word in clusters}
    return partial(_class_model, classes=classes, order=options.lm2_order, engine=engine)


def _class_model(
    part: Sentences, *, classes: dict[str, str | None], order: int, engine: EngineLike
) -> NgramLM:
    return NgramLM.fit(part, order=order, classes=classes, engine=engine)
