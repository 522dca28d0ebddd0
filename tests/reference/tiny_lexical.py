"""Small models with lexical features, and the features' twin."""

import numpy as np

from reference.lexical_features import Twin
from reference.tiny_models import SOURCE, TARGET
from tunesmith.base.weights import Weights
from tunesmith.features import LexicalFeatures, SideClasses

LEVELS = "word,character,cluster,cluster4,pos,type"


def taught(model, chance, folder, levels=LEVELS, **changes):
    """The model with lexical features without weights yet, and their twin."""
    options = LexicalFeatures(levels=levels, **changes)

    def side(words):
        clusters = {word: "".join(chance.choice(["0", "1"], 6)) for word in words}
        return SideClasses(clusters, {word: f"T_{word}" for word in words[1:]})

    sides = side(SOURCE[:3]), side(TARGET)
    lexical = options.build(*sides)
    twin = Twin(
        options,
        [*levels.split(","), *filter(None, options.source_levels.split(","))],
        *({level: one.of(level) for level in ("cluster", "cluster4", "pos")} for one in sides),
    )
    weights = Weights({**model.weights, "lexical": 1.0})
    return model.with_lexical(lexical, weights, folder), twin


def with_weights(model, weights, folder):
    """The model with these weights, by key."""
    lexical = model.lexical
    keys = np.array(sorted(weights), np.uint64)
    lexical.native.add(keys, np.array([weights[key] for key in keys.tolist()], np.float32))
    return model.with_lexical(lexical, model.weights, folder)
