"""A plugin of pytest that writes what each test took, in CPU seconds; but for those that failed."""

import json
import os

import pytest

SECONDS = {}
FAILED = set()


def _spent():
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item):
    """Time a test with its fixtures."""
    before = _spent()
    yield
    SECONDS[item.nodeid] = _spent() - before


def pytest_runtest_logreport(report):
    """Remember failures: a test that fails anyway notices nothing."""
    if report.failed:
        FAILED.add(report.nodeid)


def pytest_sessionfinish():
    """Write the times."""
    if "MUTATION_LINES" in os.environ:
        with open(f"{os.environ['MUTATION_LINES']}/seconds", "w", encoding="utf-8") as stream:
            kept = {test: took for test, took in SECONDS.items() if test not in FAILED}
            json.dump({"seconds": kept, "failed": sorted(FAILED)}, stream)
