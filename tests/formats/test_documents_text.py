"""Markdown of many dialects, and subtitles as players have them."""

import bz2
import codecs
import gzip
import lzma

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunesmith.base.errors import InputError
from tunesmith.formats.documents import content, read_document
from tunesmith.formats.documents.markdown import markdown_document
from tunesmith.formats.documents.subtitles import in_lines, subtitle_document


def filled(document):
    return document.filled([segment.upper() for segment in document.segments])


@pytest.mark.parametrize(
    ("text", "segments"),
    [
        ("---\r\ntitle: hund\r\n---\r\nhaus\r\n", ["haus"]),
        ("+++\ntitle = 'hund'\n+++\nhaus\n", ["haus"]),
        ("---\ntitle: hund\n...\nhaus\n", ["haus"]),
        ("---\ntitle: hund\n---", []),
        ("hund\rhaus\r\rda", ["hund haus", "da"]),
        ("hund  \r\nhaus\\\r\nda\r\n", ["hund", "haus", "da"]),
        ("- [ ] hund\n- [x] haus\n", ["hund", "haus"]),
        ("[^1]: der hund\n", ["der hund"]),
        ("haus\n: hund\n  da\n", ["haus", "hund da"]),
        ("::: note hund\nhaus\n:::\n", ["haus"]),
        ("> [!NOTE]\n> haus\n> da\n", ["haus da"]),
        ("# haus {#hund}\n", ["haus"]),
        ("## haus {: .hund }\n", ["haus"]),
        ("haus\n{: .hund}\n", ["haus"]),
        (
            "| a \\| b | hund |\n|---|---|\n| `x \\| y` | z |\n",
            ["a \\| b", "hund", "`x \\| y`", "z"],
        ),
    ],
)
def test_marks_of_dialects_stay(text, segments):
    document = markdown_document(text)
    assert document.segments == segments
    said = document.filled([one.replace("haus", "house") for one in segments])
    assert said.replace(">", "").split() == text.replace("haus", "house").replace(">", "").split()
    said = document.filled([text[b:e] for b, e in document.spans])
    assert said == text


def test_a_line_that_is_not_found_joins_nothing():
    # A line that markdown-it gives otherwise than it stands there.
    text = "hund\n\n- \tx\n\n>\thaus\n> da\n"
    document = markdown_document(text)
    assert document.filled([text[b:e] for b, e in document.spans]) == text
    assert "hund" in document.segments


@given(st.text(alphabet="ab \t*>#-|\n\r\\[]^:x{}+`", max_size=40))
def test_blocks_are_not_joined(text):
    document = markdown_document(text)
    ends = [0, *(end for _, end in document.spans)]
    for (begin, end), before in zip(document.spans, ends, strict=False):
        assert before <= begin < end
        assert "\n\n" not in text[begin:end].replace("\r\n", "\n").replace("\r", "\n")


CUES = """1
00:00:01,000 --> 00:00:02,000
{\\an8}<i>hund</i> da
2
00:00:03,000 --> 00:00:04,000
haus
[musik]
(ein hund)
- {name} da
15
"""


def test_marks_of_players_stay():
    document = subtitle_document(CUES, "x")
    # A number before times is no text, if there is an empty line before it or not.
    assert document.segments == ["<i>hund</i> da", "haus", "musik", "ein hund", "{name} da 15"]
    said = document.filled(["A", "B", "c d", "E", "f g"])
    assert said == CUES.replace("<i>hund</i> da", "A").replace("haus", "B").replace(
        "musik", "c d"
    ).replace("ein hund", "E").replace("{name} da\n15", "f\ng")


def test_tags_of_the_web():
    text = (
        "WEBVTT\n\n00:01.000 --> 00:02.000\n<v.loud Ann Lee>hund <c.red>da</c>\n"
        "<00:01.500>haus <lang en>dog</lang>\n"
    )
    document = subtitle_document(text, "x")
    assert document.segments == [
        '<v data-tunesmith="1">hund <c.red>da</c> <x data-tunesmith="2"/>haus '
        '<lang data-tunesmith="3">dog</lang>'
    ]
    assert document.filled(document.segments).split() == text.split()


def test_text_with_an_arrow_is_text(tmp_path):
    cue = "1\n00:00:01,000 --> 00:00:02,000\nHund --> Haus\n"
    (tmp_path / "x.srt").write_text(cue)
    assert read_document(tmp_path / "x.srt", "srt").segments == ["Hund --> Haus"]


def test_tags_are_not_cut():
    assert in_lines('<font color="red" size="2">a b</font>', 2) == [
        '<font color="red" size="2">a', "b</font>",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [(codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (b"", "utf-8")],
)
def test_marks_of_encodings_stay(tmp_path, mark, encoding):
    text = "1\r\n00:01,0 --> 00:02,0\r\nMüll\r\n"
    path = tmp_path / "x.srt"
    path.write_bytes(mark + text.encode(encoding))
    document = read_document(path, "srt")
    assert document.segments == ["Müll"]
    assert document.encoded(["Ö"]) == mark + text.replace("Müll", "Ö").encode(encoding)


@pytest.mark.parametrize("name", ["html", "po", "xliff"])
@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress, bz2.compress, bytes])
def test_a_document_is_only_so_large(tmp_path, monkeypatch, pack, name):
    monkeypatch.setattr(content, "MAX_BYTES", 1000)
    path = tmp_path / "x"
    path.write_bytes(pack(b" " * 1001))
    with pytest.raises(InputError) as caught:
        read_document(path, name)
    assert str(caught.value) == (
        f"{path}: more than 1,000 bytes, expected at most 1,000 bytes; cut it up"
    )


@pytest.mark.parametrize("name", ["html", "markdown", "po", "xliff"])
def test_a_document_has_only_so_many_parts(tmp_path, monkeypatch, name):
    monkeypatch.setattr(content, "MAX_PARTS", 20)
    (tmp_path / "x").write_bytes(b"\n<a>" * 10 + b"&amp;")
    with pytest.raises(InputError) as caught:
        read_document(tmp_path / "x", name)
    assert str(caught.value) == (
        f"{tmp_path}/x: 21 tags, references and lines, expected at most 20; cut it up"
    )
