"""A comparison of tuners as tables: for people as Markdown, for programs as TSV."""

from collections.abc import Iterable, Mapping, Sequence
from statistics import mean

from tunesmith.evaluate.number_text import NONE, p_value
from tunesmith.evaluate.tuner_cells import LAST_ITERATIONS, Cell, ComparedTuners, Difference

BETTER, WORSE = "↑", "↓"


def as_markdown(compared: ComparedTuners) -> str:
    """Tables 4–6 of Cherry & Foster (2012), differences from the baseline, convergence and time."""
    parts = [
        f"Test {compared.metric} is the mean of {compared.replicates} tuning runs, SD their "
        "standard deviation. " + _marks(compared),
        f"Signature: {compared.signature}",
    ]
    for size in compared.dev_sizes:
        title = f"## Scores, {size:,} dev sentences" if size else "## Scores"
        parts += [title, _scores(compared, size)]
    parts += ["## Differences from the baseline", _differences(compared)]
    if compared.available:
        parts += ["## Weights that are not zero, by template", _templates(compared)]
    parts += ["## Convergence and time", _runs(compared)]
    return "\n\n".join(parts) + "\n"


def _marks(compared: ComparedTuners) -> str:
    """What the arrows mean."""
    if compared.replicates == 1:
        return "With one run there is no telling how much runs differ: no difference is marked."
    count = len(_over_baseline(compared))
    return (
        f"{BETTER} and {WORSE}: better and worse than the baseline {compared.baseline} (on a "
        "feature set that it does not take: than on the last one that it takes), p < 0.05 over "
        f"runs and sentences, corrected for the number of differences here, {count} (Holm)."
    )


def _scores(compared: ComparedTuners, size: int) -> str:
    columns = compared.columns
    head = ["tuner"]
    for features in compared.features:
        head += [f"{features}: tune", *(columns if len(columns) > 1 else ["test"]), "SD"]
    rows = []
    for system in compared.systems:
        row = [system]
        for features in compared.features:
            cell = compared.cell(features, system, size)
            if cell is None:
                row += [NONE] * (len(columns) + 2)
                continue
            shown = f".{compared.decimals}f"
            tests = [f"{cell.score(name):{shown}}{_mark(compared, cell, name)}" for name in columns]
            row += [f"{cell.tune:{shown}}", *tests, f"{cell.deviation:{shown}}"]
        rows.append(row)
    return _table(head, rows)


def _mark(compared: ComparedTuners, cell: Cell, column: str) -> str:
    difference = compared.over_baseline(cell, column)
    if difference is None or not difference.significant:
        return ""
    better = difference.points > 0 if compared.higher_is_better else difference.points < 0
    return f" {BETTER if better else WORSE}"


def _over_baseline(compared: ComparedTuners) -> list[tuple[Cell, Difference]]:
    """The rows of the table of differences."""
    return [
        (cell, difference)
        for cell in compared.cells
        for column in compared.columns
        if (difference := compared.over_baseline(cell, column)) is not None
    ]


def _differences(compared: ComparedTuners) -> str:
    several = len(compared.tests) > 1
    rows = [
        [
            cell.features,
            *_size(compared, cell),
            cell.system,
            f"{difference.over} on {difference.over_features}",
            *([difference.test_set] if several else []),
            f"{difference.points:+.{compared.decimals}f}",
            _interval(difference, compared.decimals),
            *(p_value(p) for p in (difference.p_value, difference.corrected_p)),
            p_value(difference.randomisation_p),
        ]
        for cell, difference in _over_baseline(compared)
    ]
    size = ["dev"] if compared.dev_sizes != [0] else []
    sets = ["test set", "points"] if several else ["test"]
    head = ["features", *size, "tuner", "over", *sets, "95 %", "p", "p corrected", "p sentences"]
    return _table(head, rows, texts=3 + len(size) + several) + (
        "\n\n95 % and p: over runs and sentences, two-sided. p sentences: approximate "
        "randomisation, which asks whether these outputs differ, not whether other runs would."
    )


def _interval(difference: Difference, decimals: int) -> str:
    if difference.interval is None:
        return NONE
    low, high = difference.interval
    return f"{low:+.{decimals}f} … {high:+.{decimals}f}"


