"""The maximum-entropy reordering model: orientations from features of a phrase pair in its place.

Alrajeh & Niranjan (2014), Large-scale Reordering Model for Statistical Machine Translation using
Dual Multinomial Logistic Regression.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.array_file import contents_of, json_object, read_arrays, write_arrays
from tunesmith.base.config import from_mapping
from tunesmith.base.errors import OptionError
from tunesmith.base.parameters import check_parameters, parameter
from tunesmith.base.seeds import seed_parameter
from tunesmith.corpus import Bitext
from tunesmith.engine import EngineLike
from tunesmith.formats.pharaoh import Links
from tunesmith.grammar.extraction import CLASSES, DIRECTIONS, reordering_names
from tunesmith.reorder.example_set import WORD_TYPES, ExampleExtraction, ExampleSet, FeatureWords
from tunesmith.reorder.training import DualTraining, PrimalTraining, TrainingResult

KIND, VERSION = "reorder-model", 2
_SCORES = ("classes", "single")
_TYPES: dict[str, tuple[type, int]] = {
    **WORD_TYPES,
    "weights": (np.float32, 1),
    "shape": (np.uint32, 1),
}


@dataclass(frozen=True)
class SideReport:
    """How well one direction of a model tells the classes of a text."""

    examples: int
    error: float
    """The share of phrase pairs with a wrong class."""
    majority_error: float
    """The same if all had the most frequent class."""
    entropy: float
    """Nats a phrase pair: the mean of − log p(its class)."""


class MaxentModel:
    """A trained model, as the decoder uses it."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.native = _core.MaxentModel(str(path))
        self._arrays = read_arrays(path, KIND, VERSION, _TYPES)
        with contents_of(path, "a reordering model", "train it again"):
            meta = json_object(self.native.meta)
            self.options = from_mapping(dict(meta["options"]), MaxentReordering)
            check_parameters(self.options)
            self.training: dict[str, Any] = dict(meta["training"])
            shape = self._arrays["shape"].tolist()
            if shape != self.options.shape().tolist():
                raise ValueError("options that are not those of its weights")

    @property
    def names(self) -> list[str]:
        """Its features in the decoder."""
        return [f"maxent.{name}" for name in self.options.score_names]

    @property
    def feature_count(self) -> int:
        """How many features have weights."""
        return len(self._arrays["keys"])

    def evaluate(
        self, bitext: Bitext, links: Links, engine: EngineLike = 1
    ) -> dict[str, SideReport]:
        """What the model makes of the phrase pairs of another text, by direction."""
        extraction = ExampleExtraction(**self.options.example_options(), engine=engine)
        with TemporaryDirectory() as folder:
            examples = extraction.build_like(
                bitext,
                links,
                Path(folder) / "examples.bin",
                words=FeatureWords.from_arrays(self._arrays),
                keys=self._arrays["keys"],
            )
            if not len(examples):
                raise OptionError("the text has no phrase pairs, expected some to look at")
            return {side: self._report(examples, side) for side in self.options.sides}

    def _report(self, examples: ExampleSet, side: str) -> SideReport:
        classes = len(CLASSES[self.options.classes])
        weights = self._arrays["weights"].reshape(-1, len(self.options.sides), classes)
        own = weights[:, self.options.sides.index(side)].astype(np.float64).reshape(-1)
        found = examples.towards(side, self.options.classes)
        loss, errors = found.native.measure(own, 1)
        most = max(found.counts().values())
        return SideReport(len(found), errors / len(found), 1 - most / len(found), loss / len(found))


