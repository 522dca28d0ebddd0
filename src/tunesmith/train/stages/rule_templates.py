"""The stage that says which sparse features the rules of a hierarchical model have."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith.base.rundir import file_hash
from tunesmith.features import (
    GrammarTemplate,
    GrammarTemplates,
    RuleEdges,
    TargetUnaligned,
    UserTemplate,
    WordPair,
)
from tunesmith.model.files import TEMPLATES_FILE
from tunesmith.train.keywords import relevant
from tunesmith.train.learning import classes_of
from tunesmith.train.options import TrainOptions
from tunesmith.train.stages.base import TrainingStage
from tunesmith.train.stages.features import frequent


class RuleTemplates(TrainingStage):
    """The text and its links → ``features.json`` and the files that it names."""

    name = "features"

    @classmethod
    def is_part_of(cls, options: TrainOptions) -> bool:
        """Whether a hierarchical model has templates."""
        return options.sparse and options.model == "hiero"

    def inputs(self) -> list[Any]:
        """The links, the templates of the feature set and the user's; what makes word classes."""
        given, options = self.options.feature_set, self.options
        described = GrammarTemplates(given.rules).describe()
        users = [[one.describe(), file_hash(one.path)] for one in self.place.user_templates]
        return [self.place.key("align"), described, users, _classes(options) if given.edges else {}]

    def write(self, folder: Path) -> None:
        """Complete the templates by what the text knows: frequent words, word classes."""
        bitext = self.place.bitext()
        templates: list[GrammarTemplate | UserTemplate] = []
        for one in self.options.feature_set.rules:
            if isinstance(one, WordPair):
                one = replace(
                    one,
                    source_words=frequent(bitext.source, one.size),
                    target_words=frequent(bitext.target, one.size),
                )
            elif isinstance(one, TargetUnaligned):
                one = replace(one, words=frequent(bitext.target, one.size, self._unlinked()))
            templates.append(one)
        if self.options.feature_set.edges:
            classes = classes_of(bitext, self.options.learn, self.engine)
            templates.append(RuleEdges(self.options.lexical.build(*classes)))
        GrammarTemplates([*templates, *self.place.user_templates]).save(folder / TEMPLATES_FILE)

    def _unlinked(self) -> npt.NDArray[np.bool_]:
        """The target words without a link."""
        links, target = self.place.links(), self.place.bitext().target
        ends = links.offsets.astype(np.int64)
        pairs = np.repeat(np.arange(len(target)), ends[1:] - ends[:-1])
        unlinked = np.ones(len(target.ids), dtype=bool)
        unlinked[target.offsets[pairs] + links.target] = False
        return unlinked


def _classes(options: TrainOptions) -> Mapping[str, Any]:
    """What decides the combinations of words and their classes."""
    return {
        "lexical": relevant(options.lexical),
        "clusters": options.learn.clusters,
        "files": [file_hash(path) for path in options.learn.files()],
    }
