"""Plain dense features are written once: named and counted in one file of the core."""

import re
from pathlib import Path

import pytest

from reference.tiny_models import random_model
from tunesmith import _core

CORE = Path(__file__).parents[2] / "core"
PLAIN = CORE / "decode" / "plain_features.hh"


def test_the_core_names_them_in_their_order(tmp_path):
    names = _core.plain_features()
    assert all(names)
    assert len(set(names)) == len(names)
    model, _, _ = random_model(1, tmp_path / "m")
    first = model.decoder_names.index(names[0])
    assert list(model.decoder_names[first : first + len(names)]) == names
    assert model.decoder_names[first + len(names)] == "lm"


@pytest.mark.parametrize(
    ("enum", "names"),
    [("Plain", _core.plain_features()), ("Chart", _core.plain_chart_features())],
)
def test_nobody_else_counts_them(enum, names):
    """A new one is then an addition to that file alone, and all that search and learn have it."""
    (members,) = re.findall(rf"enum {enum}Feature \{{(.*?)\}}", PLAIN.read_text(), re.DOTALL)
    *features, count = (name.strip() for name in members.split(","))
    assert count == f"k{enum}Features"
    assert len(features) == len(names)
    rooms = [path for path in CORE.rglob("*") if path.suffix in (".cc", ".hh")]
    for path in rooms:
        if path != PLAIN and path.parent.name != "tests":
            used = [name for name in features if re.search(rf"\b{name}\b", path.read_text())]
            assert used == [], path


def test_orientations_are_told_in_one_place():
    callers = {
        path.name
        for room in ("decode", "learn")
        for path in (CORE / room).rglob("*")
        if path.is_file() and "orientation_of(" in path.read_text()
    }
    assert callers == {"pair_worth.hh"}
