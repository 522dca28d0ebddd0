"""A training run, from its work folder; what the model says of its options is added."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tunesmith.base.rundir import read_record
from tunesmith.engine.resources import Resources
from tunesmith.evaluate.number_text import counted
from tunesmith.evaluate.report.learning_run import epoch_curves, read_learning
from tunesmith.evaluate.report.loop_run import DECODING, read_loop
from tunesmith.evaluate.report.reading import contents, flat, read_json, traced
from tunesmith.evaluate.report.run_data import Curves, RunData, Trace, Translations, Uses
from tunesmith.evaluate.training_files import (
    KEY_FILE,
    RESOURCES_FILE,
    RESULT_FILE,
    ScoredText,
    read_scored_texts,
    read_stage_names,
)
from tunesmith.learn.checkpoint import STATE_FILE as LEARNER_FILE
from tunesmith.metrics import Bleu
from tunesmith.tune.loop_state import STATE_FILE as LOOP_FILE

_REMEDY = "train again: stages that are done are kept"


def read_training(work: Path, name: str, model: Path | None) -> RunData:
    """The stages that are done, and the scores of a run that has ended."""
    order, scored = read_stage_names(work), read_scored_texts(work)
    done = sorted(path.parent.name for path in work.glob(f"*/{KEY_FILE}"))
    stages = [stage for stage in order if stage in done] or done
    curves: list[Curves] = []
    traces: dict[str, Sequence[Trace]] = {}
    turns: dict[str, Sequence[Sequence[float]]] = {}
    for stage in stages:
        path = work / stage / RESULT_FILE
        if not path.exists():
            continue
        result = read_json(path, "result of a stage", _REMEDY)
        with contents(path, "result of a stage", _REMEDY):
            if "epochs" in result:
                curves += epoch_curves(name, float(result["start_score"]), result["epochs"])
                continue
            label = name if stage == "tune" else f"{name}: {stage}"
            turns[label] = [[float(turn["score"]) for turn in result["iterations"]]]
            traces[label] = [traced([turn["weights"] for turn in result["iterations"]])]
    for run in _under_way(work, name, stages):
        for one in run.curves:
            if one.x_label == DECODING:
                turns |= one.systems
            else:
                curves.append(one)
        traces |= run.traces
    if turns:
        curves.insert(0, Curves("Learning curves", DECODING, "dev BLEU", turns))
    record = (read_record(model) if model is not None else None) or {}
    return RunData(
        name,
        "training",
        _about(record, stages, ended=bool(scored)),
        ", ".join(map(_score, scored)),
        curves,
        traces,
        [
            Translations(
                text.name, Bleu(tokenize=text.tokenize), text.references, {name: [text.output]},
                text.source,
            )
            for text in scored
        ],
        [Uses("Stages of training", _resources(work, stages))],
        options=flat(_mapping(record.get("options"))),
        inputs={str(key): str(value) for key, value in record.get("inputs", {}).items()},
    )  # fmt: skip


def _under_way(work: Path, name: str, done: list[str]) -> list[RunData]:
    """Loops and learners of stages that were begun and have not ended."""
    found = []
    for path in sorted([*work.glob(f"*.*/{LOOP_FILE}"), *work.glob(f"*.*/{LEARNER_FILE}")]):
        stage = path.parent.name.partition(".")[0]
        if stage not in done:
            read = read_loop if path.name == LOOP_FILE else read_learning
            found.append(read(path.parent, name if stage == "tune" else f"{name}: {stage}"))
    return found


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _about(record: Mapping[str, Any], stages: list[str], *, ended: bool) -> str:
    options = _mapping(record.get("options"))
    words = [
        f"{options['model']} model" if options.get("model") else "",
        f"features {options['features']}" if options.get("features") else "",
        str(_mapping(options.get("tune")).get("tuner", "")),
        counted(len(stages), "stage") + ("" if ended else ", has not ended"),
    ]
    return ", ".join(word for word in words if word)


def _score(text: ScoredText) -> str:
    metric = Bleu(tokenize=text.tokenize)
    return f"{text.name} BLEU {metric.corpus_score(text.output, text.references):.2f}"


def _resources(work: Path, stages: list[str]) -> dict[str, list[Resources]]:
    found = {}
    for stage in stages:
        path = work / stage / RESOURCES_FILE
        if not path.exists():
            continue
        value = read_json(path, "resources of a stage", _REMEDY)
        with contents(path, "resources of a stage", _REMEDY):
            found[stage] = [
                Resources(
                    float(value["seconds"]), float(value["cpu_seconds"]), int(value["memory"])
                )
            ]
    return found
