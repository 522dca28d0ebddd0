"""For every dialect a table of broken lists and the exact message that each gets.

Every list but the last ones of a table has one bad line among good ones: the same list with bad
lines skipped gives the good ones and counts the bad one.
"""

import gzip
import lzma
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunesmith.base.errors import InputError, OptionError
from tunesmith.formats.nbest import read_nbest

UTF8 = "UTF-8; convert the file, for example with `iconv -t utf-8`"
EVERY = "expected it on every line; if lines may lack it, name it with --dense"
NO_LM = "no feature 'LM', " + EVERY
HOLE = "every sentence needs at least one hypothesis"
FIELDS = "expected id ||| text ||| features ||| total"
ORDER = "sort the list by sentence, and give several lists as several files"

MOSES = b"0 ||| a ||| LM= 1 TM= 1 2 ||| -1\n"
# What the three fields have in common, as (line, message).
PIPES = [
    (b"1", f"'1' without '|||', {FIELDS}"),
    (b"", f"'' without '|||', {FIELDS}"),
    (b"x ||| a ||| LM=1", "sentence id 'x', expected a whole number from 0"),
    (b"-1 ||| a ||| LM=1", "sentence id '-1', expected a whole number from 0"),
    (b"99999999999 ||| a ||| LM=1",
     "sentence id '99999999999', expected a whole number from 0"),
    (b" ||| a ||| LM=1", "sentence id '', expected a whole number from 0"),
    (b"1 ||| \xe4 ||| LM=1", f"byte 0xe4 at column 7, expected {UTF8}"),
    (b"1 ||| a\0b ||| LM=1", f"byte 0x00 at column 8, expected {UTF8}"),
    (b"1 ||| a ||| LM=nan", "value 'nan' of feature 'LM', expected a finite number"),
    (b"1 ||| a ||| LM=-inf", "value '-inf' of feature 'LM', expected a finite number"),
    (b"1 ||| a ||| LM=1e39", "value '1e39' of feature 'LM', expected a finite number"),
    (b"1 ||| a ||| LM=1e999", "value '1e999' of feature 'LM', expected a finite number"),
    (b"1 ||| a ||| LM=1,5", "value '1,5' of feature 'LM', expected a finite number"),
    (b"1 ||| a ||| LM=1 LM=2", "feature 'LM' twice, expected every feature once"),
    (b"1 ||| a ||| LM=1 x_y=2 x_y=2", "feature 'x_y' twice, expected every feature once"),
    (b"1 ||| a ||| LM= ||| -1", "no value after 'LM=', expected a number"),
    (b"1 ||| a ||| b ||| LM=1",
     "'b' among the features, expected 'name= value' or 'name=value'; "
     "is there a '|||' in the text?"),
    (b"1 ||| a ||| =1",
     "'=1' among the features, expected 'name= value' or 'name=value'; "
     "is there a '|||' in the text?"),
    (b"1 ||| a ||| LM=1 ||| much", "value 'much' of feature 'total', expected a finite number"),
    (b"2 ||| a ||| LM=1",
     "sentence id 2 after 0, expected 0 or 1; " + HOLE),
]  # fmt: skip

