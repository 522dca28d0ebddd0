"""The C++ core has one namespace per room, and a class is defined once in a namespace: two of one
name with different members would be undefined behaviour that only inlining hides."""

import re
from collections import defaultdict
from pathlib import Path

import pytest

CORE = Path(__file__).parents[2] / "core"
BIND = CORE.parent / "bind"
# What all rooms use stays in the namespace of the whole.
PLAIN = {"base"}
ROOMS = sorted(path.name for path in CORE.iterdir() if path.is_dir() and path.name != "tests")
TEXTS = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)\'', re.S
)
NAMESPACE = re.compile(r"\bnamespace\s*([\w:]*)\s*$")
CLASS = re.compile(
    r"\b(?:struct|class|union|enum(?:\s+class)?)\s+(?:alignas\([^)]*\)\s*)?(\w+)\b(?!::)[^=;()]*$"
)


def definitions(text):
    """The classes and enums of a file that are not parts of others, with their namespaces."""
    found = []
    scopes = []
    piece = ""
    for part in re.split(r"([{};])", TEXTS.sub('""', text)):
        if part == "{":
            named = NAMESPACE.search(piece)
            defined = CLASS.search(piece)
            inside = all(scope is not None for scope in scopes)
            if named is None and defined is not None and inside:
                found.append(("::".join(scopes), defined[1]))
            scopes.append(None if named is None else named[1] or "(unnamed)")
        elif part == "}":
            scopes.pop()
        piece = "" if part in "{};" else part
    assert not scopes
    return found


def files(room):
    return sorted(path for path in (CORE / room).rglob("*") if path.suffix in (".cc", ".hh"))


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_has_one_namespace(room):
    wanted = "tunesmith" if room in PLAIN else f"tunesmith::{room}"
    for path in files(room):
        spaces = set(re.findall(r"^namespace (tunesmith\S*) {", path.read_text(), re.M))
        assert spaces == {wanted}, path


def test_no_class_is_defined_twice_in_a_namespace():
    places = defaultdict(set)
    for room in ROOMS:
        for path in files(room):
            for space, name in definitions(path.read_text()):
                # Those of unnamed namespaces too: files of a room are compiled together.
                places[space, name].add(str(path.relative_to(CORE)))
    assert {key: found for key, found in places.items() if len(found) > 1} == {}
    assert places["tunesmith::align", "Lexicon"] == {"align/lexicon.hh"}


@pytest.mark.parametrize("folder", [*(CORE / room for room in ROOMS), BIND], ids=lambda p: p.name)
def test_an_alias_means_the_same_wherever_files_are_compiled_together(folder):
    meanings = defaultdict(set)
    for path in sorted(folder.rglob("*.cc")):
        for name, meaning in re.findall(r"^using (\w+) = ([^;]+);", path.read_text(), re.M):
            meanings[name].add(" ".join(meaning.split()))
    assert {name: found for name, found in meanings.items() if len(found) > 1} == {}


def test_definitions_are_found():
    text = """
    namespace tunesmith::a { class Declared; struct One { struct Inner {}; void call() {} };
    template <typename T> class Two final : public One {}; enum class Kind : char { k };
    namespace { struct Own {}; } One make() { return {}; } }"""
    assert definitions(text) == [
        ("tunesmith::a", "One"),
        ("tunesmith::a", "Two"),
        ("tunesmith::a", "Kind"),
        ("tunesmith::a::(unnamed)", "Own"),
    ]
