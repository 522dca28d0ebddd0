"""The tool's own tests: faults are where they should be, and can be told apart."""

import ast
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from faults import faults_of  # noqa: E402
from lines import Coverage  # noqa: E402
from run import matches, named_equivalents  # noqa: E402

SOURCE = '''"""Words."""
LIMIT: int = 3


def first(values: list[int] | None, *, low: int = 0) -> int:
    """More words, 5 of them."""
    if not values:
        raise ValueError(f"nothing in {values + 1}")
    found = [value for value in values if value > low and value != 7]
    return max(found[1:], key=abs, default=True) + 2.5
'''


def test_what_can_be_wrong():
    faults = faults_of("x.py", SOURCE.encode())
    told = {(fault.kind, fault.before, fault.after) for fault in faults}
    assert told == {
        ("constant", "3", "4"), ("constant", "3", "(2)"),
        ("constant", "low=0 → low=1", ""), ("constant", "low=0 → low=-1", ""),
        ("drop sign", "not values", "(values)"),
        ("drop statement", "raise ValueError(f'nothing in {values + 1}')", "pass"),
        ("and/or", "value > low and value != 7", "(value > low or value != 7)"),
        ("compare", "value > low", "(value >= low)"), ("compare", "value > low", "(value < low)"),
        ("compare", "value != 7", "(value == 7)"),
        ("constant", "7", "8"), ("constant", "7", "(6)"),
        ("drop value", "return max(found[1:], key=abs, default=True) + 2.5", "return None"),
        ("operator", "max(found[1:], key=abs, default=True) + 2.5",
         "(max(found[1:], key=abs, default=True) - 2.5)"),
        ("name", "max", "min"), ("drop keyword", "max(key=abs)", ""),
        ("drop keyword", "max(default=True)", ""), ("constant", "default=True → default=False", ""),
        ("slice", "1", "(1 + 1)"), ("constant", "1", "2"), ("constant", "1", "(0)"),
        ("constant", "2.5", "3.5"), ("constant", "2.5", "5.0"),
    }  # fmt: skip
    assert {fault.function for fault in faults if not fault.at_import} == {"first"}
    assert {fault.before for fault in faults if fault.at_import} == {
        "3", "low=0 → low=1", "low=0 → low=-1",
    }  # fmt: skip


def test_each_is_one_change_with_a_name_of_its_own():
    path = HERE.parents[1] / "src" / "tunesmith" / "tune" / "loop.py"
    source = path.read_bytes()
    faults = faults_of("tunesmith/tune/loop.py", source)
    assert len({fault.name for fault in faults}) == len(faults) > 50
    changed = {fault.made_in(source) for fault in faults}
    assert source not in changed
    for one in changed:
        ast.parse(one)


@pytest.mark.parametrize(
    ("pattern", "same"),
    [
        ("a/b.py::f::constant: 1 → 2", True),
        ("*::f::constant: *", True),
        ("a/*", True),
        ("*2", True),
        ("a*1*2", True),
        ("*constant", False),
        ("b*", False),
        ("a*2*1", False),
    ],
)
def test_patterns_of_equivalents(pattern, same):
    assert matches("a/b.py::f::constant: 1 → 2", pattern) is same


def test_every_equivalent_has_a_reason():
    assert all(reason for _, reason in named_equivalents())


def test_tests_of_a_line(tmp_path):
    coverage = Coverage(seconds={"slow": 9.0, "fast": 1.0, "other": 0.1})
    coverage.by_line["x.py", 3] = {"slow", "fast"}
    coverage.by_line["x.py", 4] = {"other"}
    coverage.by_line["y.py", 3] = {"other"}
    coverage.save(tmp_path / "lines")
    found = Coverage.load(tmp_path / "lines")
    assert found.tests("x.py", range(3, 4), at_import=False) == ["fast", "slow"]
    assert found.tests("x.py", range(2, 5), at_import=False) == ["other", "fast", "slow"]
    assert found.tests("x.py", range(9, 10), at_import=False) == []
    for module in ("x.py", "constants.py"):
        assert found.tests(module, range(9, 10), at_import=True) == ["other", "fast", "slow"]
