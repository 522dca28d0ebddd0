"""What a run of a comparison is: a tuner, a feature set, a sample of the dev set."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith.base.errors import InputError
from tunesmith.base.rundir import file_hash
from tunesmith.base.seeds import DEFAULT_SEED, generator
from tunesmith.formats.references import read_references
from tunesmith.formats.text import read_lines
from tunesmith.metrics import Bleu
from tunesmith.metrics.base import Metric
from tunesmith.model import TranslationModel

#: The feature set that a model has by itself.
OWN = "own"


@dataclass(frozen=True)
class Run:
    """What one run is."""

    features: str
    tuner: str
    replicate: int
    """0 is the whole dev set, the others are sub-samples of it."""
    option: tuple[str, Any] | None = None
    """A hyper-parameter of the tuner and its value, where values are compared."""
    dev_size: int = 0
    """Sentences of the dev set to take before sub-sampling; 0: all."""

    @property
    def system(self) -> str:
        """The tuner, with its option."""
        return self.tuner if self.option is None else "{} {}={}".format(self.tuner, *self.option)

    def __str__(self) -> str:
        size = f", {self.dev_size:,} dev sentences" if self.dev_size else ""
        return f"{self.features}, {self.system}{size}, replicate {self.replicate}"

    def folder(self, out: Path) -> Path:
        """Where the run is kept."""
        size = [f"dev-{self.dev_size}"] if self.dev_size else []
        return out.joinpath(
            "runs", self.features, self.system.replace(" ", ","), *size, str(self.replicate)
        )


@dataclass(frozen=True)
class Setting:
    """What all runs of a comparison share."""

    model: str
    dev_source: str
    dev_references: tuple[str, ...]
    test_source: str
    test_references: tuple[str, ...]
    search: dict[str, Any]
    """Keywords of `SearchOptions` that go before the model's own."""
    loop: dict[str, Any]
    """Keywords of `TuningLoop`."""
    keep: float = 0.9
    seed: int = DEFAULT_SEED

    @property
    def metric(self) -> Metric:
        """BLEU of the model's tokens, for tuning and for the test."""
        return Bleu(tokenize="none")

    def inputs(self) -> dict[str, str]:
        """The hashes of all files that decide the results; a model's weights do not."""
        files = [self.dev_source, *self.dev_references, self.test_source, *self.test_references]
        model = [
            path
            for path in sorted(Path(self.model).iterdir())
            if path.is_file() and path.name not in {"weights.tsv", "run.json"}
        ]
        return {
            **{path: file_hash(path) for path in files},
            **{path.name: file_hash(path) for path in model},
        }

    def load_model(self, features: str) -> TranslationModel:
        """The model with one of its feature sets."""
        model = TranslationModel.load(self.model)
        return model if features == OWN else model.restricted(features)

    def texts(self, model: TranslationModel, part: str) -> tuple[list[str], list[list[str]]]:
        """Sources and references of ``dev`` or ``test``, as the model sees them."""
        path = getattr(self, f"{part}_source")
        paths = getattr(self, f"{part}_references")
        source, target = model.preprocessors
        sentences = source.encode(read_lines(path))
        references = [target.encode(list(lines)) for lines in read_references(list(paths))]
        if not sentences:
            raise InputError(path, 0, "no lines", "one sentence per line")
        if len(sentences) != len(references[0]):
            raise InputError(
                paths[0], 0, f"{len(references[0]):,} lines", f"{len(sentences):,} as in {path}"
            )
        return sentences, references


def dev_sample(total: int, run: Run, setting: Setting) -> npt.NDArray[np.int64]:
    """The dev sentences of a run (paper A, §4.3): each kept with p = 0.9, the same for all tuners.

    A smaller dev set is part of every larger one.
    """
    chosen = np.arange(total)
    if run.dev_size:
        order = generator(setting.seed, "dev size").permutation(total)
        chosen = np.sort(order[: run.dev_size])
    if run.replicate:
        chance = generator(setting.seed, "replicate", run.replicate).random(total)
        chosen = chosen[chance[chosen] < setting.keep]
    return chosen
