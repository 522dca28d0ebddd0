"""The rules of Moses' tokeniser: the character classes and abbreviations that sacremoses brings,
given to the native code that applies them.
"""

import functools
import unicodedata

from tunesmith import _core

# Characters of other categories than M that belong to the character before them: soft hyphen,
# zero-width joiner and non-joiner, marks of direction, emoji skin tones, the letters of
# subdivision flags.
_JOINERS = [0xAD, *range(0x200C, 0x2010), *range(0x1F3FB, 0x1F400), *range(0xE0020, 0xE0080)]
# Marks are found in these planes only.
_PLANES_WITH_MARKS = (range(0x20000), range(0xE0000, 0xE0200))

_APOSTROPHES = {"en": "ENGLISH"} | dict.fromkeys(("ca", "fr", "ga", "it", "oc"), "FRENCH")
_COLONS_INSIDE = ("fi", "sv")  # EU:n


@functools.cache
def extending_characters() -> str:
    """All characters that stay with the one before them: marks, joiners, emoji modifiers."""
    marks = [
        point
        for plane in _PLANES_WITH_MARKS
        for point in plane
        if unicodedata.category(chr(point))[0] == "M"
    ]
    return "".join(map(chr, [*marks, *_JOINERS]))


@functools.cache
def letters() -> str:
    """Letters and digits of all scripts but those whose letters are each set apart (Han, kana)."""
    return "".join(
        c
        for c in map(chr, _PLANES_WITH_MARKS[0])
        if unicodedata.category(c)[0] in "LN"
        and ("가" <= c <= "힣" or unicodedata.east_asian_width(c) not in "WF")
    )


def _without_marks(characters: str) -> str:
    return "".join(c for c in characters if unicodedata.category(c)[0] != "P")


@functools.cache
def native_tokenizer(language: str, split_hyphens: bool) -> _core.MosesTokenizer:
    """The native tokeniser for one language."""
    from sacremoses import MosesTokenizer

    rules = MosesTokenizer(lang=language)
    native = _core.MosesTokenizer()
    native.split_hyphens = split_hyphens
    native.colons_inside = language in _COLONS_INSIDE
    native.apostrophes = _core.Apostrophes[_APOSTROPHES.get(language, "INSIDE")]
    for name, characters in {
        "ALNUM": _without_marks(rules.IsAlnum) + letters(),
        "NUMBER": rules.IsN,
        "ALPHA": _without_marks(rules.IsAlpha),
        "LOWER": rules.IsLower,
        "EXTEND": extending_characters(),
    }.items():
        native.set_class(_core.CharacterClass[name], characters)
    numeric = set(rules.NUMERIC_ONLY_PREFIXES)
    for word in rules.NONBREAKING_PREFIXES:
        if word not in numeric:
            native.add_abbreviation(word, False)
    for word in rules.NUMERIC_ONLY_PREFIXES:
        native.add_abbreviation(word, True)
    return native
