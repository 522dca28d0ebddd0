"""`Teacher`: what a correction means for a model with a layer.

What it says is a function of model, layer and correction alone, so that corrections that are made
again in the same order give the same rules and weights.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from tunesmith.adapt.encoding import TokenPair
from tunesmith.adapt.hiero_rules import HieroLayerRules, HieroWords
from tunesmith.adapt.options import AdaptOptions
from tunesmith.adapt.pair_links import Link, link_words
from tunesmith.adapt.phrase_rules import ModelWords, PhraseRules
from tunesmith.adapt.update import UpdateStep, moved, weight_unit
from tunesmith.base.weights import Weights
from tunesmith.decode import ModelDecoder
from tunesmith.decode.translate import Translator
from tunesmith.grammar import HieroIndex, PhraseTable
from tunesmith.model import TranslationModel
from tunesmith.model.layer import LAYER_FEATURES

# Longer corrections, and models whose phrases jump further, are not force-decoded.
MOST_FORCED_WORDS, MOST_FORCED_JUMP = 80, 10


def first_weights(model: TranslationModel, options: AdaptOptions) -> Weights:
    """The model's own weights, and those of the layer's features before any correction."""
    unit = weight_unit(model.weights)
    layer = {name: unit * getattr(options, name.partition(".")[2]) for name in LAYER_FEATURES}
    return Weights({**model.weights, **layer})


@dataclass(frozen=True)
class Shown:
    """What a decoder makes of a sentence, and how it would make its correction."""

    text: str
    weights: Weights
    """After the update."""
    reachable: bool


class LayerRules(Protocol):
    """The rules that corrections teach a kind of model."""

    def __len__(self) -> int: ...

    def add(
        self, source: Sequence[str], target: Sequence[str], links: Sequence[Link]
    ) -> list[tuple[str, str]]:
        """Take those of a correction; the new ones are told, short ones first."""

    def write(self, path: Path, meta: dict[str, Any]) -> None:
        """Write them; `meta` is what the file remembers."""


class Teacher:
    """What does not change while a model learns: the model, its lexicon, the options."""

    def __init__(self, base: ModelDecoder, options: AdaptOptions) -> None:
        self.base, self.options = base, options
        self.unit = weight_unit(base.model.weights)
        self._phrases = ModelWords(base.model) if base.model.kind == "phrase" else None
        self._hiero = None if self._phrases is not None else HieroWords(base.model)

    def links(self, pair: TokenPair) -> list[Link]:
        """The word links of a correction."""
        words = self._phrases or self._hiero
        assert words is not None
        return link_words(pair.source, pair.target, words)

    def rules(self, path: Path | None = None) -> LayerRules:
        """The rules of a layer, none or those of a file."""
        model = self.base.model
        if self._phrases is not None:
            return PhraseRules(model, self._phrases, path)
        assert self._hiero is not None
        return HieroLayerRules(model, self._hiero, path)

    def rules_of(self, path: Path) -> str:
        """Which corrections the rules of a file are of; ValueError where it says nothing."""
        meta = PhraseTable(path).meta if self._hiero is None else HieroIndex(path).meta
        return str(meta.get("corrections"))

    def look(self, decoder: ModelDecoder, weights: Weights, source: str, pair: TokenPair) -> Shown:
        """Translate a sentence, and move the weights towards its correction."""
        options = self.options
        size = options.size if options.update != "none" else 1
        translator = Translator(decoder, weights=weights, size=size)
        [block] = translator.stream([source])
        correction = " ".join(pair.target)
        gold = self._gold(decoder, weights, pair)
        step = UpdateStep(options.update, options.rate, self.unit)
        scale = self._scale(block.output.names)
        after = moved(weights, block.output, correction, gold, scale, step)
        return Shown(block.texts[0], after, gold is not None)

    def _gold(
        self, decoder: ModelDecoder, weights: Weights, pair: TokenPair
    ) -> npt.NDArray[np.float64] | None:
        """The features of the correction where the decoder can make it."""
        longest = max(len(pair.source), len(pair.target))
        jump = decoder.search.distortion_limit
        free = decoder.model.kind == "phrase" and not 0 <= jump <= MOST_FORCED_JUMP
        if longest > MOST_FORCED_WORDS or free:
            return None
        forced = decoder.force([" ".join(pair.source)], [" ".join(pair.target)], weights)
        return np.asarray(forced.features[0], np.float64) if len(forced.texts) else None

    def _scale(self, names: tuple[str, ...]) -> npt.NDArray[np.float64]:
        own = set(LAYER_FEATURES)
        fixed = {"layer.whole", "unknown", "lexical"}
        return np.array(
            [
                0.0 if name in fixed else self.options.layer_rate if name in own else 1.0
                for name in names
            ]
        )
