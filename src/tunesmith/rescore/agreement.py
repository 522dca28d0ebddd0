"""`agreement`: how many systems, or entries, say the same."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.rescore.base import ListFeature, Lists
from tunesmith.rescore.merging import SYSTEM


@dataclass
class Agreement(ListFeature):
    """In a merged list the number of systems that have the text; else of entries with its words."""

    kind: ClassVar[str] = "agreement"
    title: ClassVar[str] = "how many systems or entries of the list have this text"

    def columns(self, lists: Lists) -> Mapping[str, npt.ArrayLike]:
        """One column."""
        nbest = lists.nbest
        systems = [i for i, name in enumerate(nbest.dense_names) if name.startswith(SYSTEM)]
        if systems:
            return {self.column_name: nbest.dense[:, systems].sum(axis=1)}
        first = _core.first_equal_texts(
            nbest.texts.data, nbest.texts.offsets, nbest.offsets, lists.engine.threads
        )
        return {self.column_name: np.bincount(first, minlength=nbest.rows)[first]}
