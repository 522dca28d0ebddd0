"""Reports of runs."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tunesmith.base.seeds import DEFAULT_SEED
from tunesmith.engine import ALL_CORES, EngineLike
from tunesmith.evaluate.report.comparison_section import comparison_section
from tunesmith.evaluate.report.names import Names
from tunesmith.evaluate.report.opening import read_runs
from tunesmith.evaluate.report.parts import Report
from tunesmith.evaluate.report.resource_section import resource_section
from tunesmith.evaluate.report.run_data import RunData, Translations
from tunesmith.evaluate.report.run_sections import (
    curve_section,
    run_table,
    setting_section,
)
from tunesmith.evaluate.report.sentence_section import SENTENCES
from tunesmith.evaluate.report.text_sections import text_sections
from tunesmith.evaluate.report.text_stats import TextStats
from tunesmith.evaluate.report.weight_section import weight_section
from tunesmith.metrics.resample import BOOTSTRAP_SAMPLES, RANDOMISATION_TRIALS


def run_report(
    paths: Sequence[str | Path],
    *,
    title: str = "",
    sentences: int = SENTENCES,
    bootstrap_samples: int = BOOTSTRAP_SAMPLES,
    randomisation_trials: int = RANDOMISATION_TRIALS,
    seed: int = DEFAULT_SEED,
    engine: EngineLike = ALL_CORES,
) -> Report:
    """A report of runs of any kinds; several are compared side by side.

    Parameters
    ----------
    paths
        Models of ``tunesmith train`` or their work folders, work folders of ``tune``, folders of
        ``compare`` and of learners.
    title
        What it is called; the names of the runs if it is empty.
    sentences
        How many sentences of each kind are shown.
    bootstrap_samples, randomisation_trials
        Of the tests; 0 leaves one out.
    seed, engine
        Of the tests; who works, which does not change the report.
    """
    runs = read_runs(paths)
    names = Names(runs)
    texts = [TextStats(one, bootstrap_samples, seed, engine) for one in _joined_texts(runs, names)]
    # Differences of compared tuners have tests of their own, over runs too.
    tested = len(runs) > 1 or runs[0].compared is None
    scores, *others = text_sections(
        texts, sentences=sentences, trials=randomisation_trials, scores=tested
    )
    kinds = list(dict.fromkeys(run.kind for run in runs))
    return Report(
        title or ", ".join(run.name for run in runs),
        f"{len(runs)} runs compared: {', '.join(kinds)}." if len(runs) > 1 else
        f"A {kinds[0]} run.",
        [
            run_table(runs),
            comparison_section(runs, names),
            scores,
            curve_section(runs, names),
            weight_section(runs, names),
            *others,
            resource_section(runs, names),
            setting_section(runs),
        ],
    )  # fmt: skip


def _joined_texts(runs: Sequence[RunData], names: Names) -> list[Translations]:
    """Translations of the same sentences, judged alike, are compared, whichever run made them."""
    groups: dict[tuple[object, ...], list[tuple[RunData, Translations]]] = {}
    for run in runs:
        for texts in run.translations:
            outputs = {names.system(run, key): value for key, value in texts.outputs.items()}
            key = (tuple(map(tuple, texts.references)), texts.metric.signature())
            groups.setdefault(key, []).append((run, replace(texts, outputs=outputs)))
    joined, taken = [], set[str]()
    for members in groups.values():
        outputs = {name: lines for _, one in members for name, lines in one.outputs.items()}
        run, first = members[0]
        name = first.name
        if name in taken:  # the same name for other sentences
            name = f"{name} of {run.name}"
        taken.add(name)
        joined.append(replace(first, name=name, outputs=outputs))
    return joined
