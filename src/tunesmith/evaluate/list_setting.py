"""Tuners compared on n-best lists: a run is one fit on the dev lists, tested on other lists."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith.base.atomic import atomic_text
from tunesmith.base.errors import InputError, OptionError
from tunesmith.base.weights import Weights
from tunesmith.engine import EngineLike
from tunesmith.engine.memory import peak_memory
from tunesmith.evaluate.run_result import RunResult, by_template, output_file
from tunesmith.evaluate.run_setting import OWN, Run, Setting, TextSet, dev_sample
from tunesmith.formats.nbest import NbestList, read_nbest
from tunesmith.formats.references import read_references
from tunesmith.formats.weights import write_weights
from tunesmith.metrics.base import Stats
from tunesmith.model import TranslationModel
from tunesmith.tune import Tuner
from tunesmith.tune.base import start_vector
from tunesmith.tune.baselines import first_entries
from tunesmith.tune.loop import UNCHANGED
from tunesmith.tune.pool import read_pool


@dataclass(frozen=True)
class ListSetting(Setting):
    """What all runs on lists share: the sources of dev and test sets are lists, there is no model.

    The `untuned` row has the lists' first entries.
    """

    reading: Mapping[str, Any] = field(default_factory=dict)
    """How lists are read, as keywords of `read_nbest`."""

    def inputs(self) -> dict[str, str]:
        """The hashes of lists and references."""
        return self.text_hashes()

    def load_model(self, features: str) -> TranslationModel:
        """There is none."""
        raise OptionError(f"features '{features}', but n-best lists have their own only")

    def check(self, tuners: Sequence[type], features: Sequence[str]) -> None:
        """Refuse tuners that need more than lists, and features that lists cannot have."""
        if tuple(features) != (OWN,):
            raise OptionError(f"features {', '.join(features)}, but lists have their own only")
        for kind in tuners:
            if not issubclass(kind, Tuner):
                raise OptionError(
                    f"{kind.__name__} needs a model to decode with, and works on no lists"
                )

    def sparse(self, features: Sequence[str]) -> dict[str, dict[str, int]]:
        """The sparse features of the dev lists by template."""
        nbest = self._list(self.dev)
        return {OWN: by_template(nbest.dense_names, nbest.names)} if nbest.sparse_names else {}

    def check_texts(self, features: str) -> int:
        """How many sentences the dev lists have; references that do not fit lists are refused."""
        counts = [self._list(part, self.references(part, features)) for part in self._sets]
        return counts[0].sentences

    @property
    def _sets(self) -> tuple[TextSet, ...]:
        return (self.dev, *self.tests)

    def references(self, part: TextSet, features: str) -> list[list[str]]:
        """The references as they are: of files, or of the lists' own column."""
        if part.references:
            return [list(lines) for lines in read_references(part.references)]
        found = self._list(part).own_references
        if not found and self.metric.needs_text:
            raise OptionError(
                f"metric {self.metric.name} needs references: give --dev-ref and --test-ref, or "
                "--ref-column"
            )
        return found

    def texts(self, part: TextSet, features: str) -> tuple[Sequence[str] | None, list[list[str]]]:
        """Lists are no source; the references as they are."""
        return None, self.references(part, features)

    def stats_reader(
        self, part: TextSet, features: str, engine: EngineLike
    ) -> Callable[[Path], Stats]:
        """What reads what the metric counts; that of ready scores is beside the texts."""
        if not self.metric.columns:
            return super().stats_reader(part, features, engine)
        return lambda folder: np.loadtxt(folder / _stats_file(part), np.int32, ndmin=2)

    def _list(self, part: TextSet, references: Sequence[Sequence[str]] = ()) -> NbestList:
        nbest = read_nbest(part.source, **self.reading)
        if references and len(references[0]) != nbest.sentences:
            raise InputError(
                next(iter(part.references), part.source), 0, f"{len(references[0]):,} lines",
                f"{nbest.sentences:,}, the sentences of {part.source}",
            )  # fmt: skip
        return nbest

    def tune_and_test(
        self, run: Run, tuner: Tuner | None, folder: Path, engine: EngineLike
    ) -> RunResult:
        """Fit on the run's part of the dev lists, and choose from the test lists."""
        wall, cpu = perf_counter(), process_time()
        metric = self.metric
        references = self.references(self.dev, OWN)
        pool = read_pool(
            self.dev.source, references, metric, texts=False, engine=engine, **self.reading
        )
        part = pool.select(dev_sample(pool.sentences, run, self))
        if tuner is None:
            weights = Weights.from_vector(part.names, start_vector(part, None))
            score = metric.score(part.stats_of(first_entries(part)))
        else:
            result = tuner.fit(part, metric)
            result.warn(tuner.name)
            weights, score = result.weights, result.score
        write_weights(folder / "weights.tsv", weights)
        scores = {}
        for test in self.tests:
            references = self.references(test, OWN)
            nbest = self._list(test, references)
            rows = _first_rows(nbest) if tuner is None else nbest.best(weights)
            if metric.columns and (rows < 0).any():
                raise InputError(
                    test.source, 0, "a sentence without a hypothesis",
                    "one at least: ready scores are those of hypotheses",
                )  # fmt: skip
            output = nbest.texts_at(rows)
            with atomic_text(folder / output_file(test.name)) as stream:
                stream.writelines(f"{line}\n" for line in output)
            prepared = metric.prepare(references or [output])
            columns = {name: nbest.column(name)[rows] for name in metric.columns}
            stats = metric.stats(output, None, prepared, columns=columns, engine=engine)
            if columns:
                with atomic_text(folder / _stats_file(test)) as stream:
                    np.savetxt(stream, stats, fmt="%d")
            scores[test.name] = metric.score(stats.sum(axis=0, dtype=np.int64))
        return RunResult(
            tune=score,
            tests=scores,
            curve=[score],
            hypotheses=[part.rows],
            stopped=UNCHANGED,
            weights=by_template(pool.dense_names, [name for name, w in weights.items() if w]),
            seconds=perf_counter() - wall,
            cpu_seconds=process_time() - cpu,
            memory=peak_memory(),
        )


def _first_rows(nbest: NbestList) -> npt.NDArray[np.int64]:
    """[sentences] the first row of each, −1 where all were bad."""
    return np.where(np.diff(nbest.offsets) > 0, nbest.offsets[:-1], -1)


def _stats_file(part: TextSet) -> str:
    """Where a run keeps what a metric of ready scores counts in its choices."""
    return f"{part.name}.stats"
