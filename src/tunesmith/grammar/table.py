"""`PhraseTable`: source phrases to rules, memory-mapped."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tunesmith import _core
from tunesmith.base.array_file import contents_of, json_object

# What a table says of its counts when they are not those of extraction.
FORCED_COUNTS = "forced decoding"
# What the scores are called that a rule has for each of several corpora, with a number behind it.
ORIGIN = "corpus"
SCORE_NAMES = ("p_f_given_e", "lex_f_given_e", "p_e_given_f", "lex_e_given_f")


@dataclass(frozen=True)
class Rule:
    """A phrase pair with all that a table knows of it. Scores are natural logarithms."""

    source: str
    target: str
    scores: tuple[float, ...]
    links: tuple[tuple[int, int], ...]
    counts: tuple[float, ...]
    """How often the target phrase, the source phrase and the pair were extracted."""
    reordering: tuple[float, ...]


class PhraseTable:
    """A phrase table on disk. `rules("das Haus")` gives the rules of a source phrase."""

    def __init__(self, path: str | Path) -> None:
        """Map the table at `path`; what is used of it is checked as it is first used."""
        self.path = Path(path)
        self.native = _core.PhraseTable(str(path))
        with contents_of(path, "names of all scores, and options"):
            self._meta = json_object(self.native.meta)
            if not isinstance(self._meta.get("options", {}), dict):
                raise ValueError("options that are none")
            _check_names(self._meta["scores"], self.native.scores_per_rule)
            _check_names(self._meta.get("reordering", []), self.native.reordering_per_rule)

    def __len__(self) -> int:
        """The number of rules."""
        return int(self.native.rules)

    @property
    def sources(self) -> int:
        """The number of source phrases."""
        return int(self.native.sources)

    @property
    def meta(self) -> dict[str, Any]:
        """How the table was made: names of its scores, options, shape of its reordering model."""
        return dict(self._meta)

    @property
    def is_recounted(self) -> bool:
        """Whether it has the rules of another table that forced decoding used, and their counts."""
        return bool(self.meta.get("options", {}).get("counts") == FORCED_COUNTS)

    def rules(self, source: str | Sequence[str]) -> list[Rule]:
        """The rules of a source phrase, in the order of the table."""
        words = source.split() if isinstance(source, str) else list(source)
        begin, end = self.native.find(words)
        return [self.rule(i, " ".join(words)) for i in range(begin, end)]

    def rule(self, index: int, source: str) -> Rule:
        """The rule of a number, as derivations name it; the table keeps sources apart."""
        table = self.native
        return Rule(
            source,
            table.target(index),
            tuple(table.scores(index)),
            tuple(table.links(index)),
            tuple(table.counts(index)),
            tuple(table.reordering(index)),
        )

    def __iter__(self) -> Iterator[Rule]:
        """All rules, source phrase by source phrase."""
        for i in range(self.sources):
            source = self.native.source(i)
            for rule in range(*self.native.rules_of(i)):
                yield self.rule(rule, source)


def _check_names(names: Any, count: int) -> None:
    if not isinstance(names, list) or len({n for n in names if isinstance(n, str)}) != count:
        raise ValueError(f"names {names!r} of {count} scores")
