"""Models that have not seen the sentence pairs they learn from.

Rules and a language model that were made from a pair like its reference too much: they
hide the errors that a learner could mend, and what it learns then does not hold for new text. So
the text is cut into folds, and the pairs of a fold are searched with a model that was made from all
others (jackknifing).
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import numpy.typing as npt

from tunesmith.base.errors import OptionError
from tunesmith.base.log import log
from tunesmith.corpus import Bitext, Sentences
from tunesmith.engine import ALL_CORES, EngineLike
from tunesmith.formats.pharaoh import Links
from tunesmith.grammar import HieroIndex, HieroOptions, PhraseExtraction
from tunesmith.grammar.prune import filter_table
from tunesmith.lm import NgramLM
from tunesmith.model import TranslationModel

#: Estimates a language model from the target side of pairs.
LmEstimation = Callable[[Bitext], NgramLM]


def fold_numbers(pairs: Bitext, folds: int) -> npt.NDArray[np.uint32]:
    """The fold of every pair: consecutive blocks, so that repeated neighbours stay together.

    Every one of several corpora is cut into all folds, so that none misses in a model.

    >>> fold_numbers(Bitext.from_lines("abcde", "ABCDE"), 2).tolist()
    [0, 0, 0, 1, 1]
    """
    numbers = np.empty(len(pairs), np.uint32)
    for corpus in range(pairs.corpora):
        own = np.arange(len(pairs)) if pairs.origins is None else pairs.origins == corpus
        size = len(numbers[own])
        numbers[own] = (
            np.arange(size, dtype=np.uint64) * np.uint64(folds) // np.uint64(max(size, 1))
        )
    return numbers


def fold_models(
    model: TranslationModel,
    bitext: Bitext,
    links: Sequence[Links],
    language_models: Sequence[LmEstimation],
    folder: str | Path,
    *,
    folds: int,
    extraction: PhraseExtraction | None = None,
    engine: EngineLike = ALL_CORES,
) -> list[TranslationModel]:
    """For every fold a model like `model`, made from all pairs but the fold's.

    Table i is extracted with ``links[i]``, language model i estimated by ``language_models[i]``;
    the rules of a hierarchical model come from an index of the other pairs with ``links[0]``, and
    a maximum-entropy reordering model is trained on these. Only what can translate the fold's own
    sentences is kept. Folds that are in `folder` already are kept: a killed run goes on.
    """
    extraction = replace(extraction or PhraseExtraction(), engine=engine)
    numbers = fold_numbers(bitext, folds)
    models = []
    for fold in range(folds):
        path = Path(folder) / f"fold-{fold}"
        if not path.exists():
            others = np.flatnonzero(numbers != fold)
            _write_fold(
                model,
                path,
                bitext.select(others),
                [some.select(others) for some in links],
                bitext.source.select(np.flatnonzero(numbers == fold)),
                language_models,
                extraction,
            )
            log.info("fold %d of %d: a model of the other pairs", fold + 1, folds)
        models.append(TranslationModel.load(path))
    return models


def _write_fold(
    model: TranslationModel,
    path: Path,
    others: Bitext,
    links: Sequence[Links],
    own: Sentences,
    language_models: Sequence[LmEstimation],
    extraction: PhraseExtraction,
) -> None:
    def write_table(number: int, place: Path) -> None:
        with TemporaryDirectory(dir=place.parent) as temporary:
            whole = extraction.run(others, links[number], Path(temporary) / "whole.bin")
            filter_table(whole, own, place, engine=extraction.engine)

    def write_language_model(number: int, place: Path) -> None:
        language_models[number](others).save(place)

    def write_grammar(place: Path) -> None:
        index = model.grammar
        if not isinstance(index, HieroIndex):
            raise OptionError(f"{model.folder} has a grammar, expected an index of training text")
        options = HieroOptions(**index.meta["options"], engine=extraction.engine)
        with TemporaryDirectory(dir=place.parent) as temporary:
            whole = options.run(others, links[0], Path(temporary) / "whole.bin")
            rules = whole.text_rules(own.lines(), engine=extraction.engine)
        rules.grammar().save(place)

    def write_maxent(place: Path) -> None:
        if model.maxent is None:
            raise OptionError(f"{model.folder} has no maximum-entropy reordering model")
        replace(model.maxent.options, engine=extraction.engine).run(others, links[0], place)

    model.rebuilt(path, write_table, write_language_model, write_grammar, write_maxent)
