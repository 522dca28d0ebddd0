"""Results merged two by two, in a tree whose shape depends on the number of shards alone."""

from collections.abc import Callable, Iterable
from typing import TypeAlias, TypeVar

Result = TypeVar("Result")
Node: TypeAlias = tuple[int, int]
"""Level and number; results of shards have level 0."""


class Tree:
    """Neighbours are merged, then what came of them; one that is left over goes up as it is."""

    def __init__(self, shards: int) -> None:
        if shards < 1:
            raise ValueError("no shards, whose results could be merged")
        self._sizes = [shards]
        while self._sizes[-1] > 1:
            self._sizes.append((self._sizes[-1] + 1) // 2)

    @property
    def top(self) -> Node:
        """What everything is merged into."""
        return len(self._sizes) - 1, 0

    def children(self, node: Node) -> list[Node]:
        """What a node is merged from: two, one, or none of a shard's result."""
        level, number = node
        if level == 0:
            return []
        below = self._sizes[level - 1]
        return [(level - 1, n) for n in (2 * number, 2 * number + 1) if n < below]

    def parent(self, node: Node) -> Node:
        """What a node is merged into."""
        return node[0] + 1, node[1] // 2


def merged(
    results: Iterable[tuple[int, Result]], shards: int, merge: Callable[[Result, Result], Result]
) -> Result:
    """The results of so many shards, which may come in any order, as one.

    >>> merged(enumerate("abcde"), 5, lambda a, b: f"({a}{b})")
    '(((ab)(cd))e)'
    """
    tree, held = Tree(shards), dict[Node, Result]()
    for number, result in results:
        node = 0, number
        held[node] = result
        while node != tree.top:
            node = tree.parent(node)
            children = tree.children(node)
            if not all(child in held for child in children):
                break
            first, *second = [held.pop(child) for child in children]
            held[node] = merge(first, *second) if second else first
    return held[tree.top]
