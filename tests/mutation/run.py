"""Make faults at random in some rooms of a copy of the package, and see which tests notice.

    python tests/mutation/run.py [--seed 1] [--faults 200] [--rooms tune learn evaluate train]

Each fault runs the tests of its room that come by its line, the fastest first, until one fails. A
fault that no test notices has survived; one that nobody could notice is named in `equivalent.txt`,
with the reason, and does not count. The run can be killed and begun again: what is done is kept in
`--work`, as long as neither the package nor the tests change.
"""

import argparse
import compileall
import hashlib
import importlib.util
import os
import py_compile
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE))

from faults import Fault, faults_of  # noqa: E402
from lines import Coverage, find  # noqa: E402

ROOMS = ("tune", "learn", "evaluate", "train")
# CPU seconds that the tests of one fault take at most when all is well.
BUDGET = 30.0
# A test that takes so many times as long as it did, and some seconds more, hangs.
PATIENCE, GRACE = 5.0, 30.0
NEVER_CHECKED = py_compile.PycInvalidationMode.UNCHECKED_HASH
KILLED, SURVIVED, EQUIVALENT = "killed", "survived", "equivalent"


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--faults", type=int, default=200, metavar="N", help="in all rooms")
    parser.add_argument("--rooms", nargs="+", default=ROOMS, choices=ROOMS, help="only these")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "mutation")
    arguments = parser.parse_args()
    work = arguments.work.resolve()
    copy = fresh_copy(work)
    chosen = choose(copy, arguments.seed, arguments.faults, arguments.rooms)
    equivalent = named_equivalents()
    done = {}
    for room in arguments.rooms:
        made = hash_of(ROOT / "src" / "tunesmith" / room, ROOT / "tests" / room)
        coverage = coverage_of(work, copy, room, made)
        table = work / f"{room}-{made}-seed-{arguments.seed}.tsv"
        known = read_table(table)
        if not known:
            check_without_fault(copy, coverage)
        for fault in (fault for fault in chosen if fault.room == room):
            if equivalent_reason(fault, equivalent):
                continue
            if fault.name not in known:
                known[fault.name] = found, by = try_out(fault, copy, coverage)
                with open(table, "a", encoding="utf-8") as stream:
                    stream.write(f"{found}\t{fault.name}\t{fault.line}\t{by}\n")
                print(f"{found:9} {fault.name} (line {fault.line}) {by}", flush=True)
            done[fault.name] = known[fault.name]
    report(chosen, done, equivalent)


def hash_of(*folders):
    """What the Python files of some folders are."""
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def fresh_copy(work):
    """Copy the package and the tests, unless that is done."""
    core = Path(
        subprocess.check_output(
            [
                sys.executable,
                "-c",
                "import tunesmith._core as core; print(core.__file__)",
            ],
            text=True,
        ).strip()
    )
    copy = work / "copy"
    made = hash_of(ROOT / "src", ROOT / "tests") + hashlib.sha256(core.read_bytes()).hexdigest()
    mark = copy / "made"
    if mark.exists() and mark.read_text() == made:
        restore(copy)
        return copy
    shutil.rmtree(copy, ignore_errors=True)
    ignored = shutil.ignore_patterns("__pycache__", "mutation")
    shutil.copytree(ROOT / "src" / "tunesmith", copy / "tunesmith", ignore=ignored)
    shutil.copytree(ROOT / "src" / "tunesmith", copy / "unchanged" / "tunesmith", ignore=ignored)
    shutil.copytree(ROOT / "tests", copy / "tests", ignore=ignored)
    shutil.copytree(ROOT / "docs", copy / "docs")
    shutil.copy(ROOT / "pyproject.toml", copy)
    shutil.copy(core, copy / "tunesmith")
    compileall.compile_dir(copy / "tunesmith", quiet=1, invalidation_mode=NEVER_CHECKED)
    mark.write_text(made)
    return copy


def restore(copy):
    """Undo a fault that a kill left in the copy."""
    for path in (copy / "unchanged" / "tunesmith").rglob("*.py"):
        here = copy / path.relative_to(copy / "unchanged")
        if not compiled(here).exists():
            here.write_bytes(path.read_bytes())
            py_compile.compile(str(here), invalidation_mode=NEVER_CHECKED)


def compiled(path):
    """Where the bytecode of a module is; while there is none, the source counts."""
    return Path(importlib.util.cache_from_source(str(path)))


def environment(copy):
    """What every process of the run needs."""
    data = os.environ.get("TUNESMITH_DATA", str(ROOT.parent / "shared" / "data"))
    return {
        **os.environ,
        "MUTATION_COPY": str(copy),
        "PYTHONPATH": str(HERE / "site"),
        "TUNESMITH_DATA": data,
        "OPENBLAS_NUM_THREADS": "1",
    }


def coverage_of(work, copy, room, made):
    """Which tests of a room run which of its lines, found now or kept from before."""
    kept = work / f"{room}-{made}-lines.json"
    if not kept.exists():
        find(copy, room, environment(copy)).save(kept)
    return Coverage.load(kept)


def choose(copy, seed, count, rooms):
    """The faults of a seed: each room has its share, in an order that others do not change."""
    everything = {
        room: [
            fault
            for path in sorted((copy / "unchanged" / "tunesmith" / room).glob("*.py"))
            for fault in faults_of(f"tunesmith/{room}/{path.name}", path.read_bytes())
        ]
        for room in ROOMS
    }
    total = sum(map(len, everything.values()))
    chosen = []
    for room in rooms:
        random.Random(f"{seed} {room}").shuffle(everything[room])
        chosen += everything[room][: round(count * len(everything[room]) / total)]
    return chosen


