"""A comparison of tuners as pictures."""

from collections.abc import Sequence

from tunesmith.evaluate.charts import Chart, LineChart, Point, deviating, learning_chart, run_curve
from tunesmith.evaluate.tuner_cells import ComparedTuners

#: What the names of learning curves begin with.
CURVES = "curves-"

Points = dict[str, list[Point]]


def plots(compared: ComparedTuners) -> dict[str, Chart]:
    """Names and charts: learning curves always, the others where something was varied."""
    pictures: dict[str, Chart] = {}
    for features in compared.features:
        size = compared.dev_sizes[-1]
        pictures[f"{CURVES}{features}"] = learning_chart(
            f"Learning curves, {features}", "decoding of the dev set",
            f"mean dev {compared.metric}", curves(compared, features, size),
        )  # fmt: skip
        pictures |= _sweeps(compared, features, size)
        if len(compared.dev_sizes) > 1:
            pictures[f"dev-sizes-{features}"] = LineChart(
                f"Size of the dev set, {features}", "dev sentences", f"mean test {compared.metric}",
                _by_size(compared, features), log_x=True,
            )  # fmt: skip
    return pictures


def curves(compared: ComparedTuners, features: str, size: int) -> dict[str, Sequence[Point]]:
    """Mean dev score of every tuner by iteration, and its spread over the runs."""
    return {
        system: run_curve([run.curve for run in cell.runs])
        for system in compared.systems
        if (cell := compared.cell(features, system, size)) is not None
    }


def _by_size(compared: ComparedTuners, features: str) -> Points:
    """Figure 4 of Hayashi et al. (2009)."""
    return {
        system: [
            deviating(size, cell.test, cell.deviation)
            for size in compared.dev_sizes
            if (cell := compared.cell(features, system, size)) is not None
        ]
        for system in compared.systems
    }


def _sweeps(compared: ComparedTuners, features: str, size: int) -> dict[str, Chart]:
    """Figure 1 of Cherry & Foster (2012): tune and test scores by the value of an option.

    A line is a tuner with one value of every other option.
    """
    pictures: dict[str, Chart] = {}
    cells = [c for c in compared.cells if (c.features, c.dev_size) == (features, size)]
    for key in dict.fromkeys(key for cell in cells for key, _ in cell.options):
        for part in ("tune", "test"):
            series: Points = {}
            for cell in cells:
                value = dict(cell.options).get(key)
                if isinstance(value, int | float):
                    others = [f"{name}={x}" for name, x in cell.options if name != key]
                    spread = cell.deviation if part == "test" else 0.0
                    point = deviating(float(value), float(getattr(cell, part)), spread)
                    series.setdefault(" ".join([cell.tuner, *others]), []).append(point)
            values = {point.x for points in series.values() for point in points}
            if len(values) > 1:
                pictures[f"sweep-{key}-{part}-{features}"] = LineChart(
                    f"{key}, {features}", key, f"mean {part} {compared.metric}",
                    {
                        name: sorted(points, key=lambda point: point.x)
                        for name, points in series.items()
                    },
                    log_x=min(values) > 0,
                )  # fmt: skip
    return pictures
