"""Lattices with and without empty arcs have the same paths."""

import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunesmith.base.errors import OptionError
from tunesmith.formats.empty_arcs import without_empty_arcs
from tunesmith.formats.plf import EMPTY, Arc, Lattice

# Powers of two multiply exactly.
SCORES = st.sampled_from([1.0, 0.5, 0.25])


@st.composite
def lattices(draw):
    count = draw(st.integers(1, 5))
    arcs = st.tuples(st.sampled_from([EMPTY, "a", "b"]), SCORES, SCORES)
    columns = []
    for node in range(count):
        steps = [1, *draw(st.lists(st.integers(1, count - node), max_size=2))]
        drawn = [draw(arcs) for _ in steps]
        columns.append(
            tuple(Arc(word, own, step) for (word, *own), step in zip(drawn, steps, strict=True))
        )
    return Lattice(tuple(tuple(Arc(a.word, tuple(a.scores), a.step) for a in c) for c in columns))


def paths(lattice, join):
    """Words and scores of all paths, with how often each is there."""
    return Counter(
        (
            tuple(arc.word for arc in path if arc.word != EMPTY),
            tuple(map(join, zip(*(arc.scores for arc in path), strict=True))),
        )
        for path in lattice.paths()
    )


@given(lattices(), st.booleans())
def test_the_paths_stay_as_they_are(lattice, logarithms):
    join = sum if logarithms else math.prod
    expected = paths(lattice, join)
    if any(not words for words, _ in expected):
        with pytest.raises(OptionError, match="a path of no words, expected words on all of them"):
            without_empty_arcs(lattice, logarithms=logarithms)
        return
    found = without_empty_arcs(lattice, logarithms=logarithms)
    assert paths(found, join) == expected
    assert all(arc.word != EMPTY for _, arc in found.arcs())


def test_what_has_no_empty_arcs_is_the_same():
    lattice = Lattice.of_words("a b c")
    assert without_empty_arcs(lattice) is lattice


def test_too_many_ways_are_refused():
    ways = Lattice((*(((Arc(EMPTY),) * 2,) * 30), (Arc("a"),)))
    wide = Lattice((*(((Arc(EMPTY),),) * 30), (Arc("a"),) * 10_000))
    for lattice in (ways, wide):
        with pytest.raises(OptionError, match="more than 100,000 ways over empty arcs"):
            without_empty_arcs(lattice)
