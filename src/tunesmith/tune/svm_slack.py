"""Structural SVMs by extended line search (Hayashi, Watanabe, Tsukada & Isozaki 2009)."""

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tunesmith import _core
from tunesmith.base.parameters import parameter
from tunesmith.base.pool import KBestPool
from tunesmith.base.seeds import derive_seed, generator
from tunesmith.metrics.base import SUBSTITUTION, Metric
from tunesmith.tune.base import Step, Tuner, Vector, unit_length
from tunesmith.tune.oracle import Oracle, greedy_oracle


@dataclass
class _SlackTuner(Tuner):
    """MERT with a margin to the oracle and an L2 term, minimised along one feature at a time."""

    dense_only: ClassVar[bool] = True
    keep_best: ClassVar[bool] = True

    Q: float = parameter(10_000.0, "what a loss of 1 in the metric's gain counts", above=0)
    l2: float = parameter(1.0, "weight of ‖w‖²/2 (λ), in standardised units", above=0)
    restarts: int = parameter(0, "climbs from random places beside the start", at_least=0)
    rounds: int = parameter(20, "rounds over the features that a climb may take", at_least=1)
    right_ends: bool = parameter(
        False, "try only the right end of each interval, as the paper does, not its lowest point"
    )

    def steps(self, pool: KBestPool, metric: Metric, start: Vector) -> Iterator[Step]:
        """One step per round: the lowest place of all climbs so far."""
        oracle = greedy_oracle(pool, metric, engine=self.engine)
        problem = self.problem(pool, metric, oracle)
        begin = unit_length(start)
        noise = generator(self.seed, self.name).standard_normal((self.restarts, len(begin)))
        places = np.vstack([begin, begin + noise / np.sqrt(len(begin))])
        lowest = np.inf
        for turn in range(self.rounds):
            seed = derive_seed(self.seed, self.name, turn)
            ends, objectives = problem.climb(places, 1, seed, self.threads)
            if objectives.min() < lowest:
                lowest = float(objectives.min())
                yield Step(ends[objectives.argmin()], -lowest, f"round {turn + 1}")
            places = ends[(ends != places).any(axis=1)]
            if not len(places):
                return

    @abstractmethod
    def problem(self, pool: KBestPool, metric: Metric, oracle: Oracle) -> _core.SlackProblem:
        """The native objective."""

    def columns(self, pool: KBestPool) -> _core.Columns:
        """The features by columns, of what the weights choose from."""
        return _core.Columns(pool.native, self.threads)


@dataclass
class SSlack(_SlackTuner):
    """λ/2 ‖w‖² + 1/S Σ_s ξ_s: a slack for every sentence (Eq. 4, Algorithm 3).

    ξ_s = max_e Δ_s(e) − w·(h(e*_s) − h(e)), where e* is the greedy corpus oracle and
    Δ_s(e) = Q · (gain of e* − gain of e* with e in the place of sentence s).
    """

    name: ClassVar[str] = "svm-s-slack"
    title: ClassVar[str] = "structural SVM, a slack per sentence, by line search (Hayashi 2009)"

    Q: float = parameter(1_000.0, "what a loss of 1 in the metric's gain counts", above=0)

    def problem(self, pool: KBestPool, metric: Metric, oracle: Oracle) -> _core.SlackProblem:
        """Losses of single substitutions into the oracle."""
        chosen = pool.stats[oracle.rows]
        sentences = np.repeat(np.arange(pool.sentences), np.diff(pool.offsets))
        gains = metric.sentence_gains(
            pool.stats, SUBSTITUTION, sentence_ids=sentences, chosen=chosen, engine=self.engine
        )
        best = metric.gain(chosen.sum(axis=0, dtype=np.float64))
        return _core.SlackProblem.s_slack(
            self.columns(pool),
            features_of(pool, oracle),
            self.Q * (best - gains),
            self.l2,
            self.right_ends,
        )


@dataclass
class OneSlack(_SlackTuner):
    """λ/2 ‖w‖² + ξ: one slack ξ ≥ 0 for the corpus (Eq. 7, Algorithm 4).

    ξ = Q · (gain of e* − gain of ê) − 1/S Σ_s w·(h(e*_s) − h(ê_s)), where e* is the greedy corpus
    oracle and ê_s = argmax_e w·h(e): the corpus score itself, as in MERT, and a margin.
    Algorithm 4 takes the argmax without e*_s (line 4); with it, as in MERT, the loss is that of
    what the weights give.
    """

    name: ClassVar[str] = "svm-1-slack"
    title: ClassVar[str] = "structural SVM, one slack for the corpus, by line search (Hayashi 2009)"

    restarts: int = parameter(10, "climbs from random places beside the start", at_least=0)
    rivals_only: bool = parameter(
        False, "the weights may not choose the oracle itself, as in the paper's Algorithm 4"
    )

    def problem(self, pool: KBestPool, metric: Metric, oracle: Oracle) -> _core.SlackProblem:
        """The loss of whole configurations."""
        best = metric.gain(pool.stats_of(oracle.rows).astype(np.float64))
        return _core.SlackProblem.one_slack(
            self.columns(pool.without(oracle.rows) if self.rivals_only else pool),
            features_of(pool, oracle),
            metric.gain,
            best,
            self.Q,
            self.l2,
            self.right_ends,
        )


def features_of(pool: KBestPool, oracle: Oracle) -> Vector:
    """[dense features] Σ_s h(e*_s)."""
    sums: Vector = pool.dense[oracle.rows].sum(axis=0, dtype=np.float64)
    return sums
