"""Sentence pairs: tokens, links, and their raw form."""

import re
from typing import NamedTuple

# No space before these in raw text; Moses' tokeniser writes don't as "don 't", Anna's as "Anna 's".
_GLUED = re.compile(r" ([.,!?;:]|'(?:t|s|m|re|ve|ll|d|clock)\b)")
_QUOTED = re.compile(r'" (.*?) "')


def detokenise(text: str) -> str:
    """Raw text of a tokenised sentence of the phrasebook.

    >>> detokenise("I don 't know , Anna .")
    "I don't know, Anna."
    """
    return _GLUED.sub(r"\1", _QUOTED.sub(r'"\1"', text))


class Pair(NamedTuple):
    """A German sentence and its translation.

    `source` and `target` are tokenised (one space between tokens, cased); `links` are pairs of
    token positions, counted from 0, sorted.
    """

    source: str
    target: str
    links: tuple[tuple[int, int], ...]

    @property
    def raw_source(self) -> str:
        """The German sentence as people write it."""
        return detokenise(self.source)

    @property
    def raw_target(self) -> str:
        """The English sentence as people write it."""
        return detokenise(self.target)

    @property
    def pharaoh(self) -> str:
        """The links as text: ``0-0 1-2``."""
        return " ".join([f"{source}-{target}" for source, target in self.links])
