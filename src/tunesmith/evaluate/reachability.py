"""How much of a corpus a model can make: Table 3 and Figures 6 and 7 of Yu et al. (2013)."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field

import numpy as np
import numpy.typing as npt

from tunesmith.decode.forced_result import ForcedResult
from tunesmith.evaluate.charts import Chart, LineChart, Point


@dataclass(frozen=True)
class LengthRow:
    """Pairs of about one source length."""

    low: int
    high: int
    pairs: int
    reachable: float
    """Share of the pairs that are reachable as a whole."""
    derivations: float
    """Mean number of derivations of those."""


@dataclass(frozen=True)
class Reachability:
    """What forced decoding found on a corpus with one distortion limit."""

    distortion_limit: int | None
    """None: of a hierarchical model, which has none."""
    pairs: int
    whole_pairs: float
    """Share of the pairs that are reachable as a whole; of their source words below."""
    whole_words: float
    used_pairs: float
    """The same with reachable prefixes."""
    used_words: float
    too_long: int
    too_many_nodes: int
    too_slow: int
    rows: list[LengthRow] = field(default_factory=list)

    @property
    def name(self) -> str:
        """As the figures of the paper name it."""
        limit = self.distortion_limit
        if limit is None:
            return "rules"
        return f"dist-{'unlimited' if limit < 0 else limit}"


def reachability(
    result: ForcedResult,
    lengths: npt.NDArray[np.int64],
    *,
    distortion_limit: int | None,
    width: int = 5,
) -> Reachability:
    """Sum up a result; `lengths` are source words, `width` the lengths in a row."""
    pairs, words = max(len(lengths), 1), max(int(lengths.sum()), 1)
    whole = result.whole
    rows = []
    for low in range(1, int(lengths.max(initial=0)) + 1, width):
        here = (lengths >= low) & (lengths < low + width)
        if not here.any():
            continue
        made = result.derivations[here & whole]
        rows.append(
            LengthRow(
                low,
                low + width - 1,
                int(here.sum()),
                float(whole[here].mean()),
                float(made.mean()) if len(made) else 0.0,
            )
        )
    return Reachability(
        distortion_limit,
        len(lengths),
        float(whole.sum()) / pairs,
        float(lengths[whole].sum()) / words,
        float((result.source_words > 0).sum()) / pairs,
        float(result.source_words.sum()) / words,
        result.stopped.count("length"),
        result.stopped.count("nodes"),
        result.stopped.count("time"),
        rows,
    )


def reachability_table(reports: Sequence[Reachability]) -> str:
    """Totals for every distortion limit, then reachable pairs and derivations by length."""
    head = ["", "pairs", "words", "+prefix", "words", "too long", "nodes", "time"]
    lines = [_row(head, 14)]
    for r in reports:
        shares = [r.whole_pairs, r.whole_words, r.used_pairs, r.used_words]
        lines.append(
            _row([r.name, *map(_share, shares), r.too_long, r.too_many_nodes, r.too_slow], 14)
        )
    lines += ["", _row(["words", "pairs", *(r.name for r in reports)], 10, 16) + "   reachable"]
    lines += _by_length(reports, lambda row: _share(row.reachable))
    lines += ["", _row(["words", "pairs", *(r.name for r in reports)], 10, 16) + "   derivations"]
    lines += _by_length(reports, lambda row: f"{row.derivations:.4g}")
    return "\n".join(line.rstrip() for line in lines)


def _by_length(reports: Sequence[Reachability], cell: Callable[[LengthRow], str]) -> Iterator[str]:
    by_low = [{row.low: row for row in r.rows} for r in reports]
    for row in reports[0].rows:
        cells = [cell(rows[row.low]) if row.low in rows else "" for rows in by_low]
        yield _row([f"{row.low}–{row.high}", row.pairs, *cells], 10, 16)


def reachability_plots(reports: Sequence[Reachability]) -> dict[str, Chart]:
    """Figures 6 and 7, by their names."""

    def series(value: Callable[[LengthRow], float]) -> dict[str, list[Point]]:
        return {
            r.name: [Point((row.low + row.high) / 2, value(row)) for row in r.rows] for r in reports
        }

    return {
        "reachability": LineChart(
            "Reachable pairs by length", "source words", "reachable pairs, %",
            series(lambda row: 100 * row.reachable),
        ),
        "derivations": LineChart(
            "Derivations of reachable pairs by length", "source words", "mean derivations",
            series(lambda row: row.derivations), log_y=True,
        ),
    }  # fmt: skip


def reachability_json(reports: Sequence[Reachability]) -> list[dict[str, object]]:
    """All numbers as plain values."""
    return [asdict(report) for report in reports]


def _share(value: float) -> str:
    return f"{100 * value:.1f} %"


def _row(cells: Sequence[object], first: int, width: int = 10) -> str:
    return f"{cells[0]!s:<{first}}" + "".join(f"{cell!s:>{width}}" for cell in cells[1:])
