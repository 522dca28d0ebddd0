"""Learn weights from hypothesis spaces: every tuner of the papers, one file each.

The module can be called: ``tunesmith.tune(lists, references)`` is `tunesmith.tune.api.tune`.
"""

import inspect
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

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

if TYPE_CHECKING:
    from tunesmith.tune.api import Result


class _Tune(ModuleType):
    """A room whose name is also what most people want of it."""

    def __call__(self, *arguments: Any, **options: Any) -> "Result":
        """Tune on lists: see `tunesmith.tune.api.tune`."""
        from tunesmith.tune.api import tune

        return tune(*arguments, **options)

    @property
    def __signature__(self) -> inspect.Signature:
        from tunesmith.tune.api import tune

        return inspect.signature(tune)


sys.modules[__name__].__class__ = _Tune
