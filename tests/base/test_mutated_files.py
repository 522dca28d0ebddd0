"""Every kind of our binary files with wrong contents and right checksums: each works or is refused
by an error that names it, however it is used; none crashes, hangs, or raises anything else.
"""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from reference.file_users import KINDS

TESTS = Path(__file__).resolve().parent.parent


def run(folder, kind, seeds):
    """(mutant, verdict, message) of every seed; after a crash the rest goes on."""
    results, rest = [], list(seeds)
    while rest:
        own = folder / str(rest[0])
        own.mkdir()
        command = [sys.executable, "-m", "reference.mutant_worker", str(own), kind]
        done = subprocess.run(
            [*command, *map(str, rest)],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PYTHONPATH": str(TESTS)},
        )
        mutant = None
        for line in done.stdout.splitlines():
            word, *fields = line.split("\t")
            if word == "begin":
                mutant = " ".join(fields)
                rest.remove(int(fields[0]))
            else:
                results.append((mutant, word, *fields))
                mutant = None
        if mutant is not None:
            results.append((mutant, "died", f"exit code {done.returncode}: {done.stderr[-2000:]}"))
        elif done.returncode != 0:
            pytest.fail(f"no mutant could be made: {done.stdout} {done.stderr}")
    return results


def check(folder, kind, seeds):
    results = run(folder, kind, seeds)
    wrong = [result for result in results if result[1] not in ("worked", "refused")]
    assert wrong == []
    assert Counter(word for _, word, *_ in results)["refused"] >= len(seeds) / 4


@pytest.mark.parametrize("kind", KINDS)
def test_mutants_work_or_are_refused_by_name(kind, tmp_path):
    check(tmp_path, kind, range(30))


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_many_more_mutants(kind, tmp_path):
    check(tmp_path, kind, range(1000, 1500))
