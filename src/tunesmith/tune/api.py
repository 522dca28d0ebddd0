"""`tunesmith.tune`: from lists and references to weights and better choices, in one call."""

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from operator import index
from pathlib import Path
from typing import Any

from tunesmith.base.errors import InputError, OptionError, kind_of, named
from tunesmith.base.seeds import DEFAULT_SEED
from tunesmith.base.weights import Weights
from tunesmith.engine import ALL_CORES, EngineLike
from tunesmith.formats.frames import is_table
from tunesmith.formats.nbest import NbestList, OnBadLine, TableOptions, as_nbest
from tunesmith.formats.references import read_references
from tunesmith.formats.weight_names import matching_weights
from tunesmith.formats.weights import read_weights, write_weights
from tunesmith.metrics import Metric, OwnMetric, parse_metric
from tunesmith.rescore import ListFeature, add_features, parse_feature
from tunesmith.rescore.merging import concatenated
from tunesmith.rescore.store import comment, keep_features
from tunesmith.tune.base import Tuner
from tunesmith.tune.explain import Preference, explain, sentence_of
from tunesmith.tune.nbest import tune_nbest
from tunesmith.tune.pool import PoolBuilder, several_lists
from tunesmith.tune.registry import make_tuner
from tunesmith.tune.report import TuningReport
from tunesmith.tune.rerank import sorted_by

Lists = Any
"""A file, a DataFrame, a mapping of columns, rows that are mappings, or an `NbestList`."""


@dataclass(frozen=True, repr=False)
class Result:
    """Tuned weights, what they are worth, and how to use them."""

    weights: Weights
    report: TuningReport
    features: Sequence[ListFeature] = ()
    """What is computed for every list before the weights are used."""
    reading: Mapping[str, Any] = field(default_factory=dict)
    """How lists are read, as keywords of `as_nbest`."""

    def choose(self, lists: Lists, sources: Any = None) -> list[str]:
        """The best text of every sentence."""
        nbest = self.read(lists, sources)
        return nbest.texts_at(nbest.best(self._matching(nbest)))

    def rerank(self, lists: Lists, sources: Any = None) -> NbestList:
        """The whole lists, best first, with the new totals."""
        nbest = self.read(lists, sources)
        return sorted_by(nbest, self._matching(nbest))

    def explain(self, lists: Lists, sentence: int | str, sources: Any = None) -> Preference:
        """Why the best text of a sentence (its number, or its id) beats the second."""
        nbest = self.read(lists, sources)
        return explain(nbest, self.weights, _place(nbest, sentence))

    def read(self, lists: Lists, sources: Any = None) -> NbestList:
        """Lists as the weights take them: read as those before, with the same features added.

        New lists need neither references nor what was left out of those before: of what they have,
        the features with a weight are taken.
        """
        table = replace(self.reading["table"], reference_column="", columns=(), drop=())
        found = _read(lists, sources, self.features, {**self.reading, "table": table})
        return found.with_features([name for name in found.names if name in self.weights], ())

    def save(self, path: str | Path) -> None:
        """Write the weights for ``tunesmith rerank``, and beside them what features to add."""
        if not isinstance(path, str | Path):
            raise OptionError(f"the place to save is {kind_of(path)}, expected the name of a file")
        keep_features(path, self.features)
        comments = [self.report.comment, *([comment(path)] if self.features else [])]
        write_weights(path, self.weights, comments=comments)

    def _matching(self, nbest: NbestList) -> Weights:
        return matching_weights(
            self.weights, "weights", "list", nbest.dense_names, set(nbest.names).__contains__
        )

    def __repr__(self) -> str:
        width = max(len(name) for name in self.weights)
        rows = [f"{name:<{width}} {value:9.4f}" for name, value in list(self.weights.items())[:20]]
        more = [f"and {len(self.weights) - 20:,} more"] if len(self.weights) > 20 else []
        warnings = [f"warning: {warning}" for warning in self.report.warnings]
        return "\n".join([str(self.report), *rows, *more, *warnings])


