"""The stage that gives rules their sparse features."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith.base.rundir import file_hash
from tunesmith.corpus import Sentences
from tunesmith.features import RuleTemplate, UserTemplate, WordPair, build_features
from tunesmith.grammar import PhraseTable
from tunesmith.train.options import TrainOptions
from tunesmith.train.stages.base import TrainingStage


class SparseFeatures(TrainingStage):
    """Phrase tables → ``features.bin``."""

    name = "features"

    @classmethod
    def is_part_of(cls, options: TrainOptions) -> bool:
        """Whether there are templates."""
        return options.sparse and options.model == "phrase"

    def inputs(self) -> list[Any]:
        """The tables, the templates of the feature set and the user's."""
        templates = [
            [one.describe() for one in self.options.feature_set.templates],
            [[one.describe(), file_hash(one.path)] for one in self.place.user_templates],
        ]
        return [*(self.place.key(name) for name in self.place.tables), templates]

    def write(self, folder: Path) -> None:
        """Apply the templates to all rules."""
        tables = [PhraseTable(self.place.path(name, "phrases.bin")) for name in self.place.tables]
        templates: list[RuleTemplate | UserTemplate] = []
        bitext = self.place.bitext()
        for one in self.options.feature_set.templates:
            if isinstance(one, WordPair):
                # The text knows best which words are frequent.
                one = replace(
                    one,
                    source_words=frequent(bitext.source, one.size),
                    target_words=frequent(bitext.target, one.size),
                )
            templates.append(one)
        templates += self.place.user_templates
        build_features(tables, templates, folder / "features.bin", engine=self.engine)


def frequent(
    text: Sentences, size: int, among: npt.NDArray[np.bool_] | None = None
) -> tuple[str, ...]:
    """The most frequent words of a text, or of some of its places; equals by their bytes."""
    ids = text.ids if among is None else text.ids[among]
    found = np.bincount(ids, minlength=len(text.vocabulary))
    counts = dict(zip(text.vocabulary, found.tolist(), strict=True))
    ranked = sorted(counts, key=lambda word: (-counts[word], word.encode()))
    return tuple(ranked[:size])
