"""Loaded by every Python process of a mutation run: the copy of the package comes first.

With MUTATION_LINES it also notes, for every test, which lines of the copy ran, in this process and
in those that the test begins, and writes them to that folder at the end.
"""

import atexit
import json
import os
import sys
import threading
from importlib.machinery import PathFinder

COPY = os.environ["MUTATION_COPY"]


class CopyFirst:
    """Finds `tunesmith` in the copy, before an editable install does."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.partition(".")[0] != "tunesmith":
            return None
        return PathFinder.find_spec(name, path or [COPY], target)


sys.meta_path.insert(0, CopyFirst)


def note_lines(folder):
    """Trace the files of a room; everything else costs one look at each call."""
    room = f"{COPY}/tunesmith/{os.environ['MUTATION_ROOM']}/"
    seen = {}

    def begin(frame, event, argument):
        file = frame.f_code.co_filename
        if not file.startswith(room):
            return None
        lines = seen.setdefault(os.environ.get("PYTEST_CURRENT_TEST", ""), set())
        name = file[len(COPY) + 1 :]

        def line(frame, event, argument):
            lines.add((name, frame.f_lineno))
            return line

        lines.add((name, frame.f_lineno))
        return line

    def write():
        sys.settrace(None)
        kept = {test: sorted(lines) for test, lines in seen.items()}
        with open(f"{folder}/{os.getpid()}.json", "w", encoding="utf-8") as stream:
            json.dump(kept, stream)

    threading.settrace(begin)
    sys.settrace(begin)
    atexit.register(write)


if "MUTATION_LINES" in os.environ:
    note_lines(os.environ["MUTATION_LINES"])
