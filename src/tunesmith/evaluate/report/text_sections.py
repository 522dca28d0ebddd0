"""Sections of translations: scores and tests, by length, by n-grams, sentences that differ."""

from statistics import stdev

from tunesmith.evaluate.charts import DotChart, IntervalChart, Point
from tunesmith.evaluate.compare import Comparison
from tunesmith.evaluate.report.chart_table import NONE, minus
from tunesmith.evaluate.report.loop_run import shown_name
from tunesmith.evaluate.report.parts import (
    Example,
    Line,
    Paragraph,
    Part,
    Picture,
    Section,
    Sentences,
    Table,
)
from tunesmith.evaluate.report.text_stats import TextStats, furthest, most_changed
from tunesmith.evaluate.report.word_difference import marked, words_of
from tunesmith.metrics.resample import RANDOMISATION_TRIALS, approximate_randomisation

# Pairs of systems whose sentences are shown; those behind the first are folded.
_MOST_PAIRS = 6
_MISSING = "Words with a dotted line below are not in the reference at their place."
_CHANGED = "Marked words differ between the two systems."
_SCORES = (
    "A sentence's score is that of the metric for a single sentence, for BLEU with one more match "
    "in all orders but the first."
)


def p_value(value: float | None) -> str:
    """As many digits as it has.

    >>> p_value(0.0321), p_value(0.00001), p_value(None)
    ('0.0321', '< 0.0001', '–')
    """
    if value is None:
        return NONE
    return f"{value:.4f}" if value >= 0.00005 else "< 0.0001"


def score_table(stats: TextStats, *, trials: int = RANDOMISATION_TRIALS) -> list[Part]:
    """Scores with intervals and, against the first system, tests of the differences."""
    texts = stats.texts
    metric, names = texts.metric, list(texts.outputs)
    drawn = stats.bootstrap()
    points = dict(zip(names, stats.estimates(0), strict=True))
    runs = {name: stats.scores(name) for name in names}
    repeated = any(len(scores) > 1 for scores in runs.values())
    head = ["system", shown_name(metric)]
    head += ["95 % interval"] if drawn is not None else []
    head += ["SD of runs"] if repeated else []
    tested = len(names) > 1
    head += ["difference", "p bootstrap", "p randomisation"] if tested else []
    rows, differences = [], {}
    for number, name in enumerate(names):
        point = points[name]
        row = [name, f"{point.y:.2f}"]
        row += [f"{point.low:.2f} … {point.high:.2f}"] if drawn is not None else []
        if repeated:
            row.append(f"{stdev(runs[name]):.2f}" if len(runs[name]) > 1 else NONE)
        if tested and number:
            ends = (None, None) if drawn is None else drawn.difference_interval(number)
            differences[name] = Point(0, point.y - points[names[0]].y, *ends)
            random = approximate_randomisation(
                metric, stats.stats[names[0]], stats.stats[name], trials=trials, seed=stats.seed,
                engine=stats.engine,
            ).p_value if trials else None  # fmt: skip
            row += [minus(f"{differences[name].y:+.2f}"),
                    p_value(None if drawn is None else drawn.p_value(number)),
                    p_value(random)]  # fmt: skip
        elif tested:
            row += ["baseline", NONE, NONE]
        rows.append(row)
    better = "higher" if metric.higher_is_better else "lower"
    signature = metric.signature(len(texts.references))
    caption = f"{texts.name}, {texts.size:,} sentences. {signature} ({better} is better)"
    parts: list[Part] = [Table(caption, head, rows)]
    if differences and drawn is not None:
        chart = IntervalChart(
            f"Differences from {names[0]}, {texts.name}", f"{shown_name(metric)} points",
            differences,
        )  # fmt: skip
        parts.append(
            Picture(
                f"differences-{texts.name}",
                chart,
                "Dots are the differences, lines their 95 % intervals over sentences: one that "
                "does not cross 0 is no accident of these sentences.",
            )
        )
    return parts


def metric_table(comparison: Comparison) -> Table:
    """The scores of other metrics, without a picture."""
    rows = [
        [
            row.system,
            f"{row.score:.2f}",
            NONE if row.low is None else f"{row.low:.2f} … {row.high:.2f}",
            minus(f"{row.score - comparison.systems[0].score:+.2f}") if number else NONE,
            p_value(row.bootstrap_p),
            p_value(row.randomisation_p),
        ]
        for number, row in enumerate(comparison.systems)
    ]
    better = "higher" if comparison.higher_is_better else "lower"
    return Table(
        f"{comparison.signature} ({better} is better)",
        ["system", comparison.metric, "95 % interval", "difference", "p bootstrap",
         "p randomisation"],
        rows,
    )  # fmt: skip


