"""Lattices without empty arcs: ``*EPS*``, as recognisers of speech write it, is no word."""

import math
from collections.abc import Callable

from tunesmith.base.errors import OptionError
from tunesmith.formats.plf import EMPTY, Arc, Lattice

# More are an attack, not a lattice.
MOST_WAYS = 100_000

Scores = tuple[float, ...]
Reached = list[tuple[int, Scores | None]]
"""Nodes, and the scores of the empty arcs on the way there; None where there are none."""


def without_empty_arcs(lattice: Lattice, *, logarithms: bool = False) -> Lattice:
    """The same paths without empty arcs, whose scores go to the arcs behind them.

    Scores are multiplied as probabilities, or added as `logarithms`. A path of no words at all is
    refused.

    >>> both = Lattice.parse("((('a',1.0,1),),(('*EPS*',0.5,1),('b',0.5,1),),(('c',1.0,1),),)")
    >>> str(without_empty_arcs(both))
    "((('a',1.0,1),),(('b',0.5,1),('c',0.5,2),),(('c',1.0,1),),)"
    """
    if not any(arc.word == EMPTY for _, arc in lattice.arcs()):
        return lattice
    join = _added if logarithms else _multiplied
    end = len(lattice.nodes)
    reached = _reached(lattice, join)
    if any(node == end for node, _ in reached[0]):
        raise OptionError("a path of no words, expected words on all of them")
    leaving: list[list[tuple[int, Arc]]] = [[] for _ in range(end)]
    made = 0
    for begin in range(end):
        for node, before in reached[begin]:
            made += len(lattice.nodes[node]) if node < end else 0
            _check_ways(made)
            for arc in lattice.nodes[node] if node < end else ():
                if arc.word == EMPTY:
                    continue
                scores = join(before, arc.scores)
                goals = [(node + arc.step, scores)]
                # Nothing stands behind empty arcs that lead to the end.
                goals += [
                    (end, join(behind, scores))
                    for goal, behind in reached[node + arc.step]
                    if goal == end and behind is not None
                ]
                leaving[begin] += [(goal, Arc(arc.word, own)) for goal, own in goals]
    return _numbered(leaving, end)


def _reached(lattice: Lattice, join: Callable[[Scores | None, Scores], Scores]) -> list[Reached]:
    """What each node reaches by empty arcs alone, itself first."""
    end = len(lattice.nodes)
    reached: list[Reached] = [[(node, None)] for node in range(end + 1)]
    total = 0
    for node in range(end - 1, -1, -1):
        for arc in lattice.nodes[node]:
            if arc.word == EMPTY:
                reached[node] += [
                    (goal, arc.scores if behind is None else join(behind, arc.scores))
                    for goal, behind in reached[node + arc.step]
                ]
        total += len(reached[node])
        _check_ways(total)
    return reached


def _check_ways(count: int) -> None:
    if count > MOST_WAYS:
        raise OptionError(f"more than {MOST_WAYS:,} ways over empty arcs, expected fewer")


def _numbered(leaving: list[list[tuple[int, Arc]]], end: int) -> Lattice:
    """A lattice of the nodes that are on a way from the first to the last."""
    useful = [False] * end + [True]
    for node in range(end - 1, -1, -1):
        leaving[node] = [(goal, arc) for goal, arc in leaving[node] if useful[goal]]
        useful[node] = bool(leaving[node])
    found = {0}
    for node in range(end):
        if node in found:
            found.update(goal for goal, _ in leaving[node])
    number = {node: place for place, node in enumerate(sorted(found))}
    return Lattice(
        tuple(
            tuple(Arc(arc.word, arc.scores, number[goal] - number[node]) for goal, arc in some)
            for node, some in enumerate(leaving)
            if node in found
        )
    )


def _multiplied(one: Scores | None, other: Scores) -> Scores:
    return other if one is None else tuple(map(math.prod, zip(one, other, strict=True)))


def _added(one: Scores | None, other: Scores) -> Scores:
    return other if one is None else tuple(map(sum, zip(one, other, strict=True)))
