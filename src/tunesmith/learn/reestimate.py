"""A phrase table from forced decoding (Wuebker, Mauser & Ney 2010, Training Phrase Translation
Models with Leaving-One-Out).

Extraction counts every phrase pair that the links allow. Here a pair counts only where the model
uses it: in the best derivation of its training pair, searched as if that pair had not been in the
training set, so that long phrases which nothing else supports do not explain it.
"""

import json
from dataclasses import dataclass, replace
from pathlib import Path

from tunesmith import _core
from tunesmith.base.errors import OptionError
from tunesmith.base.log import log
from tunesmith.base.progress import progress
from tunesmith.base.weights import Weights
from tunesmith.corpus import Bitext
from tunesmith.decode.forced import ForcedOptions
from tunesmith.decode.phrase_model import native_phrase_model
from tunesmith.decode.table_links import TableLinks
from tunesmith.decode.training_text import training_text
from tunesmith.engine import ALL_CORES, EngineLike, as_engine
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
    with progress("forced decoding", len(pairs)) as bar:
        counts, whole, prefixes, without = _core.forced_counts(
            native_phrase_model(model),
            model.search_vector(model.weight_vector(values)),
            training_text(model, pairs, links),
            replace(options or ForcedOptions(), leave_out="none").native(),
            as_engine(engine).threads,
            bar.advance,
        )
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
