"""Lattices in PLF, the Python lattice format of Moses and cdec: one a line.

    ((('ein',1.0,1),),(('haus',0.5,1),('hausboot',0.5,2),),(('boot',1.0,1),),)

A tuple of nodes; a node is a tuple of arcs; an arc is a word, one or more scores, and how many
nodes further it leads. A backslash makes the character behind it an ordinary one. Moses takes
scores for probabilities, cdec takes them as they are; which of the two is said where they are used
(`SearchOptions.arc_scores`).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tunesmith import _core
from tunesmith.base.errors import InputError, OptionError
from tunesmith.base.numbers import parse_finite, parse_whole

# More are no sentence. The first two are limits of chart search.
MAX_NODES, MAX_ARCS, MAX_SCORES = 2000, 20_000, 100

# The word of an arc that has none, as in Moses and cdec (`empty_arcs.py`).
EMPTY = "*EPS*"

# What would be several words, or none, everywhere else.
_BLANK = re.compile(r"[ \t\n\v\f\r]")


@dataclass(frozen=True)
class Arc:
    """A word, its scores, and how many nodes further it leads."""

    word: str
    scores: tuple[float, ...] = (1.0,)
    step: int = 1

    def __str__(self) -> str:
        word = re.sub(r"(['\\])", r"\\\1", self.word)
        return f"('{word}',{''.join(f'{score!r},' for score in self.scores)}{self.step})"


@dataclass(frozen=True, repr=False)
class Lattice:
    """Several ways to read a sentence; each goes from the first node to behind the last.

    >>> lattice = Lattice.parse("((('ein',1.0,1),),(('haus',0.5,1),('hausboot',0.5,2),),"
    ...                         "(('boot',1.0,1),),)")
    >>> [" ".join(arc.word for arc in path) for path in lattice.paths()]
    ['ein haus boot', 'ein hausboot']
    >>> Lattice.of_words("das Haus")
    Lattice.parse("((('das',1.0,1),),(('Haus',1.0,1),),)")
    """

    nodes: tuple[tuple[Arc, ...], ...] = ()

    def __post_init__(self) -> None:
        """Refuse what has no way from its begin to its end, or words that are none."""
        if len(self.nodes) > MAX_NODES:
            raise OptionError(f"{len(self.nodes):,} nodes, expected at most {MAX_NODES:,}")
        if (arcs := sum(map(len, self.nodes))) > MAX_ARCS:
            raise OptionError(f"{arcs:,} arcs, expected at most {MAX_ARCS:,}")
        reached = {0}
        for number, node in enumerate(self.nodes):
            if not node:
                raise OptionError(f"node {number} without arcs, expected a way to the end")
            if number not in reached:
                raise OptionError(f"node {number}, to which no arc leads, expected a way from 0")
            for arc in node:
                self._check(arc, number)
                reached.add(number + arc.step)

    def _check(self, arc: Arc, node: int) -> None:
        if not arc.word or _BLANK.search(arc.word):
            raise OptionError(f"word '{arc.word}' of node {node}, expected one without blanks")
        if not 1 <= arc.step <= len(self.nodes) - node:
            raise OptionError(
                f"'{arc.word}' leads {arc.step} nodes on from node {node}, expected 1 to "
                f"{len(self.nodes) - node}"
            )
        if len(arc.scores) != self.scores or len(arc.scores) > MAX_SCORES:
            raise OptionError(
                f"{len(arc.scores)} scores of '{arc.word}', expected {min(self.scores, MAX_SCORES)}"
            )

    @classmethod
    def of_words(cls, text: str | Sequence[str], scores: Sequence[float] = (1.0,)) -> "Lattice":
        """A sentence as a lattice with one way."""
        words = text.split() if isinstance(text, str) else text
        return cls(tuple((Arc(word, tuple(scores)),) for word in words))

    @classmethod
    def parse(cls, text: str, path: object = "<lattice>", line: int = 1) -> "Lattice":
        """Read a line of PLF; one of no characters has no words. `path` and `line` are for errors.

        >>> Lattice.parse("((('a',1.0,1),)")
        Traceback (most recent call last):
        tunesmith.base.errors.InputError: <lattice>:1: the end of the line, expected ',' or ')'
        """
        try:
            nodes = _core.parse_plf(text)
            return cls(tuple(tuple(_arc(*arc) for arc in node) for node in nodes))
        except OptionError as error:
            found, _, expected = str(error).rpartition(", expected ")
            raise InputError(path, line, found, expected) from None

    def __str__(self) -> str:
        """The lattice in PLF, as `parse` takes it."""
        nodes = ("".join(f"{arc}," for arc in node) for node in self.nodes)
        return f"({''.join(f'({arcs}),' for arcs in nodes)})"

    def __repr__(self) -> str:
        return f"Lattice.parse({str(self)!r})"

    @property
    def scores(self) -> int:
        """How many scores each arc has."""
        return len(self.nodes[0][0].scores) if self.nodes else 0

    def arcs(self) -> Iterator[tuple[int, Arc]]:
        """All arcs, each with the node that it leaves."""
        return ((number, arc) for number, node in enumerate(self.nodes) for arc in node)

    def paths(self, begin: int = 0) -> Iterator[tuple[Arc, ...]]:
        """All ways from a node to the end; there may be very many."""
        if begin == len(self.nodes):
            yield ()
            return
        for arc in self.nodes[begin]:
            for rest in self.paths(begin + arc.step):
                yield (arc, *rest)


def _arc(word: str, numbers: Sequence[str]) -> Arc:
    if len(numbers) < 2:
        raise OptionError(f"{len(numbers)} numbers behind '{word}', expected scores and a step")
    *scores, step = numbers
    try:
        return Arc(word, tuple(map(parse_finite, scores)), parse_whole(step))
    except ValueError as error:
        raise OptionError(f"{error}, expected finite scores and a whole step") from None
