"""`copy`: numbers, addresses and names of the source that a translation lacks."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.parameters import parameter
from tunesmith.rescore.base import ListFeature, Lists


@dataclass
class MissingCopies(ListFeature):
    """How many words of the source should stand in the text as they are and do not.

    Of a number only the digits must agree (1,000 and 1.000 do). Names are words with a capital
    letter that begin no sentence; those that no translation keeps (German nouns, say) are missing
    in all entries of a list alike and change nothing.
    """

    kind: ClassVar[str] = "copy"
    title: ClassVar[str] = "numbers, URLs and names of the source that are missing in the text"
    needs_source: ClassVar[bool] = True

    numbers: bool = parameter(True, "count words with digits")
    urls: bool = parameter(True, "count addresses of pages and mail boxes")
    names: bool = parameter(True, "count words with a capital letter inside a sentence")

    def columns(self, lists: Lists) -> Mapping[str, npt.ArrayLike]:
        """One column."""
        assert lists.sources is not None
        nbest = lists.nbest
        missing = _core.missing_copies(
            nbest.texts.data, nbest.texts.offsets, nbest.offsets,
            lists.sources.data, lists.sources.offsets,
            self.numbers, self.urls, self.names, lists.engine.threads,
        )  # fmt: skip
        return {self.column_name: missing.astype(np.float64)}
