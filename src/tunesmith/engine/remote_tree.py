"""`reduced` over a cluster: workers merge what workers found; only the last comes here.

What is lost with a machine is found again, from the shards if need be.
"""

from collections.abc import Callable
from typing import Any

from tunesmith.engine.dispatch import Dispatch, Lost, Task
from tunesmith.engine.ray_library import ray
from tunesmith.engine.tree import Node, Tree


class RemoteTree:
    """The results of `shards`, merged by the function `merging` (its key and its reference).

    `told` hears of each shard that is done, once, however often that is.
    """

    def __init__(
        self,
        dispatch: Dispatch,
        shards: list[Task],
        merging: tuple[str, Any],
        told: Callable[[int], None] | None = None,
    ) -> None:
        self._dispatch, self._shards, self._merging = dispatch, shards, merging
        self._told, self._untold = told or (lambda number: None), set(range(len(shards)))
        self._tree = Tree(len(shards))
        self._held: dict[Node, Any] = {}
        for number, task in enumerate(shards):
            task.name = 0, number
            dispatch.add(task)

    def root(self) -> Any:
        """What is left when all is merged."""
        while True:
            try:
                for task in self._dispatch.done():
                    self._hold(task.name, task.result)
                return self._dispatch.value(self._held[self._tree.top])
            except Lost as lost:
                children = self._tree.children(lost.task.name)
                gone = [c for c in children if self._held[c].hex() == lost.reference] or children
                for child in gone:
                    self._find_again(child)
            except ray().exceptions.RayError:
                self._find_again(self._tree.top)

    def _hold(self, node: Node, reference: Any) -> None:
        """Keep a result until it is merged, and have it merged if its neighbour is there."""
        level, number = node
        if level == 0 and number in self._untold:
            self._untold.remove(number)
            self._told(number)
        self._held[node] = reference
        for child in self._tree.children(node):
            self._held.pop(child, None)
        if node == self._tree.top:
            return
        parent = self._tree.parent(node)
        children = self._tree.children(parent)
        if len(children) == 1:
            self._hold(parent, reference)
        elif all(child in self._held for child in children):
            inputs = [self._held[child] for child in children]
            label = f"merging, level {level + 1}, number {number // 2 + 1}"
            self._dispatch.add(Task(parent, label, self._merging, lambda: inputs, number))

    def _find_again(self, node: Node) -> None:
        """A result is gone: it is found again from what it was merged from, down to the shards."""
        self._held.pop(node, None)
        if node[0] == 0:
            self._dispatch.again(self._shards[node[1]], "its result was lost with a node")
        for child in self._tree.children(node):
            if child not in self._held:
                self._find_again(child)
