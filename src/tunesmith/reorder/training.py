"""Multinomial logistic regression for orientations (Alrajeh & Niranjan 2014), dual and primal.

Both minimise P(w) = ‖w‖² / 2σ² − Σ log p(class) (Eq. 6), with p(k) ∝ exp(w_k · φ) (Eq. 5). The
dual has a distribution α over classes for every example; P(w) + D(α) ≥ 0 is the gap, which is 0 at
the optimum only.
"""

from abc import ABC, abstractmethod
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.errors import DegenerateError
from tunesmith.base.log import log
from tunesmith.base.parameters import check_parameters, parameter, parameters_of
from tunesmith.base.progress import progress
from tunesmith.base.seeds import derive_seed, seed_parameter
from tunesmith.engine import EngineLike, as_engine, engine_parameter
from tunesmith.reorder.checkpoint import Arrays, TrainerCheckpoint
from tunesmith.reorder.examples import OrientationExamples

Weights = npt.NDArray[np.float64]
Native = TypeVar("Native", _core.DualTrainer, _core.PrimalTrainer)


@dataclass(frozen=True)
class TrainingPass:
    """What a pass over the examples did; objectives where they were measured."""

    number: int
    visited: int
    """Examples that were active when the pass began."""
    changed: int
    """Examples that it changed."""
    active: int
    """Examples that are active after it."""
    primal: float | None = None
    dual: float | None = None
    errors: int | None = None

    @property
    def gap(self) -> float | None:
        """P(w) + D(α)."""
        return None if self.primal is None or self.dual is None else self.primal + self.dual


@dataclass(frozen=True)
class TrainingResult:
    """Weights by feature and class, and the way there."""

    weights: Weights
    passes: list[TrainingPass]
    converged: bool
    """Whether training ended by itself, before its last pass."""

    @property
    def last(self) -> TrainingPass:
        """The last pass; its objectives are always measured."""
        return self.passes[-1]


@dataclass(frozen=True)
class OrientationTraining(ABC, Generic[Native]):
    """What both ways of training share: passes until it is done, a checkpoint after each."""

    name: ClassVar[str]

    variance: float = parameter(1.0, "variance of the prior of weights (σ²)", above=0)
    passes: int = parameter(100, "passes over the examples at the most", at_least=1)
    every_objective: bool = parameter(
        False, "measure the objectives after every pass, not only after the last"
    )
    seed: int = seed_parameter()
    engine: EngineLike = engine_parameter("threads")

    def fit(
        self, examples: OrientationExamples, *, checkpoint: str | Path | None = None
    ) -> TrainingResult:
        """Train on the examples.

        Parameters
        ----------
        checkpoint
            A file that is written after every pass; a run that finds it goes on from there, and
            ends with the same bytes as one that was never stopped.
        """
        check_parameters(self)
        examples.check_classes()
        kept = None
        if checkpoint is not None:
            kept = TrainerCheckpoint(Path(checkpoint), self.settings(examples))
        found = None if kept is None else kept.read(self.array_types)
        if found is None:
            native, done = self.start(examples.native), []
        else:
            with found.checked():
                done = [TrainingPass(**row) for row in found.passes]
                native = self.resume(examples.native, found.arrays, len(done))
        converged = self.finished(native, done, len(examples))
        with progress(f"{self.name} passes", self.passes) as bar:
            bar.skip(len(done))
            while not converged and len(done) < self.passes:
                done.append(self.step(native))
                converged = self.finished(native, done, len(examples))
                if self.every_objective:
                    done[-1] = self.measured(native, examples, done[-1])
                log.debug(_line(done[-1], len(examples)))
                if kept is not None:
                    kept.write(self.state(native), [asdict(row) for row in done])
                bar.advance()
        done[-1] = self.measured(native, examples, done[-1])
        weights = np.array(native.weights()).reshape(-1, len(examples.class_names))
        if not np.isfinite(weights).all():
            raise DegenerateError(f"{self.name} training ended with weights that are no numbers")
        return TrainingResult(weights, done, converged)

    def settings(self, examples: OrientationExamples) -> dict[str, Any]:
        """What a checkpoint must have been made with."""
        own = {
            field.name: getattr(self, field.name)
            for field in parameters_of(type(self))
            if field.name not in ("passes", "engine")
        }
        return {"training": self.name, **own, "examples": examples.fingerprint()}

    @property
    def threads(self) -> int:
        """Threads of the native loops."""
        return as_engine(self.engine).threads

    def measured(
        self, native: Native, examples: OrientationExamples, done: TrainingPass
    ) -> TrainingPass:
        """The pass with its objectives."""
        weights = native.weights()
        loss, errors = examples.native.measure(weights, self.threads)
        primal = float(weights @ weights) / (2 * self.variance) + loss
        return TrainingPass(
            done.number, done.visited, done.changed, done.active, primal, self.dual(native), errors
        )

    array_types: ClassVar[dict[str, tuple[type, int]]]

    @abstractmethod
    def start(self, examples: _core.OrientationExamples) -> Native:
        """A trainer at its start."""

    @abstractmethod
    def resume(self, examples: _core.OrientationExamples, arrays: Arrays, passes: int) -> Native:
        """A trainer that goes on from a checkpoint."""

    @abstractmethod
    def state(self, native: Native) -> Arrays:
        """What it goes on from."""

    @abstractmethod
    def step(self, native: Native) -> TrainingPass:
        """One pass."""

    @abstractmethod
    def dual(self, native: Native) -> float | None:
        """D(α), where there is an α."""

    @abstractmethod
    def finished(self, native: Native, done: list[TrainingPass], examples: int) -> bool:
        """Whether nothing is left to do."""


