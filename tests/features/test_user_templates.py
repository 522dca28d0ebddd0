"""Templates of users: called once per rule, and answered in one line when they are wrong."""

import pytest

from reference.tiny_tables import random_table
from tunesmith.base.errors import InputError, OptionError
from tunesmith.features import LengthBin, UserTemplate, build_features, load_template


def test_called_once_per_rule_with_all_there_is(tmp_path):
    table = random_table(5, tmp_path / "t.bin", sentences=10)
    seen = []

    def mine(source, target, links, counts):
        seen.append((source, target, links, counts))
        return {"links": len(links), "zero": 0, source[0]: counts[2]}

    features = build_features([table], [mine, LengthBin()], tmp_path / "f.bin")
    rules = list(table)
    assert seen == [
        (tuple(r.source.split()), tuple(r.target.split()), r.links, r.counts) for r in rules
    ]
    for number, rule in enumerate(rules):
        found = features.of_rule(table, number)
        expected = {f"mine:{rule.source.split()[0]}": rule.counts[2]}
        if rule.links:
            expected["mine:links"] = len(rule.links)
        assert {n: v for n, v in found.items() if n.startswith("mine:")} == expected
        assert len(found) == len(expected) + 3
    assert features.meta == {
        "templates": [{"template": "length_bin"}, {"template": "mine", "file": ""}]
    }


@pytest.mark.parametrize(
    ("given", "features"),
    [
        (["a", "b", "a"], {"f:a": 2.0, "f:b": 1.0}),
        ([("a", 0.5), "b"], {"f:a": 0.5, "f:b": 1.0}),
        ({"a": True}, {"f:a": 1.0}),
        (None, {}),
        ([], {}),
        ({"a": 1.5, "b": -1.5}, {"f:a": 1.5, "f:b": -1.5}),
    ],
)
def test_what_a_function_may_give(tmp_path, given, features):
    table = random_table(5, tmp_path / "t.bin", sentences=2)
    made = build_features([table], [UserTemplate(lambda *_: given, "f")], tmp_path / "f.bin")
    assert made.of_rule(table, 0) == features


@pytest.mark.parametrize(
    ("given", "found"),
    [
        (["a b"], "feature 'a b'"),
        ([""], "feature ''"),
        ({"a|||b": 1}, "feature 'a|||b'"),
        ({1: 1}, "feature 1"),
        ({"a": float("nan")}, "value nan of feature 'a'"),
        ({"a": "x"}, "value 'x' of feature 'a'"),
        ("name", "TypeError: 'name' is a string, not names"),
        (3, "TypeError: 'int' object is not iterable"),
        ([("a", 1, 2)], "ValueError: too many values to unpack (expected 2)"),
    ],
)
def test_what_it_may_not_give(tmp_path, given, found):
    table = random_table(5, tmp_path / "t.bin", sentences=2)
    rule = next(iter(table))
    with pytest.raises(InputError) as caught:
        build_features([table], [UserTemplate(lambda *_: given, "f")], tmp_path / "f.bin")
    assert str(caught.value) == (
        f"f: {found}, from f() for '{rule.source}' → '{rule.target}', expected names "
        "without blanks, with finite values"
    )
    assert not (tmp_path / "f.bin").exists()


def test_a_function_of_a_file(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        "def length(source, target, links, counts):\n"
        "    yield f'{len(source)}'\n"
        "\n"
        "def broken(source, target, links, counts):\n"
        "    return helper(source)\n"
        "\n"
        "def helper(words):\n"
        "    return words[99]\n"
        "\n"
        "constant = 3\n"
    )
    table = random_table(5, tmp_path / "t.bin", sentences=2)
    rule = next(iter(table))
    features = build_features([table], [load_template(f"{path}:length")], tmp_path / "f.bin")
    assert features.of_rule(table, 0) == {f"length:{len(rule.source.split())}": 1.0}
    with pytest.raises(InputError) as caught:
        build_features([table], [load_template(f"{path}:broken")], tmp_path / "f.bin")
    assert str(caught.value).startswith(
        f"{path}:8: IndexError: tuple index out of range, from broken() for '{rule.source}'"
    )
    for place, message in [
        (f"{path}:none", f"{path}: no function 'none', expected the function that"),
        (f"{path}:constant", f"{path}: no function 'constant', expected the function that"),
        (f"{path}", "expected FILE.py:function"),
        (f"{path}.old:length", f"{path}.old: no such file"),
    ]:
        with pytest.raises((InputError, OptionError)) as caught:
            load_template(place)
        assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        ("def f(:\n", 1, "invalid syntax"),
        ("x = 1\nimport no_such_module_at_all\n", 2, "ModuleNotFoundError: No module named"),
        ("1 / 0\n", 1, "ZeroDivisionError: division by zero"),
    ],
)
def test_files_that_cannot_be_imported(tmp_path, text, line, found):
    path = tmp_path / "mine.py"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        load_template(f"{path}:f")
    assert str(caught.value).startswith(f"{path}:{line}: {found}")


def test_names_that_are_taken():
    with pytest.raises(OptionError, match="template 'word_pair' is one of ours"):
        UserTemplate(lambda *_: [], "word_pair")
    with pytest.raises(OptionError, match="name 'a:b' of a template, expected a word without"):
        UserTemplate(lambda *_: [], "a:b")
