"""Learn weights from hypothesis spaces: every tuner of the papers, one file each."""

from tunesmith.tune.base import Step, Tuner, TuneResult
from tunesmith.tune.registry import TUNERS, make_tuner, tuner_class

__all__ = ["TUNERS", "Step", "TuneResult", "Tuner", "make_tuner", "tuner_class"]
