"""One concept, one name: a reader who meets a class need not ask which one it is."""

import ast
from collections import defaultdict
from pathlib import Path

import tunesmith


def classes(folder):
    """The files of every class, by name."""
    places = defaultdict(list)
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                places[node.name].append(str(path.relative_to(folder)))
    return places


def test_two_classes_never_share_a_name():
    found = classes(Path(tunesmith.__file__).parent)
    assert len(found) > 100
    assert {name: places for name, places in found.items() if len(places) > 1} == {}


def test_classes_anywhere_in_a_file_are_looked_at(tmp_path):
    (tmp_path / "one.py").write_text("class A:\n    class B: ...\n")
    (tmp_path / "two.py").write_text("def f():\n    class B: ...\n")
    assert classes(tmp_path) == {"A": ["one.py"], "B": ["one.py", "two.py"]}
