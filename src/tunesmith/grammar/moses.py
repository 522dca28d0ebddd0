"""Moses' text tables: read into ours, written from ours."""

import json
import math
from collections.abc import Iterable, Sequence
from pathlib import Path

from tunesmith import _core
from tunesmith.base.atomic import atomic_text
from tunesmith.base.errors import OptionError
from tunesmith.base.progress import progress
from tunesmith.formats.text import whole_lines
from tunesmith.grammar.table import SCORE_NAMES, PhraseTable, Rule


def import_moses_table(
    phrases: str | Path,
    out: str | Path,
    *,
    reordering: str | Path | None = None,
    scores: int = 4,
    reordering_names: list[str] | None = None,
) -> PhraseTable:
    """Make a table of Moses' phrase table and, where given, its reordering table.

    Probabilities become natural logarithms, floored at -100 as in Moses. A reordering line whose
    phrase pair is not in the phrase table is left out.
    """
    names = reordering_names or []
    importer = _core.MosesTableImporter(scores, len(names))
    with progress("reading tables") as bar:
        for lines, first in whole_lines(phrases):
            importer.add_phrases(lines, str(phrases), first)
            bar.advance(lines.count(b"\n"))
        if reordering is not None:
            for lines, first in whole_lines(reordering):
                importer.add_reordering(lines, str(reordering), first)
                bar.advance(lines.count(b"\n"))
    score_names = (
        list(SCORE_NAMES) if scores == len(SCORE_NAMES) else [f"score{i}" for i in range(scores)]
    )
    importer.write(str(out), json.dumps({"scores": score_names, "reordering": names}))
    return PhraseTable(out)


def export_moses_table(rules: Iterable[Rule], path: str | Path) -> None:
    """Write a table, or rules of one, as Moses' text, sorted as Moses wants it."""
    with atomic_text(path) as stream:
        for rule in sorted(rules, key=_place):
            links = " ".join(f"{s}-{t}" for s, t in rule.links)
            counts = " ".join(f"{count:g}" for count in rule.counts)
            stream.write(
                f"{rule.source} ||| {rule.target} ||| {_probabilities(rule.scores)} ||| {links} "
                f"||| {counts} ||| |||\n"
            )


def export_moses_reordering(tables: Sequence[PhraseTable], path: str | Path) -> None:
    """Write the reordering scores of one or more tables as one text table for Moses.

    Moses has one line for a phrase pair: where several tables have it, that of the first.
    """
    rules: dict[tuple[str, str], Rule] = {}
    for table in tables:
        for rule in table:
            if rule.reordering:
                rules.setdefault(_place(rule), rule)
    if not rules:
        raise OptionError(f"{tables[0].path} has no reordering scores to write")
    with atomic_text(path) as stream:
        for _, rule in sorted(rules.items()):
            stream.write(f"{rule.source} ||| {rule.target} ||| {_probabilities(rule.reordering)}\n")


def _place(rule: Rule) -> tuple[str, str]:
    """Moses sorts whole lines."""
    return f"{rule.source} |||", rule.target


def _probabilities(logs: tuple[float, ...]) -> str:
    return " ".join(f"{math.exp(value):.7g}" for value in logs)
