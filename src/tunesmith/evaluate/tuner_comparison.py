"""Which tuner for which features: the comparison of Cherry & Foster (2012), §4.3 and Tables 4–6.

Every tuner is run on every feature set, on the dev set and on random sub-samples of it (or draws of
their own). The table shows the mean tune and test scores and the standard deviation of the test
score over these runs.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property, partial
from itertools import product
from pathlib import Path
from typing import Any

import tunesmith
from tunesmith.base.atomic import atomic_text
from tunesmith.base.errors import OptionError
from tunesmith.base.lock import locked
from tunesmith.base.log import log
from tunesmith.base.parameters import check_parameters, parameter
from tunesmith.base.seeds import seed_parameter
from tunesmith.decode.phrase_model import INSIDE_SEARCH
from tunesmith.engine import EngineLike, as_engine, engine_parameter
from tunesmith.engine.processes import ProcessEngine
from tunesmith.evaluate.charts.drawing import NEEDED, has_plots, save
from tunesmith.evaluate.comparison_files import RESULTS_FILE, keep_texts
from tunesmith.evaluate.maxforce_row import MAXFORCE, MaxforceRow
from tunesmith.evaluate.run_result import RunResult
from tunesmith.evaluate.run_setting import (
    DISJOINT,
    LEARNING_FOLDER,
    OWN,
    RUNS_FOLDER,
    SUBSETS,
    UNTUNED,
    Run,
    Setting,
    check_own_folder,
)
from tunesmith.evaluate.tuner_cells import MEAN, Cell, ComparedTuners, Place
from tunesmith.evaluate.tuner_differences import all_differences
from tunesmith.evaluate.tuning_run import (
    execute,
    finished,
    row_of,
    row_parameters,
)
from tunesmith.metrics.base import Stats
from tunesmith.metrics.resample import BOOTSTRAP_SAMPLES, MAX_SAMPLES, RANDOMISATION_TRIALS
from tunesmith.model import TranslationModel
from tunesmith.model.kinds import check_phrase_model
from tunesmith.tune import GRAPH_TUNERS, TUNERS, tuner_class
from tunesmith.tune.registry import ALIASES


@dataclass(frozen=True)
class TunerComparison:
    """What is compared, and how."""

    setting: Setting
    out: Path
    tuners: Sequence[str]
    features: Sequence[str] = (OWN,)
    sweep: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    """Options of tuners (KEY, or TUNER.KEY) and the values to compare, in all combinations; a tuner
    without the option runs as it is."""
    options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Options that tuners have in all their runs."""
    dev_sizes: Sequence[int] = ()
    baseline: str = ""
    """The tuner to test the others against; if empty kb-mert, or the first, that is run."""

    replicates: int = parameter(
        5, "tuning runs: on the dev set, and on sub-samples of it", at_least=1
    )
    bootstrap_samples: int = parameter(
        BOOTSTRAP_SAMPLES, "test sets drawn, to see how much the sentences matter",
        at_least=2, at_most=MAX_SAMPLES,
    )  # fmt: skip
    randomisation_trials: int = parameter(
        RANDOMISATION_TRIALS, "trials of approximate randomisation", at_least=1, at_most=MAX_SAMPLES
    )
    jobs: int = parameter(
        0, "runs at a time, while memory allows; 0: as many as threads", at_least=0
    )
    engine: EngineLike = engine_parameter("threads in all")
    seed: int = seed_parameter()

    def runs(self) -> list[Run]:
        """All runs, in the order in which they are begun."""
        return [
            Run(features, tuner, replicate, options, dev_size)
            for features in self.features
            for dev_size in self.dev_sizes or (0,)
            for tuner in self._tuners
            if self._takes(tuner, features)
            for options in self._options(tuner)
            for replicate in range(self.replicates)
        ]

    def run(
        self, report: Callable[[int, int, Run, RunResult], None] = lambda *_: None
    ) -> ComparedTuners:
        """Do all runs that are not done, and compare; `report` hears of every run."""
        self._check()
        with locked(self.out):
            return self._run(report)

    def _run(self, report: Callable[[int, int, Run, RunResult], None]) -> ComparedTuners:
        runs = self.runs()
        inputs = self.setting.inputs()
        results: dict[Run, RunResult] = {}

        def add(run: Run, result: RunResult) -> None:
            results[run] = result
            report(len(results), len(runs), run, result)

        for run in runs:
            result = finished(run, setting=self.setting, inputs=inputs, out=self.out)
            if result is not None:
                add(run, result)
        missing = [run for run in runs if run not in results]
        engine = as_engine(self.engine)
        self._prepare_learning(missing, inputs, engine)
        here = engine.workers == 1 or isinstance(engine, ProcessEngine)
        apart = ProcessEngine(self.jobs, engine.threads) if here else engine
        work = partial(
            execute,
            setting=self.setting,
            inputs=inputs,
            out=str(self.out.absolute()),
            engine=apart.share(len(missing)),
        )
        for number, result in apart.as_done(work, missing):
            add(missing[number], result)
        compared = self._compare({run: results[run] for run in runs}, engine)
        self._save(compared)
        keep_texts(self.out, self._test_texts())
        return compared

    def _test_texts(self) -> dict[str, tuple[Sequence[str] | None, list[list[str]]]]:
        """Sources and references of the test sets, as the model sees them."""
        return {
            part.name: self.setting.texts(part, self.features[0]) for part in self.setting.tests
        }

    def _prepare_learning(
        self, missing: Sequence[Run], inputs: Mapping[str, str], engine: EngineLike
    ) -> None:
        """What runs of the learner share is made once."""
        rows = {run: row_of(run, self.setting, engine) for run in missing}
        needed = dict.fromkeys(
            (run.features, row.learner.folds)
            for run, row in rows.items()
            if isinstance(row, MaxforceRow)
        )
        text = self.setting.training
        if text is None or not needed:
            return
        (self.out / RUNS_FOLDER).mkdir(parents=True, exist_ok=True)  # a comparison's own folder
        models = {features: self.setting.load_model(features) for features, _ in needed}
        identity = {"version": tunesmith.__version__, "inputs": dict(inputs)}
        text.prepare(models, needed, self.out / LEARNING_FOLDER, identity, engine)

    @cached_property
    def _tuners(self) -> list[str]:
        return list(dict.fromkeys(ALIASES.get(name, name) for name in self.tuners))

    @cached_property
    def _baseline(self) -> str:
        """One that takes at least one of the feature sets."""
        run = list(dict.fromkeys(run.tuner for run in self.runs()))
        wanted = ALIASES.get(self.baseline, self.baseline)
        if wanted and wanted not in run:
            why = " takes dense features only, and is" if wanted in self._tuners else " is"
            raise OptionError(f"the baseline {wanted}{why} none of: {', '.join(run)}")
        tuned = [name for name in run if name != UNTUNED] or run
        return wanted or ("kb-mert" if "kb-mert" in run else tuned[0])

    def _takes(self, tuner: str, features: str) -> bool:
        """Line searches along single features, and the learner, are not run on sparse ones."""
        if tuner == UNTUNED:
            return True
        dense_only = tuner == MAXFORCE or tuner_class(tuner).dense_only
        return not (dense_only and features in self._sparse)

    @cached_property
    def _sparse(self) -> dict[str, dict[str, int]]:
        """Feature sets with sparse features, and how many there are by template."""
        return self.setting.sparse(self.features)

    def _options(self, tuner: str) -> list[tuple[tuple[str, Any], ...]]:
        """The options of a tuner's runs: those that are set, and all combinations of the swept."""
        known = _keys(tuner)
        swept = {
            key: values
            for name, values in self.sweep.items()
            for owner, _, key in [name.rpartition(".")]
            if key in known and owner in ("", tuner)
        }
        fixed = self.options.get(tuner, {}).items()
        return [(*fixed, *zip(swept, values, strict=True)) for values in product(*swept.values())]

    def _check(self) -> None:
        check_parameters(self)
        if not has_plots():
            log.warning("no pictures will be drawn: %s", NEEDED)
        check_own_folder(self.out)
        if not self.tuners:
            raise OptionError("no tuners to compare")
        for name in self._tuners:
            _keys(name)
        kinds = {MAXFORCE: MaxforceRow}
        tuners = [kinds.get(name) or tuner_class(name) for name in self._tuners if name != UNTUNED]
        self.setting.check(tuners, self.features)
        self._check_training()
        self._check_options()
        if not self.runs():
            raise OptionError(
                f"nothing to compare: {', '.join(self._tuners)} take dense features only, and "
                f"{', '.join(self.features)} has sparse ones; add a smaller set, like medium"
            )
        _ = self._baseline
        self._check_texts()

    def _check_training(self) -> None:
        text = self.setting.training
        if MAXFORCE in self._tuners:
            MaxforceRow.of({}, text, seed=self.seed, engine=1).text.inputs()
            check_phrase_model(TranslationModel.load(self.setting.model), INSIDE_SEARCH)
        elif text is not None:
            raise OptionError(f"training text, but no {MAXFORCE} among the tuners to learn from it")

    def _check_options(self) -> None:
        for tuner in self.options:
            if tuner not in self._tuners:
                raise OptionError(
                    f"options of {tuner}, which is none of the tuners {', '.join(self._tuners)}"
                )
        for name in self.sweep:
            owner, _, key = name.rpartition(".")
            owners = [t for t in self._tuners if owner in ("", t) and key in _keys(t)]
            if not owners:
                raise OptionError(
                    f"no tuner of {', '.join(self._tuners)} has the option '{name}' to sweep"
                )
            for tuner in owners:
                if key in self.options.get(tuner, {}) or (owner and key in self.sweep):
                    raise OptionError(f"the option '{key}' of {tuner} is given twice")

    def _check_texts(self) -> None:
        names = [part.name for part in self.setting.tests]
        if MEAN in names or len(set(names)) < len(names):
            raise OptionError(
                f"test sets are named {', '.join(names)}, expected different names, none '{MEAN}'"
            )
        sentences = self.setting.check_texts(self.features[0])
        draws = self.setting.draws
        if draws != SUBSETS and not self.dev_sizes:
            raise OptionError(f"{draws} draws of the dev set need sizes, that is --dev-sizes")
        # Disjoint draws share out the sentences.
        most = sentences // (self.replicates if draws == DISJOINT else 1)
        for size in self.dev_sizes:
            if not 1 <= size <= most:
                times = f"{self.replicates} disjoint dev sets" if draws == DISJOINT else "a dev set"
                raise OptionError(
                    f"{times} of {size:,} sentences, expected 1 to {most:,}, which "
                    f"{self.setting.dev.source} has"
                )

    def _compare(self, results: Mapping[Run, RunResult], engine: EngineLike) -> ComparedTuners:
        groups: dict[Place, list[Run]] = {}
        for run in results:
            groups.setdefault((run.features, run.dev_size, run.system), []).append(run)
        cells = [
            Cell(run.features, run.system, run.tuner, run.options, run.dev_size,
                 [results[member] for member in runs])
            for runs in groups.values()
            for run in runs[:1]
        ]  # fmt: skip
        metric, tests = self.setting.metric, [cell.test for cell in cells]
        compared = ComparedTuners(
            features=list(self.features),
            systems=list(dict.fromkeys(cell.system for cell in cells)),
            dev_sizes=list(self.dev_sizes or (0,)),
            cells=cells,
            differences=[],
            baseline=next(cell.system for cell in cells if cell.tuner == self._baseline),
            signature=self._signature(),
            replicates=self.replicates,
            tests=[part.name for part in self.setting.tests],
            available=self._sparse,
            metric="BLEU" if metric.name == "bleu" else metric.name,
            higher_is_better=metric.higher_is_better,
            decimals=metric.places(min(tests), max(tests)),
        )
        differences = all_differences(
            compared, self._stats(groups, engine), metric,
            bootstrap_samples=self.bootstrap_samples, seed=self.seed, engine=engine,
            randomisation_trials=self.randomisation_trials,
        )  # fmt: skip
        return replace(compared, differences=differences)

    def _signature(self) -> str:
        """One for all test sets, or each with its name where they differ."""
        metric = self.setting.metric
        each = {
            part.name: metric.signature(max(1, len(part.references))) for part in self.setting.tests
        }
        if len(set(each.values())) == 1:
            return next(iter(each.values()))
        return ", ".join(f"{name}: {signature}" for name, signature in each.items())

    def _stats(
        self, groups: Mapping[Place, Sequence[Run]], engine: EngineLike
    ) -> dict[str, dict[Place, list[Stats]]]:
        """What the metric counts in the translations of every test set."""
        found: dict[str, dict[Place, list[Stats]]] = {}
        for part in self.setting.tests:
            read = self.setting.stats_reader(part, self.features[0], engine)
            found[part.name] = {
                place: [read(run.folder(self.out)) for run in runs]
                for place, runs in groups.items()
            }
        return found

    def _save(self, compared: ComparedTuners) -> None:
        from tunesmith.evaluate.tuner_plots import plots
        from tunesmith.evaluate.tuner_table import as_markdown, as_tsv, times_tsv

        files = {
            "table.md": as_markdown(compared),
            "table.tsv": as_tsv(compared),
            "times.tsv": times_tsv(compared),
            RESULTS_FILE: json.dumps(self._record(compared), indent=1) + "\n",
        }
        for name, text in files.items():
            with atomic_text(self.out / name) as stream:
                stream.write(text)
        if has_plots():
            for name, chart in plots(compared).items():
                save(chart, self.out / f"{name}.svg")

    def _record(self, compared: ComparedTuners) -> dict[str, Any]:
        return {
            "tunesmith": tunesmith.__version__,
            "setting": asdict(self.setting),
            "inputs": self.setting.inputs(),
            "seed": self.seed,
            "signature": compared.signature,
            "baseline": compared.baseline,
            "metric": compared.metric,
            "decimals": compared.decimals,
            "available": compared.available,
            "cells": [
                {**asdict(cell), "tune": cell.tune, "test": cell.test, "sd": cell.deviation}
                for cell in compared.cells
            ],
            "differences": [asdict(row) for row in compared.differences],
        }


def all_tuners(*, lists: bool = False) -> list[str]:
    """The names of all tuners, of k-best lists and of graphs, behind the untuned weights.

    On `lists` that are given, those of lists alone.
    """
    return [UNTUNED, *sorted(TUNERS if lists else [*TUNERS, *GRAPH_TUNERS])]


def _keys(tuner: str) -> set[str]:
    """The options that a tuner has."""
    return {item.name for item in row_parameters(tuner)}
