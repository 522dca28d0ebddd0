"""Which kind of run a folder has."""

from collections.abc import Sequence
from pathlib import Path

from tunesmith.base.errors import InputError, OptionError
from tunesmith.evaluate.comparison_files import RESULTS_FILE
from tunesmith.evaluate.report.comparison_run import read_comparison
from tunesmith.evaluate.report.learning_run import read_learning
from tunesmith.evaluate.report.loop_run import read_loop
from tunesmith.evaluate.report.run_data import RunData
from tunesmith.evaluate.report.training_run import read_training
from tunesmith.evaluate.run_setting import RUNS_FOLDER
from tunesmith.evaluate.training_files import KEY_FILE
from tunesmith.learn.checkpoint import STATE_FILE as LEARNER_FILE
from tunesmith.model.description import MODEL_FILE
from tunesmith.tune.loop_state import STATE_FILE as LOOP_FILE

_WORK = ".work"


def read_runs(paths: Sequence[str | Path]) -> list[RunData]:
    """All runs; each is called by the name of its folder, or by its path if two have one name."""
    folders = [Path(path) for path in paths]
    if not folders:
        raise OptionError("no run to report")
    places = [folder.resolve() for folder in folders]
    if len(set(places)) < len(places):
        raise OptionError("the same run is given twice")
    names = [place.name for place in places]
    return [
        read_run(folder, str(folder) if names.count(name) > 1 else name)
        for folder, name in zip(folders, names, strict=True)
    ]


def read_run(folder: Path, name: str) -> RunData:
    """The run in a folder, of whichever kind it is."""
    if not folder.exists():
        raise InputError(folder, 0, "it does not exist", "the folder of a run")
    if not folder.is_dir():
        raise InputError(folder, 0, "a file", "the folder of a run")
    if (folder / RESULTS_FILE).exists() or (folder / RUNS_FOLDER).is_dir():
        return read_comparison(folder, name)
    if (folder / LEARNER_FILE).exists():
        return read_learning(folder, name)
    work = folder
    if (folder / MODEL_FILE).exists():
        work = folder.with_name(folder.name + _WORK)
        if not work.is_dir():
            raise InputError(
                folder, 0, f"a model without {work.name} beside it",
                "the work folder of its training or tuning", "give that folder instead",
            )  # fmt: skip
    name = name.removesuffix(_WORK)
    if (work / LOOP_FILE).exists():
        return read_loop(work, name)
    if any(work.glob(f"*/{KEY_FILE}")):
        model = work.with_name(work.name.removesuffix(_WORK))
        return read_training(work, name, model if (model / MODEL_FILE).exists() else None)
    raise InputError(
        work, 0, "no run",
        "a model of `train` or its work folder, a work folder of `tune`, or a folder of `compare` "
        "or of a learner",
    )  # fmt: skip
