"""Which results are merged with which by `reduced` (`reduction.py`), as a tree."""

from typing import TypeAlias

Node: TypeAlias = tuple[int, int]
"""Level and number; results of shards have level 0."""


class Tree:
    """Neighbours are merged, then what came of them; one that is left over goes up as it is."""

    def __init__(self, shards: int) -> None:
        if shards < 1:
            raise ValueError("no results to merge")
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
