"""`Terms`: translations that are wanted for words of the source, and words that are not wanted."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from tunesmith.base.errors import OptionError, in_part
from tunesmith.formats.terms import read_term_list

Pair = tuple[str, str]


class Terms:
    """Terms as people write them, for any model.

    >>> terms = Terms([("Haus", "house")], forbid=["cottage"])
    >>> terms | Terms({"Hütte": "hut"})
    Terms([('Haus', 'house'), ('Hütte', 'hut')], forbid=['cottage'])

    Parameters
    ----------
    pairs
        Running text of the source, and what it becomes; or a mapping from one to the other. Of
        several translations of the same words the first counts.
    forbid
        Words, or phrases, that no translation has. In small letters they are meant in any casing,
        otherwise as they are written.
    """

    def __init__(
        self, pairs: Iterable[Pair] | Mapping[str, str] = (), *, forbid: Iterable[str] = ()
    ) -> None:
        listed = list(pairs.items() if isinstance(pairs, Mapping) else _several(pairs, "terms"))
        self.pairs = tuple(_pair(pair, number) for number, pair in enumerate(listed, 1))
        self.forbid = tuple(
            _text(word, f"forbidden word {number}")
            for number, word in enumerate(_several(forbid, "forbidden words"), 1)
        )

    @classmethod
    def read(
        cls, path: str | Path, *, source: str | None = None, target: str | None = None
    ) -> "Terms":
        """The terms of a file, TSV or TBX; of TBX in these two languages."""
        found = read_term_list(path, source, target)
        return cls(found.pairs, forbid=found.forbidden)

    def __or__(self, other: "Terms") -> "Terms":
        return Terms((*self.pairs, *other.pairs), forbid=(*self.forbid, *other.forbid))

    def __bool__(self) -> bool:
        return bool(self.pairs or self.forbid)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Terms) and self._content() == other._content()

    def __hash__(self) -> int:
        return hash(self._content())

    def __repr__(self) -> str:
        return f"Terms({list(self.pairs)}, forbid={list(self.forbid)})"

    def _content(self) -> tuple[tuple[Pair, ...], tuple[str, ...]]:
        return self.pairs, self.forbid


def _several(values: Iterable[object], name: str) -> Sequence[object]:
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise OptionError(f"{name} are {in_part(repr(values))}, expected a list")
    return list(values)


def _pair(pair: object, number: int) -> Pair:
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        raise OptionError(
            f"term {number} is {in_part(repr(pair))}, expected a source and its translation"
        )
    return _text(pair[0], f"the source of term {number}"), _text(
        pair[1], f"the translation of term {number}"
    )


def _text(text: object, name: str) -> str:
    if not isinstance(text, str):
        raise OptionError(f"{name} is {in_part(repr(text))}, expected a string")
    if "\n" in text or "\r" in text or "\0" in text:
        raise OptionError(f"{name} has a line end or a NUL in it, expected one line")
    if not text.strip():
        raise OptionError(f"{name} is empty, expected a word at least")
    return " ".join(text.split())
