"""One tuning run of a comparison: a tuner, a feature set, a sample of the dev set.

A run is tuned by the loop, the test set is translated once with the weights that it gives, and the
result is kept in a folder of its own. A run that was killed goes on where it was; a run that is
done is only read.
"""

import json
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import tunesmith
from tunesmith.base.atomic import atomic_text
from tunesmith.base.errors import InputError, OptionError, TunesmithError
from tunesmith.base.lock import locked
from tunesmith.base.parameters import check_parameters
from tunesmith.base.resume import check_settings
from tunesmith.base.rundir import code_hash, file_hash
from tunesmith.decode import PhraseDecoder, SearchOptions
from tunesmith.engine.processes import peak_memory
from tunesmith.evaluate import run_setting
from tunesmith.evaluate.run_setting import Run, Setting, dev_sample
from tunesmith.formats.text import read_lines
from tunesmith.formats.weights import write_weights
from tunesmith.tune import AnyTuner, make_tuner
from tunesmith.tune.loop import Iteration, TuningLoop
from tunesmith.tune.sources import DecoderSource

RESULT_FILE = "result.json"
OUTPUT_FILE = "test.out"
_TIME_FILE = "time.json"

# Rooms that no run imports: new tables and pictures do not make old runs worthless.
_OTHER_ROOMS = ("cli", "serve", "train", "evaluate")
_OWN_FILES = (__file__, run_setting.__file__)


@dataclass(frozen=True)
class RunResult:
    """What came of a run."""

    tune: float
    """The score of the best iteration on the run's own dev set."""
    test: float
    curve: list[float]
    """The dev score of every iteration."""
    hypotheses: list[int]
    stopped: str
    """Why the loop ended before its last iteration, if it did."""
    weights: int
    """How many are not zero."""
    seconds: float
    cpu_seconds: float
    memory: int
    """Bytes, at most, of the process."""


def finished(run: Run, *, setting: Setting, inputs: dict[str, str], out: Path) -> RunResult | None:
    """The result of a run that is done; None if it is not. Bad options of its tuner are refused."""
    identity = _identity(run, setting, _tuner(run, setting, threads=1), inputs)
    result = read_result(run.folder(out), identity)
    # A kill between the result and the removal of what led to it leaves something to do.
    return None if _loop_folder(run.folder(out)).exists() else result


def execute(
    run: Run, *, setting: Setting, inputs: dict[str, str], out: Path, threads: int
) -> RunResult:
    """Do the run, or what is left of it, or nothing if it is done."""
    folder = run.folder(out)
    # A process that ended a moment ago may have workers that are about to notice it.
    with locked(folder, wait=True):
        tuner = _tuner(run, setting, threads)
        identity = _identity(run, setting, tuner, inputs)
        result = read_result(folder, identity)
        if result is None:
            try:
                result = _tune_and_test(run, setting, tuner, identity, folder, threads)
            except TunesmithError as error:
                raise TunesmithError(f"{error} (in the run {run})") from error
            with atomic_text(folder / RESULT_FILE) as stream:
                json.dump({"identity": identity, **asdict(result)}, stream, indent=1)
        shutil.rmtree(_loop_folder(folder), ignore_errors=True)
        return result


def _loop_folder(folder: Path) -> Path:
    """The state of the tuning loop, removed when the run is done."""
    return folder / "loop"


def read_result(folder: Path, identity: dict[str, Any]) -> RunResult | None:
    """The result in `folder`, if there is one; one of another run is refused."""
    path = folder / RESULT_FILE
    if not path.exists():
        return None
    try:
        saved = json.loads(path.read_text(encoding="utf-8"))
        known = saved.pop("identity")
        result = RunResult(**saved)
        check_settings(folder, known, identity, otherwise="another --out")
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(path, 0, "no result of a run", "", "delete the folder") from error
    return result


