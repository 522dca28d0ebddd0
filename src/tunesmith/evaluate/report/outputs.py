"""Reports of outputs of systems."""

from collections.abc import Mapping, Sequence

from tunesmith.base.seeds import DEFAULT_SEED
from tunesmith.engine import ALL_CORES, EngineLike
from tunesmith.evaluate.compare import Comparison, compare_systems
from tunesmith.evaluate.report.parts import Report, Section
from tunesmith.evaluate.report.run_data import Translations
from tunesmith.evaluate.report.sentence_section import SENTENCES
from tunesmith.evaluate.report.text_sections import metric_table, text_sections
from tunesmith.evaluate.report.text_stats import TextStats
from tunesmith.metrics.base import Metric
from tunesmith.metrics.resample import BOOTSTRAP_SAMPLES, RANDOMISATION_TRIALS


def output_report(
    systems: Mapping[str, Sequence[str]],
    references: Sequence[Sequence[str]],
    metrics: Sequence[Metric],
    *,
    title: str = "Evaluation",
    source: Sequence[str] | None = None,
    sentences: int = SENTENCES,
    bootstrap_samples: int = BOOTSTRAP_SAMPLES,
    randomisation_trials: int = RANDOMISATION_TRIALS,
    seed: int = DEFAULT_SEED,
    engine: EngineLike = ALL_CORES,
    others: Sequence[Comparison] | None = None,
) -> Report:
    """A report of outputs, the first of which is the baseline; the first metric is looked into.

    `others` are comparisons by the other metrics where they are known already.
    """
    texts = Translations(
        "test", metrics[0], references, {name: [lines] for name, lines in systems.items()}, source
    )
    stats = TextStats(texts, bootstrap_samples, seed, engine)
    scores, *rest = text_sections([stats], sentences=sentences, trials=randomisation_trials)
    if others is None:
        others = compare_systems(
            systems, references, metrics[1:], bootstrap_samples=bootstrap_samples,
            randomisation_trials=randomisation_trials, seed=seed, engine=engine,
        )  # fmt: skip
    count = f"{len(systems)} systems" if len(systems) > 1 else "One system"
    return Report(
        title,
        f"{count}, {len(references[0]):,} sentences.",
        [Section(scores.title, [*scores.parts, *map(metric_table, others)]), *rest],
    )
