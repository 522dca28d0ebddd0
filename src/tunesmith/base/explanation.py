"""`Explanation`: a derivation with what the model says of it, as plain data.

`formats.explanations` makes text and JSON of it, `formats.pictures` a picture.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class ExplainedStep:
    """A rule at work, in words; ``[1]``, ``[2]``, … are the places of its children."""

    source: str
    target: str
    span: tuple[int, int]
    """Source words [begin, end) that it covers, its children's with them."""
    in_table: bool
    """Whether it is a rule of a table; otherwise words were copied or prescribed."""
    probability: float | None = None
    """p(target | source), where the table has it."""
    together: float = 0.0
    """How often both sides were seen together in training, …"""
    seen: float = 0.0
    """… of how often the source side was seen; 0 where the table does not know."""
    scores: Mapping[str, float] = field(default_factory=dict)
    """What its table says of it, by the names of the features."""
    features: Mapping[str, float] = field(default_factory=dict)
    """Features that are its own and their weights: the lexical ones, where a model has any."""
    children: tuple["ExplainedStep", ...] = ()


@dataclass(frozen=True)
class ExplainedUnknown:
    """A word that the model does not know, and what was translated in its place."""

    source: str
    seen: str
    """What search saw; the word itself where it was copied."""
    reason: str
    """``casing``, ``inflection``, ``compound`` or ``copied``."""
    span: tuple[int, int]
    """Source words [begin, end) that search saw."""


@dataclass(frozen=True)
class ExplainedFeature:
    """What a feature says of a translation."""

    name: str
    value: float
    weight: float
    adds: float
    """Value times weight: its part of the score."""
    dense: bool


@dataclass(frozen=True)
class FeatureDifference:
    """What a feature says for one translation and against another."""

    name: str
    first: float
    """What it adds to the score of the one, …"""
    second: float
    """… and of the other."""
    difference: float


@dataclass(frozen=True)
class Explanation:
    """How a translation came about: rules, and what features say."""

    number: int
    """Of the sentence, from 0."""
    source: str
    """As the model sees it."""
    translation: str
    score: float
    steps: tuple[ExplainedStep, ...]
    """In the order of the translation; a tree where rules have gaps."""
    features: tuple[ExplainedFeature, ...]
    unknown: tuple[ExplainedUnknown, ...] = ()
    """Unknown words of the sentence, in its order."""
    lexical_weight: float | None = None
    """What lexical features are multiplied with; None for a model without any."""

    def walk(self) -> Iterator[tuple[int, ExplainedStep]]:
        """All steps with their depth, each before what stands in its gaps."""
        waiting = [(0, step) for step in reversed(self.steps)]
        while waiting:
            depth, step = waiting.pop()
            yield depth, step
            waiting += [(depth + 1, child) for child in reversed(step.children)]


def differences(first: Explanation, second: Explanation) -> list[FeatureDifference]:
    """What every feature says for `first` against `second`, what matters most first."""
    adds = [{one.name: one.adds for one in side.features} for side in (first, second)]
    names = dict.fromkeys((*adds[0], *adds[1]))
    found = [
        FeatureDifference(name, one, other, one - other)
        for name in names
        for one, other in [(adds[0].get(name, 0.0), adds[1].get(name, 0.0))]
    ]
    return sorted(found, key=lambda one: -abs(one.difference))