def try_out(fault: Fault, copy, coverage):
    """Whether the tests notice, and which one did."""
    source = (copy / "unchanged" / fault.path).read_bytes()
    ends = fault.line + source[fault.span[0] : fault.span[1]].count(b"\n") + 1
    lines = range(fault.line, ends)
    tests = coverage.tests(fault.path, lines, at_import=fault.at_import)
    affordable, spent = [], 0.0
    for test in tests:
        spent += coverage.seconds.get(test, 1.0)
        if spent > BUDGET and affordable:
            break
        affordable.append(test)
    if not affordable:
        return SURVIVED, "no test comes by"
    changed = copy / fault.path
    try:
        compiled(changed).unlink()
        changed.write_bytes(fault.made_in(source))
        return in_child(copy, affordable, spent)
    finally:
        restore(copy)


def check_without_fault(copy, coverage):
    """Nothing is wrong yet, so nothing may fail: or every fault would seem to be noticed."""
    tests = sorted(coverage.seconds, key=coverage.seconds.get)[:50]
    found, by = in_child(copy, tests, sum(coverage.seconds[test] for test in tests))
    if found != SURVIVED:
        sys.exit(f"without any fault: {by}")


def in_child(copy, tests, spent):
    """Run tests in a fork of this process, which has loaded what takes long to load."""
    limit = int(PATIENCE * spent + GRACE)
    said = copy / "said"
    child = os.fork()
    if child == 0:
        os.setpgrp()
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
        stream = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(stream, 1)
        os.dup2(stream, 2)
        os.environ.update(environment(copy), PYTHONDONTWRITEBYTECODE="1")
        sys.dont_write_bytecode = True
        os.chdir(copy)
        os._exit(run_tests(tests))
    end = time.monotonic() + 20 * limit  # the machine may have others to serve
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            break
        if time.monotonic() > end:
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return KILLED, "hangs"
        time.sleep(0.05)
    if os.WIFSIGNALED(status):
        return KILLED, f"signal {os.WTERMSIG(status)}"
    if os.WEXITSTATUS(status) == 0:
        return SURVIVED, f"{len(tests)} tests"
    text = said.read_text(encoding="utf-8", errors="replace").splitlines()
    named = [line for line in text if line.startswith(("FAILED ", "ERROR "))]
    return KILLED, (named[-1].split(" - ")[0] if named else "cannot be loaded")


def run_tests(tests):
    """In the child: pytest with the copy in the place of the package."""
    import runpy

    import pytest

    runpy.run_path(str(HERE / "site" / "sitecustomize.py"))
    return pytest.main(["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *tests])


def preload():
    """Import what the tests need and no fault is made in."""
    import hypothesis  # noqa: F401
    import pytest  # noqa: F401
    import sacrebleu  # noqa: F401
    import scipy.optimize  # noqa: F401
    import sklearn.linear_model
    import sklearn.svm  # noqa: F401


def named_equivalents():
    """Patterns with their reasons: a reason begins with '# ', the patterns below it have it."""
    reasons, reason = [], ""
    for line in (HERE / "equivalent.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            reason = line[1:].strip()
        elif line.strip():
            reasons.append((line.strip(), reason))
    return reasons


def equivalent_reason(fault, equivalent):
    """Why nobody could notice the fault; nothing if somebody could."""
    return next((reason for pattern, reason in equivalent if matches(fault.name, pattern)), "")


def matches(name, pattern):
    """Whether the pieces of a pattern between its '*' are in a name, in order, from end to end."""
    pieces = pattern.split("*")
    if len(pieces) == 1:
        return name == pattern
    if not (name.startswith(pieces[0]) and name.endswith(pieces[-1])):
        return False
    at = len(pieces[0])
    for piece in pieces[1:-1]:
        at = name.find(piece, at)
        if at < 0:
            return False
        at += len(piece)
    return at <= len(name) - len(pieces[-1])


def read_table(path):
    """What is known of the faults of a seed: name → (what came of it, by which test)."""
    if not path.exists():
        return {}
    rows = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines())
    return {name: (found, by) for found, name, _, by in rows}


def report(chosen, done, equivalent):
    """Totals by room, and what survived."""
    totals = Counter()
    for fault in chosen:
        named = equivalent_reason(fault, equivalent)
        totals[fault.room, EQUIVALENT if named else done[fault.name][0]] += 1
    print(
        f"\n{'room':10}{'faults':>8}{'killed':>8}{'survived':>10}{'equivalent':>12}{'killed %':>10}"
    )
    rooms = sorted({room for room, _ in totals})
    for room in [*rooms, "all"]:
        killed, survived, same = (
            sum(totals[one, kind] for one in rooms if room in {one, "all"})
            for kind in (KILLED, SURVIVED, EQUIVALENT)
        )
        share = 100 * killed / max(1, killed + survived)
        faults = killed + survived + same
        print(f"{room:10}{faults:8}{killed:8}{survived:10}{same:12}{share:10.1f}")
    print("\nsurvived:")
    for fault in chosen:
        if done.get(fault.name, ("",))[0] == SURVIVED and not equivalent_reason(fault, equivalent):
            print(f"  {fault.name} (line {fault.line}), {done[fault.name][1]}")


if __name__ == "__main__":
    preload()
    main()
