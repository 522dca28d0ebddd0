"""What systems and pictures of several runs are called in one report."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tunesmith.evaluate.report.run_data import RunData


@dataclass(frozen=True)
class Names:
    """Of the runs of a report."""

    runs: Sequence[RunData]

    def system(self, run: RunData, label: str) -> str:
        """A system of a run: with the run's name where there are several and it lacks it."""
        if len(self.runs) == 1 or label == run.name or label.startswith(f"{run.name}: "):
            return label
        return f"{run.name}: {label}"

    def picture(self, what: str, run: RunData) -> str:
        """A picture of one run, as the name of a file."""
        if len(self.runs) == 1:
            return what
        return f"{what}-{self.runs.index(run) + 1}-{file_name(run.name)}"


def file_name(text: str) -> str:
    """Letters, digits and hyphens of a name.

    >>> file_name("runs/my model")
    'runs-my-model'
    """
    return re.sub(r"[^\w.]+", "-", text).strip("-.") or "run"
