"""Small random grammars and models that have them."""

from pathlib import Path

import numpy as np

from reference.chart import ScfgRule
from tunesmith.base.weights import Weights
from tunesmith.formats.weights import write_weights
from tunesmith.lm import NgramLM
from tunesmith.model import TranslationModel, new_model, write_description
from tunesmith.model.files import WEIGHTS_FILE

SOURCE, TARGET = "abc", "uvwxyz"


def random_rule(chance: np.random.Generator, label: str, parts: tuple[str, ...]) -> ScfgRule:
    """A rule of words and up to two non-terminals with labels out of `parts`."""
    places = int(chance.integers(0, 3)) if parts else 0
    source: list[str | tuple[str, int]] = list(chance.choice(list(SOURCE), chance.integers(1, 3)))
    for place in range(places):
        # Behind the one before it, so that places are counted from left to right.
        earlier = [i for i, symbol in enumerate(source) if not isinstance(symbol, str)]
        at = int(chance.integers(max(earlier, default=-1) + 1, len(source) + 1))
        source.insert(at, (str(chance.choice(list(parts))), place))
    target: list[str | tuple[str, int]] = list(chance.choice(list(TARGET), chance.integers(0, 3)))
    for symbol in source:
        if not isinstance(symbol, str):
            target.insert(int(chance.integers(0, len(target) + 1)), symbol)
    if not target:
        target = ["u"]
    features = tuple((name, round(float(chance.normal()), 3)) for name in ("p", "q"))
    return ScfgRule(label, tuple(map(_plain, source)), tuple(map(_plain, target)), features)


def _plain(symbol: str | tuple[str, int]) -> str | tuple[str, int]:
    return str(symbol) if isinstance(symbol, str) else symbol


def random_text(chance: np.random.Generator, lines: int) -> list[str]:
    """Lines of target words."""
    return [" ".join(chance.choice(list(TARGET), chance.integers(1, 6))) for _ in range(lines)]


def hiero_model(
    folder: Path,
    rules: list[ScfgRule],
    chance: np.random.Generator,
    *,
    lms: int = 1,
    search: dict[str, object] | None = None,
    arc_features: int = 0,
    keep_unknown_order: bool = False,
) -> TranslationModel:
    """A model with these rules, language models of random text (the second of classes), weights."""
    with new_model(folder) as temporary:
        (temporary / "grammar").write_text("".join(rule.line() + "\n" for rule in rules))
        names = []
        for number in range(lms):
            classes = {word: str(i % 3) for i, word in enumerate(TARGET)} if number else None
            options = {} if classes is None else {"classes": classes}
            lm = NgramLM.fit(random_text(chance, 200), order=3, **options)
            names.append(f"lm{number}.bin")
            lm.save(temporary / names[-1])
        write_description(
            temporary,
            grammar="grammar",
            language_models=names,
            search=search,
            arc_features=arc_features,
            keep_unknown_order=keep_unknown_order,
        )
        model = TranslationModel.load(temporary)
        vector = chance.normal(size=len(model.feature_names))
        write_weights(temporary / WEIGHTS_FILE, Weights.from_vector(model.feature_names, vector))
    return TranslationModel.load(folder)
