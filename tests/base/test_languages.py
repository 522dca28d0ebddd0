"""Languages by the codes and names that people, programs and documents have for them."""

import pytest

from tunesmith.base.errors import OptionError
from tunesmith.base.languages import (
    known_locale,
    language_code,
    language_matches,
    language_name,
    primary_language,
)


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ("de", "de"), ("DE", "de"), ("deu", "de"), ("ger", "de"), ("German", "de"),
        ("de-DE", "de"), ("de_CH.UTF-8", "de"), ("zh_Hant_TW", "zh"), ("sr@latin", "sr"),
        ("cmn", "zh"), ("Low German", "nds"), ("upper-sorbian", "hsb"), ("ast", "ast"),
        ("nob", "nb"), ("iw-IL", None), ("und", "und"), ("klingonese", None), ("", None),
    ],
)  # fmt: skip
def test_what_users_call_a_language(given, code):
    if code is not None:
        assert language_code(given) == code
        return
    with pytest.raises(OptionError) as caught:
        language_code(given)
    assert str(caught.value) == (
        f"language '{given}', expected a code or a name like de, de-DE or german, or und for an "
        "undetermined one"
    )


def test_names_for_people():
    codes = ("de", "zh", "hsb", "ee", "und", "tlh")
    assert [language_name(code) for code in codes] == [
        "German", "Chinese", "Upper Sorbian", "Ewe", "Undetermined", "tlh",
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["train", "x-de", "de-DE-1996-x", "dev", "d", "deutsch2"])
def test_words_that_are_no_locales(text):
    assert known_locale(text) is None


def test_codes_of_documents():
    assert [primary_language(one) for one in ("de-AT", "ENG", "x-own", "qaa")] == [
        "de", "en", "x", "qaa",
    ]  # fmt: skip
    assert language_matches("deu", "de")
    assert language_matches("DE_de", "ger")
    assert not language_matches("de-AT", "de-DE")
    assert not language_matches("den", "de")
