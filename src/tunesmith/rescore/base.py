"""What all features of whole translations share: lists in, one or more columns out."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from tunesmith.base.errors import OptionError
from tunesmith.base.parameters import parameter
from tunesmith.engine import ALL_CORES, Engine, EngineLike, as_engine
from tunesmith.formats.feature_info import FeatureInfo
from tunesmith.formats.nbest import NbestList, Texts

Values = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Lists:
    """What a feature sees: whole lists, the sources of their sentences, and who works."""

    nbest: NbestList
    sources: Texts | None = None
    """One per sentence."""
    where: EngineLike = ALL_CORES

    def __post_init__(self) -> None:
        if self.sources is not None and len(self.sources) != self.nbest.sentences:
            raise OptionError(
                f"{len(self.sources):,} source sentences for lists of "
                f"{self.nbest.sentences:,} sentences, expected equally many"
            )

    @property
    def engine(self) -> Engine:
        """Who works; results do not depend on it."""
        return as_engine(self.where)

    @property
    def source_of_rows(self) -> list[str]:
        """[rows] the source of each hypothesis; feature kinds that read it say so."""
        assert self.sources is not None
        lines = list(self.sources)
        return [lines[s] for s in self.nbest.sentence_ids().tolist()]


@dataclass
class ListFeature(ABC):
    """A kind of feature with its options; `columns` does the work.

    Options are `parameter`s, so that ``kind:option=value`` on the command line, keywords in
    Python and what is kept beside weights are the same.
    """

    kind: ClassVar[str]
    title: ClassVar[str]
    """What it is, in one line."""
    needs_source: ClassVar[bool] = False
    files: ClassVar[tuple[str, ...]] = ()
    """The options that name files which are read again wherever the feature is used."""

    name: str = parameter(
        "", "name of the new feature, or the beginning of several (default: kind)"
    )

    @property
    def column_name(self) -> str:
        """The name of the feature, or the beginning of the names of several."""
        return self.name or self.kind

    def info(self, column: str) -> FeatureInfo:
        """What is known of the values of one of the columns."""
        return FeatureInfo()

    @abstractmethod
    def columns(self, lists: Lists) -> Mapping[str, npt.ArrayLike]:
        """Names and values [rows] of the new features."""

    def kept_in(self, folder: Path) -> Self:
        """The same feature with all that it learnt saved in `folder`; most learn nothing."""
        return self
