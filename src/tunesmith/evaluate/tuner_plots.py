"""A comparison of tuners as pictures."""

from statistics import mean

from tunesmith.evaluate.line_plot import line_plot
from tunesmith.evaluate.tuner_cells import Cell, ComparedTuners

Points = dict[str, list[tuple[float, float, float]]]

# Decodings after which a curve is out of the valley that the initial weights are in.
_FIRST_DECODINGS = 3


def plots(compared: ComparedTuners) -> dict[str, str]:
    """File names and SVG: learning curves always, the others where something was varied."""
    pictures = {}
    for features in compared.features:
        size = compared.dev_sizes[-1]
        curves = {
            system: _curve(cell)
            for system in compared.systems
            if (cell := compared.cell(features, system, size)) is not None
        }
        pictures[f"curves-{features}.svg"] = line_plot(
            f"Learning curves, {features}", "decoding of the dev set", "mean dev BLEU", curves,
            y_from=_floor(curves),
        )  # fmt: skip
        pictures |= _sweeps(compared, features, size)
        if len(compared.dev_sizes) > 1:
            pictures[f"dev-sizes-{features}.svg"] = line_plot(
                f"Size of the dev set, {features}", "dev sentences", "mean test BLEU",
                _by_size(compared, features), log_x=True,
            )  # fmt: skip
    return pictures


def _curve(cell: Cell) -> list[tuple[float, float]]:
    """Mean dev score by iteration; a run that stopped early stays at its last score."""
    longest = max(len(run.curve) for run in cell.runs)
    return [
        (i + 1, mean(run.curve[min(i, len(run.curve) - 1)] for run in cell.runs))
        for i in range(longest)
    ]


def _floor(curves: dict[str, list[tuple[float, float]]]) -> float | None:
    """The lowest score after the first decodings: what lies below would flatten all the rest."""
    scores = [y for curve in curves.values() for _, y in curve[_FIRST_DECODINGS:]]
    return min(scores) if scores else None


def _by_size(compared: ComparedTuners, features: str) -> Points:
    """Figure 4 of Hayashi et al. (2009)."""
    return {
        system: [
            (size, cell.test, cell.deviation)
            for size in compared.dev_sizes
            if (cell := compared.cell(features, system, size)) is not None
        ]
        for system in compared.systems
    }


def _sweeps(compared: ComparedTuners, features: str, size: int) -> dict[str, str]:
    """Figure 1 of Cherry & Foster (2012): tune and test scores by the value of an option."""
    pictures = {}
    numeric = [
        cell
        for cell in compared.cells
        if (cell.features, cell.dev_size) == (features, size)
        and cell.option is not None
        and isinstance(cell.option[1], int | float)
    ]
    for key in dict.fromkeys(cell.option[0] for cell in numeric if cell.option):
        for part in ("tune", "test"):
            series: Points = {}
            for cell in numeric:
                if cell.option is not None and cell.option[0] == key:
                    bar = cell.deviation if part == "test" else 0.0
                    point = (float(cell.option[1]), float(getattr(cell, part)), bar)
                    series.setdefault(cell.tuner, []).append(point)
            values = [x for points in series.values() for x, *_ in points]
            pictures[f"sweep-{key}-{part}-{features}.svg"] = line_plot(
                f"{key}, {features}", key, f"mean {part} BLEU",
                {name: sorted(points) for name, points in series.items()}, log_x=min(values) > 0,
            )  # fmt: skip
    return pictures
