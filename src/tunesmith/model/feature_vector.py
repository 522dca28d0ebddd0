"""`ModelFeatures`: what the features of a model are called, and weights in their order."""

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.errors import InputError, OptionError
from tunesmith.base.vocabulary import Vocabulary
from tunesmith.base.weights import Weights
from tunesmith.formats.weight_names import matching_weights
from tunesmith.formats.weights import read_weights
from tunesmith.grammar.table import ORIGIN
from tunesmith.model.description import MODEL_FILE
from tunesmith.model.files import LEXICAL_FEATURE, WEIGHTS_FILE
from tunesmith.model.kinds import chart_names, chart_start, numbered
from tunesmith.model.layer import LAYER_FEATURES
from tunesmith.model.parts import ModelParts


class ModelFeatures(ModelParts):
    """Names of features, weights by name, and vectors of weights as the search takes them."""

    @cached_property
    def weights(self) -> Weights:
        """The weights of ``weights.tsv``; features that have none are told, and count nothing."""
        if self.layer is not None:
            return self.layer.weights
        path = self.folder / WEIGHTS_FILE
        weights = read_weights(path)
        unknown = [name for name in weights if not self.is_feature(name)]
        if unknown and not self._view:
            raise InputError(path, 0, f"a weight for '{unknown[0]}'", "features of this model only")
        own = Weights({name: value for name, value in weights.items() if self.is_feature(name)})
        return self._matching(own, path)

    def read_weights(self, path: str | Path) -> Weights:
        """Weights of another file than the model's own; names that do not match are told."""
        return self._matching(read_weights(path), path)

    def _matching(self, weights: Weights, path: str | Path) -> Weights:
        return matching_weights(weights, path, "model", self.feature_names, self.is_feature)

    @cached_property
    def reordering(self) -> list[str]:
        """The scores of the reordering model, as the first table names them.

        The tables behind it have the same or none.
        """
        if not self.tables:
            return []
        first, *others = (list(table.meta.get("reordering", [])) for table in self.tables)
        for table, names in zip(self.tables[1:], others, strict=True):
            if names not in ([], first):
                raise InputError(
                    table.path,
                    0,
                    f"a reordering model with {', '.join(names)}",
                    f"that of {self.tables[0].path.name}: {', '.join(first) or 'none'}",
                )
        return first

    @property
    def join_floors(self) -> list[float]:
        """What a phrase pair gets for each score of a table that lacks it; empty: not joined."""
        floor = self._description.join_floor
        if floor is None:
            return []
        return [floor for table in self.tables for _ in table.meta["scores"]]

    @property
    def keeps_unknown_order(self) -> bool:
        """Whether unknown words stay together in order, and are placed like rare words."""
        return self._description.keep_unknown_order

    @property
    def reordering_classes(self) -> str:
        """``msd`` or ``mslr``."""
        return "mslr" if any(name.endswith(".left") for name in self.reordering) else "msd"

    @property
    def uses_reordering(self) -> bool:
        """Whether any score of the reordering model is a feature."""
        unused = set(self._description.unused)
        return any(f"reorder.{name}" not in unused for name in self.reordering)

    @cached_property
    def feature_names(self) -> tuple[str, ...]:
        """All dense features, in the order in which the decoder counts them."""
        unused = set(self._description.unused)
        own = {*self.decoder_names, *(f"reorder.{name}" for name in self.reordering)}
        wrong = unused - own
        if wrong:
            path = self.folder / MODEL_FILE
            raise InputError(path, 0, f"unused '{min(wrong)}'", "dense features of the model")
        return tuple(name for name in self.decoder_names if name not in unused)

    @cached_property
    def decoder_names(self) -> tuple[str, ...]:
        """`feature_names`, and those that the search counts although they are not used."""
        layer = () if self.layer is None else LAYER_FEATURES
        if self.kind == "hiero":
            return chart_names(
                self.grammar.features,
                len(self._description.language_models),
                self.arc_features,
                layer,
            )
        names: list[str] = []
        for number, table in enumerate(self.tables):
            names += [f"{numbered('tm', number)}.{score}" for score in table.meta["scores"]]
        names += layer
        if self.uses_reordering:
            names += [f"reorder.{name}" for name in self.reordering]
        if self.maxent is not None:
            names += self.maxent.names
        names += _core.plain_features()
        models = len(self._description.language_models)
        names += [numbered("lm", number) for number in range(models)]
        return (*names, *([LEXICAL_FEATURE] if self._description.lexical else []))

    @property
    def sparse_names(self) -> Vocabulary:
        """The sparse features: names ↔ ids. Their weights stand behind the dense ones."""
        return self._no_names if self.rule_features is None else self.rule_features.names

    @cached_property
    def _no_names(self) -> Vocabulary:
        return Vocabulary()

    @cached_property
    def all_names(self) -> tuple[str, ...]:
        """Dense and sparse features, in the order of a weight vector."""
        return (*self.feature_names, *self.sparse_names)

    @cached_property
    def searched_names(self) -> tuple[str, ...]:
        """`all_names`, and those that the search counts although they are not used."""
        return (*self.decoder_names, *self.sparse_names)

    @cached_property
    def used_columns(self) -> npt.NDArray[np.intp] | None:
        """Where `feature_names` are among `decoder_names`; None if they are all."""
        everything, used = self.decoder_names, self.feature_names
        if everything == used:
            return None
        return np.array([everything.index(name) for name in used], dtype=np.intp)

    def search_vector(self, vector: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """A `weight_vector` in the order of `searched_names`: 0 for what is not used."""
        columns = self.used_columns
        if columns is None:
            return np.ascontiguousarray(vector, dtype=np.float64)
        if len(vector) < len(columns):
            raise OptionError(f"{len(vector)} weights for {len(columns)} dense features")
        dense = np.zeros(len(self.decoder_names))
        dense[columns] = vector[: len(columns)]
        return np.concatenate([dense, vector[len(columns) :]])

    def is_feature(self, name: str) -> bool:
        """Whether the model has, or its rules may have, a feature of this name."""
        return name in self.feature_names or name in self.sparse_names or self.may_have(name)

    def may_have(self, name: str) -> bool:
        """Whether rules of a grammar may have a sparse feature of this name."""
        return self.grammar_templates is not None and self.grammar_templates.makes(name)

    def weight_vector(self, weights: Mapping[str, float]) -> npt.NDArray[np.float64]:
        """Weights in the decoder's order: `feature_names`, then `sparse_names`; 0 if not named."""
        places = {name: place for place, name in enumerate(self.feature_names)}
        sparse = self.rule_features
        vector = np.zeros(len(places) + (0 if sparse is None else len(sparse)))
        for name, value in weights.items():
            place = places.get(name)
            if place is None:
                found = self.sparse_names.get(name)
                if found is None:
                    raise OptionError(
                        f"weight for '{name}', which is no feature of the model "
                        f"(features: {', '.join(self.feature_names)}"
                        + (f" and {len(self.sparse_names):,} sparse ones)" if sparse else ")")
                    )
                place = len(places) + found
            vector[place] = value
        return vector

    def initial_weights(self) -> Weights:
        """Paper A's start: 1 for translation models, language models and distortion, else 0.

        Of a grammar's features those that are probabilities count as translation models; what a
        phrase pair is worth in one of several corpora begins with 0, beside that of all of them.
        """
        if self.kind == "hiero":
            return Weights(chart_start(self.feature_names))
        return Weights(
            {
                name: float(
                    (name.startswith(("tm", "lm")) and f".{ORIGIN}" not in name)
                    or name in ("distortion", LEXICAL_FEATURE)
                )
                for name in self.feature_names
            }
        )
