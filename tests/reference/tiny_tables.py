"""Random phrase tables of a few words."""

import numpy as np

from tunesmith.corpus import Bitext
from tunesmith.formats.pharaoh import Links
from tunesmith.grammar import PhraseExtraction


def random_table(seed, path, *, sentences=40, length=7):
    """A table of random sentences of few words, so that counts grow."""
    chance = np.random.default_rng(seed)
    sides, links = ([], []), []
    for _ in range(sentences):
        sizes = chance.integers(1, length, 2)
        for side, size, letters in zip(sides, sizes, ("abcde", "vwxyz"), strict=True):
            side.append(" ".join(chance.choice(list(letters), size, p=[0.4, 0.3, 0.1, 0.1, 0.1])))
        cells = [(s, t) for s in range(sizes[0]) for t in range(sizes[1])]
        chosen = chance.random(len(cells)) < 1.2 / max(sizes)
        links.append([cell for cell, keep in zip(cells, chosen, strict=True) if keep])
    return PhraseExtraction(max_length=4, limit=0).run(
        Bitext.from_lines(*sides), Links.from_lists(links), path
    )
