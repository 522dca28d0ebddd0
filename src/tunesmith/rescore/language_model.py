"""`lm`: how probable a translation is as a sentence of its language."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Self

import numpy.typing as npt

from tunesmith.base.errors import OptionError
from tunesmith.base.parameters import parameter
from tunesmith.engine import ALL_CORES, EngineLike
from tunesmith.formats.feature_info import FeatureInfo
from tunesmith.lm import KneserNey, NgramLM
from tunesmith.rescore.base import ListFeature, Lists


@dataclass
class LanguageModel(ListFeature):
    """log10 p of the text with its end, of a model that is given or trained on the spot."""

    kind: ClassVar[str] = "lm"
    title: ClassVar[str] = "log10 probability by an n-gram model"
    files: ClassVar[tuple[str, ...]] = ("model",)

    model: str = parameter("", "a Tunesmith or ARPA model")
    text: str = parameter("", "instead: a text to train one on, tokenised as the lists are")
    order: int = parameter(5, "length of the longest n-grams of a trained model", at_least=1)
    _lm: NgramLM | None = field(default=None, init=False, repr=False, compare=False)

    def info(self, column: str) -> FeatureInfo:
        """As ARPA files have it."""
        return FeatureInfo("10")

    def lm(self, engine: EngineLike = ALL_CORES) -> NgramLM:
        """The model, opened or trained when it is first asked for."""
        if self._lm is None:
            self._lm = self._opened(engine)
        return self._lm

    def _opened(self, engine: EngineLike) -> NgramLM:
        if bool(self.model) == bool(self.text):
            raise OptionError("lm: give one of model=FILE and text=FILE")
        if self.model:
            return NgramLM.load(self.model)
        return KneserNey(order=self.order, engine=engine).fit_files([self.text]).model()

    def columns(self, lists: Lists) -> Mapping[str, npt.ArrayLike]:
        """One column."""
        return {
            self.column_name: self.lm(lists.engine).scores(lists.nbest.texts, engine=lists.engine)
        }

    def kept_in(self, folder: Path) -> Self:
        """A trained model is saved; one that was given stays where it is."""
        if self.model:
            return self
        place = folder / f"{self.column_name}.lm"
        self.lm().save(place)
        return dataclasses.replace(self, model=str(place), text="")