TABLES = {
    # dialect: (good first line, lines with their messages, good last line)
    "cdec": (b"0 ||| a ||| LM=1 ||| -1\n", PIPES, b"1 ||| b ||| LM=1 ||| -1\n"),
    "joshua": (b"0 ||| a ||| LM=1 tm_0=2 ||| -1\n", PIPES, b"1 ||| b ||| LM=1 tm_0=2 ||| -1\n"),
    "moses": (
        MOSES,
        [(line.replace(b"LM=1", b"LM= 1 TM= 1 2"), message) for line, message in PIPES
         if b"LM=1," not in line and b"LM=1e" not in line]
        + [
            (b"1 ||| a ||| LM= 1 TM= 1 ||| -1",
             "1 value of 'TM', expected 2, as on the first line"),
            (b"1 ||| a ||| LM= 1 TM= 1 2 3 ||| -1",
             "3 values of 'TM', expected 2, as on the first line"),
            (b"1 ||| a ||| LM= 1 2 TM= 1 2 ||| -1",
             "2 values of 'LM', expected 1, as on the first line"),
            (b"1 ||| a ||| TM= 1 2 ||| -1", NO_LM),
            (b"1 ||| a", NO_LM),
            (b"1 ||| a ||| LM= 1 TM= 1 1e39 ||| -1",
             "value '1e39' of feature 'TM_1', expected a finite number"),
            (b"1 ||| a ||| LM= 1 TM= 1 nan ||| -1",
             "value 'nan' of feature 'TM', expected a finite number"),
            (b"1 ||| a ||| LM= 1 TM= 1 2 w_x= ||| -1", "no value after 'w_x=', expected a number"),
        ],
        b"1 ||| b ||| LM= 1 TM= 1 2 ||| -1\n",
    ),
    "marian": (
        b"0 ||| a ||| F0= 1 F1= 2 ||| -1\n",
        [
            (b"1 ||| a ||| 0-0 ||| F0= 1 ||| -1", "no feature 'F1', " + EVERY),
            (b"1 ||| a ||| F0= 1 F1= 2 F0= 1 ||| -1",
             "feature 'F0' twice, expected every feature once"),
            (b"1 ||| a ||| F0= 1 F1= -nan ||| -1",
             "value '-nan' of feature 'F1', expected a finite number"),
            (b"1 ||| a ||| 0-0 ||| F0= 1 F1= 2 ||| inf",
             "value 'inf' of feature 'total', expected a finite number"),
            (b"1 ||| \xc3 ||| F0= 1 F1= 2 ||| -1", f"byte 0xc3 at column 7, expected {UTF8}"),
            (b"2 ||| a ||| F0= 1 F1= 2 ||| -1",
             "sentence id 2 after 0, expected 0 or 1; " + HOLE),
            (b"1 ||| a ||| F0= 1 2 F1= 2 ||| -1",
             "2 values of 'F0', expected 1, as on the first line"),
        ],
        b"1 ||| b ||| 0-0 1-1 ||| F0= 1 F1= 2 ||| -1\n",
    ),
    "labels": (
        b"0 ||| a ||| one\n",
        [
            (b"1 ||| a", "2 fields, expected id ||| text ||| one label"),
            (b"1 ||| a ||| ", "3 fields, expected id ||| text ||| one label"),
            (b"1 ||| a ||| b c", "3 fields, expected id ||| text ||| one label"),
            (b"1 ||| a ||| b ||| c", "4 fields, expected id ||| text ||| one label"),
            (b"y ||| a ||| b", "sentence id 'y', expected a whole number from 0"),
            (b"5 ||| a ||| b",
             "sentence id 5 after 0, expected 0 or 1; " + HOLE),
            (b"1 ||| \xff ||| b", f"byte 0xff at column 7, expected {UTF8}"),
        ],
        b"1 ||| b ||| two\n",
    ),
    "tsv": (
        b"id\ttext\tlm\ttm\n0\ta\t1\t2\n",
        [
            (b"1\ta\t1", "3 columns, expected 4, as in the header"),
            (b"1\ta\t1\t2\t3", "5 columns, expected 4, as in the header"),
            (b"", "sentence id '', expected a whole number from 0"),
            (b"one\ta\t1\t2", "sentence id 'one', expected a whole number from 0"),
            (b"1\ta\t\t2", "value '' of feature 'lm', expected a finite number"),
            (b"1\ta\t1\tNaN", "value 'NaN' of feature 'tm', expected a finite number"),
            (b"1\ta\t1\tinfinity", "value 'infinity' of feature 'tm', expected a finite number"),
            (b"1\ta\t1\t 2", "value ' 2' of feature 'tm', expected a finite number"),
            (b"1\t\xed\xa0\x80\t1\t2", f"byte 0xed at column 3, expected {UTF8}"),
            (b"3\ta\t1\t2",
             "sentence id 3 after 0, expected 0 or 1; " + HOLE),
        ],
        b"1\tb\t1\t2\n",
    ),
    "tunesmith": (
        b'{"id": 0, "text": "a", "features": {"lm": 1}}\n',
        [
            (b"", "the end of the line at column 1, expected a JSON value; is the line cut off?"),
            (b'{"id": 1, "text": "a"',
             "the end of the line at column 22, expected ',' or '}'; is the line cut off?"),
            (b'{"id": 1, "text": "a}',
             "the end of the line at column 22, expected '\"' at the end of a string; "
             "is the line cut off?"),
            (b'{"id": 1, "text": "a"} x', "'x' at column 24, expected the end of the line"),
            (b"{'id': 1}", "''id': 1}' at column 2, expected a key in quotes"),
            (b'{"id" 1}', "'1}' at column 7, expected ':' after a key"),
            (b'{"id": 01}', "'1}' at column 9, expected ',' or '}'"),
            (b'{"id": .5}', "'.5}' at column 8, expected a JSON value"),
            (b'{"id": 1, "text": "\\x"}',
             "'\\x\"}' at column 20, expected an escape such as \\n or \\u00e4"),
            (b'{"id": 1, "text": "\\ud83d"}',
             "'\"}' at column 26, expected no NUL and no half surrogate pair"),
            (b'{"id": 1, "text": "\\u0000"}',
             "'\"}' at column 26, expected no NUL and no half surrogate pair"),
            (b'{"id": 1, "text": "\\u12"}',
             "'\\u12\"}' at column 20, expected four hexadecimal digits after \\u"),
            (b'{"id": 1, "text": "a\tb"}',
             "'\\x09b\"}' at column 21, expected control characters as \\u00XX"),
            (b'{"id": 1, "text": "a\\nb"}',
             "a line break in the text of a hypothesis, expected text on one line"),
            (b'["a"]', "a list, expected an object with \"id\" and \"text\""),
            (b'{"text": "a"}', "no \"id\", expected the number of the sentence, from 0"),
            (b'{"id": null, "text": "a"}',
             "null as \"id\", expected the number of the sentence, from 0"),
            (b'{"id": 1.5, "text": "a"}', "sentence id '1.5', expected a whole number from 0"),
            (b'{"id": 1}', "no \"text\", expected the text of a hypothesis"),
            (b'{"id": 1, "text": 5}',
             "5 as text of a hypothesis, expected a string or a list of tokens"),
            (b'{"id": 1, "text": "a", "features": [1]}',
             "a list as \"features\", expected an object"),
            (b'{"id": 1, "text": "a", "features": {"lm": "x"}}',
             "value 'x' of feature 'lm', expected a finite number"),
            (b'{"id": 1, "text": "a", "features": {"lm": NaN}}',
             "value 'NaN' of feature 'lm', expected a finite number"),
            (b'{"id": 1, "text": "a", "features": {"lm": -Infinity}}',
             "value '-Infinity' of feature 'lm', expected a finite number"),
            (b'{"id": 1, "text": "a", "features": {"lm": 1e99}}',
             "value '1e99' of feature 'lm', expected a finite number"),
            (b'{"id": 1, "text": "a", "features": {"lm": null}}',
             "null as value of feature 'lm', expected a finite number"),
            (b'{"id": 1, "text": "a", "features": {"lm": 1, "lm": 2}}',
             "feature 'lm' twice, expected every feature once"),
            (b'{"id": 1, "text": "a", "features": {"lm": 1}, "lm": 2}',
             "feature 'lm' twice, expected every feature once"),
            (b'{"id": 1, "text": "a", "features": {"": 1}}',
             "feature name '', expected a name without control characters"),
            (b'{"id": 1, "text": "a", "features": {"a\\tb": 1}}',
             "feature name 'a\\x09b', expected a name without control characters"),
            (b'{"id": 1, "text": "\xff"}', f"byte 0xff at column 20, expected {UTF8}"),
            (b'{"id": 7, "text": "a"}',
             "sentence id 7 after 0, expected 0 or 1; " + HOLE),
            (b"[" * 70,
             "'[[[[[' at column 66, expected JSON of less depth"),
        ],
        b'{"id": 1, "text": "b", "features": {"lm": 1}}\n',
    ),
    "sockeye": (
        b'{"sentence_id": 1, "translations": ["a"], "scores": [[1]]}\n',
        [
            (b'{"sentence_id": 2, "translations": ["a"], "scores": [[1], [2]]}',
             "2 values of 'scores', expected 1, one per hypothesis"),
            (b'{"sentence_id": 2, "translations": ["a"], "scores": ["x"]}',
             "value 'x' of feature 'score', expected a finite number"),
            (b'{"sentence_id": 2, "translations": ["a"]}',
             "no feature 'score', " + EVERY),
            (b'{"sentence_id": 2, "translations": []}',
             "a list without hypotheses, expected a list of at least one hypothesis under "
             '"translations"'),
            (b'{"sentence_id": 2}',
             'no "translations", expected a list of at least one hypothesis under "translations"'),
            (b'{"sentence_id": 0, "translations": ["a"], "scores": [[1]]}',
             "sentence id '0', expected a whole number from 1"),
            (b'{"sentence_id": 4, "translations": ["a"], "scores": [[1]]}',
             "sentence id 4 after 1, expected 1 or 2; " + HOLE),
        ],
        b'{"sentence_id": "2", "translation": "b", "score": 0.5}\n',
    ),
    "ctranslate2": (
        b'{"hypotheses": [["a"]], "scores": [1]}\n',
        [
            (b'{"hypotheses": [["a", 1]], "scores": [1]}',
             "1 among the tokens of a hypothesis, expected strings"),
            (b'{"hypotheses": [null], "scores": [1]}',
             "null as text of a hypothesis, expected a string or a list of tokens"),
            (b'{"hypotheses": [["a"]], "scores": [1, 2]}',
             "2 values of 'scores', expected 1, one per hypothesis"),
            (b'{"hypotheses": [["a"]], "scores": [null]}',
             "null as value of feature 'score', expected a finite number"),
            (b'{"hypotheses": [["a"]], "scores": [NaN]}',
             "value 'NaN' of feature 'score', expected a finite number"),
            (b'{"hypotheses": [["a"]]}', "no feature 'score', " + EVERY),
            (b'{"hypotheses": "a", "scores": [1]}',
             "'a' without hypotheses, expected a list of at least one hypothesis under "
             '"hypotheses"'),
            (b"[]", 'no "hypotheses", expected a list of at least one hypothesis under '
             '"hypotheses"'),
        ],
        b'{"hypotheses": [["b"]], "scores": [1]}\n',
    ),
    "huggingface": (
        b'[{"generated_text": "a", "score": 1}]\n',
        [
            (b"[]", "an empty list, expected at least one hypothesis"),
            (b'[{"score": 1}]',
             'a hypothesis without text, expected the key "generated_text" or "translation_text"'),
            (b"[1]",
             'a hypothesis without text, expected the key "generated_text" or "translation_text"'),
            (b'[{"translation_text": "a", "score": Infinity}]',
             "value 'Infinity' of feature 'score', expected a finite number"),
            (b'[{"translation_text": "a"}]', "no feature 'score', " + EVERY),
            (b'[{"translation_text": "a", "score": 1, "score": 2}]',
             "feature 'score' twice, expected every feature once"),
            (b'{"sequences": ["a"], "sequences_scores": [1, 2]}',
             "2 values of 'sequences_scores', expected 1, one per hypothesis"),
            (b'{"sequence": ["a"]}',
             'no "sequences", expected a list of at least one hypothesis under "sequences"'),
        ],
        b'{"sequences": ["b"], "sequences_scores": [1]}\n',
    ),
    "fairseq": (
        b"S-1\tx\nT-1\ty\nH-1\t-1\ta\nD-1\t-1\tA\nP-1\t-1 -2\n",
        [
            (b"H-0\t-1", "H- line without text, expected H-number, score, text"),
            (b"H-x\t-1\ta", "sentence id 'x', expected a whole number from 0"),
            (b"H-0\tnan\ta", "value 'nan' of feature 'score', expected a finite number"),
            (b"D-0\t-1\ta", "line D-0 without H-0 before it, expected the lines of a hypothesis "
             "together"),
            (b"P-7\t-1",
             "line P-7 without H-7 before it, expected the lines of a hypothesis together"),
            (b"Q-0\tx",
             "'Q-0\\x09x', expected a line that begins with S-, T-, H-, D- or P- and a number"),
            (b"what is this",
             "'what is this', expected a line that begins with S-, T-, H-, D- or P- and a number"),
            (b"S-0\t\xfc", f"byte 0xfc at column 5, expected {UTF8}"),
        ],
        b"H-0\t-1\tb\nP-0\t-3\n",
    ),
}  # fmt: skip

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
        read_nbest(path, dialect, threads=threads)
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
            "{path}:1: a header with 1 columns 'id' and 0 columns 'text', expected one of each",
        ),
        (
            "tsv",
            b"id\ttext\tlm\tlm\n0\ta\t1\t1\n",
            "{path}:1: column 'lm' twice, expected every column once",
        ),
        (
            "tsv",
            b"id\ttext\t\n0\ta\t1\n",
            "{path}:1: feature name '', expected a name without control characters",
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


def test_the_lowest_bad_line_is_named_whatever_the_threads(tmp_path):
    good = [b"%d ||| a b c ||| LM= 1\n" % (i // 10) for i in range(60_000)]
    good[50_000] = b"broken\n"
    good[30_000] = b"3000 ||| a ||| LM= x\n"
    path = tmp_path / "list"
    path.write_bytes(b"".join(good))
    for threads in (1, 2, 4):
        with pytest.raises(InputError, match=r":30001: value 'x' of feature 'LM'"):
            read_nbest(path, threads=threads)
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
        nbest = read_nbest(path, dialect, policy, threads=threads)
    except InputError as error:
        message = str(error)
    if message:
        assert re.match(rf"{re.escape(str(path))}(:\d+)?: .", message)
    else:
        assert len(nbest.texts) == nbest.rows == len(nbest.dense)
        assert all(isinstance(text, str) for text in nbest.texts)


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
