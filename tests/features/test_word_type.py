"""Types of words against Unicode's categories.

`python tests/features/test_word_type.py --update` writes the table of the core anew from Python's
`unicodedata`; a newer Unicode changes features, so it is done on purpose, not by every Python.
"""

import re
import sys
import unicodedata
from pathlib import Path

import pytest

TABLE = Path(__file__).parents[2] / "core/base/character_kind_runs.hh"
NAMES = ("other", "punctuation", "digits", "letters", "ideographs")
HEAD = """\
// Characters of one kind in a row: the first one, shifted by three bits, and the CharacterKind.
// Unicode {version}; written by tests/features/test_word_type.py --update.
#pragma once

#include <cstdint>

namespace tunesmith {{

// clang-format off
inline constexpr std::uint32_t kRuns[] = {{
"""


def kind(character):
    """The number of a kind, as CharacterKind has them."""
    category = unicodedata.category(character)[0]
    if category == "L":
        return 4 if "IDEOGRAPH" in unicodedata.name(character, "") else 3
    return {"P": 1, "S": 1, "N": 2}.get(category, 0)


def table():
    kinds = [kind(chr(point)) for point in range(sys.maxunicode + 1)]
    runs = [
        f"0x{point << 3 | kinds[point]:X}"
        for point in range(len(kinds))
        if point == 0 or kinds[point] != kinds[point - 1]
    ]
    rows = [", ".join(runs[at : at + 9]) + ",\n" for at in range(0, len(runs), 9)]
    return (
        HEAD.format(version=unicodedata.unidata_version)
        + "".join(rows)
        + "};\n// clang-format on\n\n}  // namespace tunesmith\n"
    )


def test_every_character_has_the_type_of_its_category():
    from tunesmith.features import word_type

    (version,) = re.findall(r"Unicode ([\d.]+);", TABLE.read_text())
    same = version == unicodedata.unidata_version
    if same:
        assert TABLE.read_text() == table()
    compared = 0
    for point in range(sys.maxunicode + 1):
        character = chr(point)
        # Of another version only what all know; surrogates are no characters.
        known = same or unicodedata.ucd_3_2_0.category(character) != "Cn"
        if not known or unicodedata.category(character) == "Cs":
            continue
        compared += 1
        assert word_type(character) == NAMES[kind(character)], hex(point)
    assert compared > 90_000


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("，", "punctuation"), ("！", "punctuation"), ("：", "punctuation"), ("「", "punctuation"),
        ("...", "punctuation"), ("„", "punctuation"), ("&", "punctuation"), ("€", "punctuation"),
        ("❤️", "punctuation"), ("２０１３", "digits"), ("2,013.5", "digits"), ("½", "digits"),
        ("٣", "digits"), ("WTO", "letters"), ("ＷＴＯ", "letters"), ("straße", "letters"),
        ("ありがとう", "letters"), ("한국어", "letters"), ("हिन्दी", "letters"), ("b2b", "letters"),
        ("中国", "ideographs"), ("2013年", "ideographs"), ("T恤", "ideographs"),
        ("人々", "ideographs"), ("", "other"), ("\u200d", "other"), ("\ue000", "other"),
    ],
)  # fmt: skip
def test_the_type_of_a_word(word, expected):
    from tunesmith.features import word_type

    assert word_type(word) == expected


if __name__ == "__main__" and sys.argv[1:] == ["--update"]:
    TABLE.write_text(table())
