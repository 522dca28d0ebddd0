"""The rules of joined tables: a phrase pair is one rule, with the scores of all tables."""

from collections.abc import Iterator

from tunesmith.grammar import Rule
from tunesmith.model.folder import TranslationModel


def joined_rules(model: TranslationModel) -> Iterator[Rule]:
    """All rules of a model with joined tables, each phrase pair once.

    Links and counts are those of the first table that has the pair; reordering scores of the first
    that has any for it.
    """
    for number, table in enumerate(model.tables):
        for i in range(table.sources):
            source = table.native.source(i)
            if not any(before.rules(source) for before in model.tables[:number]):
                yield from _of_phrase(model, source)


def _of_phrase(model: TranslationModel, source: str) -> Iterator[Rule]:
    pairs: dict[str, list[Rule | None]] = {}
    for number, table in enumerate(model.tables):
        for rule in table.rules(source):
            pairs.setdefault(rule.target, [None] * len(model.tables))[number] = rule
    for pair in pairs.values():
        yield _joined(model, pair)


def _joined(model: TranslationModel, pair: list[Rule | None]) -> Rule:
    there = [rule for rule in pair if rule is not None]
    floors, scores = model.join_floors, list[float]()
    for table, rule in zip(model.tables, pair, strict=True):
        size = table.native.scores_per_rule
        scores += floors[len(scores) : len(scores) + size] if rule is None else rule.scores
    return Rule(
        there[0].source,
        there[0].target,
        tuple(scores),
        there[0].links,
        there[0].counts,
        next((rule.reordering for rule in there if rule.reordering), ()),
    )
