"""Random lattices, and the obvious way to translate one: all its paths, one by one."""

import numpy as np
from hypothesis import strategies as st

from tunesmith.formats.plf import Arc, Lattice


def random_lattice(
    chance: np.random.Generator, words: str, nodes: int, *, scores: int = 1
) -> Lattice:
    """A lattice with an arc or two from every node; no node is passed by all."""
    columns = []
    for node in range(nodes):
        steps = [1, *chance.integers(1, min(3, nodes - node) + 1, chance.integers(0, 2)).tolist()]
        columns.append(
            tuple(
                Arc(
                    str(chance.choice(list(words))),
                    tuple(np.round(chance.uniform(0.1, 1, scores), 3).tolist()),
                    step,
                )
                for step in steps
            )
        )
    return Lattice(tuple(columns))


def word_strategy() -> st.SearchStrategy[str]:
    """Words of any characters but blanks, quotes and backslashes among them."""
    letters = st.characters(exclude_categories=["Cs"], exclude_characters=" \t\n\v\f\r")
    return st.one_of(
        st.sampled_from(["'", "\\", '"', "a'b", "(", ",", ")"]), st.text(letters, min_size=1)
    )


@st.composite
def lattices(draw: st.DrawFn) -> Lattice:
    """Any lattice, of no words too."""
    count, scores = draw(st.integers(0, 6)), draw(st.integers(1, 3))
    numbers = st.tuples(*[st.floats(allow_nan=False, allow_infinity=False)] * scores)
    columns = []
    for node in range(count):
        # One arc to the next node, so that all are reached.
        steps = [1, *draw(st.lists(st.integers(1, count - node), max_size=3))]
        columns.append(tuple(Arc(draw(word_strategy()), draw(numbers), step) for step in steps))
    return Lattice(tuple(columns))
