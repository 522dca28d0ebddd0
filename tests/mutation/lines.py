"""Which tests run which lines: found once, by running the room's tests with every line noted.

A line that a fixture of a module or a session ran belongs to all tests of the file. A line that
runs at import belongs to all tests.
"""

import json
import shutil
import subprocess
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

# A test or two may fail on a busy machine; more say that something else is wrong.
MOST_FAILURES = 0.02


@dataclass
class Coverage:
    """Tests by line, and what each takes."""

    by_line: dict[tuple[str, int], set[str]] = field(default_factory=lambda: defaultdict(set))
    seconds: dict[str, float] = field(default_factory=dict)
    """CPU seconds of a test, its own fixtures and processes included."""

    def tests(self, path: str, lines: range, *, at_import: bool) -> list[str]:
        """The tests that run one of the lines, the fastest first."""
        if at_import:  # whoever imports the module may see it
            return sorted(self.seconds, key=lambda test: (self.seconds[test], test))
        chosen = set()
        for (name, line), tests in self.by_line.items():
            if name == path and line in lines:
                chosen |= tests
        return sorted(chosen, key=lambda test: (self.seconds.get(test, 1.0), test))

    def save(self, path: Path) -> None:
        """Keep it for the next run."""
        lines = defaultdict(dict)
        for (name, line), tests in self.by_line.items():
            lines[name][str(line)] = sorted(tests)
        path.write_text(json.dumps({"lines": lines, "seconds": self.seconds}), encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> "Coverage":
        """The inverse of `save`."""
        saved = json.loads(path.read_text(encoding="utf-8"))
        found = cls(seconds=saved["seconds"])
        for name, lines in saved["lines"].items():
            for line, tests in lines.items():
                found.by_line[name, int(line)] = set(tests)
        return found


def find(copy: Path, room: str, environment: dict[str, str]) -> Coverage:
    """Run the tests of a room in `copy` once."""
    notes = copy / "lines"
    shutil.rmtree(notes, ignore_errors=True)
    notes.mkdir()
    subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist",
         "-p", "seconds_plugin", f"tests/{room}"],
        cwd=copy, check=False,
        env={**environment, "MUTATION_LINES": str(notes), "MUTATION_ROOM": room},
    )  # fmt: skip
    noted = json.loads((notes / "seconds").read_text(encoding="utf-8"))
    if len(noted["failed"]) > MOST_FAILURES * len(noted["seconds"]):
        sys.exit(f"{len(noted['failed'])} tests of {room} fail without a fault; is all built?")
    found = Coverage(seconds=noted["seconds"])
    files = defaultdict(set)
    for test in found.seconds:
        files[test.partition("::")[0]].add(test)
    for path in notes.glob("*.json"):
        for phase, lines in json.loads(path.read_text(encoding="utf-8")).items():
            test, _, stage = phase.rpartition(" ")
            if not test:
                continue  # at import
            whole = files[test.partition("::")[0]] if stage == "(setup)" else {test}
            whole = whole & found.seconds.keys()  # without those that fail anyway
            for name, line in lines:
                found.by_line[name, line] |= whole
    return found
