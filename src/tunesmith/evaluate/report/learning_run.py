"""A learner's run, from the folder in which it keeps its state."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tunesmith.base.errors import InputError
from tunesmith.evaluate.number_text import counted
from tunesmith.evaluate.report.reading import contents, flat, read_json
from tunesmith.evaluate.report.run_data import Curves, RunData
from tunesmith.learn.checkpoint import STATE_FILE

EPOCH = "epoch (0: before the first)"
_REMEDY = "delete the folder and learn again"


def read_learning(folder: Path, name: str) -> RunData:
    """The epochs that are done."""
    path = folder / STATE_FILE
    state = read_json(path, "state of a learner", _REMEDY)
    with contents(path, "state of a learner", _REMEDY):
        start, epochs = float(state["start_score"]), list(state["epochs"])
        scores = [float(epoch["dev_score"]) for epoch in epochs]
        last = epochs[-1] if epochs else {}
        about = f"{counted(len(epochs), 'epoch')}, {int(last.get('features', 0)):,} features"
        outcome = f"dev BLEU {max(scores, default=start):.2f}, {start:.2f} before"
        options = flat(state["identity"])
    if not epochs:
        raise InputError(path, 0, "no epoch that is done", "", "learn on: the run goes on")
    return RunData(
        name, "learning", about, outcome, epoch_curves(name, start, epochs), options=options
    )


def epoch_curves(name: str, start: float, epochs: Sequence[Mapping[str, Any]]) -> list[Curves]:
    """The score of the dev set by epoch, and what became of the pairs."""
    scores = [start, *(float(epoch["dev_score"]) for epoch in epochs)]
    shares = {
        "reached": [100 * float(epoch["reached"]) for epoch in epochs],
        "updated": [100 * int(epoch["updates"]) / max(int(epoch["pairs"]), 1) for epoch in epochs],
    }
    return [
        Curves("Dev score by epoch", EPOCH, "dev BLEU", {name: [scores]}, first=0),
        Curves(
            "What became of the training pairs", "epoch", "% of the pairs",
            {f"{name}: {what}": [values] for what, values in shares.items()},
        ),
    ]  # fmt: skip
