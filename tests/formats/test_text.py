"""Line files: what ends a line, what is unpacked, what is refused and with which words."""

import bz2
import gzip
import io
import lzma
import os
import sys

import pytest

from tunesmith.base.errors import InputError
from tunesmith.formats.text import MAX_LINE_BYTES, read_blocks, read_lines


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        (b"", []),
        (b"\n", [""]),
        (b"a\nb\n", ["a", "b"]),
        (b"a\nb", ["a", "b"]),
        (b"a\n\n", ["a", ""]),
        (b"a\r\nb\r\n", ["a", "b"]),
        (b"\xef\xbb\xbfa\n", ["a"]),
        # U+2028, U+0085, form feed and a lone carriage return stay inside their line.
        ("a\u2028b\x85c\x0cd\re\n".encode(), ["a\u2028b\x85c\x0cd\re"]),
    ],
)
@pytest.mark.parametrize("pack", [bytes, gzip.compress, lzma.compress, bz2.compress])
def test_lines(tmp_path, content, lines, pack):
    path = tmp_path / "x"
    path.write_bytes(pack(content))
    assert read_lines(path) == lines


def test_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a\nb\n")))
    assert read_lines("-") == ["a", "b"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            b"ok\nM\xfcnchen\n",
            "{path}:2: byte 0xfc at column 2, expected UTF-8; "
            "convert the file, for example with `iconv -t utf-8`",
        ),
        (
            b"ok\nfine\nx\0y\n",
            "{path}:3: a NUL byte at column 2, expected UTF-8 text; "
            "is it a binary file, or text in UTF-16?",
        ),
        (
            gzip.compress(b"a\n" * 1000, mtime=0)[:-9],
            "{path}: cannot be unpacked: Compressed file ended before the end-of-stream marker was "
            "reached; the file is cut off or damaged",
        ),
        (
            lzma.compress(b"a\n" * 1000)[:-9],
            "{path}: cannot be unpacked: Compressed file ended before the end-of-stream marker was "
            "reached; the file is cut off or damaged",
        ),
    ],
)
def test_refused(tmp_path, content, message):
    path = tmp_path / "x"
    path.write_bytes(content)
    with pytest.raises(InputError) as error:
        read_lines(path)
    assert str(error.value) == message.format(path=path)


def test_missing_file(tmp_path):
    with pytest.raises(InputError, match=r"nothing: cannot be read: No such file or directory$"):
        read_lines(tmp_path / "nothing")


def test_a_line_that_is_no_sentence_is_refused_before_it_is_read(tmp_path):
    path = tmp_path / "long"
    path.write_bytes(b"a\n" + b"b" * MAX_LINE_BYTES + b"\nc")
    assert [len(line) for line in read_lines(path)] == [1, MAX_LINE_BYTES, 1]
    for tail in (b"\nc", b""):
        path.write_bytes(b"a\n" + b"b" * (MAX_LINE_BYTES + 1) + tail)
        with pytest.raises(InputError) as caught:
            read_lines(path)
        assert str(caught.value) == (
            f"{path}:2: more than 1,048,576 bytes, expected a sentence on a line"
        )
    # Endless, as /dev/zero would be: nobody waits for its end.
    with pytest.raises(InputError, match="more than 1,048,576 bytes"):
        read_lines("/dev/zero")


@pytest.mark.parametrize("content", [b"", b"\xef", b"\xef\xbb", b"\xef\xbb\xbf", b"\xef\xbb\xbfab"])
def test_a_byte_order_mark_is_dropped_however_it_comes(content, tmp_path):
    (tmp_path / "x").write_bytes(content)
    read, write = os.pipe()
    with open(read, "rb") as reader, open(write, "wb", buffering=0) as writer:
        for at in range(len(content)):
            writer.write(content[at : at + 1])
        writer.close()
        for path in (tmp_path / "x", f"/dev/fd/{reader.fileno()}"):
            found = b"".join(read_blocks(path, as_it_comes=True))
            assert found == content.removeprefix(b"\xef\xbb\xbf")


@pytest.mark.parametrize(
    ("content", "remedy"),
    [
        (b"\x28\xb5\x2f\xfd\x04", "it is packed: unpack it with `zstd -d`"),
        (b"PK\x03\x04\xf0\n", "it is packed: unpack it with `unzip`"),
        ("Haus\n".encode("utf-16"), "convert the file with `iconv -f utf-16 -t utf-8`"),
        (b"a\nPK\x03\x04\xf0\n", "convert the file, for example with `iconv -t utf-8`"),
    ],
)
def test_what_to_do_with_a_file_that_is_no_text(tmp_path, content, remedy):
    (tmp_path / "a").write_bytes(content)
    with pytest.raises(InputError) as caught:
        read_lines(tmp_path / "a")
    assert caught.value.remedy == remedy


def test_three_letters_are_no_sign_of_packing(tmp_path):
    (tmp_path / "a").write_bytes(b"BZh9\n")
    assert read_lines(tmp_path / "a") == ["BZh9"]
    (tmp_path / "empty").write_bytes(bz2.compress(b""))
    assert read_lines(tmp_path / "empty") == []
