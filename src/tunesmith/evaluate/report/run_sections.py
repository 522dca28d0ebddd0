"""Sections of runs: what they are, how they learned, their settings."""

from collections.abc import Sequence

from tunesmith.evaluate.charts import (
    Point,
    learning_chart,
    run_curve,
)
from tunesmith.evaluate.number_text import NONE
from tunesmith.evaluate.report.names import Names
from tunesmith.evaluate.report.parts import Part, Picture, Section, TablePart
from tunesmith.evaluate.report.run_data import RunData


def run_table(runs: Sequence[RunData]) -> Section:
    """What is reported, a row each."""
    rows = [[run.name, run.kind, run.about, run.outcome] for run in runs]
    return Section("Runs", [TablePart("", ["run", "kind", "what", "result"], rows, texts=4)])


def curve_section(runs: Sequence[RunData], names: Names) -> Section:
    """Learning curves of all runs, those of one kind in one picture."""
    groups: dict[tuple[str, str, str], dict[str, list[Point]]] = {}
    for run in runs:
        for curves in run.curves:
            group = groups.setdefault((curves.title, curves.x_label, curves.y_label), {})
            for system, replicates in curves.systems.items():
                group[names.system(run, system)] = run_curve(replicates, curves.first)
    pictures = []
    for number, (key, series) in enumerate(groups.items(), 1):
        spread = any(point.low is not None for points in series.values() for point in points)
        note = "Bands are one standard deviation over replicates." if spread else ""
        pictures.append(Picture(f"curves-{number}", learning_chart(*key, series), note))
    return Section("Learning curves", pictures)


def setting_section(runs: Sequence[RunData]) -> Section:
    """Options, those that differ first, and the files that the runs were made from."""
    parts: list[Part] = []
    given = [run for run in runs if run.options]
    keys = list(dict.fromkeys(key for run in given for key in run.options))
    differ = [key for key in keys if len({run.options.get(key) for run in given}) > 1]
    head = ["setting", *(run.name for run in given)]
    if differ:
        rows = [_setting(key, given) for key in differ]
        parts.append(TablePart("Settings that differ", head, rows, texts=len(head)))
    same = [key for key in keys if key not in differ]
    if same:
        caption = "Settings that are the same" if len(given) > 1 else "Settings"
        rows = [[key, given[0].options[key]] for key in same]
        parts.append(TablePart(caption, ["setting", "value"], rows, texts=2, folded=True))
    inputs = [[run.name, path, digest] for run in runs for path, digest in run.inputs.items()]
    if inputs:
        head = ["run", "file", "BLAKE2b"]
        parts.append(TablePart("Files, and hashes of their contents", head, inputs, 3, folded=True))
    return Section("Settings", parts)


def _setting(key: str, runs: Sequence[RunData]) -> list[str]:
    return [key, *(run.options.get(key, NONE) for run in runs)]
