"""`TuningLoop`: decode → merge → fit, over and over (Cherry & Foster 2012, §2).

Each iteration decodes the dev set with the weights so far, adds what it found (k-best lists, paths
of graphs) to the pool and tunes on all of it. The weights whose own 1-bests score best are the
result.

Lists know the neighbourhood of the weights that made them. A tuner that leaves it may end with
weights under which the decoder finds what no list has shown. Where a turn falls like that, the next
one starts from the weights before it, with what it found as a warning.

After every iteration all that matters is on disk, so a killed loop goes on where it was and ends
with the same bytes.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tunesmith.base.errors import OptionError
from tunesmith.base.lock import locked
from tunesmith.base.log import log
from tunesmith.base.parameters import check_parameters, parameter
from tunesmith.base.weights import Weights
from tunesmith.graph.search import MAX_SIZE
from tunesmith.metrics.base import Metric
from tunesmith.tune.base import AnyTuner
from tunesmith.tune.loop_clock import LoopClock
from tunesmith.tune.loop_state import TIMES_FILE, Iteration, LoopState, keep_references
from tunesmith.tune.turns import KBestSource, LoopSetting

__all__ = ["Iteration", "KBestSource", "LoopResult", "TuningLoop"]

#: A turn has fallen that loses more than this part of the score of the one that it went on from.
#: Ups and downs of a tenth are ordinary in the first turns; the falls that were met lose a half.
FALL = 0.25
#: Why a loop ended that would only repeat itself.
UNCHANGED = "the weights no longer change"


def has_fallen(before: float, score: float, sign: float) -> bool:
    """Whether weights are so much worse than those before that tuning must have gone astray."""
    return sign * (score - before) < -FALL * abs(before)


def check_native(metric: Metric) -> None:
    """Refuse a metric in Python: a loop keeps statistics of what it decoded before, not texts."""
    if metric.reads_texts:
        raise OptionError(
            f"metric {metric.name} is written in Python and tunes on n-best lists only, not by "
            "decoding"
        )


@dataclass(frozen=True)
class LoopResult:
    """The best weights, their score on the dev set, and how it went."""

    weights: Weights
    score: float
    iterations: list[Iteration] = field(default_factory=list)
    stopped: str = ""
    """Why the loop ended before its last iteration, where it did."""


@dataclass
class TuningLoop:
    """Tunes a decoder on a dev set; the hyper-parameters are paper A's."""

    source: KBestSource
    tuner: AnyTuner
    metric: Metric
    references: Sequence[Sequence[str]]

    iterations: int = parameter(15, "times the dev set is decoded and the pool tuned", at_least=1)
    size: int = parameter(
        100, "translations of each sentence in an iteration (k)", at_least=1, at_most=MAX_SIZE
    )
    patience: int = parameter(
        0, "stop when this many iterations brought nothing better; 0: never", at_least=0
    )
    least_gain: float = parameter(
        0.01, "what counts as better for patience, in points of the metric", at_least=0
    )

    def run(
        self,
        start: Weights,
        folder: str | Path,
        *,
        identity: object = None,
        report: Callable[[int, Iteration], None] = lambda number, iteration: None,
    ) -> LoopResult:
        """Tune from `start`; `folder` keeps the state between kills.

        `identity` is whatever else decides the result (hashes of inputs, options): a folder that
        was begun with another one is refused.
        """
        check_parameters(self)
        check_native(self.metric)
        with locked(folder):
            return self._run(start, Path(folder), identity, report)

    def _run(
        self,
        start: Weights,
        folder: Path,
        identity: object,
        report: Callable[[int, Iteration], None],
    ) -> LoopResult:
        turns = self.tuner.turns(LoopSetting(self.source, self.metric, self.references, self.size))
        names = None if self.source.names is None else frozenset(self.source.names)
        state = LoopState.open(folder, self._identity(start, identity), start, turns, names)
        sign = 1.0 if self.metric.higher_is_better else -1.0
        prepared = self.metric.prepare(self.references)
        for number, iteration in enumerate(state.done, 1):
            report(number, iteration)
        clock = LoopClock(folder / TIMES_FILE)
        keep_references(folder, self.references)
        stopped = self._reason_to_stop(state.done, sign)
        while len(state.done) <= self.iterations and not stopped:
            weights = state.next_weights
            best = turns.search(weights)
            sentences = np.arange(len(best), dtype=np.uint32)
            stats = prepared.stats(list(best), sentences, self.tuner.threads)
            score = self.metric.score(stats.sum(axis=0, dtype=np.int64))
            before = next((turn for turn in reversed(state.done) if not turn.fell), None)
            fell = before is not None and has_fallen(before.score, score, sign)
            begin = Weights(before.weights) if before is not None and fell else weights
            turn = turns.tune(begin, fell=fell, last=len(state.done) == self.iterations)
            iteration = Iteration(score, dict(weights), turn.size, turn.score, turn.unit, fell)
            state.add(iteration, turn, best)
            clock.iteration(len(state.done), iteration)
            report(len(state.done), iteration)
            if before is not None and fell:
                log.info("tuning went astray: on from the weights of %.2f", before.score)
            stopped = self._reason_to_stop(state.done, sign)
        best_turn = max(state.done, key=lambda turn: sign * turn.score)
        if stopped:
            log.info("tuning stopped: %s", stopped)
        return LoopResult(Weights(best_turn.weights), best_turn.score, state.done, stopped)

    def _identity(self, start: Weights, identity: object) -> dict[str, Any]:
        tuner = {key: value for key, value in asdict(self.tuner).items() if key != "engine"}
        plain: dict[str, Any] = json.loads(
            json.dumps(
                {
                    "tuner": {"name": self.tuner.name, **tuner},
                    "metric": self.metric.signature(),
                    "size": self.size,
                    "start": dict(start),
                    "inputs": identity,
                },
                default=str,
            )
        )
        return plain

    def _reason_to_stop(self, done: list[Iteration], sign: float) -> str:
        if len(done) >= 2 and done[-1].weights == done[-2].weights:
            return UNCHANGED
        if self.patience and len(done) > self.patience:
            before = max(sign * turn.score for turn in done[: -self.patience])
            since = max(sign * turn.score for turn in done[-self.patience :])
            if since < before + self.least_gain:
                turns = f"{self.patience} iteration{'s' if self.patience > 1 else ''}"
                return f"nothing better in {turns}"
        return ""
