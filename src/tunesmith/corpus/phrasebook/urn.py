"""Drawing from weighted alternatives with one multiplication and one look-up."""

from collections.abc import Iterable, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")

# Slots of an urn: enough that a weight of one in a thousand is still honoured, and few where
# there are few items, so that the urns in use stay in the processor's cache.
SLOTS = 2048
SLOTS_PER_ITEM = 64


class Urn(Generic[T]):
    """Items in proportion to their weights.

    ``urn.slots[int(random() * urn.size)]`` draws one; every item has at least one slot.

    >>> urn = Urn(["a", "b"], [3, 1])
    >>> urn.slots.count("a") / urn.size
    0.75
    """

    __slots__ = ("items", "size", "slots")

    slots: list[T]
    size: int

    def __init__(self, items: Iterable[T], weights: Sequence[float] | None = None) -> None:
        self.items = list(items)
        if not self.items:
            raise ValueError("an urn needs at least one item")
        weights = [1.0] * len(self.items) if weights is None else weights
        if len(self.items) == 1:
            self.slots, self.size = [*self.items], 1
            return
        scale = min(SLOTS, SLOTS_PER_ITEM * len(self.items)) / sum(weights)
        self.slots = []
        for item, weight in zip(self.items, weights, strict=True):
            self.slots.extend([item] * max(1, round(weight * scale)))
        self.size = len(self.slots)

    def __len__(self) -> int:
        return len(self.items)


def zipf(count: int, *, offset: float = 3.0, exponent: float = 0.9) -> list[float]:
    """Weights that fall with the rank as words' frequencies do (Zipf–Mandelbrot)."""
    return [1.0 / (rank + offset) ** exponent for rank in range(count)]