def length_picture(stats: TextStats) -> Picture:
    """Scores of sentences of about one length."""
    texts = stats.texts
    buckets = stats.by_length()
    series: dict[str, list[Point]] = {name: [] for name in texts.outputs}
    for x, (_, here) in enumerate(buckets):
        for points, point in zip(series.values(), stats.estimates(x, here), strict=True):
            points.append(point)
    metric = shown_name(texts.metric)
    chart = DotChart(
        f"{metric} by length, {texts.name}", "words of the reference, and how many sentences",
        metric, [f"{label}\n{int(here.sum()):,}" for label, here in buckets], series,
    )  # fmt: skip
    note = "Lines are 95 % intervals over sentences." if stats.samples else ""
    return Picture(f"length-{texts.name}", chart, note)


def precision_parts(stats: TextStats) -> list[Part]:
    """Shares of n-grams that are in the references, if the metric is BLEU."""
    texts = stats.texts
    found = {name: stats.precisions(name) for name in texts.outputs}
    known = {name: values for name, values in found.items() if values is not None}
    if not known:
        return []
    order = len(next(iter(known.values()))[0])
    chart = DotChart(
        f"n-gram precisions, {texts.name}", "n", "% in the references",
        [str(n) for n in range(1, order + 1)],
        {name: [Point(i, p) for i, p in enumerate(values[0])] for name, values in known.items()},
        from_zero=True,
    )  # fmt: skip
    rows = [
        [name, *(f"{share:.1f}" for share in shares), f"{brevity:.3f}", f"{ratio:.3f}"]
        for name, (shares, brevity, ratio) in known.items()
    ]
    head = ["system", *(f"{n}-grams, %" for n in range(1, order + 1)), "brevity penalty", "length"]
    table = Table(
        f"{texts.name}; length is that of the output over that of the reference", head, rows
    )
    # Of one system the table says it all.
    return [table, Picture(f"precisions-{texts.name}", chart)] if len(known) > 1 else [table]


def sentence_parts(stats: TextStats, most: int) -> list[Part]:
    """Sentences that changed most between the first system and each other, or a system's worst."""
    if not most:
        return []
    texts, names = stats.texts, list(stats.texts.outputs)
    if len(names) == 1:
        worst = [
            _example(stats, i, f"score {score:.1f}", names) for i, score in furthest(
                stats, names[0], most)
        ]  # fmt: skip
        return [Sentences(f"Furthest from their references, {texts.name}", worst)]
    base, parts = names[0], []
    for number, name in enumerate(names[1 : _MOST_PAIRS + 1]):
        for what, rows in zip(("gained", "lost"), most_changed(stats, base, name, most),
                              strict=True):  # fmt: skip
            examples = [
                _example(stats, i, minus(f"{change:+.1f} points"), [base, name])
                for i, change in rows
            ]
            if examples:
                caption = f"{texts.name}: {name} {what} most over {base}"
                parts.append(Sentences(caption, examples, folded=number > 0))
    return [*parts] or [Paragraph(f"No sentence of {texts.name} changed its score.")]


def _example(stats: TextStats, i: int, note: str, names: list[str]) -> Example:
    texts = stats.texts
    references = [lines[i] for lines in texts.references]
    lines = [] if texts.source is None else [Line("source", words_of(texts.source[i]))]
    lines += [Line("reference", words_of(line)) for line in references]
    outputs = [texts.outputs[name][0][i] for name in names]
    for name, output in zip(names, outputs, strict=True):
        other = next((one for one in outputs if one is not output), None)
        lines.append(Line(name, marked(output, references, other)))
    return Example(i + 1, note, lines)


def text_sections(
    stats: list[TextStats], *, sentences: int, trials: int = RANDOMISATION_TRIALS,
    scores: bool = True,
) -> list[Section]:  # fmt: skip
    """All that is said of translations, with scores and tests if these are wanted."""
    tables = [part for one in stats for part in score_table(one, trials=trials)] if scores else []
    repeated = any(len(runs) > 1 for one in stats for runs in one.texts.outputs.values())
    if tables and repeated:
        tables.append(
            Paragraph(
                "Scores are means over runs; the tests ask whether these outputs differ, not "
                "whether other runs would."
            )
        )
    return [
        Section("Scores and significance", tables),
        Section("By length", [length_picture(one) for one in stats]),
        Section("N-gram precisions", [part for one in stats for part in precision_parts(one)]),
        Section("Sentences", _with_legend(stats, sentences)),
    ]


def _with_legend(stats: list[TextStats], most: int) -> list[Part]:
    """Sentences behind a paragraph that says what their marks mean."""
    parts = [part for one in stats for part in sentence_parts(one, most)]
    if not any(isinstance(part, Sentences) for part in parts):
        return parts
    outputs = [one.texts.outputs for one in stats]
    legend = [_MISSING, _SCORES]
    if any(len(systems) > 1 for systems in outputs):
        legend.insert(0, _CHANGED)
    if any(len(runs) > 1 for systems in outputs for runs in systems.values()):
        legend.append("Of a system with several runs the first is shown.")
    return [Paragraph(" ".join(legend)), *parts]
