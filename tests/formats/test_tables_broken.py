"""Broken tables: one line with the place, what was found and what was expected; exit code 2."""

import pytest

from tunesmith.base.errors import InputError, OptionError
from tunesmith.cli.main import main
from tunesmith.formats.nbest import TableOptions, as_nbest, read_nbest

HEAD = b"id,text,lm\n"
TWICE = "a quote inside a cell is written twice"
BROKEN = {
    "no text": (b"id,lm\n0,1\n", ":1: no column 'text', expected one for the text of the "
                "hypothesis; there are: id, lm; name it with --text-column"),
    "no id": (b"seg,text,lm\n0,a,1\n", ":1: no column 'id', expected one for the id of the "
              "sentence; there are: seg, text, lm; name it with --id-column"),
    "twice": (b"id,text,lm,lm\n0,a,1,2\n", ":1: column 'lm' twice, expected every column once"),
    "bad name": (b"id,text,l\x01m\n0,a,1\n",
                 ":1: feature name 'l\\x01m', expected a name without control characters"),
    "old line ends": (b"id,text,lm\r0,a,1\r0,b,2\r",
                      ":1: feature name 'lm\\x0d0', expected a name without control characters"),
    "no rows": (HEAD, ": no rows, expected at least one hypothesis"),
    "short": (HEAD + b"0,a,1\n0,b\n", ":3: 2 columns, expected 3, as in the header"),
    "long": (HEAD + b"0,a,1\n0,b,2,3\n", ":3: 4 columns, expected 3, as in the header"),
    "empty line": (HEAD + b"0,a,1\n\n0,b,1\n",
                   ":3: sentence id '', expected a whole number from 0"),
    "no number": (HEAD + b"0,a,1\n0,b,much\n",
                  ":3: value 'much' of feature 'lm', expected a finite number"),
    "no value": (HEAD + b"0,a,1\n0,b,\n",
                 ":3: value '' of feature 'lm', expected a finite number"),
    "nan": (HEAD + b"0,a,nan\n", ":2: value 'nan' of feature 'lm', expected a finite number"),
    "large": (HEAD + b"0,a,1e39\n", ":2: value '1e39' of feature 'lm', expected a finite number"),
    "comma": (b'id;text;lm\n0;a;1,5\n0;b;2\n',
              ":2: value '1,5' of feature 'lm', expected a finite number"),
    "id": (HEAD + b"0,a,1\nx,b,1\n", ":3: sentence id 'x', expected a whole number from 0"),
    "negative id": (HEAD + b"0,a,1\n-1,b,1\n",
                    ":3: sentence id '-1', expected a whole number from 0"),
    "empty id": (HEAD + b"s1,a,1\n,b,1\n", ":3: an empty id, expected the id of a sentence"),
    "late": (HEAD + b"5,a,1\n6,b,1\n", ":2: sentence id 5 first, expected 0 or 1; the sentences of "
             "a list are counted from 0 or from 1"),
    "hole": (HEAD + b"0,a,1\n3,c,1\n1,b,1\n", ":3: sentence id 3 after 1, expected 1 or 2; every "
             "sentence needs at least one hypothesis"),
    "line break": (HEAD + b'0,a,1\n0,"b\nc",1\n',
                   ":3: a line break in the text of a hypothesis, expected text on one line"),
    "open": (HEAD + b'0,a,1\n0,"b,1\n0,c,1\n',
             ":3: a cell whose quotes are not closed, expected a quote at its end; " + TWICE),
    "after": (HEAD + b'0,a,1\n0,"b" c,1\n', ":3: ' c,1' after the quotes of a cell, expected a "
              "separator or the end of the line; " + TWICE),
    "encoding": (HEAD + b"0,a,1\n0,\xe4,1\n", ":3: byte 0xe4 at column 3, expected UTF-8; convert "
                 "the file, for example with `iconv -t utf-8`"),
    "llm no list": (b'{"choices": [{"text": "a"}]}\n{"id": 5}\n', ":2: no candidates, expected a "
                    "list of them under 'choices' or 'candidates'"),
    "llm no text": (b'{"choices": [{"text": "a"}]}\n{"choices": [{"index": 0}]}\n',
                    ":2: a candidate without text, expected 'message', 'content' or 'text' with a "
                    "string"),
    "llm no feature": (b'{"choices": [{"text": "a", "score": 1}]}\n{"choices": [{"text": "b"}]}\n',
                       ":2: no feature 'score', expected a finite number"),
    "llm no json": (b'{"choices": [{"text": "a"}]}\n{"choices"\n',
                    ":2: no JSON: Expecting ':' delimiter: line 1 column 11 (char 10), expected "
                    "an answer on each line"),
    "llm lines": (b'{"choices": [{"text": "a\\nb"}]}\n',
                  ":1: a line break in the text of a hypothesis, expected text on one line"),
}  # fmt: skip


