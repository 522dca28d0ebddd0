"""What all tests share: the data beside the project, and the switch for slow tests."""

import gc
import math

import pytest
from hypothesis import HealthCheck, settings

from corpora import SharedData
from tunesmith.base import progress

settings.register_profile(
    "default", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("default")

# Lines of progress come where something takes long, which a busy machine decides.
progress.LINE_INTERVAL = math.inf


def pytest_addoption(parser):
    parser.addoption("--slow", action="store_true", help="run the slow tests too")


def pytest_collection_modifyitems(config, items):
    if config.getoption("--slow"):
        return
    for item in items:
        if "slow" in item.keywords:
            item.add_marker(pytest.mark.skip(reason="slow: run with --slow"))


def pytest_unconfigure():
    # Hypothesis watches the garbage collector and never stops. The interpreter holds the watch, and
    # so all that it can reach, until after its end: tests and their parameters, whose native
    # objects nanobind then reports as leaked.
    gc.callbacks.clear()


@pytest.fixture(scope="session")
def data() -> SharedData:
    """The shared corpora; a test that names an absent file is skipped, under CI it fails."""
    return SharedData.here()
