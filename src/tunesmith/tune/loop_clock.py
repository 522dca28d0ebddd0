"""How long the iterations of a loop took, however often it was killed."""

import json
from pathlib import Path
from time import perf_counter, process_time

from tunesmith.base.atomic import atomic_text
from tunesmith.base.errors import InputError
from tunesmith.base.json_text import parse_json
from tunesmith.tune.loop_state import Iteration


class LoopClock:
    """Time spent on a loop, over kills: what was lost with a kill is not counted twice."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rows: list[tuple[float, float]] = read_times(path) if path.exists() else []
        self._mark = perf_counter(), process_time()

    @property
    def seconds(self) -> float:
        """Of all iterations."""
        return sum(row[0] for row in self.rows)

    @property
    def cpu_seconds(self) -> float:
        """Processor time of all iterations."""
        return sum(row[1] for row in self.rows)

    def iteration(self, number: int, iteration: Iteration) -> None:
        """Count the time since the last call for an iteration; one that is known is read again."""
        now = perf_counter(), process_time()
        spent = now[0] - self._mark[0], now[1] - self._mark[1]
        self._mark = now
        if number > len(self.rows):
            self.rows.append(spent)
        else:
            known = self.rows[number - 1]
            self.rows[number - 1] = known[0] + spent[0], known[1] + spent[1]
        with atomic_text(self.path) as stream:
            json.dump(self.rows, stream)


def read_times(path: Path) -> list[tuple[float, float]]:
    """Seconds and processor seconds of every iteration."""
    try:
        rows = parse_json(path.read_text(encoding="utf-8"))
        return [(float(seconds), float(cpu)) for seconds, cpu in rows]
    except (ValueError, TypeError) as error:
        raise InputError(path, 0, "no times", "", "delete the folder") from error
