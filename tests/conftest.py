"""What all tests share: the data beside the project, and the switch for slow tests."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "default", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("default")


def pytest_addoption(parser):
    parser.addoption("--slow", action="store_true", help="run the slow tests too")


def pytest_collection_modifyitems(config, items):
    if config.getoption("--slow"):
        return
    for item in items:
        if "slow" in item.keywords:
            item.add_marker(pytest.mark.skip(reason="slow: run with --slow"))


@pytest.fixture(scope="session")
def data() -> Path:
    """The shared corpora; where they are absent the test is skipped, under CI it fails."""
    project = Path(__file__).resolve().parent.parent
    folder = Path(os.environ.get("TUNESMITH_DATA", project.parent / "shared" / "data"))
    if folder.is_dir():
        return folder
    reason = f"no data at {folder} (set TUNESMITH_DATA)"
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)
