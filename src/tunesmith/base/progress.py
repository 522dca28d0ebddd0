"""Progress on standard error: a bar with rate and remaining time on a terminal, lines elsewhere."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

# Seconds between two lines where there is no terminal.
LINE_INTERVAL = 10.0

_silent = False


def silence(silent: bool = True) -> None:
    """Turn all progress off (the command line's ``--quiet``) or on again."""
    global _silent
    _silent = silent


class Progress:
    """What `progress` yields: call `advance` as work gets done."""

    def __init__(self, task: str, total: int | None) -> None:
        self.task, self.total, self.done = task, total, 0
        self._skipped = 0
        self._start = self._last_line = time.monotonic()

    def advance(self, amount: int = 1) -> None:
        """Count `amount` more items as done."""
        self.done += amount
        now = time.monotonic()
        if now - self._last_line >= LINE_INTERVAL:
            self._last_line = now
            print(self._line(now), file=sys.stderr, flush=True)

    def skip(self, amount: int) -> None:
        """Count items that an earlier run has done: they say nothing of the rate."""
        self.done += amount
        self._skipped += amount

    def _line(self, now: float) -> str:
        rate = (self.done - self._skipped) / max(now - self._start, 1e-9)
        of = f" of {self.total:,}" if self.total else ""
        left = f", {(self.total - self.done) / rate:.0f} s left" if self.total and rate else ""
        return f"{self.task}: {self.done:,}{of} ({rate:,.0f}/s{left})"


class _Silent(Progress):
    def advance(self, amount: int = 1) -> None:
        self.done += amount


class _Bar(Progress):
    def __init__(self, task: str, total: int | None) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            ProgressColumn,
            Task,
            TextColumn,
            TimeRemainingColumn,
        )
        from rich.progress import Progress as RichProgress
        from rich.text import Text

        class _RateColumn(ProgressColumn):
            def render(self, task: Task) -> Text:
                return Text(f"{task.speed:,.0f}/s" if task.speed else "")

        super().__init__(task, total)
        self.rich = RichProgress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            _RateColumn(),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self.rich_task = self.rich.add_task(task, total=total)

    def advance(self, amount: int = 1) -> None:
        self.done += amount
        self.rich.advance(self.rich_task, amount)

    def skip(self, amount: int) -> None:
        super().skip(amount)
        self.rich.reset(self.rich_task, total=self.total, completed=self.done)


@contextmanager
def progress(task: str, total: int | None = None) -> Iterator[Progress]:
    """Show how far `task` is while the block runs."""
    if _silent:
        yield _Silent(task, total)
    elif sys.stderr.isatty():
        bar = _Bar(task, total)
        with bar.rich:
            yield bar
    else:
        yield Progress(task, total)
