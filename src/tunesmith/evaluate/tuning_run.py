"""One tuning run of a comparison, done and kept.

A run is tuned by the loop, every test set is translated once with the weights that it gives, and
the result is kept in a folder of its own. A run that was killed goes on where it was; a run that is
done is only read.
"""

import json
import platform
import shutil
from collections.abc import Sequence
from dataclasses import Field, asdict, replace
from pathlib import Path
from typing import Any

import tunesmith
from tunesmith.base.atomic import atomic_text
from tunesmith.base.errors import InputError, OptionError, TunesmithError
from tunesmith.base.json_text import parse_json
from tunesmith.base.lock import locked
from tunesmith.base.own_code import is_own, own_file
from tunesmith.base.parameters import check_parameters, parameters_of
from tunesmith.base.resume import check_settings
from tunesmith.base.rundir import code_hash, file_hash
from tunesmith.decode import Decoder, SearchOptions, open_decoder
from tunesmith.engine import EngineLike
from tunesmith.engine.memory import peak_memory
from tunesmith.evaluate import (
    list_setting,
    maxforce_row,
    run_result,
    run_setting,
    training_text,
)
from tunesmith.evaluate.list_setting import ListSetting
from tunesmith.evaluate.maxforce_row import LEXICAL, MAXFORCE, MaxforceRow, maxforce_parameters
from tunesmith.evaluate.run_result import RunResult, by_template, output_file
from tunesmith.evaluate.run_setting import (
    LEARNING_FOLDER,
    OWN,
    UNTUNED,
    Run,
    Setting,
    dev_sample,
)
from tunesmith.formats.weights import write_weights
from tunesmith.metrics.base import Metric
from tunesmith.model import TranslationModel
from tunesmith.model.files import LEXICAL_FILE
from tunesmith.tune import AnyTuner, Tuner, make_tuner, tuner_class
from tunesmith.tune.loop import UNCHANGED, Iteration, LoopResult, TuningLoop
from tunesmith.tune.loop_clock import LoopClock
from tunesmith.tune.sources import DecoderSource

RESULT_FILE = "result.json"
_TIME_FILE = "time.json"

# Rooms that no run imports: new tables and pictures do not make old runs worthless.
_OTHER_ROOMS = ("cli", "serve", "train", "evaluate")
_OWN_FILES = (
    __file__,
    *(
        str(one.__file__)
        for one in (list_setting, maxforce_row, run_result, run_setting, training_text)
    ),
)  # fmt: skip

#: What finds the weights of a run; None: nothing, they are the initial ones.
Row = AnyTuner | MaxforceRow | None


def finished(run: Run, *, setting: Setting, inputs: dict[str, str], out: Path) -> RunResult | None:
    """The result of a run that is done; None if it is not. Bad options of its tuner are refused."""
    identity = _identity(run, setting, row_of(run, setting, engine=1), inputs)
    result = read_result(run.folder(out), identity)
    # A kill between the result and the removal of what led to it leaves something to do.
    return None if _loop_folder(run.folder(out)).exists() else result


def execute(
    run: Run, *, setting: Setting, inputs: dict[str, str], out: str, engine: EngineLike
) -> RunResult:
    """Do the run, or what is left of it, or nothing if it is done.

    `out` is there, wherever the run is done: its files are the result.
    """
    if not Path(out).is_dir():
        raise OptionError(
            f"{out} is not on {platform.node()}; expected a folder that all nodes share"
        )
    folder = run.folder(Path(out))
    # A process that ended a moment ago may have workers that are about to notice it.
    with locked(folder, wait=True):
        row = row_of(run, setting, engine)
        identity = _identity(run, setting, row, inputs)
        result = read_result(folder, identity)
        if result is None:
            try:
                result = _tune_and_test(run, setting, row, identity, folder, Path(out), engine)
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
        saved = parse_json(path.read_text(encoding="utf-8"))
        known = saved.pop("identity")
        result = RunResult(**saved)
        check_settings(folder, known, identity, otherwise="another --out")
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(path, 0, "no result of a run", "", "delete the folder") from error
    return result


def row_parameters(tuner: str) -> list["Field[Any]"]:
    """The options that a run of a tuner, or of what stands in the place of one, can have."""
    if tuner == UNTUNED:
        return []
    return maxforce_parameters() if tuner == MAXFORCE else [*parameters_of(tuner_class(tuner))]


def row_of(run: Run, setting: Setting, engine: EngineLike) -> Row:
    """What finds the weights; options that make no sense are refused."""
    if run.tuner == UNTUNED:
        return None
    # Tuners with chance of their own get another one in every replicate.
    seed, options = setting.seed + run.replicate, dict(run.options)
    if run.tuner == MAXFORCE:
        return MaxforceRow.of(options, setting.training, seed=seed, engine=engine)
    in_loop = not isinstance(setting, ListSetting)
    tuner = make_tuner(run.tuner, in_loop=in_loop, seed=seed, engine=engine, **options)
    check_parameters(tuner)
    return tuner


