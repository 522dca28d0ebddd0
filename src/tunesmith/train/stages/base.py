"""What every stage of training says of itself."""

from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, ClassVar

from tunesmith.train.options import TrainOptions
from tunesmith.train.stage import Stage
from tunesmith.train.workplace import Workplace


class TrainingStage(ABC):
    """A stage, as one run has it: what decides its outputs, and the work that makes them."""

    name: ClassVar[str]
    """Also of its folder."""

    def __init__(self, place: Workplace) -> None:
        self.place, self.options, self.engine = place, place.options, place.engine

    @classmethod
    def is_part_of(cls, options: TrainOptions) -> bool:
        """Whether a run with these options has it."""
        return True

    @abstractmethod
    def inputs(self) -> list[Any]:
        """All that decides the outputs, as plain values: options, keys of stages, file hashes."""

    @abstractmethod
    def write(self, folder: Path) -> None:
        """Write the outputs into an empty folder."""

    def stage(self) -> Stage:
        """The same for the machinery that keeps outputs and does them again."""
        return Stage(self.name, self.inputs(), self.write)
