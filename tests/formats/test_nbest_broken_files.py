"""N-best lists that are broken as a whole: headers, holes, packing, bytes changed by chance."""

import gzip
import lzma
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.broken_nbest import EVERY, MOSES, TABLES
from tunesmith.base.errors import InputError, OptionError
from tunesmith.formats.nbest import read_nbest

ORDER = "sort the list by sentence, and give several lists as several files"


@pytest.mark.parametrize(
    ("dialect", "content", "message"),
    [
        ("auto", b"", "{path}: an empty file, expected an n-best list"),
        ("moses", b"", "{path}: an empty file, expected an n-best list"),
        ("auto", b"\n", "{path}: an empty file, expected an n-best list"),
        (
            "auto",
            b"just text\n",
            "{path}:1: 'just text', expected an n-best list; its format is not recognised: name it "
            "with --format, see docs/formats.md",
        ),
        (
            "auto",
            "0 ||| a ||| LM= 1\n".encode("utf-16"),
            "{path}:1: UTF-16 text, expected UTF-8; convert the file, for example with "
            "`iconv -t utf-8`",
        ),
        (
            "auto",
            b"1 ||| a ||| LM= 1\n",
            "{path}:1: sentence id 1 first, expected 0; the sentences of a list are counted from 0",
        ),
        (
            "auto",
            b"0 ||| a ||| LM= 1\n1 ||| a ||| LM= 1\n0 ||| a ||| LM= 1\n",
            f"{{path}}:3: sentence id 0 after 1, expected 1 or 2; {ORDER}",
        ),
        (
            "tsv",
            b"id\tlm\n0\t1\n",
            "{path}:1: no column 'text', expected one for the text of the hypothesis; there are: "
            "id, lm; name it with --text-column",
        ),
        (
            "tsv",
            b"id\ttext\tlm\tlm\n0\ta\t1\t1\n",
            "{path}:1: column 'lm' twice, expected every column once",
        ),
        (
            "tsv",
            b"id\ttext\tl\x01m\n0\ta\t1\n",
            "{path}:1: feature name 'l\\x01m', expected a name without control characters",
        ),
        (
            "auto",
            b"H-0\t-1\ta\nP-0\t-1\nH-2\t-1\ta\nP-2\t-1\n",
            "{path}: no hypothesis of sentence 1, expected every sentence from 0 to 2",
        ),
        (
            "auto",
            b"H-0\t-1\ta\nP-0\t-1\nH-1\t-1\ta\nH-2\t-1\tb\n",
            "{path}:4: no line P-1 after H-1, expected one after every hypothesis",
        ),
        (
            "auto",
            b"H-0\t-1\ta\nP-0\t-1\nH-1\t-1\ta\n",
            "{path}:3: no line P-1 after H-1, expected one after every hypothesis",
        ),
        (
            "auto",
            b'{"tunesmith": "nbest", "version": 2}\n',
            "{path}:1: version 2, expected version 1; the list was written by another version of "
            "this program",
        ),
        (
            "auto",
            b'{"tunesmith": "pool", "version": 1}\n',
            '{path}:1: a file of kind \'pool\', expected "tunesmith": "nbest"',
        ),
        (
            "auto",
            b'{"tunesmith": "nbest", "version": 1, "features": {"lm": {"log_base": "3"}}}\n'
            b'{"id": 0, "text": "a"}\n',
            "{path}:1: log_base '3' of feature 'lm', expected one of: e, 10, 2",
        ),
        (
            "auto",
            b'{"tunesmith": "nbest", "version": 1, "features": {"lm": {"base": "e"}}}\n'
            b'{"id": 0, "text": "a"}\n',
            "{path}:1: key 'base' of feature 'lm', expected one of: dense, log_base, "
            "length_normalised",
        ),
        (
            "auto",
            b'{"tunesmith": "nbest", "version": 1, "features": {"lm": {"dense": true}}}\n'
            b'{"id": 0, "text": "a"}\n',
            "{path}:2: no feature 'lm', " + EVERY,
        ),
    ],
)
def test_whole_files(tmp_path, dialect, content, message):
    path = tmp_path / "list"
    path.write_bytes(content)
    with pytest.raises(InputError) as error:
        read_nbest(path, dialect)
    assert str(error.value) == message.format(path=path)


def test_files_that_cannot_be_opened(tmp_path):
    with pytest.raises(InputError, match=r"nothing: cannot be read: No such file or directory$"):
        read_nbest(tmp_path / "nothing")
    with pytest.raises(InputError, match=r"cannot be read: Is a directory$"):
        read_nbest(tmp_path)


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_packed_files_that_are_cut_off(tmp_path, pack):
    path = tmp_path / "list"
    path.write_bytes(pack(MOSES * 1000)[:-12])
    with pytest.raises(InputError) as error:
        read_nbest(path)
    assert re.fullmatch(
        rf"{re.escape(str(path))}: cannot be unpacked: .*; the file is cut off or damaged",
        str(error.value),
    )


def test_options_that_make_no_sense(tmp_path):
    (tmp_path / "list").write_bytes(MOSES)
    with pytest.raises(OptionError, match=r"unknown n-best format 'xml', expected one of: auto, "):
        read_nbest(tmp_path / "list", "xml")
    with pytest.raises(OptionError, match="on_bad_line is 'warn', expected one of: raise, skip"):
        read_nbest(tmp_path / "list", on_bad_line="warn")


# Whole small files of every dialect, to be damaged.
SEEDS = [first + last for first, _, last in TABLES.values()]


@given(
    seed=st.sampled_from(SEEDS),
    changes=st.lists(st.tuples(st.integers(0, 200), st.binary(max_size=3)), max_size=6),
    dialect=st.sampled_from([*TABLES, "auto"]),
    policy=st.sampled_from(["raise", "skip"]),
    threads=st.sampled_from([1, 2]),
)
def test_damaged_files_are_read_or_refused(
    seed, changes, dialect, policy, threads, tmp_path_factory
):
    content = bytearray(seed)
    for place, replacement in changes:
        content[place : place + len(replacement)] = replacement
    path = tmp_path_factory.getbasetemp() / "damaged"
    path.write_bytes(content)
    message = ""
    try:
        nbest = read_nbest(path, dialect, policy, engine=threads)
    except InputError as error:
        message = str(error)
    if message:
        assert re.match(rf"{re.escape(str(path))}(:\d+)?: .", message)
    else:
        assert len(nbest.texts) == nbest.rows == len(nbest.dense)
        assert all(isinstance(text, str) for text in nbest.texts)
