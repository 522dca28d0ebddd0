"""`Derivation`: how a translation came about, as plain data."""

from dataclasses import dataclass

from tunesmith.base.weights import Weights


@dataclass(frozen=True)
class DerivationStep:
    """A rule at work: source words [begin, end) became target words [target_begin, target_end).

    Both spans are those of the rule with all that stands in its gaps, the `children`: in the order
    of the rule's target side, each inside its parent. A phrase has none.
    """

    begin: int
    end: int
    target_begin: int
    target_end: int
    table: int
    rule: int
    """The rule's number in its table; -1 for copied or prescribed words."""
    children: tuple["DerivationStep", ...] = ()


@dataclass(frozen=True)
class Derivation:
    """One translation and how it came about: a tree, flat where phrases follow each other."""

    text: str
    score: float
    features: dict[str, float]
    """All dense features, then the sparse ones that are not 0."""
    steps: tuple[DerivationStep, ...]
    """What the translation is made of, in its order."""

    @property
    def depth(self) -> int:
        """How many rules stand one inside the other at most."""
        deepest, level = 0, list(self.steps)
        while level:
            deepest, level = deepest + 1, [child for step in level for child in step.children]
        return deepest

    def contributions(self, weights: Weights) -> dict[str, float]:
        """What each feature adds to the score."""
        return {name: weights.get(name, 0.0) * value for name, value in self.features.items()}
