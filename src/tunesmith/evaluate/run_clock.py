"""How long a run of a comparison took, however often it was killed."""

import json
from pathlib import Path
from time import perf_counter, process_time

from tunesmith.base.atomic import atomic_text
from tunesmith.base.errors import InputError
from tunesmith.base.json_text import parse_json
from tunesmith.tune.loop import Iteration


class RunClock:
    """Time spent on tuning, over kills: what was lost with a kill is not counted twice."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.seconds = self.cpu_seconds = 0.0
        if path.exists():
            try:
                self.seconds, self.cpu_seconds = parse_json(path.read_text(encoding="utf-8"))
            except (ValueError, TypeError) as error:
                raise InputError(path, 0, "no times", "", "delete the folder") from error
        self._mark = perf_counter(), process_time()

    def iteration(self, number: int, iteration: Iteration) -> None:
        """Count the time since the last call."""
        now = perf_counter(), process_time()
        self.seconds += now[0] - self._mark[0]
        self.cpu_seconds += now[1] - self._mark[1]
        self._mark = now
        with atomic_text(self.path) as stream:
            json.dump([self.seconds, self.cpu_seconds], stream)
