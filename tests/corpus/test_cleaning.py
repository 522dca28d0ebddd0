import lzma

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.texts import lines
from tunesmith.base.errors import OptionError, TunesmithError
from tunesmith.corpus.cleaning import REASONS, Cleaner, CleanOptions, clean_pairs
from tunesmith.corpus.scripts import main_script, script_number, script_table

GERMAN = [f"Satz Nummer {i} ist ein ganz gewöhnlicher Satz" for i in range(20)]
ENGLISH = [f"sentence number {i} is quite an ordinary one" for i in range(20)]
RUSSIAN = [f"предложение номер {i} самое обычное" for i in range(20)]


def verdict(source, target, sources=GERMAN, targets=ENGLISH, **options):
    cleaner = Cleaner(CleanOptions(**options))
    cleaner.mask([*sources, source], [*targets, target])
    counts = {reason: count for reason, count in cleaner.counts.items() if count}
    counts["kept"] -= len(sources)
    (reason,) = [reason for reason, count in counts.items() if count]
    return reason


@pytest.mark.parametrize(
    ("source", "target", "options", "reason"),
    [
        ("ein Haus", "a house", {}, "kept"),
        ("", "a house", {}, "empty side"),
        ("ein Haus", " \t ", {}, "empty side"),
        ("", "", {}, "empty side"),
        ("w " * 10_000, "v " * 10_000, {}, "too long"),
        ("w " * 100, "v " * 100, {}, "kept"),
        ("w " * 101, "v " * 100, {}, "too long"),
        ("w " * 9, "v " * 9, {"max_words": 8}, "too long"),
        ("w", "v " * 9, {}, "kept"),
        ("w", "v " * 10, {}, "length ratio"),
        ("w " * 5, "v " * 2, {"max_ratio": 2.5}, "kept"),
        ("w " * 6, "v " * 2, {"max_ratio": 2.5}, "length ratio"),
        ("это дом", "a house", {}, "wrong script"),
        ("это дом", "a house", {"min_script": 0}, "kept"),
        ("ein Haus", "это дом", {"target_script": "cyrillic"}, "kept"),
        ("Haus это дом", "a house", {}, "kept"),
        ("Haus это дом", "a house", {"min_script": 0.7}, "wrong script"),
        ("1 + 2 = 3 !", "1+2=3!", {}, "kept"),
        ("OK", "OK", {}, "identical sides"),
        ("OK  OK", " OK OK", {}, "identical sides"),
        ("OK", "OK", {"keep_identical": True}, "kept"),
        (GERMAN[0], ENGLISH[0], {}, "duplicate"),
        (GERMAN[0] + " ", ENGLISH[0].replace(" ", "  "), {}, "duplicate"),
        (GERMAN[0], ENGLISH[0], {"keep_duplicates": True}, "kept"),
        (GERMAN[0], ENGLISH[1], {}, "kept"),
        ("a b", "c", {}, "kept"),
        ("<s> | </s>", "[X] ||| <b>", {}, "kept"),
    ],
)
def test_reasons(source, target, options, reason):
    if options.get("target_script"):
        assert verdict(source, target, targets=RUSSIAN, **options) == reason
    else:
        assert verdict(source, target, **options) == reason


def test_words_are_not_run_together():
    # "a b | c" and "a | b c" have the same characters.
    cleaner = Cleaner()
    assert cleaner.mask(["a b", "a", "ab"], ["c", "b c", "c"]).tolist() == [True, True, True]


@given(
    pairs=st.lists(st.tuples(lines(4), lines(4)), max_size=30),
    size=st.integers(1, 7),
    threads=st.integers(1, 3),
)
def test_blocks_and_threads_change_nothing(pairs, size, threads):
    options = CleanOptions(source_script="latin", target_script="latin", max_words=5)
    whole = Cleaner(options, engine=1)
    expected = whole.mask([s for s, _ in pairs], [t for _, t in pairs])
    parts = Cleaner(options, engine=threads)
    masks = [
        parts.mask([s for s, _ in part], [t for _, t in part])
        for part in (pairs[i : i + size] for i in range(0, len(pairs), size))
    ]
    assert np.concatenate([np.empty(0, bool), *masks]).tolist() == expected.tolist()
    assert parts.counts == whole.counts
    assert whole.total == len(pairs)
    kept = [pair for pair, keep in zip(pairs, expected, strict=True) if keep]
    assert list(clean_pairs(pairs, Cleaner(options))) == kept
    # What is left is clean.
    again = Cleaner(options)
    assert list(clean_pairs(kept, again)) == kept


def test_the_report_counts_every_reason():
    cleaner = Cleaner()
    cleaner.mask(["a", "", "x"], ["b", "c", "x"])
    assert cleaner.report() == (
        "kept 1 of 3 pairs (empty side 1, too long 0, length ratio 0, wrong script 0, "
        "identical sides 1, duplicate 0)"
    )
    assert len(REASONS) == 7


def test_unequal_sides():
    with pytest.raises(TunesmithError, match=r"^2 source sentences and 1 target sentences, expect"):
        Cleaner().mask(["a", "b"], ["c"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_words": 0}, "max_words is 0, expected at least 1"),
        ({"max_ratio": 0.5}, "max_ratio is 0.5, expected at least 1"),
        ({"max_ratio": float("nan")}, "max_ratio is nan, expected at least 1"),
        ({"min_script": 2.0}, "min_script is 2.0, expected 0 to 1"),
        ({"source_script": "elvish"}, "script 'elvish', expected one like latin, cyrillic, greek"),
    ],
)
def test_options(options, message):
    with pytest.raises(OptionError, match=message):
        CleanOptions(**options)


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("Straße", "latin"), ("Ελλάδα", "greek"), ("Київ", "cyrillic"), ("שלום", "hebrew"),
        ("مرحبا", "arabic"), ("日本語のテキスト", "cjk"), ("中文", "cjk"), ("𠀀𠀁", "cjk"),
        ("한국어", "hangul"),
        ("नमस्ते", "devanagari"), ("ＡＢＣ", "latin"), ("ไทย", "thai"), ("123 ½ %", ""), ("", ""),
    ],
)  # fmt: skip
def test_main_script(text, script):
    assert main_script([text]) == script


def test_scripts_by_name():
    names, table = script_table()
    assert len(names) < 256
    assert names[table[ord("ж")]] == "cyrillic"
    assert names[script_number("Latin")] == "latin"


def test_ordinary_text_stays(data):
    """Hardly anything of clean Chinese, Japanese or German text has the wrong script."""
    for folder, language in (
        ("kyoto-ja-en", "ja"),
        ("techdocs-zh-en", "zh"),
        ("europarl-4way", "de"),
    ):
        sides = []
        for side in (language, "en"):
            with lzma.open(data / folder / f"dev.{side}.xz", "rt", encoding="utf-8") as stream:
                sides.append([line.rstrip("\n") for line in stream])
        cleaner = Cleaner()
        cleaner.mask(*sides)
        assert cleaner.counts["wrong script"] <= 0.02 * cleaner.total, folder
        assert cleaner.counts["kept"] >= 0.9 * cleaner.total, folder
