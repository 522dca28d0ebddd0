"""What a run of a comparison is: a tuner with options, a feature set, a sample of the dev set."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith.base.errors import InputError
from tunesmith.base.lock import LOCK_FILE
from tunesmith.base.rundir import file_hash
from tunesmith.base.seeds import DEFAULT_SEED, generator
from tunesmith.engine import EngineLike
from tunesmith.evaluate.run_result import by_template, output_file
from tunesmith.evaluate.training_text import TrainingText
from tunesmith.formats.plf import Lattice
from tunesmith.formats.references import read_references
from tunesmith.formats.text import read_lines
from tunesmith.metrics import parse_metric
from tunesmith.metrics.base import Metric, Stats
from tunesmith.model import TranslationModel
from tunesmith.tune.loop import check_native

#: The feature set that a model has by itself.
OWN = "own"
#: In the place of a tuner: the initial weights as they are.
UNTUNED = "untuned"

#: How replicates differ: each keeps most of the same sentences (paper A, §4.3), or has sentences
#: of its own, drawn from all or from those that no other has (paper D, Table 3).
SUBSETS, INDEPENDENT, DISJOINT = DRAWS = ("subsets", "independent", "disjoint")

# Where a comparison keeps its runs, and what runs of the learner share.
RUNS_FOLDER, LEARNING_FOLDER = "runs", "learning"


@dataclass(frozen=True)
class Run:
    """What one run is."""

    features: str
    tuner: str
    replicate: int
    """0 is the whole dev set, the others are sub-samples of it; or all are draws of their own."""
    options: tuple[tuple[str, Any], ...] = ()
    """Hyper-parameters of the tuner that are not its defaults."""
    dev_size: int = 0
    """Sentences of the dev set to take; 0: all."""

    @property
    def system(self) -> str:
        """The tuner, with its options."""
        return " ".join([self.tuner, *(f"{key}={value}" for key, value in self.options)])

    def __str__(self) -> str:
        size = f", {self.dev_size:,} dev sentences" if self.dev_size else ""
        return f"{self.features}, {self.system}{size}, replicate {self.replicate}"

    def folder(self, out: Path) -> Path:
        """Where the run is kept."""
        size = [f"dev-{self.dev_size}"] if self.dev_size else []
        return out.joinpath(
            RUNS_FOLDER,
            self.features,
            self.system.replace(" ", ",").replace("/", "_"),
            *size,
            str(self.replicate),
        )


def check_own_folder(out: Path) -> None:
    """Refuse a folder with files in it that no comparison has made."""
    if out.exists() and not out.is_dir():
        raise InputError(out, 0, "a file", "a folder to make")
    others = {entry.name for entry in out.iterdir()} - {LOCK_FILE} if out.is_dir() else set()
    if others and RUNS_FOLDER not in others:
        raise InputError(out, 0, "other files in it", "a new folder, or one of a comparison")


@dataclass(frozen=True)
class TextSet:
    """Sentences with their references, in files."""

    name: str
    source: str
    references: tuple[str, ...]

    def read(self, model: TranslationModel) -> tuple[Sequence[str | Lattice], list[list[str]]]:
        """Sources and references as the model sees them."""
        sentences = model.encode_source(read_lines(self.source))
        target = model.preprocessors[1]
        references = [target.encode(list(lines)) for lines in read_references(self.references)]
        if not sentences:
            raise InputError(self.source, 0, "no lines", "one sentence per line")
        if len(sentences) != len(references[0]):
            raise InputError(
                self.references[0], 0, f"{len(references[0]):,} lines",
                f"{len(sentences):,} as in {self.source}",
            )  # fmt: skip
        return sentences, references


@dataclass(frozen=True)
class Setting:
    """What all runs of a comparison share."""

    model: str
    dev: TextSet
    tests: Sequence[TextSet]
    search: dict[str, Any]
    """Keywords of `SearchOptions` that go before the model's own."""
    loop: dict[str, Any]
    """Keywords of `TuningLoop`."""
    reference_length: str = "closest"
    """What BLEU takes for the length of several references."""
    draws: str = SUBSETS
    keep: float = 0.9
    seed: int = DEFAULT_SEED
    training: TrainingText | None = None
    """What the learner learns from, where it is among the tuners."""
    metric_name: str = "bleu"
    tokenize: str = "none"
    """Of BLEU; a model's text is in tokens already."""

    @property
    def metric(self) -> Metric:
        """What is tuned for and tested, of the model's tokens."""
        return parse_metric(
            self.metric_name, tokenize=self.tokenize, reference_length=self.reference_length
        )

    def text_hashes(self) -> dict[str, str]:
        """The hashes of all texts."""
        texts = [
            path for part in (self.dev, *self.tests) for path in (part.source, *part.references)
        ]
        return {path: file_hash(path) for path in texts}

    def inputs(self) -> dict[str, str]:
        """The hashes of all files that decide the results; a model's weights do not."""
        model = [
            path
            for path in sorted(Path(self.model).iterdir())
            if path.is_file() and path.name not in {"weights.tsv", "run.json"}
        ]
        return {
            **self.text_hashes(),
            **{path.name: file_hash(path) for path in model},
        }

    def load_model(self, features: str) -> TranslationModel:
        """The model with one of its feature sets."""
        model = TranslationModel.load(self.model)
        return model if features == OWN else model.restricted(features)

    def check(self, tuners: Sequence[type], features: Sequence[str]) -> None:
        """Every tuner works with a model, but not every metric."""
        check_native(self.metric)

    def sparse(self, features: Sequence[str]) -> dict[str, dict[str, int]]:
        """Feature sets with sparse features, and how many the model has by template.

        How many a grammar's rules have only a text tells: 0.
        """
        models = {name: self.load_model(name) for name in features}
        found = {}
        for name, model in models.items():
            if model.has_sparse:
                names = [*model.feature_names, *model.sparse_names]
                found[name] = by_template(model.feature_names, names)
            if model.grammar_templates is not None:
                found[name] |= dict.fromkeys(model.grammar_templates.names, 0)
        return found

    def check_texts(self, features: str) -> int:
        """How many sentences the dev set has; texts that cannot be read are refused."""
        model = self.load_model(features)
        sentences, _ = self.dev.read(model)
        for part in self.tests:
            part.read(model)
        return len(sentences)

    def references(self, part: TextSet, features: str) -> list[list[str]]:
        """The references of a set as the model sees them."""
        return part.read(self.load_model(features))[1]

    def texts(self, part: TextSet, features: str) -> tuple[Sequence[str] | None, list[list[str]]]:
        """The source of a set as it came, if it is text, and its references."""
        return read_lines(part.source), self.references(part, features)

    def stats_reader(
        self, part: TextSet, features: str, engine: EngineLike
    ) -> Callable[[Path], Stats]:
        """What reads from a run's folder what the metric counts in its translations of a set."""
        metric, references = self.metric, self.references(part, features)
        prepared = metric.prepare(references)

        def stats(folder: Path) -> Stats:
            lines = _output(folder / output_file(part.name), len(references[0]))
            return metric.stats(lines, None, prepared, engine=engine)

        return stats


