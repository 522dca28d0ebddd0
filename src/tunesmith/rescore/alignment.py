"""`align`: how well words of source and translation translate each other, and what is left out."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Self

import numpy.typing as npt

from tunesmith.align import Aligner
from tunesmith.base.errors import OptionError
from tunesmith.base.parameters import parameter
from tunesmith.corpus import Bitext, Sentences
from tunesmith.engine import ALL_CORES, EngineLike
from tunesmith.formats.feature_info import FeatureInfo
from tunesmith.formats.text import read_lines
from tunesmith.rescore.base import ListFeature, Lists


@dataclass
class Alignment(ListFeature):
    """Three columns from a word-alignment model (Vogel et al. 1996, or IBM model 1 or 2).

    ``forward`` is ln p(text | source), ``reverse`` ln p(source | text), ``missing`` the number of
    source words that are most probably translated by nothing. The model is given, or trained on
    parallel text.
    """

    kind: ClassVar[str] = "align"
    title: ClassVar[str] = "word-translation log-probabilities both ways, and source words left out"
    needs_source: ClassVar[bool] = True
    files: ClassVar[tuple[str, ...]] = ("model",)

    model: str = parameter("", "an alignment model of `tunesmith align --model-out`")
    src: str = parameter("", "instead: source side of parallel text to train one on …")
    tgt: str = parameter("", "… and its target side, both tokenised as sources and lists are")
    _aligner: Aligner | None = field(default=None, init=False, repr=False, compare=False)

    def info(self, column: str) -> FeatureInfo:
        """Natural logarithms, and a count."""
        return FeatureInfo() if column.endswith(".missing") else FeatureInfo("e")

    def aligner(self, engine: EngineLike = ALL_CORES) -> Aligner:
        """The model, opened or trained when it is first asked for."""
        if self._aligner is None:
            self._aligner = self._opened(engine)
        return self._aligner

    def _opened(self, engine: EngineLike) -> Aligner:
        given = bool(self.model), bool(self.src), bool(self.tgt)
        if given not in ((True, False, False), (False, True, True)):
            raise OptionError("align: give model=FILE, or src=FILE and tgt=FILE")
        if self.model:
            return Aligner.load(self.model)
        source, target = read_lines(self.src), read_lines(self.tgt)
        if len(source) != len(target):
            raise OptionError(
                f"{self.src} has {len(source):,} lines, {self.tgt} {len(target):,}: expected "
                "equally many"
            )
        return Aligner(engine=engine).fit(source, target)

    def columns(self, lists: Lists) -> Mapping[str, npt.ArrayLike]:
        """Three columns."""
        model = self.aligner(lists.engine).model_
        sides = (
            (lists.source_of_rows, model.source_vocabulary),
            (list(lists.nbest.texts), model.target_vocabulary),
        )
        text = Bitext(
            *(
                Sentences.from_lines(lines, vocabulary=words, grow=False, engine=lists.engine)
                for lines, words in sides
            )
        )
        forward, reverse, missing = model.scores(text, engine=lists.engine)
        name = self.column_name
        return {f"{name}.forward": forward, f"{name}.reverse": reverse, f"{name}.missing": missing}

    def kept_in(self, folder: Path) -> Self:
        """A trained model is saved; one that was given stays where it is."""
        if self.model:
            return self
        place = folder / f"{self.column_name}.align"
        self.aligner().save(place)
        return dataclasses.replace(self, model=str(place), src="", tgt="")
