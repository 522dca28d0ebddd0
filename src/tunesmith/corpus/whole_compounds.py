"""Compounds whole beside their parts, for translators that read lattices (Dyer 2009).

A splitter cuts a word always or never, and some of its cuts are wrong. Here the choice is left to
the translator: in training text every pair with a compound stands a second time with its compounds
whole, and an input has an arc for the whole word beside those of its parts.
"""

import math
from collections.abc import Sequence

import numpy as np

from tunesmith.base.ragged import starts
from tunesmith.base.vocabulary import Vocabulary
from tunesmith.corpus.bitext import Bitext
from tunesmith.corpus.compounds import CompoundSplitter
from tunesmith.corpus.lines import Line
from tunesmith.corpus.sentences import Sentences
from tunesmith.engine import ALL_CORES, EngineLike
from tunesmith.formats.pharaoh import Links
from tunesmith.formats.plf import Arc, Lattice

# What an arc of a whole compound is worth, as a probability: the feature counts them, −1 each.
WHOLE = math.exp(-1)


def compound_lattice(line: Line) -> Lattice | None:
    """The tokens of a line whole and in parts; None where none has parts.

    >>> splitter = CompoundSplitter().fit(["der Hund vor der Hütte", "ein Hund , eine Hütte"])
    >>> line = Line("Hundhütte", [], ["Hundhütte"], [-1])
    >>> line.parts = splitter.split(line.texts)
    >>> [[arc.word for arc in path] for path in compound_lattice(line).paths()]
    [['Hund', 'Hütte'], ['Hundhütte']]
    """
    if all(len(parts) == 1 for parts in line.parts):
        return None
    nodes: list[tuple[Arc, ...]] = []
    for word, (first, *others) in zip(line.texts, line.parts, strict=True):
        whole = [Arc(word, (WHOLE,), 1 + len(others))] if others else []
        nodes.append((Arc(first), *whole))
        nodes += [(Arc(part),) for part in others]
    return Lattice(tuple(nodes))


def with_whole_compounds(
    bitext: Bitext,
    links: Links,
    whole: Sequence[str],
    splitter: CompoundSplitter,
    *,
    engine: EngineLike = ALL_CORES,
) -> tuple[Bitext, Links]:
    """A text whose compounds are split, then its pairs with compounds again, with whole ones.

    `whole` are its source lines before they were split. A whole word has the links of its parts.
    """
    lines = Sentences.from_lines(
        whole, vocabulary=Vocabulary(bitext.source.vocabulary), engine=engine
    )
    words = list(lines.vocabulary)
    sizes = np.array([len(part) for part in splitter.split(words, engine=engine)], np.int64)
    spread = sizes[lines.ids]
    # Where each part of the split text stands in the whole one.
    owner = np.repeat(np.arange(len(spread)), spread)
    split_starts, whole_starts = (
        text.offsets[:-1].astype(np.int64) for text in (bitext.source, lines)
    )
    lengths = (links.offsets[1:] - links.offsets[:-1]).astype(np.int64)
    pair = np.repeat(np.arange(len(bitext)), lengths)
    places = owner[split_starts[pair] + links.source] - whole_starts[pair]
    chosen = np.flatnonzero(bitext.source.lengths > lines.lengths)
    kept = np.isin(pair, chosen)
    merged = np.unique(np.stack([pair, places, links.target])[:, kept], axis=1)
    counts = np.bincount(merged[0], minlength=len(bitext))[chosen]
    copies = lines.select(chosen)
    source = Sentences(
        starts(np.concatenate([bitext.source.lengths, copies.lengths])).astype(np.uint64),
        np.concatenate([bitext.source.ids, copies.ids]),
        lines.vocabulary,
    )
    numbers = np.concatenate([np.arange(len(bitext)), chosen])
    origins = None if bitext.origins is None else bitext.origins[numbers]
    target = bitext.target.select(numbers)
    return Bitext(source, target, origins=origins, corpora=bitext.corpora), Links(
        starts(np.concatenate([lengths, counts])).astype(np.uint64),
        np.concatenate([links.source, merged[1]]).astype(np.uint32),
        np.concatenate([links.target, merged[2]]).astype(np.uint32),
    )
