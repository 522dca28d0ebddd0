"""The stub of the native module: made with it, whole, and with a type for everything."""

import os
import re
from pathlib import Path

import pytest

import tunesmith
from tunesmith import _core

STUB = Path(tunesmith.__file__).with_name("_core.pyi")
pytestmark = pytest.mark.skipif("ASAN_OPTIONS" in os.environ, reason="made without a sanitiser")


@pytest.fixture(scope="module")
def text():
    return STUB.read_text(encoding="utf-8")


def test_everything_native_is_in_the_stub(text):
    names = {name for name in vars(_core) if not name.startswith("_")}
    found = set(re.findall(r"^(?:class|def) (\w+)|^(\w+)(?:: [^=]+)? = ", text, re.MULTILINE))
    assert names == {one or other for one, other in found}


def test_no_type_is_left_open(text):
    untyped = r"std::|\bAny\b|(?:->|:) (?:object|list|tuple|dict|Callable|Iterable)\b(?!\[)"
    lines = [line for line in text.splitlines() if not line.startswith(("import", "from"))]
    left = [line for line in lines if re.search(untyped, line) and "def __eq__" not in line]
    assert left == []
