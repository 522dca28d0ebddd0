"""`rank`: the place that the system gave a translation."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tunesmith.base.parameters import parameter
from tunesmith.rescore.base import ListFeature, Lists


@dataclass
class Rank(ListFeature):
    """What an order of entries says where a list has no scores; the first has rank 0."""

    kind: ClassVar[str] = "rank"
    title: ClassVar[str] = "place in the list, from 0"

    form: str = parameter(
        "plain", "rank r as it is, as ln(1 + r), or as 1 / (1 + r)",
        choices=("plain", "log", "reciprocal"),
    )  # fmt: skip

    def columns(self, lists: Lists) -> Mapping[str, npt.ArrayLike]:
        """One column."""
        offsets = lists.nbest.offsets
        rank = np.arange(lists.nbest.rows) - np.repeat(offsets[:-1], np.diff(offsets))
        forms = {"plain": rank, "log": np.log1p(rank), "reciprocal": 1.0 / (1.0 + rank)}
        return {self.column_name: forms[self.form]}
