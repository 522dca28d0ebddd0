"""`Layer`: rules and weights that stand on top of a model whose own files stay as they are."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tunesmith import _core
from tunesmith.base.weights import Weights

#: The features that rules of a layer have besides those of the model's own rules.
LAYER_FEATURES: tuple[str, ...] = tuple(f"layer.{name}" for name in _core.layer_features())


@dataclass(frozen=True)
class Layer:
    """Where the rules of a layer are, and all weights with which they are used."""

    rules: Path
    """A phrase table (`core/grammar/layer_rules.hh`), or for a grammar an index of corrections."""
    weights: Weights
    written: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """Tokens of a source and of its translation → how somebody wrote that as running text."""
