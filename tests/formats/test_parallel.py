"""Parallel text from files: what comes out, and the exact words about what cannot."""

import gzip
import io
import lzma
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.texts import lines
from tunesmith.base.errors import InputError, OptionError
from tunesmith.formats.parallel import read_parallel
from tunesmith.formats.text import iter_lines, read_lines

PACKERS = {"": bytes, ".gz": gzip.compress, ".xz": lzma.compress}


@given(
    content=st.lists(st.sampled_from(["", "a", "ä\r", "\u2028", "🏳️‍🌈 x"]), max_size=30).map(
        "\n".join
    ),
    size=st.integers(1, 9),
)
def test_blocks_of_any_size_give_the_same_lines(content, size, tmp_path_factory):
    path = tmp_path_factory.mktemp("lines") / "x"
    path.write_bytes(content.encode())
    expected = read_lines(path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tunesmith.formats.text.BLOCK_BYTES", size)
        assert list(iter_lines(path)) == expected


@pytest.mark.parametrize("suffix", PACKERS)
@given(pairs=st.lists(st.tuples(lines(), lines()), max_size=6))
def test_every_text_survives_two_files_and_tsv(suffix, pairs, tmp_path_factory):
    folder = tmp_path_factory.mktemp("pairs")
    pairs = [tuple(side.replace("\t", " ") for side in pair) for pair in pairs]
    pack = PACKERS[suffix]
    for name, text in {
        "a": "".join(f"{source}\n" for source, _ in pairs),
        "b": "".join(f"{target}\n" for _, target in pairs),
        "c.tsv": "".join(f"{source}\t{target}\n" for source, target in pairs),
    }.items():
        # The mark at the start of a file goes; one in the text stays.
        (folder / (name + suffix)).write_bytes(pack(text.encode("utf-8-sig")))
    expected = [tuple(side.removesuffix("\r") for side in pair) for pair in pairs]
    assert list(read_parallel(folder / f"a{suffix}", folder / f"b{suffix}")) == expected
    assert list(read_parallel(folder / f"c.tsv{suffix}")) == expected


@pytest.mark.parametrize(
    ("name", "content", "pairs"),
    [
        (
            "x",
            "a b ||| c d\n ||| \n|||x\ny |||\n",
            [("a b", "c d"), ("", ""), ("", "x"), ("y", "")],
        ),
        ("x", "a\tb\n\t\n", [("a", "b"), ("", "")]),
        ("x.tsv", "a ||| b\tc\n", [("a ||| b", "c")]),
        ("x", "", []),
    ],
)
def test_columns(tmp_path, name, content, pairs):
    (tmp_path / name).write_text(content)
    assert list(read_parallel(tmp_path / name)) == pairs


def test_standard_input(monkeypatch):
    monkeypatch.setattr(
        sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(b"a\tb\n", mtime=0)))
    )
    assert list(read_parallel("-", format="tsv")) == [("a", "b")]
    assert not sys.stdin.buffer.closed


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (
            "x.tsv",
            b"a\tb\nc\n",
            ":2: 1 column, expected 2, source and target with a tab between them; "
            "cut out the two columns",
        ),
        (
            "x.tsv",
            b"a\tb\tc\n",
            ":1: 3 columns, expected 2, source and target with a tab between them; "
            "cut out the two columns",
        ),
        (
            "x",
            b"a ||| b\na ||| b ||| c\n",
            ":2: 3 columns, expected 2, source and target with ' ||| ' between them; "
            "use a TSV file for text with '|||' in it",
        ),
        (
            "x",
            b"just text\n",
            ":1: neither a tab nor '|||', expected source and target on one line; "
            "or name two files, or a format",
        ),
        (
            "x.tsv",
            b"a\tb\nM\xfcnchen\tMunich\n",
            ":2: byte 0xfc at column 2, expected UTF-8; "
            "convert the file, for example with `iconv -t utf-8`",
        ),
        (
            "x.tsv",
            b"a\tb\n\0\tb\n",
            ":2: a NUL byte at column 1, expected UTF-8 text; "
            "is it a binary file, or text in UTF-16?",
        ),
        (
            "x.tsv.gz",
            gzip.compress(b"a\tb\n" * 1000, mtime=0)[:-9],
            ": cannot be unpacked: Compressed file ended before the end-of-stream marker was "
            "reached; the file is cut off or damaged",
        ),
        (
            "x.tsv.xz",
            lzma.compress(b"a\tb\n" * 1000)[:-9],
            ": cannot be unpacked: Compressed file ended before the end-of-stream marker was "
            "reached; the file is cut off or damaged",
        ),
    ],
)
def test_broken_files(tmp_path, name, content, message):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        list(read_parallel(path))
    assert str(caught.value) == f"{path}{message}"


def test_a_late_fault_names_its_line(tmp_path):
    path = tmp_path / "x.tsv"
    path.write_bytes(b"some words\tother words\n" * 200_000 + b"\xff\tb\n")
    with pytest.raises(InputError, match=r"x.tsv:200001: byte 0xff at column 1, expected UTF-8"):
        list(read_parallel(path))


@pytest.mark.parametrize(("one", "other"), [(3, 5), (5, 3), (0, 1)])
def test_unequal_line_counts(tmp_path, one, other):
    (tmp_path / "a").write_text("x\n" * one)
    (tmp_path / "b").write_text("y\n" * other)
    short, long = ("a", "b") if one < other else ("b", "a")
    with pytest.raises(InputError) as caught:
        list(read_parallel(tmp_path / "a", tmp_path / "b"))
    assert str(caught.value) == (
        f"{tmp_path / short}: {min(one, other)} lines, expected {max(one, other)} as in "
        f"{tmp_path / long}; the files are not parallel, or one is cut off"
    )


def test_options_that_make_no_sense(tmp_path):
    with pytest.raises(OptionError, match="format 'doc', expected one of: tsv, bars, tmx, po, mo"):
        read_parallel("x", format="doc")
    with pytest.raises(OptionError, match="a format is for one file with both sides, not for two"):
        read_parallel("x", "y", format="tsv")
    with pytest.raises(OptionError, match="source and target cannot both be standard input"):
        list(read_parallel("-", "-"))
    with pytest.raises(InputError, match=r"nothing: cannot be read: No such file or directory$"):
        list(read_parallel(tmp_path / "nothing", format="tsv"))


@pytest.mark.parametrize("name", ["a.tmx", "a.XLF", "a.po.gz"])
def test_a_file_with_both_sides_is_no_side(tmp_path, name):
    (tmp_path / "lines").write_text("a\n")
    for files in ((tmp_path / name, tmp_path / "lines"), (tmp_path / "lines", tmp_path / name)):
        with pytest.raises(InputError, match="format, which has both sides, expected a side alone"):
            read_parallel(*files)