@dataclass(frozen=True)
class MaxentReordering(ExampleExtraction):
    """How a maximum-entropy reordering model is made of aligned text."""

    direction: str = parameter(
        "bidirectional",
        "which neighbours the model looks at",
        choices=tuple(name for name in DIRECTIONS if name != "none"),
    )
    classes: str = parameter("msd", "orientation classes", choices=tuple(CLASSES))
    scores: str = parameter(
        "classes",
        "what the decoder gets: a feature for each class, or a single log-probability, for each "
        "direction",
        choices=_SCORES,
    )
    method: str = parameter(
        "dual", "how it is trained: dual with shrinking, or primal", choices=("dual", "primal")
    )
    variance: float = parameter(0.1, "variance of the prior of weights (σ²)", above=0)
    tolerance: float = parameter(0.1, "how far from optimal a dropped example may be (ε)", above=0)
    passes: int = parameter(100, "passes over the examples at the most", at_least=1)
    rechecks: int = parameter(
        0, "times that dropped examples are looked at again when none is left", at_least=0
    )
    parts: int = parameter(
        1, "parts of the examples that are worked on side by side", at_least=1, at_most=4096
    )
    seed: int = seed_parameter()

    @property
    def sides(self) -> tuple[str, ...]:
        """The neighbours that it looks at."""
        return DIRECTIONS[self.direction]

    @property
    def score_names(self) -> list[str]:
        """Features in the decoder, without the name of the model."""
        if self.scores == "single":
            return list(self.sides)
        return reordering_names(self.direction, self.classes)

    def run(
        self,
        bitext: Bitext,
        links: Links,
        path: str | Path,
        *,
        examples: str | Path | None = None,
        checkpoints: str | Path | None = None,
    ) -> MaxentModel:
        """Train on a text with word links, and write the model to `path`.

        Parameters
        ----------
        examples
            A file of examples: used if it is there, else written. Without, it is a temporary one.
        checkpoints
            A folder that keeps the state of training, so that a killed run goes on.
        """
        check_parameters(self)
        with self._examples(bitext, links, Path(path), examples) as found:
            return self.train(found, path, checkpoints=checkpoints)

    @contextmanager
    def _examples(
        self, bitext: Bitext, links: Links, path: Path, kept: str | Path | None
    ) -> Iterator[ExampleSet]:
        if kept is not None and Path(kept).exists():
            found = ExampleSet(kept)
            self.check_made_alike(found)
            yield found
        elif kept is not None:
            yield self.build(bitext, links, kept)
        else:
            with TemporaryDirectory(prefix=f".{path.name}.", dir=path.parent) as folder:
                yield self.build(bitext, links, Path(folder) / "examples.bin")

    def train(
        self, examples: ExampleSet, path: str | Path, *, checkpoints: str | Path | None = None
    ) -> MaxentModel:
        """Train on examples, and write the model to `path`."""
        self.check_made_alike(examples)
        if not len(examples.keys):
            raise OptionError(
                f"no feature occurs more than {self.cutoff} times in {len(examples):,} phrase "
                "pairs; expected more text, or a lower cutoff"
            )
        results = {side: self._fit(examples, side, checkpoints) for side in self.sides}
        weights = np.stack([results[side].weights for side in self.sides], axis=1)
        meta = {
            "options": {name: value for name, value in asdict(self).items() if name != "engine"},
            "training": {side: _summary(result) for side, result in results.items()},
        }
        write_arrays(
            path,
            KIND,
            VERSION,
            {
                "keys": examples.keys,
                "weights": weights.astype(np.float32).reshape(-1),
                **examples.words.arrays(),
                "shape": self.shape(),
                "meta": np.frombuffer(json.dumps(meta).encode(), dtype=np.uint8),
            },
        )
        return MaxentModel(path)

    def shape(self) -> npt.NDArray[np.uint32]:
        """What the core knows of the options (core/reorder/maxent_model.hh)."""
        sides = ["previous" in self.sides, "next" in self.sides]
        flags = [*sides, self.scores == "single"]
        return np.array([len(CLASSES[self.classes]), *flags, self.feature_bits], dtype=np.uint32)

    def _fit(
        self, examples: ExampleSet, side: str, checkpoints: str | Path | None
    ) -> TrainingResult:
        shared: dict[str, Any] = {
            "variance": self.variance,
            "passes": self.passes,
            "seed": self.seed,
            "engine": self.engine,
        }
        training = (
            PrimalTraining(averaged=True, **shared)
            if self.method == "primal"
            else DualTraining(
                tolerance=self.tolerance, rechecks=self.rechecks, parts=self.parts, **shared
            )
        )
        state = None if checkpoints is None else Path(checkpoints) / f"{side}.state"
        found = examples.towards(side, self.classes)
        with contents_of(examples.path, "examples of every class", "use more text"):
            found.check_classes()
        return training.fit(found, checkpoint=state)


def _summary(result: TrainingResult) -> dict[str, Any]:
    last = result.last
    return {
        "passes": len(result.passes),
        "objective": last.primal,
        "gap": last.gap,
        "errors": last.errors,
        "converged": result.converged,
    }
