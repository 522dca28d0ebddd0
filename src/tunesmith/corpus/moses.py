"""The rules of Moses' tokeniser: the character classes and abbreviations that sacremoses brings,
given to the native code that applies them.
"""

import functools
import unicodedata

from tunesmith import _core

# Characters of other categories than M that belong to the character before them: zero-width
# joiner and non-joiner, emoji skin tones, the letters of subdivision flags.
_JOINERS = [0x200C, 0x200D, *range(0x1F3FB, 0x1F400), *range(0xE0020, 0xE0080)]
# Marks are found in these planes only.
_PLANES_WITH_MARKS = (range(0x20000), range(0xE0000, 0xE0200))

_APOSTROPHES = {"en": "ENGLISH", "fr": "FRENCH", "it": "FRENCH"}
_DETOKENIZER_LANGUAGES = {
    "en": "ENGLISH", "fr": "FRENCH", "it": "ITALIAN", "ga": "ITALIAN", "cs": "CZECH",
    "ko": "KOREAN",
}  # fmt: skip


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
def native_tokenizer(language: str, split_hyphens: bool) -> _core.MosesTokenizer:
    """The native tokeniser for one language."""
    from sacremoses import MosesTokenizer

    rules = MosesTokenizer(lang=language)
    native = _core.MosesTokenizer()
    native.split_hyphens = split_hyphens
    native.apostrophes = _core.Apostrophes[_APOSTROPHES.get(language, "APART")]
    for name, characters in {
        "ALNUM": rules.IsAlnum,
        "NUMBER": rules.IsN,
        "ALPHA": rules.IsAlpha,
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


@functools.cache
def native_detokenizer(language: str) -> _core.MosesDetokenizer:
    """The native detokeniser for one language."""
    from sacremoses import MosesDetokenizer
    from sacremoses.util import CJKChars

    native = _core.MosesDetokenizer()
    native.language = _core.DetokenizerLanguage[_DETOKENIZER_LANGUAGES.get(language, "OTHER")]
    native.set_class(_core.CharacterClass.ALPHA, MosesDetokenizer.IsAlpha)
    native.set_class(_core.CharacterClass.OPENING, MosesDetokenizer.IsSc + "([{¿¡")
    cjk = (chr(point) for first, last in CJKChars.ranges for point in range(first, last + 1))
    native.set_class(_core.CharacterClass.CJK, "".join(cjk))
    return native
