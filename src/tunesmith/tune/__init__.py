"""Learn weights from hypothesis spaces: every tuner of the papers, one file each."""

from tunesmith.tune.base import AnyTuner, Step, Tuner, TuneResult
from tunesmith.tune.registry import GRAPH_TUNERS, TUNERS, make_tuner, tuner_class

__all__ = [
    "GRAPH_TUNERS",
    "TUNERS",
    "AnyTuner",
    "Step",
    "TuneResult",
    "Tuner",
    "make_tuner",
    "tuner_class",
]