def _templates(compared: ComparedTuners) -> str:
    """Table 3 of Cherry & Foster (2012)."""
    names = list(dict.fromkeys(name for counts in compared.available.values() for name in counts))
    size = ["dev"] if compared.dev_sizes != [0] else []
    rows = []
    for features, counts in compared.available.items():
        known = [NONE if count == "0" else count for count in _counts(counts, names)]
        rows.append([features, *[""] * len(size), "*in the model*", *known])
        rows += [
            [features, *_size(compared, cell), cell.system, *_counts(cell.weights, names)]
            for cell in compared.cells
            if cell.features == features
        ]
    return _table(["features", *size, "tuner", *names, "all"], rows, texts=2 + len(size))


def _counts(counts: Mapping[str, float], names: Sequence[str]) -> list[str]:
    shown = [counts.get(name, 0) for name in names]
    return [f"{count:,.0f}" for count in (*shown, sum(shown))]


def _runs(compared: ComparedTuners) -> str:
    rows = [
        [
            cell.features,
            *_size(compared, cell),
            cell.system,
            f"{mean(len(run.curve) for run in cell.runs):.1f}",
            f"{cell.moved:.2f}",
            f"{sum(cell.weights.values()):,.0f}",
            f"{mean(run.cpu_seconds for run in cell.runs):.1f}",
            f"{mean(run.seconds for run in cell.runs):.1f}",
            f"{max(run.memory for run in cell.runs) / 1e6:,.0f}",
        ]
        for cell in compared.cells
    ]
    size = ["dev"] if compared.dev_sizes != [0] else []
    head = ["features", *size, "tuner", "decodings", f"rose in the last {LAST_ITERATIONS}",
            "weights", "CPU s", "s", "MB"]  # fmt: skip
    return _table(head, rows, texts=2 + len(size)) + (
        f"\n\nMeans of a run, but of memory and “rose in the last {LAST_ITERATIONS}” the most of "
        f"any run: by how much the best dev score rose in its last {LAST_ITERATIONS} decodings."
    )


def _size(compared: ComparedTuners, cell: Cell) -> list[str]:
    return [str(cell.dev_size)] if compared.dev_sizes != [0] else []


def as_tsv(compared: ComparedTuners) -> str:
    """One line per cell and test set; p-values are of differences from the baseline. No times."""
    rows = []
    for cell in compared.cells:
        for column in compared.columns:
            difference = compared.over_baseline(cell, column)
            tests = [""] * 6
            if difference is not None:
                low, high = difference.interval or (None, None)
                values = (difference.points, low, high, difference.p_value, difference.corrected_p,
                          difference.randomisation_p)  # fmt: skip
                tests = ["" if value is None else f"{value:.6f}" for value in values]
            rows.append(
                [cell.features, cell.system, str(cell.dev_size or ""), str(len(cell.runs)), column,
                 f"{cell.tune:.4f}", f"{cell.score(column):.4f}", f"{cell.spread(column):.4f}",
                 f"{cell.moved:.4f}", *tests]
            )  # fmt: skip
    head = ["features", "tuner", "dev_size", "runs", "test_set", "tune", "test", "sd", "moved",
            "over_baseline", "low", "high", "p", "p_corrected", "p_sentences"]  # fmt: skip
    return _tsv([head, *rows])


def times_tsv(compared: ComparedTuners) -> str:
    """One line per run: its time and memory."""
    rows = [
        [cell.features, cell.system, str(cell.dev_size or ""), str(number),
         f"{run.seconds:.3f}", f"{run.cpu_seconds:.3f}", f"{run.memory / 1e6:.1f}"]
        for cell in compared.cells
        for number, run in enumerate(cell.runs)
    ]  # fmt: skip
    head = ["features", "tuner", "dev_size", "replicate", "seconds", "cpu_seconds", "memory_mb"]
    return _tsv([head, *rows])


def _tsv(rows: Iterable[Sequence[str]]) -> str:
    return "".join("\t".join(row) + "\n" for row in rows)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], *, texts: int = 1) -> str:
    """Columns behind the first `texts` are numbers."""
    lines = [head, ["---"] * texts + ["---:"] * (len(head) - texts), *rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in lines)
