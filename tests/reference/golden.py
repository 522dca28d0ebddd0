"""Values as they were last time, in a file beside the test; renewed by running the test file.

if __name__ == "__main__":
    renew(GOLDEN, CASES)
"""

import json
from difflib import ndiff

import pytest

from tunesmith.base.parameters import parameters_of


def settings(kind):
    """Every parameter of a class with its default and its limits, as a line."""
    lines = []
    for item in parameters_of(kind):
        limits = {k: v for k, v in item.metadata.items() if k != "meaning" and v not in (None, ())}
        told = "".join(f", {name} {value}" for name, value in limits.items())
        lines.append(f"{item.name} = {item.default!r}{told}")
    return lines


def differs(path, cases, case):
    """What is said of a case that is not as it was; empty if it is."""
    kept = json.loads(path.read_text(encoding="utf-8"))
    assert set(kept) == set(cases), f"{path}: run the test's file as a program"
    found = cases[case]()
    if near(found, kept[case]):
        return ""
    before, after = (json.dumps(value, indent=1).splitlines() for value in (kept[case], found))
    changes = [line for line in ndiff(before, after) if line[0] in "-+"]
    return "\n".join(["if this is meant, run the test's file as a program:", *changes])


def near(found, kept):
    """Equal, but for the last digits of numbers."""
    if isinstance(kept, dict):
        return found.keys() == kept.keys() and all(near(found[key], kept[key]) for key in kept)
    if isinstance(kept, list):
        return len(found) == len(kept) and all(map(near, found, kept))
    return found == (
        kept if isinstance(kept, str | None) else pytest.approx(kept, rel=2e-3, abs=1e-6)
    )


def renew(path, cases):
    """Write all values anew."""
    values = {case: run() for case, run in cases.items()}
    path.write_text(json.dumps(values, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
