"""Is what a command prints what a page shows? Words exactly, numbers nearly, but for measurements.

Two outputs are alike if they have the same kinds of lines (a line without its numbers) and each
kind has the same numbers, in whatever order its lines come: what is sorted by a score, or told as
it is done, may change places.

- Lines of progress are not compared: they come where something takes more than ten seconds.
- What was measured is not compared: a number with a unit of time, memory or speed behind it, a
  column of a table whose header is or ends in one, the version of a program.
- A whole number is the same, or within 1 %: how many hypotheses a search meets depends on the last
  digits of weights, and those on the processor's and numpy's way to add up.
- A number with decimals is within 20 units of its last place, and within 0.2: for the same reason a
  score may move by a tenth. What a page says must not move by more.
"""

import re
from collections import defaultdict

UNIT = r"(?:s|ms|min|h|seconds?|minutes?|hours?|[kKMG]i?B|bytes)"
NUMBER = r"[-+−]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?"
# 0.16 s, 35 MB, 12,000 words/s, version:2.6.0
MEASURED = re.compile(rf"{NUMBER}(?= ?{UNIT}\b)|{NUMBER}(?= \w+(?:/s\b| per second))|\d+\.\d+\.\d+")
# translating: 1,024 of 5,000 (85/s, 46 s left)
PROGRESS = re.compile(r"[^:]+: [\d,]+(?: of [\d,]+)? \([\d,]+/s(?:, \d+ s left)?\)")
MEASURED_HEADER = re.compile(rf"(?:.* )?{UNIT}|.*/s")
# A mark behind a score says what a test thinks of it.
MARKED = re.compile(rf"({NUMBER})(?: [↑↓])?")


def kinds(text):
    """Kind of line → the numbers of each line of that kind, in ascending order."""
    found = defaultdict(list)
    lines = [line for line in text.splitlines() if not PROGRESS.fullmatch(line)]
    for line in _without_measured_columns(lines):
        # Blanks move with numbers.
        words = re.sub(r"\s+", " ", MEASURED.sub("#", line))
        numbers = [number.replace(",", "").replace("−", "-") for number in MARKED.findall(words)]
        found[MARKED.sub("#", words)].append(numbers)
    return {kind: sorted(rows, key=_values) for kind, rows in found.items()}


def differences(shown, said):
    """What is not alike, as lines for a person; empty if nothing."""
    page, now = kinds(shown), kinds(said)
    told = [f"only in the page: {kind}" for kind in page if kind not in now]
    told += [f"not in the page: {kind}" for kind in now if kind not in page]
    for kind in page.keys() & now.keys():
        if len(page[kind]) != len(now[kind]):
            told.append(f"{len(page[kind])} lines in the page, now {len(now[kind])}: {kind}")
            continue
        for old, new in zip(page[kind], now[kind], strict=True):
            if not all(near(a, b) for a, b in zip(old, new, strict=True)):
                told.append(f"{' '.join(old)} in the page, now {' '.join(new)}: {kind}")
    return told


def near(old, new):
    """Whether two numbers, as they are printed, are alike."""
    decimals = len(old.partition(".")[2])
    if not decimals and "." not in new:
        return abs(int(old) - int(new)) <= abs(int(old)) / 100
    # Whole numbers of a format such as %g count as having the other's decimals.
    decimals = max(decimals, len(new.partition(".")[2]))
    return abs(float(old) - float(new)) <= min(0.2, 20 * 10.0**-decimals) + 1e-9


def _values(numbers):
    return [float(number) for number in numbers]


def _without_measured_columns(lines):
    """The lines, with "#" in the cells of measured columns of Markdown tables."""
    measured = set()
    for i, line in enumerate(lines):
        cells = [cell.strip() for cell in line.split("|")]
        if i + 1 < len(lines) and re.match(r"\| :?---", lines[i + 1]):
            measured = {n for n, cell in enumerate(cells) if MEASURED_HEADER.fullmatch(cell)}
        elif not line.startswith("|"):
            measured = set()
        elif not line.startswith("| ---"):
            line = " | ".join("#" if n in measured else cell for n, cell in enumerate(cells))
        yield line