def _tuner(run: Run, setting: Setting, threads: int) -> AnyTuner:
    options = {} if run.option is None else dict([run.option])
    # Tuners with chance of their own get another one in every replicate.
    seed = setting.seed + run.replicate
    tuner = make_tuner(run.tuner, in_loop=True, seed=seed, threads=threads, **options)
    check_parameters(tuner)
    return tuner


def _identity(
    run: Run, setting: Setting, tuner: AnyTuner, inputs: dict[str, str]
) -> dict[str, Any]:
    values = {
        "version": tunesmith.__version__,
        "code": [code_hash(without=_OTHER_ROOMS), *map(file_hash, _OWN_FILES)],
        "tuner": {key: value for key, value in asdict(tuner).items() if key != "threads"},
        "features": run.features,
        "dev size": run.dev_size,
        "keep": setting.keep,
        "search": setting.search,
        "loop": setting.loop,
        "inputs": inputs,
    }
    plain: dict[str, Any] = json.loads(json.dumps(values, default=str))
    return plain


def _tune_and_test(
    run: Run,
    setting: Setting,
    tuner: AnyTuner,
    identity: dict[str, Any],
    folder: Path,
    threads: int,
) -> RunResult:
    model = setting.load_model(run.features)
    search = replace(SearchOptions.of_model(model), **setting.search)
    decoder = PhraseDecoder(model, search=search, threads=threads)
    sentences, references = setting.texts(model, "dev")
    chosen = dev_sample(len(sentences), run, setting)
    if not len(chosen):
        raise OptionError(f"no sentence of the dev set is in replicate {run.replicate}")
    clock = _Clock(folder / _TIME_FILE)
    loop = TuningLoop(
        DecoderSource(decoder, [sentences[i] for i in chosen]),
        tuner,
        setting.metric,
        [[lines[i] for i in chosen] for lines in references],
        **setting.loop,
    )
    tuned = loop.run(
        model.initial_weights(), _loop_folder(folder), identity=identity, report=clock.iteration
    )
    test, test_references = setting.texts(model, "test")
    output = decoder.decode(test, tuned.weights).best()
    write_weights(folder / "weights.tsv", tuned.weights)
    with atomic_text(folder / OUTPUT_FILE) as stream:
        stream.writelines(f"{line}\n" for line in output)
    return RunResult(
        tune=tuned.score,
        test=setting.metric.corpus_score(output, test_references),
        curve=[turn.score for turn in tuned.iterations],
        hypotheses=[turn.hypotheses for turn in tuned.iterations],
        stopped=tuned.stopped,
        weights=sum(1 for value in tuned.weights.values() if value),
        seconds=clock.seconds,
        cpu_seconds=clock.cpu_seconds,
        memory=peak_memory(),
    )


class _Clock:
    """Time spent on tuning, over kills: what was lost with a kill is not counted twice."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.seconds = self.cpu_seconds = 0.0
        if path.exists():
            try:
                self.seconds, self.cpu_seconds = json.loads(path.read_text(encoding="utf-8"))
            except (ValueError, TypeError) as error:
                raise InputError(path, 0, "no times", "", "delete the folder") from error
        self._mark = perf_counter(), process_time()

    def iteration(self, number: int, iteration: Iteration) -> None:
        """Count the time since the last call."""
        now = perf_counter(), process_time()
        self.seconds += now[0] - self._mark[0]
        self.cpu_seconds += now[1] - self._mark[1]
        self._mark = now
        with atomic_text(self.path) as stream:
            json.dump([self.seconds, self.cpu_seconds], stream)


def read_output(run: Run, out: Path, sentences: int) -> Sequence[str]:
    """The translations of the test set that a run made."""
    path = run.folder(out) / OUTPUT_FILE
    lines = read_lines(path)
    if len(lines) != sentences:
        raise InputError(
            path, 0, f"{len(lines):,} lines", f"{sentences:,}, one per test sentence",
            "delete the folder of the run",
        )  # fmt: skip
    return lines
