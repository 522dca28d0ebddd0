"""A comparison as a person reads it, and as a program does."""

import json
from collections.abc import Sequence
from dataclasses import asdict

from tunesmith.evaluate.compare import Comparison, SystemScore


def as_text(comparisons: Sequence[Comparison], *, tests: str) -> str:
    """One block per metric; the last line says how the tests were made."""
    names = [row.system for comparison in comparisons for row in comparison.systems]
    width = max(8, *map(len, (*names, *(comparison.metric for comparison in comparisons))))
    blocks = [_block(comparison, width) for comparison in comparisons]
    if tests:
        blocks.append(tests)
    return "\n\n".join(blocks)


def _block(comparison: Comparison, width: int) -> str:
    rows = comparison.systems
    header = [f"{comparison.metric:<{width}}", f"{'score':>8}"]
    if rows[0].low is not None:
        header.append(f"{'95 % interval':>17}")
    if len(rows) > 1:
        header.append(f"{'diff':>9}")
        if rows[1].bootstrap_p is not None:
            header += [f"{'p boot':>7}", f"{'wins':>6}"]
        if rows[1].randomisation_p is not None:
            header.append(f"{'p rand':>7}")
    lines = ["  ".join(header)]
    lines += [_line(row, comparison, width) for row in rows]
    better = "higher" if comparison.higher_is_better else "lower"
    lines.append(f"{comparison.signature} ({better} is better)")
    return "\n".join(line.rstrip() for line in lines)


def _line(row: SystemScore, comparison: Comparison, width: int) -> str:
    baseline, places = comparison.systems[0], comparison.decimals
    cells = [f"{row.system:<{width}}", f"{row.score:8.{places}f}"]
    if row.low is not None and row.high is not None:
        cells.append(f"{row.low:8.{places}f}–{row.high:<8.{places}f}")
    if row is not baseline:
        cells.append(f"{row.score - baseline.score:+9.{places}f}")
        if row.bootstrap_p is not None and row.wins is not None:
            cells += [f"{row.bootstrap_p:7.4f}", f"{100 * row.wins:5.1f}%"]
        if row.randomisation_p is not None:
            cells.append(f"{row.randomisation_p:7.4f}")
    return "  ".join(cells)


def as_json(comparisons: Sequence[Comparison], *, settings: dict[str, int]) -> str:
    """All numbers unrounded, with what was asked for."""
    value = {"metrics": [asdict(comparison) for comparison in comparisons], **settings}
    return json.dumps(value, indent=1, ensure_ascii=False)
