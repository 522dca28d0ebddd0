"""Smaller phrase tables: for a given text, of the best rules, of rules that are no coincidence.

Every function writes a new table and leaves the old one as it is; scores are not changed.
"""

import json
import math
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.errors import OptionError
from tunesmith.corpus import Bitext, Sentences
from tunesmith.engine import ALL_CORES, EngineLike, as_engine
from tunesmith.grammar.table import PhraseTable

THRESHOLDS = {"none": 0, "a-e": -1, "a+e": 1}
"""Name of a significance threshold → the sign of its epsilon."""

# How far a threshold lies from α. A pair whose phrases occur once, together, is at α exactly.
EPSILON = 1e-4


def filter_table(
    table: PhraseTable,
    lines: Iterable[str] | Sentences,
    path: str | Path,
    *,
    engine: EngineLike = ALL_CORES,
) -> PhraseTable:
    """The rules whose source phrases occur in tokenised `lines`, as a table at `path`.

    Translations of these lines stay the same.
    """
    text = lines if isinstance(lines, Sentences) else Sentences.from_lines(lines, engine=engine)
    keep = _core.rules_in_text(table.native, text.offsets, text.ids, text.vocabulary.native)
    return _kept(table, keep, path, {})


def limit_table(
    table: PhraseTable, limit: int, path: str | Path, *, score: str = "p_e_given_f"
) -> PhraseTable:
    """The `limit` best rules of every source phrase by one of the table's scores."""
    return _kept(table, _best(table, limit, score), path, {"limit": limit})


def limit_joined_tables(
    tables: Sequence[PhraseTable],
    limit: int,
    paths: Sequence[str | Path],
    *,
    score: str = "p_e_given_f",
) -> list[PhraseTable]:
    """The same for joined tables: a phrase pair that one of them keeps is kept by all."""
    keep = _core.keep_twins(
        [table.native for table in tables], [_best(table, limit, score) for table in tables]
    )
    return [
        _kept(table, flags, path, {"limit": limit})
        for table, flags, path in zip(tables, keep, paths, strict=True)
    ]


def _best(table: PhraseTable, limit: int, score: str) -> npt.NDArray[np.uint8]:
    names = list(table.meta["scores"])
    if score not in names:
        raise OptionError(f"no score '{score}', expected one of: {', '.join(names)}")
    return _core.best_rules(table.native, names.index(score), limit)


def significant_rules(
    table: PhraseTable,
    bitext: Bitext,
    path: str | Path,
    *,
    threshold: str = "a-e",
    engine: EngineLike = ALL_CORES,
) -> PhraseTable:
    """The rules whose phrases occur in the same sentence pairs more often than by chance.

    Johnson, Martin, Foster & Kuhn (2007): of N sentence pairs the phrases occur in C(f) and C(e)
    and together in C(f, e). A rule stays if -log p of Fisher's exact test, one-sided, is above
    the threshold. A pair with all three counts 1 has exactly α = log N: ``a+e``, just above,
    drops all such pairs; ``a-e``, just below, keeps them and drops what is weaker.

    Parameters
    ----------
    bitext
        The text from which the table was extracted, tokenised in the same way.
    threshold
        ``a-e`` or ``a+e``.
    """
    if THRESHOLDS.get(threshold, 0) == 0:
        raise OptionError(f"threshold '{threshold}', expected 'a-e' or 'a+e'")
    alpha = math.log(len(bitext)) if len(bitext) else 0.0
    values = significance(table, bitext, engine=engine)
    keep = values > alpha + THRESHOLDS[threshold] * EPSILON
    return _kept(table, keep, path, {"significance": threshold})


def significance(
    table: PhraseTable, bitext: Bitext, *, engine: EngineLike = ALL_CORES
) -> npt.NDArray[np.float64]:
    """-log p of every rule of the table; 0 where its phrases never occur together."""
    return _core.rule_significance(
        table.native,
        bitext.source.offsets,
        bitext.source.ids,
        bitext.source.vocabulary.native,
        bitext.target.offsets,
        bitext.target.ids,
        bitext.target.vocabulary.native,
        as_engine(engine).threads,
    )


def _kept(
    table: PhraseTable, keep: npt.NDArray[np.generic], path: str | Path, options: dict[str, object]
) -> PhraseTable:
    meta = table.meta
    meta["options"] = {**meta.get("options", {}), **options}
    flags = np.ascontiguousarray(keep, dtype=np.uint8)
    _core.write_kept_rules(table.native, flags, str(path), json.dumps(meta))
    return PhraseTable(path)