@dataclass(frozen=True)
class DualTraining(OrientationTraining[_core.DualTrainer]):
    """Algorithm 1: stochastic exponentiated gradient on the dual, with shrinking.

    An example whose optimality condition (Eq. 16) holds to `tolerance` is dropped. As the weights
    still move, it may violate the condition again: with `rechecks`, all examples are looked at
    once more when none is left.

    >>> examples = OrientationExamples.from_lists([[0], [1], [0, 1]], [0, 1, 1], 2, ("a", "b"))
    >>> result = DualTraining(tolerance=1e-4, rechecks=100).fit(examples)
    >>> result.converged, abs(result.last.gap) < 1e-6
    (True, True)
    """

    name: ClassVar[str] = "dual"

    tolerance: float = parameter(0.1, "how far from optimal a dropped example may be (ε)", above=0)
    rechecks: int = parameter(
        0, "times that dropped examples are looked at again when none is left", at_least=0
    )
    start_share: float = parameter(
        1e-3, "what the wrong classes have of an example at first", above=0, at_most=0.5
    )
    rate: float = parameter(
        0.0,
        "first step of an example (η), halved as long as it leads up; the paper has 0.5; 0: by "
        "its number of features",
        at_least=0,
        at_most=1,
    )
    trials: int = parameter(10, "halvings of the step at the most", at_least=1)
    parts: int = parameter(
        1, "parts of the examples that are worked on side by side", at_least=1, at_most=4096
    )

    array_types: ClassVar[dict[str, tuple[type, int]]] = {
        "log_alpha": (np.float32, 1),
        "weights": (np.float64, 1),
        "active": (np.uint32, 1),
    }

    def _options(self) -> _core.DualOptions:
        options = _core.DualOptions()
        options.variance, options.tolerance = self.variance, self.tolerance
        options.start, options.trials, options.parts = self.start_share, self.trials, self.parts
        options.rate = self.rate
        options.seed = derive_seed(self.seed, "dual")
        return options

    def start(self, examples: _core.OrientationExamples) -> _core.DualTrainer:
        """α by Eq. 15."""
        return _core.DualTrainer(examples, self._options())

    def resume(
        self, examples: _core.OrientationExamples, arrays: Arrays, passes: int
    ) -> _core.DualTrainer:
        """α, w and the active set as they were."""
        return _core.DualTrainer.resumed(examples, self._options(), **arrays, passes=passes)

    def state(self, native: _core.DualTrainer) -> Arrays:
        """α, w and the active set."""
        return {
            "log_alpha": native.log_alpha(), "weights": native.weights(), "active": native.active()
        }  # fmt: skip

    def step(self, native: _core.DualTrainer) -> TrainingPass:
        """A pass over the active examples; over all of them if there are none."""
        if native.active_count == 0:
            native.recheck()
        visited, changed = native.run_pass(self.threads)
        return TrainingPass(native.passes, visited, changed, native.active_count)

    def dual(self, native: _core.DualTrainer) -> float:
        """D(α), Eq. 9."""
        return native.objective(self.threads)

    def finished(self, native: _core.DualTrainer, done: list[TrainingPass], examples: int) -> bool:
        """Nothing is active, and nothing would become so, or no recheck is left."""
        if not done or native.active_count > 0:
            return False
        full = [row for row in done if row.visited == examples]
        return full[-1] is done[-1] or self._rechecks_done(done) >= self.rechecks

    @staticmethod
    def _rechecks_done(done: list[TrainingPass]) -> int:
        return sum(before.active == 0 for before in done[:-1])


@dataclass(frozen=True)
class PrimalTraining(OrientationTraining[_core.PrimalTrainer]):
    """Stochastic gradient descent on the primal (Eq. 7–8), as Bottou (2012) advises."""

    name: ClassVar[str] = "primal"

    rate: float = parameter(0.0, "first learning rate; 0 finds one by trying", at_least=0)
    averaged: bool = parameter(False, "average the weights of all steps after the first pass")

    array_types: ClassVar[dict[str, tuple[type, int]]] = {
        "raw": (np.float64, 1),
        "lagging": (np.float64, 1),
        "numbers": (np.float64, 1),
    }

    def _options(self) -> _core.PrimalOptions:
        options = _core.PrimalOptions()
        options.variance, options.rate, options.averaged = self.variance, self.rate, self.averaged
        options.seed = derive_seed(self.seed, "primal")
        return options

    def start(self, examples: _core.OrientationExamples) -> _core.PrimalTrainer:
        """Weights of 0."""
        return _core.PrimalTrainer(examples, self._options())

    def resume(
        self, examples: _core.OrientationExamples, arrays: Arrays, passes: int
    ) -> _core.PrimalTrainer:
        """Weights and averages as they were."""
        return _core.PrimalTrainer.resumed(examples, self._options(), **arrays, passes=passes)

    def state(self, native: _core.PrimalTrainer) -> Arrays:
        """Weights and averages."""
        return dict(zip(self.array_types, native.state(), strict=True))

    def step(self, native: _core.PrimalTrainer) -> TrainingPass:
        """A pass over all examples."""
        size = native.examples
        native.run_pass()
        return TrainingPass(native.passes, size, size, size)

    def dual(self, native: _core.PrimalTrainer) -> None:
        """There is no α."""
        return

    def finished(
        self, native: _core.PrimalTrainer, done: list[TrainingPass], examples: int
    ) -> bool:
        """Only the number of passes ends it."""
        return False


def _line(done: TrainingPass, examples: int) -> str:
    text = f"pass {done.number}: {done.active / examples:.2%} active"
    if done.primal is not None and done.errors is not None:
        text += f", objective {done.primal:.6g}, error {done.errors / examples:.2%}"
    return text if done.gap is None else f"{text}, gap {done.gap:.3g}"
