"""For every dialect a table of broken lines and the exact message that each gets.

Every list has one bad line among good ones: the same list with bad lines skipped gives the good
ones and counts the bad one.
"""

import pytest

from reference.broken_nbest import TABLES, TWICE
from tunesmith.base.errors import InputError
from tunesmith.formats.nbest import read_nbest

CASES = [
    pytest.param(dialect, first, line, message, last, id=f"{dialect}-{i}")
    for dialect, (first, lines, last) in TABLES.items()
    for i, (line, message) in enumerate(lines)
]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(("dialect", "first", "line", "message", "last"), CASES)
def test_refused_with_file_and_line(tmp_path, dialect, first, line, message, last, threads):
    path = tmp_path / "list"
    path.write_bytes(first + line + b"\n" + last)
    with pytest.raises(InputError) as error:
        read_nbest(path, dialect, engine=threads)
    assert str(error.value) == f"{path}:{first.count(10) + 1}: {message}"


@pytest.mark.parametrize(("dialect", "first", "line", "message", "last"), CASES)
def test_skipped_and_counted(tmp_path, dialect, first, line, message, last, caplog):
    path = tmp_path / "list"
    path.write_bytes(first + line + b"\n" + last)
    nbest = read_nbest(path, dialect, "skip")
    lines = (first + line + b"\n" + last).count(10)
    assert nbest.skipped == 1
    assert f"{path}: 1 of {lines} lines skipped as bad" in caplog.text
    assert list(nbest.texts) == (["b", "A"] if dialect == "fairseq" else ["a", "b"])
    if dialect not in ("ctranslate2", "huggingface"):
        assert nbest.offsets.tolist() == [0, 1, 2]


@pytest.mark.parametrize(("dialect", "line", "message"), TWICE)
def test_a_feature_twice_is_refused_on_the_first_line_too(tmp_path, dialect, line, message):
    path = tmp_path / "list"
    first = line.replace(b"1 |||", b"0 |||", 1).replace(b'"id": 1,', b'"id": 0,')
    path.write_bytes(first + b"\n")
    with pytest.raises(InputError) as error:
        read_nbest(path, dialect)
    assert str(error.value) == f"{path}:{1 + first.count(10)}: {message}"


@pytest.mark.parametrize(
    ("dialect", "bad", "good"),
    [
        ("moses", "0 ||| a ||| LM= 1 LM= 2 ||| -1", "0 ||| b ||| LM= 3 d_x= 1 ||| -1"),
        ("marian", "0 ||| a ||| F0= 1 F1= 2 F1= 2 ||| -1", "0 ||| b ||| F0= 3 ||| -1"),
    ],
)
def test_a_first_line_with_a_feature_twice_is_skipped_whole(tmp_path, dialect, bad, good):
    path = tmp_path / "list"
    path.write_text(f"{bad}\n{good}\n")
    skipped = read_nbest(path, dialect, "skip")
    path.write_text(f"{good}\n")
    alone = read_nbest(path, dialect)
    assert skipped.skipped == 1
    assert (skipped.dense_names, skipped.sparse_names) == (alone.dense_names, alone.sparse_names)
    assert skipped.dense.tolist() == alone.dense.tolist() == [[3.0]]


def test_the_lowest_bad_line_is_named_whatever_the_threads(tmp_path):
    good = [b"%d ||| a b c ||| LM= 1\n" % (i // 10) for i in range(60_000)]
    good[50_000] = b"broken\n"
    good[30_000] = b"3000 ||| a ||| LM= x\n"
    path = tmp_path / "list"
    path.write_bytes(b"".join(good))
    for threads in (1, 2, 4):
        with pytest.raises(InputError, match=r":30001: value 'x' of feature 'LM'"):
            read_nbest(path, engine=threads)
    assert read_nbest(path, on_bad_line="skip").skipped == 2


def test_a_wild_id_takes_no_other_lines_with_it(tmp_path):
    path = tmp_path / "list"
    path.write_text("".join(f"{i} ||| a ||| LM= 1\n" for i in (0, 1, 77, 2, 3, 1, 4)))
    nbest = read_nbest(path, on_bad_line="skip")
    assert nbest.offsets.tolist() == [0, 1, 2, 3, 4, 5]
    assert nbest.skipped == 2


def test_a_hole_is_an_empty_sentence_when_bad_lines_are_skipped(tmp_path):
    path = tmp_path / "list"
    path.write_text("".join(f"{i} ||| a ||| LM= 1\n" for i in (0, 2, 2, 3)))
    assert read_nbest(path, on_bad_line="skip").offsets.tolist() == [0, 1, 1, 3, 4]


@pytest.mark.parametrize(
    ("dialect", "content", "names"),
    [
        ("moses", b"0 ||| a ||| l\x80m= 1 ||| 1\n0 ||| b ||| lm= 2 ||| 1\n", ("lm",)),
        ("cdec", b"0 ||| a ||| l\x80m=1 ||| 1\n0 ||| b ||| lm=2 ||| 1\n", ("lm",)),
        ("tunesmith",
         b'{"id":0,"text":"a","features":{"l\x80m":1}}\n{"id":0,"text":"b","features":{"lm":1}}\n',
         ("lm",)),
        ("ctranslate2",
         b'{"hypotheses": [["a"]], "l\x80m": [1]}\n{"hypotheses": [["b"]], "lm": [1]}\n', ("lm",)),
        ("huggingface", b'{"sequences": ["b"], "\x80equences_scores": [1]}\n', ()),
    ],
)  # fmt: skip
def test_names_that_are_not_utf_8_are_not_learned(dialect, content, names, tmp_path):
    path = tmp_path / "list"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"list:1: byte 0x80 at column \d+, expected UTF-8"):
        read_nbest(path, dialect)
    assert read_nbest(path, dialect, "skip").names == names


def test_a_header_that_is_not_utf_8_cannot_be_skipped(tmp_path):
    path = tmp_path / "list"
    path.write_bytes(b"id\ttext\tl\x80m\n0\ta\t1\n")
    for policy in ("raise", "skip"):
        with pytest.raises(InputError, match="list:1: byte 0x80 at column 10, expected UTF-8"):
            read_nbest(path, "tsv", policy)
