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
            f"Learning curves, {features}", "decoding of the dev set",
            f"mean dev {compared.metric}", curves, y_from=_floor(curves),
        )  # fmt: skip
        pictures |= _sweeps(compared, features, size)
        if len(compared.dev_sizes) > 1:
            pictures[f"dev-sizes-{features}.svg"] = line_plot(
                f"Size of the dev set, {features}", "dev sentences", f"mean test {compared.metric}",
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
    """Figure 1 of Cherry & Foster (2012): tune and test scores by the value of an option.

    A line is a tuner with one value of every other option.
    """
    pictures = {}
    cells = [c for c in compared.cells if (c.features, c.dev_size) == (features, size)]
    for key in dict.fromkeys(key for cell in cells for key, _ in cell.options):
        for part in ("tune", "test"):
            series: Points = {}
            for cell in cells:
                value = dict(cell.options).get(key)
                if isinstance(value, int | float):
                    others = [f"{name}={x}" for name, x in cell.options if name != key]
                    bar = cell.deviation if part == "test" else 0.0
                    point = (float(value), float(getattr(cell, part)), bar)
                    series.setdefault(" ".join([cell.tuner, *others]), []).append(point)
            values = {x for points in series.values() for x, *_ in points}
            if len(values) > 1:
                pictures[f"sweep-{key}-{part}-{features}.svg"] = line_plot(
                    f"{key}, {features}", key, f"mean {part} {compared.metric}",
                    {name: sorted(points) for name, points in series.items()},
                    log_x=min(values) > 0,
                )  # fmt: skip
    return pictures