def _output(path: Path, sentences: int) -> Sequence[str]:
    """The translations of a test set that a run made."""
    lines = read_lines(path)
    if len(lines) != sentences:
        raise InputError(
            path, 0, f"{len(lines):,} lines", f"{sentences:,}, one per test sentence",
            "delete the folder of the run",
        )  # fmt: skip
    return lines


def dev_sample(total: int, run: Run, setting: Setting) -> npt.NDArray[np.int64]:
    """The dev sentences of a run, the same for all tuners.

    Sub-samples keep each sentence with p = 0.9 (paper A, §4.3). A smaller dev set is part of every
    larger one, but for disjoint draws.
    """
    chosen = np.arange(total)
    if setting.draws == INDEPENDENT:
        order = generator(setting.seed, "dev draw", run.replicate).permutation(total)
        return np.sort(order[: run.dev_size])
    if run.dev_size:
        order = generator(setting.seed, "dev size").permutation(total)
        first = run.replicate * run.dev_size if setting.draws == DISJOINT else 0
        chosen = np.sort(order[first : first + run.dev_size])
    if run.replicate and setting.draws == SUBSETS:
        chance = generator(setting.seed, "replicate", run.replicate).random(total)
        chosen = chosen[chance[chosen] < setting.keep]
    return chosen