@pytest.mark.parametrize("case", BROKEN)
@pytest.mark.parametrize("threads", ["1", "2"])
def test_refused_in_one_line(case, threads, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    content, message = BROKEN[case]
    (tmp_path / "list.csv").write_bytes(content)
    (tmp_path / "w").write_text("lm\t1\n")
    arguments = ["rerank", "--nbest", "list.csv", "--weights", "w", "--threads", threads]
    assert main(arguments) == 2
    assert capsys.readouterr() == ("", f"tunesmith rerank: list.csv{message}\n")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--columns", "tm"], "list.csv:1: no column 'tm', expected one for a feature; there are: "
         "id, text, lm, total; name it with --columns"),
        (["--drop", "tm"], "list.csv:1: no column 'tm' to leave out, expected one of it; there "
         "are: id, text, lm, total"),
        (["--source-column", "src"], "list.csv:1: no column 'src', expected one for the source "
         "sentence; there are: id, text, lm, total; name it with --source-column"),
        (["--metric", "column:comet"], "list.csv:1: no column 'comet', expected the scores of the "
         "metric; there are: id, text, lm, total"),
        (["--refs", "short"], "list.csv: 2 sentences, expected 1, as the references have; list "
         "and references must be of the same text"),
        (["--format", "tsv"], "list.csv:1: no column 'id', expected one for the id of the "
         "sentence; there are: id,text,lm,total; name it with --id-column"),
    ],
)  # fmt: skip
def test_options_that_do_not_fit(options, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "list.csv").write_bytes(b"id,text,lm,total\n0,a,1,2\n1,b,3,4\n")
    (tmp_path / "refs").write_text("a\nb\n")
    (tmp_path / "short").write_text("a\n")
    arguments = ["tune", "--nbest", "list.csv", "--refs", "refs", "--out", "w", *options]
    assert main(arguments) == 2
    assert capsys.readouterr() == ("", f"tunesmith tune: {message}\n")


def test_bad_rows_can_be_skipped(tmp_path, caplog):
    path = tmp_path / "list.csv"
    path.write_bytes(HEAD + b'0,a,1\n0,b\nx,c,1\n2,"d",much\n3,e,5\n')
    nbest = read_nbest(path, on_bad_line="skip")
    assert nbest.offsets.tolist() == [0, 1, 1, 1, 2]
    assert (list(nbest.texts), nbest.skipped) == (["a", "e"], 3)
    assert f"{path}: 3 of 6 lines skipped as bad" in caplog.text
    path.write_bytes(HEAD + b"0,a,1\n2000000000,b,1\n")
    assert list(read_nbest(path, on_bad_line="skip").texts) == ["a"]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"id": [0, 1], "text": ["a"]}, "table: columns of different lengths: id 2, text 1"),
        ([{"id": 0, "text": None}], "table:1: None as text of a hypothesis, expected a string"),
        ([{"id": 0, "text": "a", "lm": 1}, {"id": 0, "text": "b", "lm": "x"}],
         "table:2: value 'x' of feature 'lm', expected a finite number"),
        ([{"id": 0, "text": "a", "lm": 1}, {"id": 0, "text": "b"}],
         "table:2: no feature 'lm', expected a finite number"),
        ([{"id": "s", "text": "a"}, {"id": 1, "text": "b"}],
         "table:2: sentence id 1, expected a name, as in the first row"),
        ([{"id": 0, "text": "a"}, {"id": 0.5, "text": "b"}],
         "table:2: sentence id 0.5, expected a whole number from 0"),
    ],
)  # fmt: skip
def test_tables_in_memory_get_the_same(table, message):
    with pytest.raises(InputError) as error:
        as_nbest(table)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize("value", [5, None, ["a", "b"], {1, 2}])
def test_what_is_no_list(value):
    with pytest.raises(OptionError, match=r"a list is an? .*, expected the name of a file, a Data"):
        as_nbest(value)


def test_quotes_that_do_not_exist(tmp_path):
    (tmp_path / "list").write_bytes(HEAD + b"0,a,1\n")
    with pytest.raises(OptionError, match="quotes is 'maybe', expected one of: auto, yes, no"):
        read_nbest(tmp_path / "list", table=TableOptions(quotes="maybe"))


def test_a_parquet_file_that_is_none(tmp_path):
    pytest.importorskip("pyarrow")
    (tmp_path / "list").write_bytes(b"PAR1 and so on")
    with pytest.raises(InputError, match=r"list: cannot be read: .*, expected a Parquet file$"):
        read_nbest(tmp_path / "list")
