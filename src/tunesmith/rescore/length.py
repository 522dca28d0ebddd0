"""`length`: how long a translation is."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.parameters import parameter
from tunesmith.engine import Engine
from tunesmith.formats.nbest import Texts
from tunesmith.rescore.base import ListFeature, Lists, Values

UNITS = ("words", "characters")


def lengths_of(texts: Texts, unit: str, engine: Engine) -> Values:
    """[texts] words between white space, or characters without it."""
    counts = _core.text_lengths(texts.data, texts.offsets, unit == "characters", engine.threads)
    return counts.astype(np.float64)


@dataclass
class Length(ListFeature):
    """Without it, weights cannot undo a system's bias to short or long output."""

    kind: ClassVar[str] = "length"
    title: ClassVar[str] = "length in words or characters"

    unit: str = parameter("words", "what is counted", choices=UNITS)

    def columns(self, lists: Lists) -> Mapping[str, npt.ArrayLike]:
        """One column."""
        return {self.column_name: lengths_of(lists.nbest.texts, self.unit, lists.engine)}
