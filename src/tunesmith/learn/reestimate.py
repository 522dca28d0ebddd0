"""A phrase table from forced decoding (Wuebker, Mauser & Ney 2010, Training Phrase Translation
Models with Leaving-One-Out).

Extraction counts every phrase pair that the links allow. Here a pair counts only where the model
uses it: in the best derivation of its training pair, searched as if that pair had not been in the
training set, so that long phrases which nothing else supports do not explain it.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.errors import OptionError
from tunesmith.base.log import log
from tunesmith.base.progress import progress
from tunesmith.base.weights import Weights
from tunesmith.corpus import Bitext
from tunesmith.decode.base import WeightVector
from tunesmith.decode.forced import ForcedOptions, pairs_in_parts
from tunesmith.decode.phrase_model import native_phrase_model
from tunesmith.decode.table_links import TableLinks
from tunesmith.decode.training_text import training_text
from tunesmith.engine import ALL_CORES, Engine, EngineLike, as_engine
from tunesmith.grammar import PhraseTable
from tunesmith.grammar.table import FORCED_COUNTS, SCORE_NAMES
from tunesmith.model import TranslationModel


@dataclass(frozen=True)
class Reestimated:
    """The new table, and how many pairs were made whole, in part, not at all."""

    table: PhraseTable
    whole: int
    prefixes: int
    without: int


Counts: TypeAlias = tuple[npt.NDArray[np.uint32], int, int, int]
"""Of every rule; of pairs that were made whole, in part, not at all."""


@dataclass(frozen=True)
class Counting:
    """All that counting needs besides pairs; it can travel."""

    model: TranslationModel
    vector: WeightVector
    options: ForcedOptions
    engine: Engine

    def run(self, pairs: Bitext, links: TableLinks, advance: Callable[[int], None]) -> Counts:
        """The counts of all pairs, whoever counts."""
        if self.engine.workers == 1 or not len(pairs):
            return self.count(pairs, links, advance)
        parts = pairs_in_parts(pairs, links, self.engine.workers)
        work = partial(count_shard, how=replace(self, engine=self.engine.share(len(parts))))
        counts = self.engine.reduce(work, parts, _added)
        advance(len(pairs))
        return counts

    def count(self, pairs: Bitext, links: TableLinks, advance: Callable[[int], None]) -> Counts:
        """The counts of pairs in this process."""
        return _core.forced_counts(
            native_phrase_model(self.model),
            self.model.search_vector(self.vector),
            training_text(self.model, pairs, links),
            self.options.native(),
            self.engine.threads,
            advance,
        )


def count_shard(shard: tuple[Bitext, TableLinks], how: Counting) -> Counts:
    """The counts of some of the pairs."""
    return how.count(*shard, lambda done: None)


def _added(one: Counts, other: Counts) -> Counts:
    return one[0] + other[0], one[1] + other[1], one[2] + other[2], one[3] + other[3]


def reestimate(
    model: TranslationModel,
    pairs: Bitext,
    path: str | Path,
    *,
    links: TableLinks = None,
    weights: Weights | None = None,
    options: ForcedOptions | None = None,
    engine: EngineLike = ALL_CORES,
) -> Reestimated:
    """Count again the rules of the model's first table, and write them to `path`.

    Parameters
    ----------
    pairs
        The training set of the table.
    links
        Those that each table was extracted from: which rules a pair taught it, exactly.
    weights
        Under which a derivation is best; the model's own by default.
    options
        Limits of forced decoding. Nothing is left out: rules seen only here are very unlikely.
    """
    table = model.tables[0]
    if tuple(table.meta["scores"][: len(SCORE_NAMES)]) != SCORE_NAMES:
        raise OptionError(f"{table.path} does not have the scores that extraction gives")
    values = model.weights if weights is None else weights
    how = Counting(
        model,
        model.weight_vector(values),
        replace(options or ForcedOptions(), leave_out="none"),
        as_engine(engine),
    )
    with progress("forced decoding", len(pairs)) as bar:
        counts, whole, prefixes, without = how.run(pairs, links, bar.advance)
    log.info(
        "forced decoding: %s pairs whole, %s in part, %s not at all; %s of %s rules are used",
        f"{whole:,}",
        f"{prefixes:,}",
        f"{without:,}",
        f"{int((counts > 0).sum()):,}",
        f"{len(table):,}",
    )
    meta = table.meta
    meta["options"] = {**meta.get("options", {}), "counts": FORCED_COUNTS}
    _core.write_recounted_rules(table.native, counts, str(path), json.dumps(meta))
    return Reestimated(PhraseTable(path), whole, prefixes, without)
