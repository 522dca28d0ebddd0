"""What lexical features are called: their weights are kept by key, names are made when asked for.

A name says what a feature looks at (docs/maxforce.md lists the kinds):
``rule:das_Haus|the_house``, ``edges:target_first.word=the|before.cluster4=0110``.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from tunesmith import _core
from tunesmith.base.derivation import Derivation
from tunesmith.base.errors import OptionError
from tunesmith.base.progress import progress
from tunesmith.corpus.lines import split
from tunesmith.decode.base import ModelDecoder
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.decode.sentence import SourceSentence
from tunesmith.features import LexicalModel

# Words at a level that is a class: place, level, class.
_CLASS = re.compile(r"(?:^|:|(?<!\\)\|)(\w+)\.(cluster\d*|pos)[=:]((?:[^|\\]|\\.)*)")


@dataclass(frozen=True)
class LexicalFeature:
    """A lexical feature with its learned weight."""

    key: int
    names: tuple[str, ...]
    """One; none where it was not found; several where features were folded into one weight."""
    weight: float

    @property
    def label(self) -> str:
        """The names, or the key where there is none."""
        return " = ".join(self.names) or f"key:{self.key:016x}"


def heaviest_features(
    decoder: ModelDecoder, count: int, text: Sequence[str] = ()
) -> list[LexicalFeature]:
    """The lexical features of the largest weights (of either sign), largest first.

    Names are found by walking: all rules of the tables, and all places of `text` (tokenised source
    sentences, those that were learned from, say) where rules fit. Without a text, features that see
    the words around a phrase have no name; features that see the rule before never have one here.
    """
    if count < 1:
        raise OptionError(f"{count} features, expected at least 1")
    lexical = _lexical(decoder)
    keys, weights = lexical.entries()
    # Of equal weights the lower key first: keys ascend.
    chosen = np.argsort(-np.abs(weights), kind="stable")[:count]
    names = names_of(decoder, keys[chosen], text)
    return [
        LexicalFeature(key, tuple(names.get(key, ())), weight)
        for key, weight in zip(keys[chosen].tolist(), weights[chosen].tolist(), strict=True)
    ]


def names_of(
    decoder: ModelDecoder, keys: Sequence[int] | np.ndarray, text: Sequence[str] = ()
) -> dict[int, list[str]]:
    """The names behind some keys, as far as they are found in the tables and in `text`."""
    names: dict[int, list[str]] = defaultdict(list)
    with progress("naming features", len(text)) as bar:
        for key, name, _ in _core.lexical_names(
            _phrase(decoder).native,
            np.asarray(keys, np.uint64),
            list(map(split, text)),
            _lexical(decoder).meta["levels"],
            decoder.engine.threads,
            bar.advance,
        ):
            names[key].append(name)
    return dict(names)


def derivation_features(
    decoder: ModelDecoder, sentence: SourceSentence, derivation: Derivation
) -> list[dict[str, float]]:
    """For every step of a derivation, its lexical features that have a weight, by name."""
    steps = [
        [step.begin, step.end, step.target_begin, step.target_end, step.table, step.rule]
        for step in derivation.steps
    ]
    phrase = _phrase(decoder)
    native = sentence.native(phrase.search.unknown)
    levels = _lexical(decoder).meta["levels"]
    return [
        {name: weight for _, name, weight in features}
        for features in _core.lexical_derivation_names(
            phrase.native, native, steps, derivation.text, levels
        )
    ]


def class_words(
    decoder: ModelDecoder, names: Iterable[str], most: int = 5
) -> dict[tuple[str, str, str], list[str]]:
    """Words of every class in some names: (side, level, class) → the first words of the class."""
    found: dict[tuple[str, str, str], list[str]] = {}
    members: dict[tuple[str, str], dict[str, list[str]]] = {}
    for name in names:
        for place, level, value in _CLASS.findall(name):
            side = "target" if place.startswith(("target", "history")) else "source"
            if (side, level) not in members:
                members[side, level] = _lexical(decoder).class_members(side, level, most)
            for one in re.split(r"(?<!\\)_", value) if place == "history" else [value]:
                if one in members[side, level]:
                    found[side, level, one] = members[side, level][one]
    return dict(sorted(found.items()))


def _phrase(decoder: ModelDecoder) -> PhraseDecoder:
    if not isinstance(decoder, PhraseDecoder):
        raise OptionError(f"{decoder.model.folder} is no phrase model: its features have no names")
    return decoder


def _lexical(decoder: ModelDecoder) -> LexicalModel:
    if decoder.model.lexical is None:
        raise OptionError(
            f"{decoder.model.folder} has no lexical features; `tunesmith train --learner maxforce` "
            "learns them"
        )
    return decoder.model.lexical