def _identity(run: Run, setting: Setting, row: Row, inputs: dict[str, str]) -> dict[str, Any]:
    if isinstance(row, MaxforceRow):
        options = row.identity(setting.model)
    else:
        options = {} if row is None else asdict(row)
    values = {
        "version": tunesmith.__version__,
        "code": [code_hash(without=_OTHER_ROOMS), *map(file_hash, _OWN_FILES)],
        "tuner": {key: value for key, value in options.items() if key != "engine"},
        "features": run.features,
        "dev size": run.dev_size,
        "keep": setting.keep,
        "draws": setting.draws,
        "metric": setting.metric.signature(),
        "tests": [asdict(part) for part in setting.tests],
        "search": setting.search,
        "loop": setting.loop,
        "inputs": inputs,
    }
    if isinstance(setting, ListSetting):
        values["reading"] = {key: str(value) for key, value in setting.reading.items()}
    if is_own(run.tuner):
        values["own tuner"] = file_hash(own_file(run.tuner))
    plain: dict[str, Any] = json.loads(json.dumps(values, default=str))
    return plain


def _tune_and_test(
    run: Run,
    setting: Setting,
    row: Row,
    identity: dict[str, Any],
    folder: Path,
    out: Path,
    engine: EngineLike,
) -> RunResult:
    if isinstance(setting, ListSetting):
        if isinstance(row, Tuner | None):
            return setting.tune_and_test(run, row, folder, engine)
        raise OptionError(f"{run.tuner} needs a model, and works on no lists")
    model = setting.load_model(run.features)
    search = replace(SearchOptions.of_model(model), **setting.search)
    decoder = open_decoder(model, search=search, engine=engine)
    sentences, references = setting.dev.read(model)
    chosen = dev_sample(len(sentences), run, setting)
    if not len(chosen):
        raise OptionError(f"no sentence of the dev set is in replicate {run.replicate}")
    dev = [sentences[i] for i in chosen]
    dev_references = [[lines[i] for i in chosen] for lines in references]
    clock = LoopClock(folder / _TIME_FILE)
    lexical = 0
    if row is None:
        tuned = _as_it_is(model, decoder, dev, dev_references, setting.metric)
    elif isinstance(row, MaxforceRow):
        learned = row.learn(
            model, None if run.features == OWN else run.features, (dev, dev_references),
            setting.metric, search, out / LEARNING_FOLDER, _loop_folder(folder),
            identity=identity, report=clock.iteration,
        )  # fmt: skip
        tuned, lexical = learned.result, len(learned.lexical)
        decoder = open_decoder(learned.model, search=search, engine=engine)
        if lexical:
            learned.lexical.save(folder / LEXICAL_FILE)
    else:
        source = DecoderSource(decoder, dev)
        loop = TuningLoop(source, row, setting.metric, dev_references, **setting.loop)
        tuned = loop.run(
            model.initial_weights(), _loop_folder(folder), identity=identity, report=clock.iteration
        )
    write_weights(folder / "weights.tsv", tuned.weights)
    scores = {}
    for part in setting.tests:
        test, test_references = part.read(model)
        output = decoder.decode(test, tuned.weights).best()
        with atomic_text(folder / output_file(part.name)) as stream:
            stream.writelines(f"{line}\n" for line in output)
        scores[part.name] = setting.metric.corpus_score(output, test_references)
    names = [name for name, value in tuned.weights.items() if value]
    if lexical:
        names.remove(LEXICAL)
    counts = by_template(model.feature_names, names)
    return RunResult(
        tune=tuned.score,
        tests=scores,
        curve=[turn.score for turn in tuned.iterations],
        hypotheses=[turn.hypotheses for turn in tuned.iterations],
        stopped=tuned.stopped,
        weights={**counts, **({LEXICAL: lexical} if lexical else {})},
        seconds=clock.seconds,
        cpu_seconds=clock.cpu_seconds,
        memory=peak_memory(),
        trace=_trace(model, tuned.iterations),
    )


def _trace(model: TranslationModel, turns: Sequence[Iteration]) -> dict[str, list[float]]:
    """The dense weights of every iteration, where its weights are kept."""
    if not turns or not all(turn.weights for turn in turns):
        return {}
    return {name: [turn.weights.get(name, 0.0) for turn in turns] for name in model.feature_names}


def _as_it_is(
    model: TranslationModel,
    decoder: Decoder,
    dev: Sequence[str],
    references: Sequence[Sequence[str]],
    metric: Metric,
) -> LoopResult:
    """The initial weights, as a loop that never tuned."""
    weights = model.initial_weights()
    score = metric.corpus_score(decoder.decode(dev, weights).best(), references)
    turn = Iteration(score, dict(weights), len(dev), score)
    return LoopResult(weights, score, [turn], UNCHANGED)
