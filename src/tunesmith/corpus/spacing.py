"""`Spacing`: the white space before each word of running text, learned from running text.

    spacing = Spacing("fr").fit(lines, spans)     # spans: (begin, end) of each token of a line
    spacing.spaces(["Oui", "!"])                  # ["", a narrow NBSP]; the first is always ""
    spacing.spaces(words, fixed=["", None, " "])  # None: decide; anything else is kept as it is
    spacing.join(["Oui !"])                       # whole lines of words, natively
    spacing.is_tokenised                          # the training text had spaces before its stops
    spacing.apostrophe                            # "'" or "’": what words of the text contain
    Spacing.from_dict(spacing.to_dict())          # JSON

Counts are kept of marks and of kinds of words, never of words (`core/corpus/spacing.hh` has the
model). Without evidence, and after text that was already tokenised, rules for the language decide,
much as Moses' detokeniser joins words.
"""

import functools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from tunesmith import _core
from tunesmith.base.errors import ConfigError, TunesmithError
from tunesmith.corpus.unspaced import count
from tunesmith.engine import ALL_CORES, EngineLike, as_engine

#: White space that the tokenisers take out: Python's, and that of no width.
SPACES = "".join(c for c in map(chr, range(0x3001)) if c.isspace()) + "\u200b\u2060\ufeff"
# A text is tokenised when at least so many of its commas and full stops have a space before them.
TOKENISED_SHARE = 0.8
_APOSTROPHES = "'’ʼ"
# Languages that seldom put a space between their letters and words of other scripts.
_CLOSE = ("ja", "yue", "zh")


class Spacing:
    """White space between words, by counts of a training text and rules for its language.

    `spaced` says for text without evidence whether there is a space between a letter of a script
    without spaces and a word of another.

    >>> text = ["« Oui », dit-il !"] * 3
    >>> french = Spacing("fr").fit(text, [[(0, 1), (2, 5), (6, 7), (7, 8), (9, 15), (16, 17)]] * 3)
    >>> french.join(["Non !", "« Ah »"])
    ['Non !', '« Ah »']
    >>> Spacing("en").join(["Non !", "( Ah )"])
    ['Non!', '(Ah)']
    """

    def __init__(self, language: str = "en", *, spaced: bool | None = None) -> None:
        self.language = language
        self.spaced = language not in _CLOSE if spaced is None else spaced
        self._native = self._make()
        self._ready: _core.Spacing | None = None

    def fit(self, lines: Sequence[str], spans: Sequence[Sequence[tuple[int, int]]]) -> "Spacing":
        """Learn from raw lines; `spans` has where each token of a line begins and ends."""
        self._native = self._make()
        self.add(lines, spans)
        return self

    def add(self, lines: Sequence[str], spans: Sequence[Sequence[tuple[int, int]]]) -> None:
        """Learn from more lines."""
        offsets = np.cumsum([0, *map(len, spans)], dtype=np.uint64)
        places = np.array([place for line in spans for place in line], np.uint32).reshape(-1, 2)
        begins, ends = np.ascontiguousarray(places.T)
        self._native.add(list(lines), offsets, begins, ends)
        self._ready = None

    @property
    def is_tokenised(self) -> bool:
        """Whether spaces were put before the marks of the training text."""
        stops = self._native.all_stops
        return stops > 0 and self._native.spaced_stops >= TOKENISED_SHARE * stops

    @property
    def apostrophe(self) -> str:
        """The apostrophe inside most words that have one."""
        counts = self._native.apostrophes
        return _APOSTROPHES[counts.index(max(counts))]

    @functools.cached_property
    def pair_counts(self) -> tuple[Counter[str], Counter[str]]:
        """How often the training text has each mark as an opening one, and as a closing one."""
        openings, closings = Counter[str](), Counter[str]()
        for left, right, values in self._native.rows():
            for sign in (left, right):
                # Quotes have their role behind them.
                mark = sign if len(sign) == 1 else sign[:-1]
                if sign[-1] != "c":
                    openings[mark] += sum(values[3:])
                if sign[-1] != "o":
                    closings[mark] += sum(values[3:])
        return openings, closings

    def spaces(self, words: Sequence[str], fixed: Sequence[str | None] | None = None) -> list[str]:
        """The white space before each word; what is `fixed` stays and decides about neighbours."""
        return self._prepared().spaces(list(words), None if fixed is None else list(fixed))

    def join(self, lines: list[str], *, engine: EngineLike = ALL_CORES) -> list[str]:
        """Running text of lines of words that single spaces separate."""
        return self._prepared().join(lines, as_engine(engine).threads)

    def _make(self) -> _core.Spacing:
        return _core.Spacing(self.language == "en", self.language == "fr", self.spaced)

    def _prepared(self) -> _core.Spacing:
        if self._ready is None:
            self._ready = self._make() if self.is_tokenised else self._native
            self._ready.prepare()
        return self._ready

    def to_dict(self) -> dict[str, Any]:
        """The language and all that was counted."""
        native = self._native
        stops = [native.spaced_stops, native.all_stops]
        return {
            "language": self.language,
            "spaced": self.spaced,
            "stops": stops,
            "apostrophes": list(native.apostrophes),
            "counts": [] if self.is_tokenised else native.rows(),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Spacing":
        """Make the spacing again that `to_dict` describes."""
        try:
            spacing = cls(values["language"], spaced=values["spaced"])
            native = spacing._native
            native.spaced_stops, native.all_stops = values["stops"]
            native.apostrophes = values["apostrophes"]
            for row in values["counts"]:
                native.add_row(row)
        except (KeyError, TypeError, ValueError, TunesmithError) as error:
            raise ConfigError(f"spacing: {error}, expected what a model saves") from error
        return spacing

    def __getstate__(self) -> dict[str, Any]:
        return self.to_dict()

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ = type(self).from_dict(state).__dict__


@functools.cache
def default_spacing(language: str) -> Spacing:
    """The rules for a language, without anything learned."""
    return Spacing(language)


def is_tokenised(lines: Iterable[str]) -> bool:
    """Whether spaces were put before the marks of a text.

    >>> is_tokenised(["a man , who sings ."]), is_tokenised(["A man, who sings."])
    (True, False)
    """
    text = list(lines)
    spaced, attached = (count(rf"\w{gap}(?:[,.،](?!\S)|[。，])", text) for gap in (r"\s+", ""))
    return spaced > 0 and spaced >= TOKENISED_SHARE * (spaced + attached)
