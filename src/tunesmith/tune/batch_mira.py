"""What batch MIRA has in common on lists and on graphs (Cherry & Foster 2012, Algorithm 1)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from tunesmith.base.parameters import parameter
from tunesmith.tune.base import AnyTuner

# The pseudo-corpus starts with an average sentence; so that no count of it is zero, plus this.
SMALL_COUNT = 0.1


@dataclass
class BatchMira(AnyTuner):
    """Passes over the sentences; the average after each is a step, and the best one wins."""

    keep_best: ClassVar[bool] = True
    # Better on held-out text where the dev set is decoded again and again; lists as given see no
    # difference (docs/tuners/kb-mira.md).
    loop_settings: ClassVar[Mapping[str, Any]] = {"passes": 10, "C": 0.02, "interpolation": 0.7}

    passes: int = parameter(30, "passes over the sentences (J)", at_least=1)
    decay: float = parameter(
        0.999, "what a sentence leaves of the pseudo-corpus (γ)", above=0, at_most=1
    )
    interpolation: float = parameter(
        1.0, "part of the new weights in the result, the rest is the start (Ψ)", above=0, at_most=1
    )