def tune(
    lists: Lists,
    references: Any = None,
    *,
    metric: str | Metric | Callable[[str, list[str]], float] = "bleu",
    tuner: str | Tuner = "kb-mira",
    start: Mapping[str, float] | str | Path | None = None,
    add: str | Sequence[str] = (),
    sources: Any = None,
    id_column: str = "id",
    text_column: str = "text",
    source_column: str = "",
    reference_column: str = "",
    columns: Sequence[str] = (),
    drop: Sequence[str] = (),
    total: str = "",
    dialect: str = "auto",
    on_bad_line: OnBadLine = "raise",
    tokenize: str = "none",
    held_out: bool = True,
    seed: int = DEFAULT_SEED,
    engine: EngineLike = ALL_CORES,
    **options: Any,
) -> Result:
    """Find the weights that choose best from n-best lists.

    Parameters
    ----------
    lists
        The lists: a file of any format, a DataFrame, a mapping of columns, rows that are mappings,
        what `read_nbest` gives; or a list of these, of the same sentences.
    references
        Translations: sentences, a file, several files, or several lists of sentences. Not needed
        for a metric of ready scores, or with `reference_column`.
    metric
        What to tune for: a name (``"bleu"``, ``"column:comet"``, ``"mine.py:Class"``), a metric,
        or a function of a hypothesis and its references.
    tuner
        A name, with its settings as further keywords, or a tuner.
    start
        Weights to begin with, or their file; 1 for every feature if there are none.
    add
        Features to compute (``"length"``, ``"mbr"``, …), as ``--add`` takes them.
    sources
        Source sentences, or their file, for features that read them.
    id_column, text_column, source_column, reference_column
        Which columns of a table are what.
    columns, drop
        The features to take, and to leave out.
    total
        The name under which the system's own total score is a feature.
    dialect, on_bad_line
        As in `read_nbest`.
    tokenize
        BLEU's; ``"13a"`` for running text.
    held_out
        Estimate the score on new sentences, for two more runs of the tuner.
    seed, engine
        The seed of all chance; who works, which does not change the result.
    options
        Settings of the tuner, ``C=0.1`` say.

    Examples
    --------
    >>> rows = [{"id": i, "text": text, "lm": lm, "length": len(text.split())}
    ...         for i in range(8) for text, lm in [("a b", -1.0), ("a b c d", -2.0)]]
    >>> result = tune(rows, ["a b c d"] * 8)
    >>> result.choose(rows[:2])
    ['a b c d']
    """
    if not isinstance(metric, Metric):
        metric = (
            parse_metric(metric, tokenize=tokenize)
            if isinstance(metric, str)
            else (OwnMetric(metric))
        )
    table = TableOptions(
        id_column, text_column, source_column, reference_column, _names("columns", columns),
        _names("drop", drop),
    )  # fmt: skip
    reading = {
        "dialect": dialect, "on_bad_line": on_bad_line, "engine": engine, "total": total,
        "table": table,
    }  # fmt: skip
    features = [parse_feature(text) for text in _names("add", add)]
    # What the metric reads is taken too.
    more = replace(table, columns=(*table.columns, *metric.columns)) if table.columns else table
    nbest = _read(lists, sources, features, {**reading, "table": more})
    known = _references(references, nbest)
    if metric.needs_text and not known:
        raise OptionError(f"metric {metric.name} needs references")
    found = _tuner(tuner, seed, engine, options)
    builder = PoolBuilder(metric, known, engine=engine)
    builder.add_list(nbest)
    begin = read_weights(start) if isinstance(start, str | Path) else start
    if not isinstance(begin, Mapping | None):
        raise OptionError(f"start is {kind_of(begin)}, expected weights or their file")
    tuning = tune_nbest(
        builder.finish(), metric, found, None if begin is None else Weights(begin),
        estimate=held_out, references=max(1, len(known)),
        start_is=str(start) if isinstance(start, str | Path) else "",
    )  # fmt: skip
    return Result(tuning.weights, tuning.report, tuple(features), reading)


def _tuner(tuner: str | Tuner, seed: int, engine: EngineLike, options: Mapping[str, Any]) -> Tuner:
    if isinstance(tuner, str):
        made = make_tuner(tuner, seed=seed, engine=engine, **options)
        if not isinstance(made, Tuner):
            raise OptionError(f"{tuner} tunes on search graphs, not on lists")
        return made
    if not isinstance(tuner, Tuner):
        raise OptionError(f"the tuner is {tuner!r}, expected its name or a Tuner")
    if options:
        raise OptionError(f"a tuner that is made has its settings: {named(list(options))}")
    return tuner


def _place(nbest: NbestList, sentence: Any) -> int:
    """The number of a sentence that is given by it, or by its id."""
    if isinstance(sentence, str):
        return sentence_of(nbest, sentence)
    try:
        return index(sentence)
    except TypeError:
        raise OptionError(
            f"a sentence is {kind_of(sentence)}, expected its number or its id"
        ) from None


def _names(what: str, names: str | Sequence[str]) -> tuple[str, ...]:
    """One name or several."""
    found = (names,) if isinstance(names, str) else names
    if not hasattr(found, "__iter__") or not all(isinstance(name, str) for name in found):
        raise OptionError(f"{what} is {names!r}, expected names")
    return tuple(found)


def _read(
    lists: Lists, sources: Any, features: Sequence[ListFeature], reading: Mapping[str, Any]
) -> NbestList:
    each = [as_nbest(one, **reading) for one in several_lists(lists)]
    nbest = each[0] if len(each) == 1 else concatenated(each)
    lines = None
    if sources is not None:
        lines = _sentences(sources, "sources")
        nbest = nbest.with_sources(lines)
    return add_features(nbest, features, lines, engine=reading["engine"])


def _references(references: Any, nbest: NbestList) -> Sequence[Sequence[str]]:
    """One sequence of sentences for each reference translation."""
    if references is None:
        return nbest.own_references
    if isinstance(references, str | Path):
        return read_references(references)
    unordered = isinstance(references, Mapping | Set) or is_table(references)
    if unordered or not hasattr(references, "__iter__"):
        raise OptionError(f"references are {kind_of(references)}, expected sentences or files")
    given = list(references)
    if given and all(isinstance(one, Path) for one in given):
        return read_references(given)
    if all(isinstance(one, str) for one in given):
        if len(given) != nbest.sentences and all(Path(one).is_file() for one in given):
            return read_references(given)
        given = [given]
    found = [_sentences(one, "references") for one in given]
    for one in found:
        if len(one) != nbest.sentences:
            raise InputError(
                "references", 0, f"{len(one):,} sentences",
                f"{nbest.sentences:,}, as the list has",
            )  # fmt: skip
    return found


def _sentences(lines: Any, what: str) -> list[str]:
    """Sentences from a file or a sequence."""
    if isinstance(lines, str | Path):
        return read_references(lines)[0]
    several = hasattr(lines, "__iter__") and not isinstance(lines, bytes)
    found = list(lines) if several else [lines]
    for place, line in enumerate(found):
        if not isinstance(line, str):
            raise InputError(what, place + 1, f"{line!r}", "a sentence")
    return found
