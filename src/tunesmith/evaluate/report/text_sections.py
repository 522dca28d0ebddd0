"""Sections of translations: scores and tests, by length, by n-grams, sentences that differ."""

from statistics import stdev

from tunesmith.evaluate.charts import DotChart, IntervalChart, Point
from tunesmith.evaluate.compare import Comparison
from tunesmith.evaluate.number_text import NONE, minus, p_value
from tunesmith.evaluate.report.parts import (
    Paragraph,
    Part,
    Picture,
    Section,
    TablePart,
)
from tunesmith.evaluate.report.sentence_section import sentence_parts
from tunesmith.evaluate.report.text_stats import TextStats, shown_name
from tunesmith.metrics.resample import RANDOMISATION_TRIALS, approximate_randomisation


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
    parts: list[Part] = [TablePart(caption, head, rows)]
    if differences and drawn is not None:
        chart = IntervalChart(
            f"Differences from {names[0]}, {texts.name}", f"{shown_name(metric)} points",
            differences,
        )  # fmt: skip
        parts.append(
            Picture(
                f"differences-{texts.name}",
                chart,
                "Lines are 95 % intervals over sentences.",
            )
        )
    return parts


def metric_table(comparison: Comparison) -> TablePart:
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
    return TablePart(
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
    table = TablePart(
        f"{texts.name}; length is that of the output over that of the reference", head, rows
    )
    # Of one system the table says it all.
    return [table, Picture(f"precisions-{texts.name}", chart)] if len(known) > 1 else [table]


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
        Section("Sentences", sentence_parts(stats, sentences)),
    ]
