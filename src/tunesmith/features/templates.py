"""The templates of paper A's Big set (Cherry & Foster 2012, §4.2 and Table 3).

A template is a description; the native one that `native` makes of it runs over the rules.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar, Protocol, runtime_checkable

from tunesmith import _core
from tunesmith.base.errors import OptionError
from tunesmith.grammar import PhraseTable

COUNT_BOUNDS = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 1000.0, 10000.0, inf)
"""Upper bounds of the bins of joint counts."""


@runtime_checkable
class RuleTemplate(Protocol):
    """What `build_features` takes beside user templates."""

    name: ClassVar[str]

    def native(self, tables: Sequence[PhraseTable]) -> _core.RuleTemplate:
        """The native template for these tables."""

    def describe(self) -> dict[str, Any]:
        """How it was made, as plain values; goes into the file."""


def _frequent(tables: Sequence[PhraseTable], kind: _core.WordKind, size: int) -> list[str]:
    return _core.frequent_words([table.native for table in tables], kind, size)


def _check_size(name: str, size: int) -> None:
    if size < 0:
        raise OptionError(f"{name}: size is {size}, expected at least 0")


def _given(name: str, words: tuple[str, ...] | None) -> list[str]:
    if words is None:
        raise OptionError(f"{name} without its words: rules of no table tell which are frequent")
    return list(words)


@dataclass(frozen=True)
class TargetUnaligned:
    """``tgt_unal:the``: a frequent word that stands in the target phrase without a link."""

    name: ClassVar[str] = "tgt_unal"

    size: int = 50
    """So many words, those that are most often without a link in the tables."""
    words: tuple[str, ...] | None = None
    """These words instead."""

    def native(self, tables: Sequence[PhraseTable]) -> _core.RuleTemplate:
        """The native template."""
        _check_size(self.name, self.size)
        words = self.words
        if words is None:
            words = tuple(_frequent(tables, _core.WordKind.UNALIGNED_TARGET, self.size))
        return _core.target_unaligned(list(words))

    def scfg(self) -> _core.ScfgTemplate:
        """The native template of hierarchical rules."""
        return _core.scfg_target_unaligned(_given(self.name, self.words))

    def describe(self) -> dict[str, Any]:
        """Name and sizes."""
        size = self.size if self.words is None else len(self.words)
        return {"template": self.name, "size": size}


@dataclass(frozen=True)
class CountBin:
    """``count_bin:4``: how often the pair was extracted, by upper bounds."""

    name: ClassVar[str] = "count_bin"

    exact: bool = False
    """Every count is a feature of its own (the set of paper A's Figure 1)."""
    bounds: tuple[float, ...] = COUNT_BOUNDS

    def native(self, tables: Sequence[PhraseTable]) -> _core.RuleTemplate:
        """The native template."""
        if not self.exact and not self.bounds:
            raise OptionError("count_bin has no bounds, expected at least one")
        return _core.count_bin([] if self.exact else list(self.bounds))

    def scfg(self) -> _core.ScfgTemplate:
        """The native template of hierarchical rules."""
        return _core.scfg_count_bin([] if self.exact else list(self.bounds))

    def describe(self) -> dict[str, Any]:
        """Name and bounds."""
        if self.exact:
            return {"template": self.name, "exact": True}
        return {"template": self.name, "bounds": [str(bound) for bound in self.bounds]}


@dataclass(frozen=True)
class WordPair:
    """``word_pair:der_the``: how the frequent words of both languages are aligned.

    A word is linked 1-1 to a frequent word, 1-1 to another (``word_pair:der_<other>``,
    ``word_pair:<other>_the``), or otherwise (``word_pair:der_<none>``, ``word_pair:<none>_the``).
    """

    name: ClassVar[str] = "word_pair"

    size: int = 80
    """So many words of each language, the most frequent in the rules."""
    source_words: tuple[str, ...] | None = None
    target_words: tuple[str, ...] | None = None
    """These words instead: the most frequent of the training text, say."""

    def native(self, tables: Sequence[PhraseTable]) -> _core.RuleTemplate:
        """The native template."""
        _check_size(self.name, self.size)
        source, target = self.source_words, self.target_words
        if source is None:
            source = tuple(_frequent(tables, _core.WordKind.SOURCE, self.size))
        if target is None:
            target = tuple(_frequent(tables, _core.WordKind.TARGET, self.size))
        return _core.word_pair(list(source), list(target))

    def scfg(self) -> _core.ScfgTemplate:
        """The native template of hierarchical rules."""
        return _core.scfg_word_pair(
            _given(self.name, self.source_words), _given(self.name, self.target_words)
        )

    def describe(self) -> dict[str, Any]:
        """Name and sizes."""
        sizes = [self.size if w is None else len(w) for w in (self.source_words, self.target_words)]
        return {"template": self.name, "sizes": sizes}


@dataclass(frozen=True)
class LengthBin:
    """``length_bin:src_3``, ``length_bin:tgt_2``, ``length_bin:3_2``: lengths of the phrases."""

    name: ClassVar[str] = "length_bin"

    def native(self, tables: Sequence[PhraseTable]) -> _core.RuleTemplate:
        """The native template."""
        return _core.length_bin()

    def scfg(self) -> _core.ScfgTemplate:
        """The native template of hierarchical rules; a gap counts as a word."""
        return _core.scfg_length_bin()

    def describe(self) -> dict[str, Any]:
        """Its name."""
        return {"template": self.name}


TEMPLATES: Mapping[str, type[TargetUnaligned | CountBin | WordPair | LengthBin]] = {
    kind.name: kind for kind in (TargetUnaligned, CountBin, WordPair, LengthBin)
}


def template(name: str, **options: Any) -> RuleTemplate:
    """A built-in template by its name.

    >>> template("count_bin", exact=True)
    CountBin(exact=True, bounds=(1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 1000.0, 10000.0, inf))
    """
    if name not in TEMPLATES:
        raise OptionError(f"template '{name}', expected one of: {', '.join(TEMPLATES)}")
    return TEMPLATES[name](**options)
