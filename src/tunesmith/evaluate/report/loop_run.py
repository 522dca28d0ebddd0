"""A tuning run by decoding, from the folder in which its loop keeps its state."""

from itertools import product
from pathlib import Path

from tunesmith.base.errors import InputError
from tunesmith.engine.resources import Resources
from tunesmith.evaluate.number_text import counted
from tunesmith.evaluate.report.reading import contents, flat, read_json, traced
from tunesmith.evaluate.report.run_data import Curves, RunData, Translations, Uses
from tunesmith.evaluate.report.text_stats import shown_name
from tunesmith.formats.text import read_lines
from tunesmith.metrics import parse_metric
from tunesmith.metrics.base import Metric
from tunesmith.metrics.bleu import REFERENCE_LENGTHS
from tunesmith.tune.loop_clock import read_times
from tunesmith.tune.loop_state import (
    OUTPUT_FILE,
    REFERENCE_FILE,
    STATE_FILE,
    TIMES_FILE,
    read_iteration,
)

DECODING = "decoding of the dev set"
_REMEDY = "delete the folder and tune again"
# Metrics that loops tune for, and what their text may be split by.
_METRICS, _TOKENIZERS = ("bleu", "chrf", "chrf++", "ter", "wer", "cer"), ("none", "13a", "char")


def read_loop(folder: Path, name: str) -> RunData:
    """The iterations that are done; a loop that was killed has those before it."""
    path = folder / STATE_FILE
    state = read_json(path, "tuning state", _REMEDY)
    with contents(path, "tuning state", _REMEDY):
        scores = [float(row["score"]) for row in state["done"]]
        identity = state["identity"]
        signature = str(identity["metric"])
        tuner = str(identity["tuner"]["name"])
        options = flat({"tuner": identity["tuner"], "size": identity["size"]})
    if not scores:
        raise InputError(path, 0, "no iteration that is done", "", "tune on: the run goes on")
    metric = metric_of(signature)
    weights = [dict(read_iteration(folder, number)) for number in range(1, len(scores) + 1)]
    sign = 1 if metric.higher_is_better else -1
    best = max(range(len(scores)), key=lambda i: sign * scores[i])
    return RunData(
        name,
        "tuning",
        f"{tuner}, {counted(len(scores), 'decoding')}",
        f"dev {shown_name(metric)} {scores[best]:.2f}, {scores[0]:.2f} before",
        [Curves("Learning curves", DECODING, f"dev {shown_name(metric)}", {name: [scores]})],
        {name: [traced([*weights])]},
        _translations(folder, metric, best),
        _uses(folder, name),
        options=options,
    )


def metric_of(signature: str) -> Metric:
    """The metric that has a signature; BLEU of tokens if there is none that is known."""
    for name, tokenize, length in product(_METRICS, _TOKENIZERS, REFERENCE_LENGTHS):
        metric = parse_metric(name, tokenize=tokenize, reference_length=length)
        if metric.signature() == signature:
            return metric
    return parse_metric("bleu", tokenize="none")


def _translations(folder: Path, metric: Metric, best: int) -> list[Translations]:
    """The dev set in the first and in the best iteration, where they were kept."""
    references: list[list[str]] = []
    while (path := folder / REFERENCE_FILE.format(len(references))).exists():
        references.append(read_lines(path))
    numbers = {"first decoding": 1, "best decoding": best + 1}
    if best == 0:
        del numbers["best decoding"]
    files = {name: folder / OUTPUT_FILE.format(number) for name, number in numbers.items()}
    if not references or not all(file.exists() for file in files.values()):
        return []
    outputs = {name: [read_lines(file)] for name, file in files.items()}
    for name, [lines] in outputs.items():
        if len(lines) != len(references[0]):
            raise InputError(
                files[name], 0, f"{len(lines):,} lines",
                f"{len(references[0]):,} as in {REFERENCE_FILE.format(0)}", _REMEDY,
            )  # fmt: skip
    return [Translations("dev", metric, references, outputs)]


def _uses(folder: Path, name: str) -> list[Uses]:
    path = folder / TIMES_FILE
    if not path.exists():
        return []
    rows = [Resources(seconds, cpu, 0) for seconds, cpu in read_times(path)]
    whole = Resources(sum(row.seconds for row in rows), sum(row.cpu_seconds for row in rows), 0)
    return [Uses("All decodings", {name: [whole]})]
