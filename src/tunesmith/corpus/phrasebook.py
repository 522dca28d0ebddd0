"""The phrasebook: 30,000 German–English sentence pairs with gold word links.

A grammar wrote them once; they serve the demo and the tests. No German and no English sentence
occurs twice, whatever its capitals, so the parts of a sample share no sentence.
"""

import re
from functools import cache
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from tunesmith.base.atomic import atomic_text
from tunesmith.base.errors import OptionError
from tunesmith.base.seeds import DEFAULT_SEED, generator
from tunesmith.formats.text import read_lines

SIZE = 30_000

# Moses' tokeniser writes don't as "don 't" and Anna's as "Anna 's".
_GLUED = re.compile(r" ([.,?!'])")


class Pair(NamedTuple):
    """A German sentence and its translation, in tokens; `pharaoh` has their links as text."""

    source: str
    target: str
    pharaoh: str

    @property
    def links(self) -> list[tuple[int, int]]:
        """Source and target positions of linked tokens, counted from 0, sorted."""
        links = (link.split("-") for link in self.pharaoh.split())
        return [(int(source), int(target)) for source, target in links]

    @property
    def raw_source(self) -> str:
        """The German sentence as running text."""
        return _GLUED.sub(r"\1", self.source)

    @property
    def raw_target(self) -> str:
        """The English sentence as running text."""
        return _GLUED.sub(r"\1", self.target)


def sample(n: int, seed: int = DEFAULT_SEED) -> list[Pair]:
    """Return `n` pairs in random order.

    >>> [pair.raw_target for pair in sample(1, seed=7)]
    ['Monika wrote the notebook of the student in Italy.']
    >>> sample(10) == sample(20)[:10]
    True
    """
    if not 0 <= n <= SIZE:
        raise OptionError(f"cannot sample {n:,} pairs of the phrasebook, expected 0 to {SIZE:,}")
    lines = _lines()
    order = generator(seed, "phrasebook").permutation(SIZE)[:n]
    return [Pair(*lines[number].split("\t")) for number in order.tolist()]


def write(folder: Path, *, seed: int = DEFAULT_SEED, **sizes: int) -> None:
    """Cut a sample into parts: NAME.de and NAME.en as running text, NAME.links of the tokens."""
    pairs = iter(sample(sum(sizes.values()), seed))
    for name, size in sizes.items():
        with (
            atomic_text(folder / f"{name}.de") as german,
            atomic_text(folder / f"{name}.en") as english,
            atomic_text(folder / f"{name}.links") as links,
        ):
            for pair in islice(pairs, size):
                german.write(f"{pair.raw_source}\n")
                english.write(f"{pair.raw_target}\n")
                links.write(f"{pair.pharaoh}\n")


@cache
def _lines() -> list[str]:
    return read_lines(Path(__file__).with_name("phrasebook.tsv.xz"))
