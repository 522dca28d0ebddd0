"""`length-ratio`: how long a translation is for its source."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tunesmith.base.parameters import parameter
from tunesmith.rescore.base import ListFeature, Lists
from tunesmith.rescore.length import UNITS, lengths_of


@dataclass
class LengthRatio(ListFeature):
    """Length of the text by that of the source, both plus 1 so that nothing is divided by 0.

    With `expected` above 0 the value is how far the ratio is from that, −|ln(ratio / expected)|:
    longer and shorter are equally wrong.
    """

    kind: ClassVar[str] = "length-ratio"
    title: ClassVar[str] = "length by that of the source"
    needs_source: ClassVar[bool] = True

    unit: str = parameter("words", "what is counted", choices=UNITS)
    expected: float = parameter(0.0, "the ratio to be near to; 0: the ratio itself", at_least=0)

    def columns(self, lists: Lists) -> Mapping[str, npt.ArrayLike]:
        """One column."""
        assert lists.sources is not None
        of_text = lengths_of(lists.nbest.texts, self.unit, lists.engine) + 1.0
        of_source = lengths_of(lists.sources, self.unit, lists.engine) + 1.0
        ratio = of_text / of_source[lists.nbest.sentence_ids()]
        if self.expected > 0.0:
            ratio = -np.abs(np.log(ratio / self.expected))
        return {self.column_name: ratio}
