"""Text with line ends: which lines are one sentence, and how its translation is wrapped."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunesmith.formats.documents.wrapping import WrappedText, display_width

PROSE = """The quick brown fox jumps over the lazy dog and goes on along
the river until it meets a cat.  The cat is asleep and does not
look up."""


@pytest.mark.parametrize(
    ("text", "segments"),
    [
        (PROSE, [" ".join(PROSE.split())]),
        (f"\n{PROSE}\n\n{PROSE}\n", [" ".join(PROSE.split())] * 2),
        # Short lines, lists, columns and labels are lines by themselves.
        ("Hello\nWorld\n", ["Hello", "World"]), ("one file\ntwo files", ["one file", "two files"]),
        ("This is the first sentence of a notice.\nThis is the second.\n",
         ["This is the first sentence of a notice.", "This is the second."]),
        ("Things that may stand in such a long list are:\n- one\n- two\n",
         ["Things that may stand in such a long list are:", "- one", "- two"]),
        (" 1. An item that is much longer than others and\n    goes on\n 2. Another\n",
         ["1. An item that is much longer than others and goes on", "2. Another"]),
        ("  -a, --all   leave no entries out that begin\n"
         "              with a point\n  -b   be quiet\n",
         ["leave no entries out that begin with a point", "be quiet"]),
        ("Usage: %s [OPTION]... FILE\n  or:  %s -x\n",
         ["Usage: %s [OPTION]... FILE", "or: %s -x"]),
        ("a\tb", ["a", "b"]),
        ("See ls(1)  and   more", ["See ls(1) and", "more"]),
        ("Examples:\n  $ ls -l  | %s --to=si\n  $ %s --all of the words\n", ["Examples:"]),
        ("12\n\n", []),
        ("長い文章はこの行にはおさまりませんから\n次の行に続きます。",
         ["長い文章はこの行にはおさまりませんから次の行に続きます。"]),
    ],
)  # fmt: skip
def test_sentences_go_on_in_the_next_line(text, segments):
    wrapped = WrappedText(text)
    assert [" ".join(one.split()) for one in wrapped.segments] == segments


def test_translations_are_wrapped_to_the_same_width():
    for source in (f"{PROSE}\n", f"  * {PROSE}\n".replace("\n", "\n    ")):
        wrapped = WrappedText(source)
        [segment] = wrapped.segments
        text = wrapped.filled([segment.replace("fox", "fox terrier")])
        assert text.split() == source.replace("fox", "fox terrier").split()
        width = max(map(len, source.split("\n")))
        lines = text.rstrip().split("\n")
        assert max(map(len, lines)) <= width
        first = [line.split(" ")[0] for line in map(str.strip, lines)]
        assert all(len(a) + 1 + len(b) > width for a, b in zip(lines, first[1:], strict=False))
        assert {len(line) - len(line.lstrip()) for line in lines[1:]} == {4 * ("*" in source)}


def test_columns_stay_where_they_are():
    source = "  -a, --all  do all\n  name       a person\n"
    wrapped = WrappedText(source)
    assert wrapped.segments == ["do all", "name", "a person"]
    long = "wort " * 20
    text = wrapped.filled([long.strip(), "Vorname", "jemand"])
    assert text.endswith("\n  Vorname    jemand\n")
    first, second, *_ = text.split("\n")
    assert first.startswith("  -a, --all  wort")
    assert second.startswith(" " * 13 + "wort")


def test_wide_characters_are_wrapped_between_words_of_one_character():
    wrapped = WrappedText(f"{PROSE}\n")
    text = wrapped.filled(["私はあなた（猫）を見ました。" * 10])
    width = max(map(len, PROSE.split("\n")))
    assert text.replace("\n", "") == "私はあなた（猫）を見ました。" * 10
    for line in text.split("\n"):
        assert display_width(line) <= width + 2  # a mark that no line may begin with
        assert not line.startswith(("）", "。"))
        assert line[-1:] != "（"


@given(st.text(alphabet="aB. -:1\n\t（。日", max_size=60))
def test_the_same_words_come_back_in_as_many_paragraphs(text):
    wrapped = WrappedText(text)
    again = wrapped.filled(wrapped.segments)
    assert "".join(again.split()) == "".join(text.split())
    assert again.startswith("\n") == text.startswith("\n")
    assert again.endswith("\n") == text.endswith("\n")
    assert again.count("\n\n") == text.count("\n\n")
